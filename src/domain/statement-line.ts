/**
 * One line of a statement, read for matching: the tags and ids in it, when, how much, to which account.
 *
 * An amount that can be read in two ways keeps both readings: it is compared with what was asked, never paid.
 */
import { parseCurrency } from './currency.ts';
import { readAmount } from './parse-amount.ts';
import type { StatementColumns, StatementField } from './statement-columns.ts';
import type { WrittenRow } from './written-row.ts';

export interface StatementLine {
  readonly rowNumber: number;
  /** Every tag in any cell, each once. */
  readonly tags: readonly string[];
  readonly ids: readonly string[];
  readonly dateText: string;
  /** Plain decimals without trailing zeros, all that the text may mean; empty when it cannot be read. */
  readonly amounts: readonly string[];
  readonly amountText: string;
  /** `in`: the money came (back) to us, by its own column. A sign says nothing that holds for all statements. */
  readonly direction: 'out' | 'in';
  readonly isNegative: boolean;
  readonly currency: string | undefined;
  readonly account: WrittenAccountText | undefined;
  readonly status: string;
}

/** Letters and digits of an account as the statement shows it; masked ones show their end only. */
export interface WrittenAccountText {
  readonly text: string;
  readonly isMasked: boolean;
}

// Crockford's alphabet without I, L, O and U; a longer word that only begins so is no tag.
const TAG = /(?<![0-9A-Z])PF-([0-9A-HJKMNP-TV-Z]{8})(?![0-9A-Z])/gi;
const TAGS_MAX = 10;
const IDS_MAX = 5;
const ID_LENGTH_MAX = 200;

export function readStatementLine(
  { rowNumber, cells }: WrittenRow,
  columns: StatementColumns,
): StatementLine {
  const all = (field: StatementField) =>
    (columns.get(field) ?? []).map((at) => (cells[at] ?? '').trim()).filter((text) => text !== '');
  const one = (field: StatementField) => all(field)[0] ?? '';
  const [out, credit] = [one('amount'), one('credit')];
  const amountText = out === '' || /^[-\s0.,]*$/.test(out) ? (credit === '' ? out : credit) : out;
  const { amounts, isNegative } = amountsOf(amountText);
  return {
    rowNumber,
    tags: tagsIn(cells),
    ids: all('transfer_id')
      .filter((id) => id.length <= ID_LENGTH_MAX)
      .slice(0, IDS_MAX),
    dateText: one('date'),
    amounts,
    amountText,
    direction: amountText === credit && amountText !== out ? 'in' : 'out',
    isNegative,
    currency: parseCurrency(one('currency')),
    account: accountOf(one('account')),
    status: one('status'),
  };
}

function tagsIn(cells: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const cell of cells) {
    if (cell.length < 11) continue;
    for (const [, letters = ''] of cell.matchAll(TAG)) found.add(`PF-${letters.toUpperCase()}`);
    if (found.size >= TAGS_MAX) break;
  }
  return [...found];
}

/** Sign, brackets and a currency beside the number are let go: nothing is paid by this reading. */
function amountsOf(written: string): { readonly amounts: readonly string[]; readonly isNegative: boolean } {
  const isNegative = /^\s*\(|^[^\d]*[-\u2212]|[-\u2212]\s*$|\bDR\b/i.test(written);
  const bare = written.replace(/[A-Za-z$€£₦]+\.?|[()]/g, '').replace(/^[\s+\-\u2212]+|[\s\-\u2212]+$/g, '');
  const reading = readAmount(bare);
  if (reading.kind === 'one_way') return { amounts: [plainest(reading.plain)], isNegative };
  if (reading.kind === 'two_ways')
    return { amounts: [plainest(reading.point), plainest(reading.comma)], isNegative };
  return { amounts: [], isNegative };
}

/** `1200.50` and `1200.5` are one amount: no zeros at the end of decimals. */
export function plainest(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;
}

function accountOf(written: string): WrittenAccountText | undefined {
  if (written === '') return undefined;
  const isMasked = /[*•xX…]{2,}|\.{3,}|^[*•…]/.test(written);
  const shown = isMasked ? (/[0-9A-Za-z]+$/.exec(written.replace(/[\s-]/g, ''))?.[0] ?? '') : written;
  const text = shown
    .replace(/^[xX]+(?=\d)/, '')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
  return text === '' ? undefined : { text, isMasked };
}
