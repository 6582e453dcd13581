/**
 * The end of work on a batch: writes the reports and returns the result, its exit code, the rows to look at and what to do
 * next.
 *
 * The next command always does something when it is typed: rows that cannot be paid again yet are explained, not written
 * into a file that pays again. A report that cannot be written is noted (exit code 73) and never hides
 * what became of the money.
 */

import { basename, join } from 'node:path';
import { type Batch, batchLabel, isMoved, isPausedForStatement } from '../../domain/batches/batch.ts';
import {
  type Command,
  command,
  type NextSteps,
  nextSteps,
  plainPath,
} from '../../domain/next-steps/command.ts';
import { readAgain, reportCommand } from '../../domain/next-steps/file-commands.ts';
import { freeRedoName, unpaidCommand } from '../../domain/next-steps/pay-again.ts';
import { unclearText } from '../../domain/payouts/difference.ts';
import type { Payout, Status } from '../../domain/payouts/payout.ts';
import { EXIT, type ExitCode, strongest } from '../../domain/reporting/exit-code.ts';
import { showsAccounts } from '../../domain/reporting/report.ts';
import { type Message, saidBy } from '../../domain/text/message.ts';
import { ReportUnwritable } from '../../ports/outputs.ts';
import { whyNotPaidAgain } from '../decide/reissue.ts';
import { isTakenIn } from '../intake/batch-name.ts';
import { BatchHalfRead, OtherFileRead } from '../intake/half-read.ts';
import { BatchBusy } from '../ports.ts';
import { begunIn, type MoneySent, moneySent, workOfError } from '../work-of-error.ts';
import { firstOpen } from './attention.ts';
import { type BatchSummary, provenView, type ReportingPorts } from './batch-view.ts';
import { type Reported, reportBatch, reportHeader } from './report-batch.ts';
import { noteAccountsShown } from './show-account.ts';

export interface EndOptions {
  /** What applies besides what the rows say. */
  readonly codes: readonly ExitCode[];
  /** The exit code ignores the states of the rows, as for a batch that was finished before. */
  readonly ignoresRows?: boolean | undefined;
  /** This work found rows that became failed, returned or different: 3 comes before what only has to be asked again. */
  readonly hasNewExceptions?: boolean | undefined;
  /** What looks again comes after what an exception or an incident needs. */
  readonly lookAgain?: Command | undefined;
  /** Known better by who did the work than by how the batch stands. */
  readonly next?: Command | undefined;
  readonly andThen?: Command | undefined;
  /** The same request once more, where an outage stopped it. */
  readonly again?: Command | undefined;
  /** Where reports are wanted; undefined when nobody named any. */
  readonly reports?: readonly string[] | undefined;
  readonly fullAccounts?: boolean | undefined;
}

export interface WrittenReport {
  readonly path: string;
  /** Why there is no report; undefined when it is written. */
  readonly problem: string | Message | undefined;
}

export interface BatchEnd extends BatchSummary {
  readonly exitCode: ExitCode;
  readonly reports: readonly WrittenReport[];
  readonly steps: NextSteps;
}

export interface EndPorts extends ReportingPorts {
  /** For a report that cannot be written where it was wanted. */
  readonly temporaryFolder: string;
  /** Whose reports they are. */
  readonly user: string;
  /** The configuration names people, so the journal keeps who was given whole accounts. Else everything is the caller's. */
  readonly namesPeople: boolean;
}

export async function endBatch(asked: Batch, options: EndOptions, ports: EndPorts): Promise<BatchEnd> {
  const batch = (await ports.ledger.batch(asked.id)) ?? asked;
  await noteWholeAccounts(batch, options, ports);
  const { reported, reports } = await writeReports(batch, options, ports);
  const summary = await provenView(batch, reported, ports);
  const exitCode = exitCodeOf(reported, reports, options);
  const end = { ...summary, exitCode, reports };
  const next = options.next ?? (await nextCommand(end, options, ports));
  const compare = exitCode === EXIT.inDoubt ? summary.doubt?.compare : undefined;
  const isForPerson = exitCode === EXIT.inDoubt || exitCode === EXIT.exceptions;
  const later = compare ?? (isForPerson ? options.lookAgain : undefined);
  return { ...end, steps: nextSteps(next, options.andThen ?? later) };
}

/** Before a report is written, also after an error. */
async function noteWholeAccounts({ id }: Batch, options: EndOptions, ports: EndPorts): Promise<void> {
  const { reports = [], fullAccounts } = options;
  if (!ports.namesPeople || !reports.some((path) => showsAccounts(path, { fullAccounts }))) return;
  await noteAccountsShown(id, { by: ports.user, where: 'in a report at the end of a command' }, ports);
}

