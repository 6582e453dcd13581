/**
 * A metrics file that a collector may read at any moment: written beside its place, then renamed into it. Readable
 * by all, because the collector is another user, and without anything that only some may read.
 *
 * The temporary name does not end in .prom, so that the collector does not take it for a second file. A device or a
 * pipe is written to as it is.
 */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ReportUnwritable } from '../ports/outputs.ts';
import { type MayWrite, writeReportFile } from './report/report-file.ts';

const FOR_ALL = 0o644;
/** Ours has a few kilobytes; whatever is larger is another file. */
const READ_MAX_BYTES = 1_000_000;

const changing = new Map<string, Promise<unknown>>();

/**
 * Writes what becomes of the text that stands there: a worker and a run of this process may share a file, and neither
 * overwrites what the other says. Why it was not written; undefined when it was. Throws ReportUnwritable where it may not
 * be written at all.
 */
export async function changeMetricsFile(
  path: string,
  change: (before: string) => string,
  mayWrite?: MayWrite,
): Promise<string | undefined> {
  const before = changing.get(path) ?? Promise.resolve();
  const writing = before.then(async () =>
    writeMetricsFile(path, change(await readMetricsFile(path)), mayWrite),
  );
  const over = writing.catch(() => undefined);
  changing.set(path, over);
  return writing;
}

async function writeMetricsFile(
  path: string,
  text: string,
  mayWrite?: MayWrite,
): Promise<string | undefined> {
  try {
    await writeReportFile(resolve(path), text, { mode: FOR_ALL, ...(mayWrite && { mayWrite }) });
    return undefined;
  } catch (error) {
    // Without a cause it is no failure of the disk: the guard says no.
    if (!(error instanceof ReportUnwritable) || error.cause === undefined) throw error;
    const { cause } = error;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  }
}

/** What an earlier call wrote there; empty when there is nothing of ours. */
export async function readMetricsFile(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > READ_MAX_BYTES) return '';
    const text = await readFile(path, 'utf8');
    return text.startsWith('# HELP payfile_') ? text : '';
  } catch {
    return '';
  }
}
