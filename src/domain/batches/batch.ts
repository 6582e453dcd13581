/**
 * A batch: one payment file's worth of work. Its status is derived from its payouts and its pause, never
 * stored.
 */

import { createHash } from 'node:crypto';
import type { StyleRead } from '../money/amount-style.ts';
import { formatMoney, type Money } from '../money/money.ts';
import { asDigest, type BatchId, type Digest } from '../payouts/instruction.ts';
import { STATUSES, type Status } from '../payouts/payout.ts';
import type { Answer } from '../reading/answer.ts';
import { STATUS_ORDER, STATUS_WORDS } from '../reporting/status-words.ts';
import type { Field } from '../rows/row.ts';
import { counted, countText, printable, rowsText } from '../text/printable.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';

/** One payment file, known by its name in the ledger. Times are milliseconds since 1970 (UTC). */
export interface Batch {
  readonly id: BatchId;
  /** Unique in the ledger. It alone says which batch a file belongs to. */
  readonly name: string;
  /** Over the canonical rows, whatever their order; undefined while importing. */
  readonly digest: Digest | undefined;
  /** True until all rows of the file are staged. */
  readonly isImporting: boolean;
  /** Set when this import became a revision of another batch. */
  readonly mergedInto: BatchId | undefined;
  /** Something of it was approved once. */
  readonly isBound: boolean;
  /** Counted from 1; grows with every revision of the file. */
  readonly revision: number;
  readonly file: BatchFile;
  readonly maker: string;
  readonly createdAt: Timestamp;
  readonly pause: Pause | undefined;
  /** When the last pause was lifted; doubts are counted since then. */
  readonly resumedAt: Timestamp | undefined;
  readonly approval: Approval | undefined;
  /**
   * A newer file of which only a part took the place of the batch's file, because the process ended on the way. The batch
   * has rows of both until one of them is read again. Also set while another process is about it.
   */
  readonly halfRead?: BatchFile | undefined;
}

const NAME_MAX = 100;
const NAME_BEGINS = /^[\p{L}\p{N}]/u;
/** What nobody sees, or takes for an ordinary space; and what would make it a path. */
const NOT_IN_NAME = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800/\\]|[^\S ]/u;

/** Whether a batch may have this name. */
export function isBatchName(text: unknown): text is string {
  if (typeof text !== 'string' || text !== text.trim().normalize('NFC') || /^id:\d+$/.test(text))
    return false;
  return NAME_BEGINS.test(text) && [...text].length <= NAME_MAX && !NOT_IN_NAME.test(text);
}

/** Behind “expected”. */
export const BATCH_NAME_RULE =
  '1 to 100 characters on one line that begin with a letter or digit, without / and \\, without spaces at the ends and without invisible characters, and not an id such as id:1';

/** The same for two names that a person takes for one: they differ in letter case or spaces alone. */
export function likeName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** What people call a batch, and type for it. */
export function batchLabel({ name }: Called): string {
  return printable(name);
}

type Called = Pick<Batch, 'name'>;

interface RepeatedRows {
  readonly repeated: number;
  /** Of these, as another batch paid the row again. */
  readonly again: number;
  readonly rows: number;
  /** The earlier batch. */
  readonly of: Called;
}

/** `5 of 6 rows repeat payments of batch april (1 of them as another batch paid it again).` */
export function repeatsText({ repeated, again, rows, of }: RepeatedRows): string {
  const elsewhere =
    again === 0 ? '' : ` (${again} of them as another batch paid ${again === 1 ? 'it' : 'them'} again)`;
  return `${repeated} of ${rowsText(rows)} ${repeated === 1 ? 'repeats' : 'repeat'} payments of batch ${batchLabel(of)}${elsewhere}.`;
}

/** `Batch june of 2026-06-03 has 12 rows, GHS 1,200.00`: enough to know it again. */
export function knownBatchText(
  batch: Called & Pick<Batch, 'createdAt'>,
  rows: number,
  sums: readonly Money[],
): string {
  const day = formatTimestamp(batch.createdAt).slice(0, 10);
  return `Batch ${batchLabel(batch)} of ${day} has ${[rowsText(rows), ...sums.map(formatMoney)].join(', ')}`;
}