/** What broke the work off, and how it is mended. */
export interface BrokenOff {
  readonly exitCode: ExitCode;
  readonly steps: NextSteps;
  /** The same request once more, for when the service answers. */
  readonly again?: Command | undefined;
  /** That was worked on, where only showing the result went wrong. */
  readonly batch?: Batch | undefined;
}

/** What is known of money when work that may send broke off. */
export type AfterFailure =
  /** Nothing of the batch ever went out. */
  | { readonly kind: 'nothing_sent' }
  /** The ledger cannot be read. The work itself began so many transfers; `mayBeMore`: workers may have begun more. */
  | { readonly kind: 'unreported'; readonly begun: number; readonly mayBeMore: boolean }
  /** The set-up stopped this work before it began; earlier work sent this much. */
  | { readonly kind: 'sent_before'; readonly batch: Batch; readonly money: MoneySent }
  /** The batch is open, or was worked on: what it came to says more than what broke off. */
  | { readonly kind: 'ended'; readonly end: BrokenEnd };

interface BrokenEnd extends BatchEnd {
  /** When the work broke off. */
  readonly money: MoneySent;
}

/** undefined where what went wrong is all there is to say: the work sends nothing, or was refused before it began. */
export async function endAfterFailure(
  error: unknown,
  { exitCode, steps, again, batch: shown }: BrokenOff,
  { options, open }: { readonly options: Omit<EndOptions, 'codes'>; readonly open: () => Promise<EndPorts> },
): Promise<AfterFailure | undefined> {
  const work = workOfError(error) ?? (shown && { batch: shown });
  if (work === undefined || error instanceof BatchBusy) return undefined;
  const { begun } = work;
  const isBegun = work.batch !== undefined;
  if (!isBegun && REFUSED.includes(exitCode)) return undefined;
  try {
    const batch = work.batch ?? (await work.intended?.());
    const ports = await open();
    const counts = batch && (await ports.ledger.counts(batch.id));
    if (batch === undefined || counts === undefined || !isMoved(counts))
      return begun === undefined ? undefined : { kind: 'nothing_sent' };
    const money = moneySent(counts, begun && (await begunIn(batch.id, begun, ports.ledger)));
    const isOpen = counts.approved + counts.accepted + money.perhapsSent > 0;
    if (!isBegun && (!isOpen || OF_THE_SET_UP.includes(exitCode)))
      return { kind: 'sent_before', batch, money };
    // Before anything of a batch was sent it is an outage like any other, afterwards a stop.
    const isStop = begun !== undefined && isOpen && exitCode === EXIT.serviceUnavailable;
    // A machine that has to be mended is mended first; what the rows need is said by their own code.
    const mend = exitCode === EXIT.config || exitCode === EXIT.credentials ? steps : {};
    const codes: readonly ExitCode[] = [isStop ? EXIT.stopped : exitCode];
    // Refused before anything was done: how its rows stand is no news.
    const isRefused = error instanceof BatchHalfRead || error instanceof OtherFileRead;
    const ignoresRows = isRefused || options.ignoresRows;
    const ended = { ...options, ...mend, codes, ignoresRows, again: isStop ? again : undefined };
    return { kind: 'ended', end: { ...(await endBatch(batch, ended, ports)), money } };
  } catch {
    return begun === undefined
      ? undefined
      : { kind: 'unreported', begun: begun.transfers, mayBeMore: begun.mayBeMore };
  }
}

/** A mistake in the words or in the file stops everything before it begins. */
const REFUSED: readonly ExitCode[] = [EXIT.usage, EXIT.badFile, EXIT.noFile, EXIT.busy];
const OF_THE_SET_UP: readonly ExitCode[] = [EXIT.config, EXIT.reportUnwritable];

async function writeReports(
  batch: Batch,
  { reports: paths = [], fullAccounts = false }: EndOptions,
  ports: ReportingPorts,
): Promise<{ readonly reported: Reported; readonly reports: readonly WrittenReport[] }> {
  const header = await reportHeader(batch, ports);
  const reports: WrittenReport[] = [];
  let reported: Reported | undefined;
  for (const path of paths) {
    try {
      reported = await reportBatch(header, ports, { target: { path, format: undefined, fullAccounts } });
      reports.push({ path, problem: undefined });
    } catch (error) {
      if (!(error instanceof ReportUnwritable)) throw error;
      reports.push({ path, problem: saidBy(error) });
    }
  }
  return { reported: reported ?? (await reportBatch(header, ports, { target: undefined })), reports };
}

