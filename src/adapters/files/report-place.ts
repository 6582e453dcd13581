/**
 * Can a report be put there? Asked before any money moves, because a folder that is missing is found out too late
 * when the report is due. Nothing is made or changed.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
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
  } catch (error) {
    throw unwritable(path, error, ASKED);
  }
}