/** undefined where the batch has the rows of one file. */
export function halfReadText(batch: Pick<Batch, 'name' | 'file' | 'halfRead'>): string | undefined {
  if (batch.halfRead === undefined) return undefined;
  const [newer, older] = [printable(batch.halfRead.name), printable(batch.file.name)];
  return (
    `Batch ${batchLabel(batch)} has rows of two files: ${newer} was read only in part, or is being read now. ` +
    `Nothing of it can be approved, sent or paid again until ${newer === older ? newer : `${newer} (or ${older})`} is read to its end.`
  );
}

/** The file name shown for standard input. */
export const STANDARD_INPUT = 'standard input';

/** What may be typed for a delimiter. Commands say it so: the character itself does not survive in a cell of a report. */
export const DELIMITER_WORDS: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['pipe', '|'],
  ['semicolon', ';'],
  ['tab', '\t'],
]);

export function delimiterWord(typed: string): string {
  return [...DELIMITER_WORDS].find(([, character]) => character === typed)?.[0] ?? typed;
}

/** Corrections of cells, kept beside the file that somebody brought. */
export interface Corrected {
  /** SHA-256 over the bytes of the file as it was received; `sha256` of the file covers them and the corrections. */
  readonly receivedSha256: string;
  readonly cells: number;
  readonly by: readonly string[];
  readonly firstAt: Timestamp;
  readonly lastAt: Timestamp;
}

export interface BatchFile {
  readonly name: string;
  /** Over its bytes, and over the corrections of its cells where there are any. */
  readonly sha256: string;
  /** undefined: it was read as it was received. */
  readonly corrected?: Corrected | undefined;
  readonly format: 'csv' | 'xlsx';
  readonly sheet: string | undefined;
  readonly headers: readonly string[];
  readonly columns: ReadonlyMap<Field, number>;
  /** The full path of its folder; undefined for standard input. */
  readonly folder?: string | undefined;
  /** The options that the file was read with, so that it can be read the same way again. */
  readonly reading?: FileReading | undefined;
  /** The number style of the amounts. Known after the last row, and kept for later reports. */
  readonly amountStyle?: StyleRead | undefined;
}

/** Over the bytes of the file as somebody brought it. */
export function receivedSha256({ sha256, corrected }: Pick<BatchFile, 'sha256' | 'corrected'>): string {
  return corrected?.receivedSha256 ?? sha256;
}

/** `3 cells, by ada, from 2026-05-01 09:30:00 to 2026-05-01 09:41:00 (UTC)`; undefined where none was. */
export function correctedText({ corrected }: Pick<BatchFile, 'corrected'>): string | undefined {
  if (corrected === undefined) return undefined;
  const { cells, by, firstAt, lastAt } = corrected;
  const [first, last] = [firstAt, lastAt].map((at) => formatTimestamp(at).slice(0, 19).replace('T', ' '));
  const when = first === last ? `at ${first}` : `from ${first} to ${last}`;
  return `${counted(cells, 'cell')}, by ${by.map(printable).join(', ')}, ${when} (UTC)`;
}

/** As it was typed; what was left to the program is undefined. */
export interface FileReading {
  readonly sheet: string | undefined;
  readonly headerRow: number | undefined;
  readonly delimiter: string | undefined;
  readonly encoding: string | undefined;
  readonly source: string | undefined;
  /** What was said of it and counted. */
  readonly answers: readonly Answer[];
}

export interface Pause {
  readonly reason: string;
  readonly by: string;
  readonly at: Timestamp;
}

/** Why batches with unsent rows are paused when a person accepts a ledger that was set back. */
export const SET_BACK_REASON = 'the ledger was set back: compare it with a statement before anything is sent';

/** Why they are paused when a person accepts a ledger that was not known here. */
export const UNKNOWN_LEDGER_REASON =
  'the ledger was not known here: compare it with a statement before anything is sent';

export const APPROVAL_WAYS = ['typed_total', 'approve_command', 'ceiling', 'sandbox_yes', 'library'] as const;