function exitCodeOf(
  { outcome, totals }: Reported,
  reports: readonly WrittenReport[],
  { codes, ignoresRows, hasNewExceptions = false }: EndOptions,
): ExitCode {
  // What was done before is no news, but an incident, a doubt or a difference stays one.
  const isOpen = outcome.exitCode === EXIT.inDoubt || totals.differing > 0;
  const isNoNews = ignoresRows === true && !isOpen;
  const isUnwritten = reports.some(({ problem }) => problem !== undefined);
  const all = [
    ...codes,
    ...(isNoNews ? [] : [outcome.exitCode]),
    ...(isUnwritten ? [EXIT.reportUnwritable] : []),
  ];
  if (!hasNewExceptions) return strongest(all);
  // A later look would not tell it: rows on their way must not hide a payment that came back.
  return strongest([...all.filter((code) => !ASKED_AGAIN.includes(code)), EXIT.exceptions]);
}

const ASKED_AGAIN: readonly ExitCode[] = [EXIT.serviceUnavailable, EXIT.onItsWay];

type Ended = Omit<BatchEnd, 'steps'>;

async function nextCommand(end: Ended, options: EndOptions, ports: EndPorts): Promise<Command | undefined> {
  const { batch, exitCode, attention } = end;
  const { counts } = end.totals;
  const label = batchLabel(batch);
  // First of all: until then two rows may have one number.
  if (batch.halfRead !== undefined) return readAgain(batch);
  // The gravest stands first.
  const [gravest] = attention;
  // What was paid otherwise than asked is compared with a statement; no command mends it.
  const first = attention.find(({ differs }) => differs !== true) ?? gravest;
  switch (exitCode) {
    case EXIT.inDoubt:
      return gravest === undefined ? command('status', [label]) : command('explain', [label, gravest.row]);
    case EXIT.stopped:
      if (isPausedForStatement(batch)) return command('status', [label]);
      if (options.again !== undefined) return options.again;
      return command(batch.pause === undefined ? 'send' : 'resume', [label]);
    case EXIT.interrupted:
    case EXIT.terminated:
      return command(counts.approved > 0 ? 'send' : 'settle', [label]);
    case EXIT.serviceUnavailable:
      return options.again ?? command('status', [label]);
    case EXIT.onItsWay:
      return options.lookAgain ?? command('settle', [label]);
    case EXIT.needsPerson:
      return end.need.steps.next ?? command('status', [label]);
    case EXIT.exceptions:
      // A held row must be seen first, so the next command never releases it.
      if (first?.status === 'held') return command('explain', [label, first.row]);
      return (await payAgain(end, ports)) ?? reportOf(batch, options);
    case EXIT.reportUnwritable:
      return elsewhere(label, end.reports, ports);
    case EXIT.credentials:
    case EXIT.config:
      return command('doctor');
    case EXIT.done:
      return reportOf(batch, options);
    default:
      return command('status', [label]);
  }
}

/** For rows that failed or came back; undefined when there are none. */
async function payAgain(
  { batch, totals: { counts }, paidAgain }: Ended,
  ports: ReportingPorts,
): Promise<Command | undefined> {
  const moment = { at: ports.clock.now(), policy: ports.policy };
  const rowsThat = (status: Status) =>
    counts[status] === 0 ? [] : firstOpen(batch.id, status, { room: ASKED_MAX, paidAgain }, ports);
  const failed = await rowsThat('failed');
  const due = failed.filter((payout) => whyNotPaidAgain(payout, undefined, moment) === undefined);
  const isReturned = (await rowsThat('returned')).some(({ state }) => unclearText(state) === undefined);
  // Of what was only ruled not paid, nothing need be wrong: it is planned again as it is.
  if (due.length > 0 && !isReturned && failed.every(isRuled))
    return command('reissue', [batchLabel(batch), ...due.map(({ rowNumber }) => rowNumber)]);
  if (due.length > 0 || isReturned)
    return unpaidCommand(batch, await freeRedoName(batch, isTakenIn(ports.ledger)));
  const [young] = failed;
  return young === undefined ? undefined : command('explain', [batchLabel(batch), young.rowNumber]);
}

function isRuled({ state }: Payout): boolean {
  return state.status === 'failed' && state.basis === 'ruled';
}

/** The first that may be paid again is among them as a rule: those of one run failed at about one time. */
const ASKED_MAX = 20;

function reportOf(batch: Batch, { reports }: EndOptions): Command | undefined {
  return reports === undefined ? reportCommand(batch) : undefined;
}

/** The same report in the working folder or, where it was meant to be there, in the folder for temporary files. */
function elsewhere(label: string, reports: readonly WrittenReport[], ports: EndPorts): Command {
  const path = reports.find(({ problem }) => problem !== undefined)?.path ?? 'report.xlsx';
  const name = basename(path);
  const target = path === name || path === `./${name}` ? join(ports.temporaryFolder, name) : name;
  return command('report', [label], [['-o', plainPath(target)]]);
}
