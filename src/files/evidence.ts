/**
 * What proves a ruling: words, or a file, of which name, size and SHA-256 are kept.
 *
 * Errors:  RequestRefused.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { input, said } from '../domain/text/message.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { EvidenceGiven } from '../ports/evidence.ts';

const BYTES_MAX = 50 * 1024 * 1024;

/** `folder`: where relative paths begin. */
export function evidenceOf(given: EvidenceGiven, folder: string): string {
  if (typeof given === 'string') return typedEvidence(given.trim(), folder);
  if (!('path' in given)) return requireWords(given.words.trim());
  const size = sizeOf(given.path);
  if (size === undefined) throw new RequestRefused(`There is no file “${given.name}” any more.`);
  const { words = '' } = given;
  const file = fileEvidence({ ...given, size });
  return words.trim() === '' ? file : `${words.trim()}; ${file}`;
}

function requireWords(text: string): string {
  if (text !== '') return text;
  throw new RequestRefused(
    said`The evidence (${input('evidence')}) is empty: write what proves it, or name a file.`,
  );
}

function typedEvidence(text: string, folder: string): string {
  requireWords(text);
  const path = resolve(folder, text);
  const size = sizeOf(path);
  if (size === undefined && looksLikePath(text)) {
    throw new RequestRefused(
      said`${input('evidence', text)} looks like a file, and there is none. Correct the path, or say it in words.`,
    );
  }
  if (size === undefined) return text;
  return fileEvidence({ path, name: basename(text), size });
}

interface EvidenceFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

function fileEvidence({ path, name, size }: EvidenceFile): string {
  if (size > BYTES_MAX) throw new RequestRefused(`The evidence ${name} is larger than 50 MB.`);
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `file ${name} (${size} bytes, SHA-256 ${hash})`;
}

/** One word with a slash or a file ending: a mistyped path must not be kept as if it were the proof. */
function looksLikePath(text: string): boolean {
  return (
    !/\s/.test(text) && !/^https?:\/\//.test(text) && (text.includes('/') || /\.[a-z0-9]{2,5}$/i.test(text))
  );
}

/** undefined when the path is no file's. */
function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
