/**
 * What people decided about a batch, and incidents, in words: read, approved, released, withdrawn, ruled, paid again,
 * paused. Taken from the journal, which keeps them for ever.
 *
 * Neighbouring entries that say the same about different rows are shown once, with their rows.
 */

import type { CurrencyCode } from '../money/currency.ts';
import { formatMoney } from '../money/money.ts';
import type { Said } from '../reading/answer.ts';
import { saidText } from '../reading/answer-text.ts';
import { type LineLeftOut, linesLeftOutText } from '../rows/lines-left-out.ts';
import { counted, countText, printable } from '../text/printable.ts';
import { maskedWords, maskOf } from '../text/sensitive.ts';
import type { Timestamp } from '../timestamp.ts';

/** Of a journal entry. */
export type Body = Readonly<Record<string, unknown>>;
type Told = Pick<BatchDecision, 'what' | 'by' | 'why'>;

const reasonIn = (body: Body) => textOf(body, 'reason');
const rowsIn = (body: Body) => counted(Number(textOf(body, 'rows')), 'payment');

/** What each journal entry says that a decision or an incident is made of. Its field `by` says who, unless told here. */
const DECISIONS = {
  import_begun: [
    'File read',
    ({ set }) => ({ by: textOf(partOf(set), 'maker'), why: textOf(partOf(partOf(set)['file']), 'name') }),
  ],
  revised: ['File revised', ({ set }) => textOf(partOf(partOf(set)['file']), 'name')],
  approved: [
    'Approved',
    ({ set, ...body }) => approvedOf(partOf(partOf(set)['approval']), 'passkey' in body),
  ],
  paused: [
    'Paused',
    ({ set }) => {
      const pause = partOf(partOf(set)['pause']);
      return { by: textOf(pause, 'by'), why: reasonIn(pause) };
    },
  ],
  resumed: ['Resumed', () => ''],
  release: ['Released', ({ release }) => releasedOf(partOf(release))],
  cancel: ['Withdrawn', reasonIn],
  rule_paid: ['Decided: paid', ruledOf],
  rule_not_paid: ['Decided: not paid', ruledOf],
  accept_difference: ['Difference ruled on', differenceText],
  replacement: ['Planned again', () => 'in place of the earlier payment of the row'],
  incident: ['Incident', (body) => textOf(body, 'what')],
  late_acceptance_not_applied: [
    'Late answer',
    (body) => `the service accepted it late, as ${textOf(body, 'transferId')}`,
  ],
  reissue_evidence: ['Evidence for paying again', evidenceText],
  repeats_released: ['Repeats released', (body) => `they repeat batch ${textOf(body, 'of')} on purpose`],
  institution_set_aside: [
    'Set aside',
    (body) => `institution ${textOf(body, 'institution')} refused too many`,
  ],
  terms_moved: [
    'Terms moved',
    (body) =>
      `${textOf(body, 'currency')}: ${textOf(body, 'what')} from ${textOf(body, 'was')} to ${textOf(body, 'now')}`,
  ],
  canary: [
    'Canary',
    ({ rows }) => (rows === 0 ? 'lifted' : `the first ${textOf({ rows }, 'rows')} have to settle first`),
  ],
  account_shown: ['Whole accounts shown', (body) => textOf(body, 'where')],
  advice_made: [
    'Advice made',
    (body) =>
      `${rowsIn(body)}, as ${textOf(body, 'format')}${body['contact'] === true ? ' with contacts' : ''}`,
  ],
  cell_corrected: ['Cell corrected', correctionText],
  answers_said: ['Said of the file', answersText],
  lines_left_out: ['Lines left out', linesText],
  emergency_not_applied: [
    'Emergency record not applied',
    (body) => `it says “${textOf(body, 'event')}”, and the row was ${textOf(body, 'status')} already`,
  ],
  statement_compared: ['Compared with a statement', statementText],
  sending_begun: ['Sending begun', (body) => `${rowsIn(body)}, with ${textOf(body, 'command')}`],
  sending_recovered: [
    'Broken-off sending found',
    (body) => `an earlier sending broke off: ${rowsIn(body)} in doubt; found with ${textOf(body, 'command')}`,
  ],
} as const satisfies Readonly<
  Record<string, readonly [what: string, say: (body: Body) => string | Omit<Told, 'what'>]>