/** The last agreement to a plan. `how`: typed total, approve command, ceiling, or yes in the sandbox. */
export interface Approval {
  readonly digest: Digest;
  readonly by: string;
  readonly at: Timestamp;
  readonly how: (typeof APPROVAL_WAYS)[number];
  readonly count: number;
  /** What was agreed to, per currency, and by the quotes what it takes, per source currency. */
  readonly sums?: readonly Money[];
  readonly debits?: readonly Money[];
}

export type StatusCounts = Readonly<Record<Status, number>>;

/** How far a batch is. */
export type BatchStatus =
  | 'importing'
  | 'planned'
  | 'approved'
  | 'sending'
  | 'paused'
  | 'settling'
  | 'finished'
  | 'canceled';

export function countsIn(sums: readonly { readonly status: Status; readonly count: number }[]): StatusCounts {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status, count } of sums) counts[status] += count;
  return counts;
}

/** Rows whose outcome is not known: each may have been paid. */
export function unknownOutcomes({ sending, in_doubt }: StatusCounts): number {
  return sending + in_doubt;
}

/** Whether any row was ever sent, or may have been. */
export function isMoved({ sending, in_doubt, accepted, settled, failed, returned }: StatusCounts): boolean {
  return sending + in_doubt + accepted + settled + failed + returned > 0;
}

/** The status of a batch, from the statuses of its payouts. */
export function batchStatus(batch: Pick<Batch, 'isImporting' | 'pause'>, counts: StatusCounts): BatchStatus {
  const of = (...statuses: readonly Status[]) => statuses.reduce((sum, status) => sum + counts[status], 0);
  if (batch.isImporting) return 'importing';
  if (batch.pause !== undefined && of('approved', 'quoted', 'planned', 'held') > 0) return 'paused';
  if (of('approved', 'sending') > 0) return isMoved(counts) ? 'sending' : 'approved';
  if (of('accepted', 'in_doubt') > 0) return 'settling';
  // What still waits for a quote or an approval is not finished; held rows never stop the others.
  if (isMoved(counts) && of('planned', 'quoted') === 0) return 'finished';
  if (of('planned', 'held', 'quoted') > 0) return 'planned';
  return of('canceled') > 0 ? 'canceled' : 'planned';
}

/** The ledger may not know what was paid, so a statement has to be compared before a person ends the pause. */
export function isPausedForStatement({
  pause,
}: {
  readonly pause?: Pick<Pause, 'reason'> | undefined;
}): boolean {
  return pause !== undefined && [SET_BACK_REASON, UNKNOWN_LEDGER_REASON].includes(pause.reason);
}

/**
 * The digest of a batch: what the rows are, whatever the file's format, column order, row order or name.
 *
 * Units:   SHA-256, hex, over the sorted 16-byte row keys of all rows.
 * Errors:  keys that do not come in order are a bug in the ledger, so they throw.
 */

const KEY_BYTES = 16;

/** `pages` are the row keys in ascending order, as the ledger gives them. */
export async function batchDigest(pages: AsyncIterable<readonly Uint8Array[]>): Promise<Digest> {
  const hash = createHash('sha256').update('payfile batch 1\n');
  let last: Uint8Array | undefined;
  for await (const page of pages) {
    for (const key of page) {
      if (key.length !== KEY_BYTES) throw new RangeError(`A row key has 16 bytes, not ${key.length}`);
      if (last !== undefined && Buffer.compare(last, key) > 0) {
        throw new RangeError('Row keys must come in ascending order');
      }
      last = key;
    }
    hash.update(Buffer.concat(page));
  }
  return asDigest(hash.digest('hex'));
}

/**
 * The outcome of a batch, from the number of payouts in each status: a word, a sentence and an exit code.
 *
 * Several may apply; the checks below are in order of precedence (5, 6, 4, 3, 10). Codes that depend on more than the
 * counts are added by the use cases.
 */

export interface BatchOutcome {
  readonly exitCode: 0 | 3 | 4 | 5 | 6 | 10;
  readonly word: OutcomeWord;
  /** `24 payments: 22 settled, 1 failed, 1 in doubt` */
  readonly sentence: string;
}

