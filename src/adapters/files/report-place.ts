/**
 * Can a report be put there? Asked before any money moves, because a folder that is missing is found out too late
 * when the report is due. What is written to see whether the disk takes it is gone again.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { OutputGuard } from '../../ports/report-sink.ts';
import { formatOf } from './open-report-sink.ts';
import { unwritable } from './write-report-file.ts';

const ASKED = {
  what: 'report',
  advice: 'nothing was sent. Make its folder, or name another place with --report.',
};

export async function requireReportPlace(path: string, guard: OutputGuard): Promise<void> {
  if (path === '-') return;
  await guard.check(path, formatOf(path, undefined));
  try {
    const standing = await stat(path).catch(() => undefined);
    if (standing?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    // Pipes and devices are written to as they are.
    if (standing !== undefined && !standing.isFile()) return;
    const folder = dirname(resolve(path));
    if (!(await stat(folder)).isDirectory())
      throw Object.assign(new Error('is no folder'), { code: 'ENOTDIR' });
    await access(folder, constants.W_OK | constants.X_OK);
    await writeAndRemove(folder);
  } catch (error) {
    throw unwritable(path, error, ASKED);
  }
}

/** As much as a small report. A disk that is full takes a name, and no bytes. */
const TRIED_BYTES = 64 * 1024;

async function writeAndRemove(folder: string): Promise<void> {
  const path = join(folder, `.payfile-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(Buffer.alloc(TRIED_BYTES));
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