>;
export type DecisionKind = keyof typeof DECISIONS;

export const DECISION_KINDS = Object.keys(DECISIONS) as readonly DecisionKind[];

/** `the missing part is lost: the bank wrote`. */
function differenceText(body: Body): string {
  const found = textOf(partOf(body['rest']), 'is');
  return found === '' ? reasonIn(body) : `the missing part is ${found}: ${reasonIn(body)}`;
}

/** `bank.xml (SHA-256 0f3a…): 24 payments matched, 1 to look at`. */
function statementText(body: Body): string {
  const open = Number(textOf(body, 'open'));
  const matched = counted(Number(textOf(body, 'matched')), 'payment');
  const file = `${textOf(body, 'name')} (SHA-256 ${textOf(body, 'sha256').slice(0, 12)}…)`;
  return `${file}: ${matched} matched${open === 0 ? '' : `, ${countText(open)} to look at`}`;
}

const OF_ROWS: readonly DecisionKind[] = [
  'release',
  'cancel',
  'rule_paid',
  'rule_not_paid',
  'accept_difference',
  'replacement',
];

/** Whether it is an event of one payment; any other is one of the batch, and may name a payment. */
export function isOfRow(kind: DecisionKind): boolean {
  return OF_ROWS.includes(kind);
}

/** As the ledger gives it. */
export interface DecisionEntry {
  readonly at: Timestamp;
  readonly kind: DecisionKind;
  /** The row that it is about; undefined for the whole batch. */
  readonly rowNumber: number | undefined;
  readonly body: Body;
  /** Of a withdrawal: the revision of the file that made it, because it does not have the row. */
  readonly leftOutOf?: number;
}

export interface BatchDecision {
  readonly at: Timestamp;
  readonly kind: DecisionKind;
  /** `Approved`, `Decided: paid`. */
  readonly what: string;
  /** The rows that it is about, in the order of deciding; empty for the whole batch. */
  readonly rows: readonly number[];
  /** Empty where the program itself did it. */
  readonly by: string;
  readonly why: string;
}

/** For a report: the first decisions, how many more entries there are, and the head of the journal. */
export interface Decisions {
  readonly list: readonly BatchDecision[];
  readonly more: number;
  /** The head of the batch's chain (`payfile verify` proves it). */
  readonly head: string;
}

const ROWS_NAMED = 50;

/** `2, 3, 7`, or that it is about the whole batch. */
export function decisionRows(rows: readonly number[]): string {
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const left = rows.length - ROWS_NAMED;
  return left > 0 ? `${named} … and ${countText(left)} more` : named || 'whole batch';
}

export function decisionsOf(entries: readonly DecisionEntry[]): readonly BatchDecision[] {
  const list: (BatchDecision & { readonly rows: number[] })[] = [];
  for (const entry of inOrder(entries)) {
    const { what, by, why } = told(entry);
    const last = list.at(-1);
    const isSame =
      last !== undefined &&
      last.kind === entry.kind &&
      last.by === by &&
      last.why === why &&
      what === last.what;
    if (isSame && entry.rowNumber !== undefined) last.rows.push(entry.rowNumber);
    else {
      const rows = entry.rowNumber === undefined ? [] : [entry.rowNumber];
      list.push({ at: entry.at, kind: entry.kind, what, rows, by, why });
    }
  }
  return list;
}

/** A cell is corrected before the file is read, and kept with it. All else stands in the order of the journal, whatever clocks say. */
function inOrder(entries: readonly DecisionEntry[]): readonly DecisionEntry[] {
  const list: DecisionEntry[] = [];
  for (const entry of entries) {
    const isEarlier = entry.kind === 'cell_corrected';
    const place = isEarlier ? list.findLastIndex(({ at }) => at <= entry.at) + 1 : list.length;
    list.splice(place, 0, entry);
  }
  return list;
}

function told({ kind, body, leftOutOf }: DecisionEntry): Told {
  const by = textOf(body, 'by');
  if (leftOutOf !== undefined) {
    const why = `revision ${leftOutOf} of the file does not have this row`;
    return { what: 'Not in the newer file', by, why };
  }
  const [what, say] = DECISIONS[kind];
  const said = say(body);
  return typeof said === 'string' ? { what, by, why: said } : { what, ...said };
}