/** `22 settled, 1 failed`: where the number of payments stands beside it. */
export function countsTextOf({ sentence }: Pick<BatchOutcome, 'sentence'>): string {
  return sentence.replace(/^[^:]*: /, '');
}

export const OUTCOME_WORDS = [
  'settled',
  'finished_with_exceptions',
  'on_its_way',
  'in_doubt',
  'incident',
  'stopped',
  'needs_approval',
] as const;
export type OutcomeWord = (typeof OUTCOME_WORDS)[number];

/** Rows that were paid again by another batch, or that it took over and has not paid. */
export interface PaidAgainCounts {
  readonly paid: number;
  readonly open: number;
}

/** Rows that a person has to look at whatever their statuses are. */
export interface AlarmCounts {
  /** They were called unpaid and then turned out to be paid. */
  readonly incidents: number;
  /** On their way, and the service has not found them for a day. */
  readonly missing: number;
  /** They differ from what was asked, and no person accepted that. */
  readonly differing: number;
  /** Part of `differing`: more went out than was asked. */
  readonly over: number;
}

export const NO_ALARMS: AlarmCounts = { incidents: 0, missing: 0, differing: 0, over: 0 };

export function batchOutcome(
  counts: StatusCounts,
  alarms: AlarmCounts = NO_ALARMS,
  again: PaidAgainCounts = { paid: 0, open: 0 },
): BatchOutcome {
  const [exitCode, word] = verdict(counts, alarms);
  return { exitCode, word, sentence: sentenceOf(counts, again) + loudOf(alarms) };
}

function verdict(
  counts: StatusCounts,
  { incidents, missing, differing, over }: AlarmCounts,
): readonly [BatchOutcome['exitCode'], OutcomeWord] {
  const any = (...statuses: readonly Status[]) => statuses.some((status) => counts[status] > 0);
  // A payout left in `sending` may have moved money; at this moment nobody knows.
  if (any('in_doubt', 'sending')) return [5, 'in_doubt'];
  if (incidents > 0 || missing > 0 || over > 0) return [5, 'incident'];
  if (any('approved')) return [6, 'stopped'];
  if (any('accepted')) return [4, 'on_its_way'];
  const waiting = any('quoted', 'planned');
  const everSent = any('settled', 'failed', 'returned');
  const exceptions = differing > 0 || any('failed', 'returned', 'held', 'canceled', 'invalid');
  // Before anything is sent, held rows do not make a batch finished: it still waits for its approval.
  if (exceptions && (everSent || !waiting)) return [3, 'finished_with_exceptions'];
  return waiting ? [10, 'needs_approval'] : [0, 'settled'];
}

function sentenceOf(counts: StatusCounts, { paid, open }: PaidAgainCounts): string {
  const all = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  if (all === 0) return 'No payments';
  const parts = STATUS_ORDER.filter((status) => counts[status] > 0).map(
    (status) => `${countText(counts[status])} ${STATUS_WORDS[status].counted}`,
  );
  const again = [
    ...(paid === 0 ? [] : [`; ${countText(paid)} paid again in another batch`]),
    ...(open === 0 ? [] : [`; ${countText(open)} taken over by another batch`]),
  ];
  return `${counted(all, 'payment')}: ${parts.join(', ')}${again.join('')}`;
}

function loudOf({ incidents, missing, differing, over }: AlarmCounts): string {
  const other = differing - over;
  const verb = other === 1 ? 'differs' : 'differ';
  const alarms: readonly (readonly [count: number, text: string])[] = [
    [other, `${countText(other)} ${verb} from what was asked`],
    [over, `INCIDENT: ${countText(over)} went out with more than was asked`],
    [incidents, `INCIDENT: ${countText(incidents)} had ended unpaid and then turned out paid`],
    [missing, `INCIDENT: the service has not found ${counted(missing, 'payment')} for a day`],
  ];
  return alarms.flatMap(([count, text]) => (count === 0 ? [] : `; ${text}`)).join('');
}
