/**
 * A home folder in one file: what an old program left of its ledger, its lists and its input, and the book of the
 * service that it paid through. Where the folder's own path stands in a list, `{{HOME}}` is written.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Executed } from './kept-service.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/old-ledgers/', import.meta.url));
const HOME = '{{HOME}}';

interface KeptFile {
  readonly path: string;
  readonly mode: number;
  readonly text?: string;
  readonly base64?: string;
}

interface KeptHome {
  /** When the last command of the old program ended. */
  readonly leftAt: string;
  readonly book: readonly Executed[];
  readonly files: readonly KeptFile[];
}

export function keepHome(name: string, home: string, left: Pick<KeptHome, 'leftAt' | 'book'>): void {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((path) => !path.endsWith('-shm'))
    .flatMap((path): KeptFile[] => {
      const stat = statSync(join(home, path));
      const mode = stat.mode & 0o7777;
      if (stat.isDirectory()) return [{ path, mode }];
      const bytes = readFileSync(join(home, path));
      const isText = /\.(csv|json|jsonl)$/.test(path);
      if (!isText) return [{ path, mode, base64: bytes.toString('base64') }];
      return [{ path, mode, text: bytes.toString('utf8').replaceAll(home, HOME) }];
    });
  const kept: KeptHome = { ...left, files };
  writeFileSync(join(FOLDER, `${name}.json.gz`), gzipSync(JSON.stringify(kept), { level: 9 }));
}

/** Lays the files out in an empty folder. */
export function restoreHome(name: string, home: string): Pick<KeptHome, 'leftAt' | 'book'> {
  const kept = JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}.json.gz`))).toString()) as KeptHome;
  for (const { path, mode, text, base64 } of kept.files) {
    const place = join(home, path);
    mkdirSync(text === undefined && base64 === undefined ? place : dirname(place), { recursive: true });
    if (text !== undefined) writeFileSync(place, text.replaceAll(HOME, home));
    else if (base64 !== undefined) writeFileSync(place, Buffer.from(base64, 'base64'));
    chmodSync(place, mode);
  }
  return kept;
}
