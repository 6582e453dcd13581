/** Rows that hold two payments: `Account Number`, `Amount 1`, `Account Number 2`, `Amount 2`. A row is one payment. */
import { spacedWords } from '../../text/header-words.ts';
import { message } from '../../text/message.ts';
import { amountSense } from '../amount-sense.ts';
import type { Answer } from '../answer.ts';
import { isCalled } from '../column-kinds.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks } from '../question.ts';
import { choice, holdsNumbers, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

const PAID = new Set(['clear', 'plain']);
const ORDINAL = / ([2-9]|second|deuxieme|segund[oa]) $/;

export const askTwoPayments: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const [account, amount] = [usedFor(columns, 'account'), usedFor(columns, 'amount')];
  if (account === undefined || amount === undefined || account.isSaid || amount.isSaid) return [];
  const free = columns.filter((column) => column.field === undefined);
  const otherAccount = free.find((column) => isSecond(column, isAccount));
  const otherAmount = free.find((column) => isSecond(column, isAmount));
  if (otherAccount === undefined || otherAmount === undefined) return [];
  const first = free.find(({ header }) => / 1 $/.test(spacedWords(header)) && isAmount(header)) ?? amount;
  const accounts = listed([account, otherAccount].map((column) => shown(column, true)));
  const amounts = listed([...new Set([amount, first, otherAmount])].map((column) => shown(column)));
  return [
    {
      code: 'two_payments_in_a_row',
      text: message(
        'two_payments_in_a_row',
      )`Does each row hold two payments? It has the accounts ${accounts} and the amounts ${amounts}. A row can only be one payment.`,
      headers: [account, otherAccount, amount, otherAmount].map(({ header }) => header),
      settles: ['account', 'amount', 'institution'],
      choices: [
        choice('Write a row for each payment in the file, and read it again'),
        choice(
          `Pay ${quoted(first.header)} to ${quoted(account.header)}, and nothing to ${quoted(otherAccount.header)}`,
          isIn('account', account),
          isIn('amount', first),
          ...usedInstitution(columns),
        ),
      ],
    },
  ];
};

function usedInstitution(columns: readonly SeenColumn[]): readonly Answer[] {
  const bank = usedFor(columns, 'institution');
  return bank === undefined ? [] : [isIn('institution', bank)];
}

function isSecond(column: SeenColumn, is: (header: string) => boolean): boolean {
  return ORDINAL.test(spacedWords(column.header)) && holdsNumbers(column) && is(column.header);
}

const isAccount = (header: string): boolean => isCalled('account', header);

const isAmount = (header: string): boolean => PAID.has(amountSense(header));