/** `GHS 1,200.00 came back: the bank (GHS 60.00 of GHS 1,200.00 came back; …)`. */
function evidenceText(body: Body): string {
  const against = textOf(body, 'against');
  return `${textOf(body, 'evidence')}${against === '' ? '' : ` (${against})`}`;
}

/** `Amount: “x” became “600.00”`, without whole accounts. */
function correctionText(body: Body): string {
  const shown = (key: string) => {
    const text = textOf(body, key);
    if (text.trim() === '') return 'nothing';
    return `“${textOf(body, 'field') === 'account' ? maskOf(text) : maskedWords(text)}”`;
  };
  return `${maskedWords(textOf(body, 'column'))}: ${shown('was')} became ${shown('text')}`;
}

const ANSWERS_TOLD = 20;

/** `amount: column “Net Pay” (ada, 25 Nov); …` */
function answersText(body: Body): string {
  const answers = Array.isArray(body['answers']) ? (body['answers'] as readonly Said[]) : [];
  if (answers.length === 0) return 'nothing more';
  const left = answers.length - ANSWERS_TOLD;
  const more = left > 0 ? [`… and ${counted(left, 'more answer')}`] : [];
  return [...answers.slice(0, ANSWERS_TOLD).map(saidText), ...more].join('; ');
}

function linesText(body: Body): string {
  const lines = Array.isArray(body['rows']) ? body['rows'].map(partOf) : [];
  const rows = lines.map(({ row, why }) => ({ row: Number(row), why: why as LineLeftOut['why'] }));
  return linesLeftOutText({ rows, more: Number(body['more'] ?? 0) });
}

const HOW: Readonly<Record<string, string>> = {
  typed_total: 'by typing the total',
  approve_command: 'with payfile approve',
  ceiling: 'by a ceiling given beforehand',
  sandbox_yes: 'without a question, in the sandbox',
  library: 'through the library',
};

function approvedOf(approval: Body, isSigned: boolean): Omit<Told, 'what'> {
  const how = HOW[textOf(approval, 'how')] ?? textOf(approval, 'how');
  const count = textOf(approval, 'count');
  const payments = counted(Number(count), 'payment');
  const [sums, debits] = [sumsIn(approval['sums']), sumsIn(approval['debits'])];
  const agreed = `${payments}${sums === '' ? '' : ` (${sums})`}`;
  const taken = debits === '' ? '' : `, which takes ${debits} by the quotes`;
  const why = `${agreed}${taken}, ${how}${isSigned ? ' and with a passkey' : ''}; digest ${textOf(approval, 'digest')}`;
  return { by: textOf(approval, 'by'), why };
}

function sumsIn(sums: unknown): string {
  const list = Array.isArray(sums) ? sums.map(partOf) : [];
  const amounts = list.map((each) => ({
    minor: BigInt(textOf(each, 'minor')),
    currency: textOf(each, 'currency') as CurrencyCode,
  }));
  return amounts.map(formatMoney).join(', ');
}

const kindWord = (kind: string) => (kind === 'repeat' ? 'possible duplicate' : kind.replaceAll('_', ' '));

function releasedOf(release: Body): Omit<Told, 'what'> {
  const { saw } = release;
  const kinds = Array.isArray(saw) ? saw.map((concern) => textOf(partOf(concern), 'kind')) : [];
  const words = [...new Set(kinds)].map(kindWord).join(', ');
  const reason = textOf(release, 'reason');
  const why = words === '' ? reason : `${reason} (held for: ${words})`;
  return { by: textOf(release, 'by'), why };
}

function ruledOf(body: Body): Omit<Told, 'what'> {
  const ruling = partOf(body['ruling']);
  const transfer = textOf(body, 'transferId');
  const evidence = textOf(ruling, 'evidence');
  const why = [transfer === '' ? '' : `transfer ${transfer}`, evidence]
    .filter((text) => text !== '')
    .join('; ');
  return { by: textOf(ruling, 'by'), why };
}

/** Empty if the field is missing. */
function textOf(body: Body, key: string): string {
  const value = body[key];
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : '';
}

/** Empty if it is no object. */
export function partOf(value: unknown): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
}
