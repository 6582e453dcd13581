/**
 * The command to type next, by exit code. Whatever is named here does something when it is typed: rows that cannot be
 * paid again yet are explained, not reissued, and rows that came back are named one by one.
 */
import { basename, join } from 'node:path';
import {
  type Batch,
  batchLabel,
  isPausedForStatement,
  type StatusCounts,
} from '../../domain/batches/batch.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { type Command, command, plainPath } from '../../domain/steps/command.ts';
import { whyNotAgain } from '../../use-cases/decide/reissue.ts';
import type { Call } from './call.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Opened } from './open-parts.ts';
import type { Attention } from './show/outcome.ts';
import type { WrittenReport } from './write-reports.ts';

export interface NextContext {
  readonly attention: readonly Attention[];
  readonly call: Call;
  readonly opened: Opened;
  readonly counts: StatusCounts;
  readonly reports: readonly WrittenReport[];
}

/** So many rows are named at the most; the command is typed again for the rest. */
const NAMED_MAX = 20;

export async function nextCommand(
  exitCode: ExitCode,
  batch: Batch,
  context: NextContext,
): Promise<Command | undefined> {
  const { attention, call, counts, reports } = context;
  const label = batchLabel(batch);
  // What was paid otherwise than asked is compared with a statement; no command mends it.
  const first = attention.find(({ differs }) => differs !== true) ?? attention[0];
  switch (exitCode) {
    case EXIT.inDoubt:
      return first === undefined ? command('status', [label]) : command('explain', [label, first.row]);
    case EXIT.stopped:
      if (isPausedForStatement(batch)) return command('status', [label]);
      return command(batch.pause === undefined ? 'send' : 'resume', [label]);
    case EXIT.interrupted:
    case EXIT.terminated:
      return command(counts.approved > 0 ? 'send' : 'settle', [label]);
    case EXIT.onItsWay:
      return command('settle', [label]);
    case EXIT.needsPerson:
      return command(counts.quoted > 0 ? 'approve' : 'status', [label]);
    case EXIT.exceptions:
      // A hold is there to be looked at: the command to type next never lets it go unseen.
      if (first?.status === 'held') return command('explain', [label, first.row]);
      return (await payAgain(batch, context)) ?? reportOf(label, call);
    case EXIT.reportUnwritable:
      return elsewhere(label, reports, call);
    case EXIT.credentials:
    case EXIT.config:
      return command('doctor');
    case EXIT.done:
      return reportOf(label, call);
    default:
      return command('status', [label]);
  }
}

/** For rows that failed or came back; undefined when there are none. */
async function payAgain(batch: Batch, { opened, counts }: NextContext): Promise<Command | undefined> {
  const label = batchLabel(batch);
  const moment = { at: opened.parts.clock.now(), policy: opened.settings.policy };
  const failed = counts.failed === 0 ? [] : await firstRows(batch, 'failed', opened);
  if (failed.some((payout) => whyNotAgain(payout, undefined, moment) === undefined))
    return command('reissue', [label], [['--all-failed']]);
  const returned = counts.returned === 0 ? [] : await firstRows(batch, 'returned', opened);
  const rows = returned.map(({ rowNumber }) => rowNumber);
  if (rows.length > 0) return command('reissue', [label, ...rows]);
  const [young] = failed;
  return young === undefined ? undefined : command('explain', [label, young.rowNumber]);
}

async function firstRows(batch: Batch, status: Status, opened: Opened): Promise<readonly Payout[]> {
  const ledger = await opened.ledger();
  return (await ledger.page(batch.id, { statuses: [status], after: undefined, limit: NAMED_MAX })).payouts;
}

function reportOf(label: string, call: Call): Command | undefined {
  return call.flags.report === undefined ? command('report', [label], [['-o', 'report.xlsx']]) : undefined;
}

/** The same report in the working folder or, where it was meant to be there, in the folder for temporary files. */
function elsewhere(label: string, reports: readonly WrittenReport[], call: Call): Command {
  const path = reports.find(({ problem }) => problem !== undefined)?.path ?? 'report.xlsx';
  const name = basename(path);
  const target = path === name || path === `./${name}` ? join(call.surroundings.temporary, name) : name;
  return command('report', [label], [['-o', plainPath(target)]]);
}
