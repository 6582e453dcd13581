/** One amount column for each currency, where no other column is the amount. */
import { fieldOfHeader } from '../../rows/column-names.ts';
import { currencyOfHeader, withoutCurrency } from '../../rows/header-currency.ts';
import { message } from '../../text/message.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks } from '../question.ts';
import { choice, holdsNumbers, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

export const askAmountPerCurrency: Asks = (look, said) => {
  const columns = openColumns(look, said);
  if (usedFor(columns, 'amount') !== undefined || said.some(isAboutAmount)) return [];
  const amounts = columns.filter((column) => column.field === undefined && isAmount(column));
  const currencies = new Set(amounts.map(({ header }) => currencyOfHeader(header)));
  const isApart = amounts.reduce((sum, { filled, zeros }) => sum + filled - zeros, 0) <= look.rows;
  if (amounts.length < 2 || currencies.size < amounts.length) return [];
  const headers = amounts.map(({ header }) => header);
  const all = listed(amounts.map((column) => shown(column)));
  const alone = amounts.map((column) => choice(`Pay ${quoted(column.header)} alone`, isIn('amount', column)));
  const each = choice(`Pay each row from the column that is filled: ${headers.map(quoted).join(' or ')}`, {
    kind: 'first_filled',
    field: 'amount',
    headers: amounts.map(({ name }) => name),
  });
  return [
    {
      code: 'amount_per_currency',
      text: message(
        'amount_per_currency',
      )`Which column holds the amount to pay: ${all}? A row is only paid by an amount in its own currency.`,
      headers,
      settles: ['amount'],
      choices: isApart ? [each, ...alone] : alone,
    },
  ];
};

const isAboutAmount = (answer: { readonly kind: string; readonly field?: unknown }) =>
  answer.field === 'amount';

/** `Amount KES`, `Net Pay (UGX)`, `KES`. */
function isAmount(column: SeenColumn): boolean {
  const rest = withoutCurrency(column.header);
  return rest !== undefined && holdsNumbers(column) && (rest === '' || fieldOfHeader(rest) === 'amount');
}
