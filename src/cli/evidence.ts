/**
 * What proves a ruling: words, or a file, of which name, size and SHA-256 are kept.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from './usage-error.ts';

const BYTES_MAX = 50 * 1024 * 1024;

export function evidenceOf(written: string): string {
  const text = written.trim();
  if (text === '') throw new UsageError('--evidence is empty: write what proves it, or name a file.');
  const size = sizeOf(text);
  if (size === undefined && looksLikePath(text)) {
    throw new UsageError(
      `--evidence ${text} looks like a file, and there is none. Correct the path, or say it in words.`,
    );
  }
  if (size === undefined) return text;
  if (size > BYTES_MAX) throw new UsageError(`--evidence ${text} is larger than 50 MB.`);
  const hash = createHash('sha256').update(readFileSync(text)).digest('hex');
  return `file ${basename(text)} (${size} bytes, SHA-256 ${hash})`;
}

/** One word with a slash or a file ending: a mistyped path must not be kept as if it were the proof. */
function looksLikePath(text: string): boolean {
  return (
    !/\s/.test(text) && !/^https?:\/\//.test(text) && (text.includes('/') || /\.[a-z0-9]{2,5}$/i.test(text))
  );
}

/** undefined when the text does not name a file. */
function sizeOf(text: string): number | undefined {
  try {
    const found = statSync(text);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
