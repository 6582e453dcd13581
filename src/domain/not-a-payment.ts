/**
 * Rows below the header that pay nobody: the header again, a comment, the sheet's own total.
 *
 * None is left out in silence: the first two are issues, and a total is compared with the amounts above it.
 */
import { isSameHeader } from './header-alias.ts';
import type { FileColumns, IssueText } from './issue-writer.ts';
import type { RowCells } from './row-cells.ts';
import { foldText } from './text-fold.ts';
import type { WrittenRow } from './written-row.ts';

export type NotAPayment =
  | { readonly kind: 'issue'; readonly issue: IssueText }
  /** It stands for the sum of rows above it; its amount still has to be read. */
  | { readonly kind: 'total' };

/** undefined for every row that might pay somebody. */
export function notAPayment(cells: RowCells, row: WrittenRow, file: FileColumns): NotAPayment | undefined {
  const { country, institution, account, amount } = cells.texts;
  // A total's label may stand in the column of the country, where that is the first, or just before the amount.
  if (institution !== '' || [account, country].some((text) => text !== '' && !isTotalWord(text)))
    return country !== '' && isHeader(cells, file) ? REPEATED_HEADER(country) : undefined;
  if (amount !== '') return row.cells.some((cell) => isTotalWord(cell)) ? { kind: 'total' } : undefined;
  if (cells.fields.some((field) => cells.isMarked(field, 'formula_without_value'))) return undefined;
  const at = row.cells.findIndex((cell) => cell.trim() !== '');
  return {
    kind: 'issue',
    issue: {
      kind: 'row_without_payment',
      field: 'country',
      at: at === -1 ? undefined : at,
      seen: row.cells[at]?.trim() ?? '',
      expected: 'a payment; country, institution, account and amount are all empty',
      suggestion: 'Fill the row in, or take it out of the sheet.',
    },
  };
}

function isHeader({ texts }: RowCells, { columns, headers }: FileColumns): boolean {
  const header = (field: 'country' | 'account') => headers[columns.get(field) ?? -1] ?? '';
  // Equal first letters are cheap to see, and hardly any payment has them.
  if (texts.country[0] !== header('country')[0]) return false;
  return isSameHeader(texts.country, header('country')) && isSameHeader(texts.account, header('account'));
}

const REPEATED_HEADER = (seen: string): NotAPayment => ({
  kind: 'issue',
  issue: {
    kind: 'header_repeated',
    field: 'country',
    seen,
    expected: 'a payment; the row is the header once more',
    suggestion: 'Take the row out of the sheet.',
  },
});

const TOTAL_WORD =
  /^(?:grand|sub|sous|overall|net|page|batch|file|payroll)?(?:total|totals|totaux|totais)(?:general|geral|amount|payable|payroll|net|due|gross|topay|apagar|apayer)?$|^(?:sum|somme|soma)$/;

function isTotalWord(cell: string): boolean {
  const text = cell.trim();
  return text !== '' && text.length <= 40 && TOTAL_WORD.test(foldText(text));
}
