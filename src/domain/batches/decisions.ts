/**
 * What people decided about a batch, and incidents, in words: read, approved, released, withdrawn, ruled, paid again,
 * paused. Taken from the journal, which keeps them for ever.
 *
 * Neighbouring entries that say the same about different rows are shown once, with their rows.
 */

import { maskedWords } from '../reporting/hidden-accounts.ts';
import { counted, countText, printable } from '../text/printable.ts';
import { maskOf } from '../text/sensitive.ts';
import { formatTimestamp, type Timestamp, timestampOf } from '../timestamp.ts';

const OF_ROWS = [
  'release',
  'cancel',
  'rule_paid',
  'rule_not_paid',
  'accept_difference',
  'replacement',
] as const;

/** Journal entries that a decision or an incident is made of. */
export const DECISION_KINDS = [
  'import_begun',
  'revised',
  'approved',
  'paused',
  'resumed',
  ...OF_ROWS,
  'incident',
  'late_acceptance_not_applied',
  'reissue_evidence',
  'repeats_released',
  'institution_set_aside',
  'terms_moved',
  'canary',
  'account_shown',
  'cell_corrected',
  'banks_said',
  'emergency_not_applied',
  'sending_begun',
  'sending_recovered',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Whether it is an event of one payment; any other is one of the batch, and may name a payment. */
export function isOfRow(kind: DecisionKind): boolean {
  return (OF_ROWS as readonly DecisionKind[]).includes(kind);
}

/** As the ledger gives it. */
export interface DecisionEntry {
  readonly at: Timestamp;
  readonly kind: DecisionKind;
  /** The row that it is about; undefined for the whole batch. */
  readonly rowNumber: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of a withdrawal: the revision of the file that made it, because it does not have the row. */
  readonly leftOutOf?: number;
}

export interface BatchDecision {
  readonly at: Timestamp;
  readonly kind: DecisionKind;
  /** `Approved`, `Ruled paid`. */
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

type Told = Pick<BatchDecision, 'what' | 'by' | 'why'>;

function told({ kind, body, leftOutOf }: DecisionEntry): Told {
  const by = textOf(body, 'by');
  const reason = textOf(body, 'reason');
  const set = partOf(body, 'set');
  switch (kind) {
    case 'import_begun':
      return { what: 'File read', by: textOf(set, 'maker'), why: textOf(partOf(set, 'file'), 'name') };
    case 'revised':
      return { what: 'File revised', by, why: textOf(partOf(set, 'file'), 'name') };
    case 'approved':
      return approvedOf(partOf(set, 'approval'), 'passkey' in body);
    case 'paused': {
      const pause = partOf(set, 'pause');
      return { what: 'Paused', by: textOf(pause, 'by'), why: textOf(pause, 'reason') };
    }
    case 'resumed':
      return { what: 'Resumed', by, why: '' };
    case 'release':
      return releasedOf(partOf(body, 'release'));
    case 'cancel':
      return leftOutOf === undefined
        ? { what: 'Withdrawn', by, why: reason }
        : {
            what: 'Not in the newer file',
            by,
            why: `revision ${leftOutOf} of the file does not have this row`,
          };
    case 'rule_paid':
      return ruledOf('Ruled paid', body);
    case 'rule_not_paid':
      return ruledOf('Ruled not paid', body);
    case 'accept_difference':
      return { what: 'Difference accepted', by, why: reason };
    case 'replacement':
      return { what: 'Planned again', by, why: 'in place of the earlier payment of the row' };
    default:
      return noted(kind, body);
  }
}

type NoteKind = Extract<
  DecisionKind,
  | 'incident'
  | 'late_acceptance_not_applied'
  | 'reissue_evidence'
  | 'repeats_released'
  | 'institution_set_aside'
  | 'terms_moved'
  | 'canary'
  | 'account_shown'
  | 'cell_corrected'
  | 'banks_said'
  | 'emergency_not_applied'
  | 'sending_begun'
  | 'sending_recovered'
>;

function noted(kind: NoteKind, body: DecisionEntry['body']): Told {
  const by = textOf(body, 'by');
  switch (kind) {
    case 'incident':
      return { what: 'Incident', by, why: textOf(body, 'what') };
    case 'late_acceptance_not_applied':
      return {
        what: 'Late answer',
        by,
        why: `the service accepted it late, as ${textOf(body, 'transferId')}`,
      };
    case 'reissue_evidence':
      return { what: 'Evidence for paying again', by, why: evidenceText(body) };
    case 'repeats_released':
      return { what: 'Repeats released', by, why: `they repeat batch ${textOf(body, 'of')} on purpose` };
    case 'institution_set_aside':
      return { what: 'Set aside', by, why: `institution ${textOf(body, 'institution')} refused too many` };
    case 'terms_moved': {
      const moved = `${textOf(body, 'what')} from ${textOf(body, 'was')} to ${textOf(body, 'now')}`;
      return { what: 'Terms moved', by, why: `${textOf(body, 'currency')}: ${moved}` };
    }
    case 'canary': {
      const rows = textOf(body, 'rows');
      return { what: 'Canary', by, why: rows === '0' ? 'lifted' : `the first ${rows} have to settle first` };
    }
    case 'cell_corrected':
      return { what: 'Cell corrected', by, why: correctionText(body) };
    case 'banks_said':
      return { what: 'Names of banks', by, why: banksText(body) };
    case 'account_shown':
      return { what: 'Whole accounts shown', by, why: textOf(body, 'where') };
    case 'emergency_not_applied': {
      const why = `it says “${textOf(body, 'event')}”, and the row was ${textOf(body, 'status')} already`;
      return { what: 'Emergency record not applied', by, why };
    }
    case 'sending_begun': {
      const rows = counted(Number(textOf(body, 'rows')), 'payment');
      return { what: 'Sending begun', by, why: `${rows}, with ${textOf(body, 'command')}` };
    }
    case 'sending_recovered': {
      const rows = counted(Number(textOf(body, 'rows')), 'payment');
      const why = `an earlier sending broke off: ${rows} in doubt; found with ${textOf(body, 'command')}`;
      return { what: 'Broken-off sending found', by, why };
    }
  }
}

/** `GHS 1,200.00 came back: the bank (GHS 60.00 of GHS 1,200.00 came back; …)`. */
function evidenceText(body: DecisionEntry['body']): string {
  const against = textOf(body, 'against');
  return `${textOf(body, 'evidence')}${against === '' ? '' : ` (${against})`}`;
}

/** `Amount: “x” became “600.00”`, without whole accounts. */
function correctionText(body: DecisionEntry['body']): string {
  const shown = (key: string) => {
    const text = textOf(body, key);
    if (text.trim() === '') return 'nothing';
    return `“${textOf(body, 'field') === 'account' ? maskOf(text) : maskedWords(text)}”`;
  };
  return `${maskedWords(textOf(body, 'column'))}: ${shown('was')} became ${shown('text')}`;
}

const BANKS_TOLD = 20;

/** `saved as “ours” on 2026-05-25: “MTN Momo” (GH) means MTN Mobile Money`. */
function banksText(body: DecisionEntry['body']): string {
  const values = Array.isArray(body['values']) ? body['values'] : [];
  const said = values.slice(0, BANKS_TOLD).map((value) => {
    const one = partOf({ value }, 'value');
    return `“${maskedWords(textOf(one, 'written'))}” (${textOf(one, 'country')}) means ${textOf(one, 'institutionName')}`;
  });
  const left = values.length - said.length;
  const more = left > 0 ? [`… and ${counted(left, 'more name')}`] : [];
  const day = formatTimestamp(timestampOf(Number(body['savedAt'] ?? 0))).slice(0, 10);
  return `saved as “${textOf(body, 'mapping')}” on ${day}: ${[...said, ...more].join('; ')}`;
}

const HOW: Readonly<Record<string, string>> = {
  typed_total: 'by typing the total',
  approve_command: 'with payfile approve',
  ceiling: 'by a ceiling given beforehand',
  sandbox_yes: 'without a question, in the sandbox',
  library: 'through the library',
};

function approvedOf(approval: DecisionEntry['body'], isSigned: boolean): Told {
  const how = HOW[textOf(approval, 'how')] ?? textOf(approval, 'how');
  const count = textOf(approval, 'count');
  const payments = counted(Number(count), 'payment');
  const why = `${payments}, ${how}${isSigned ? ' and with a passkey' : ''}; digest ${textOf(approval, 'digest')}`;
  return { what: 'Approved', by: textOf(approval, 'by'), why };
}

function releasedOf(release: DecisionEntry['body']): Told {
  const { saw } = release;
  const kinds = Array.isArray(saw)
    ? saw.map((concern) => textOf(partOf({ concern }, 'concern'), 'kind'))
    : [];
  const words = [...new Set(kinds)].map((kind) => kind.replaceAll('_', ' ')).join(', ');
  const reason = textOf(release, 'reason');
  const why = words === '' ? reason : `${reason} (held for: ${words})`;
  return { what: 'Released', by: textOf(release, 'by'), why };
}

function ruledOf(what: string, body: DecisionEntry['body']): Told {
  const ruling = partOf(body, 'ruling');
  const transfer = textOf(body, 'transferId');
  const evidence = textOf(ruling, 'evidence');
  const why = [transfer === '' ? '' : `transfer ${transfer}`, evidence]
    .filter((text) => text !== '')
    .join('; ');
  return { what, by: textOf(ruling, 'by'), why };
}

/** Empty if the field is missing. */
function textOf(body: DecisionEntry['body'], key: string): string {
  const value = body[key];
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : '';
}

function partOf(body: DecisionEntry['body'], key: string): DecisionEntry['body'] {
  const value = body[key];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as DecisionEntry['body']) : {};
}
