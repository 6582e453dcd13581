/**
 * Which column is to be paid, where more than one could be: net beside salary, a balance, a second amount.
 *
 * Deductions and allowances are no rivals of an amount. Where nothing says that they are already taken off or part of it,
 * that is asked as well.
 */
import { fieldOfHeader } from '../../rows/column-names.ts';
import { isDateLike } from '../../text/likeness.ts';
import { message } from '../../text/message.ts';
import { type AmountSense, amountSense, namesSalesTax } from '../amount-sense.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks, Choice, Question } from '../question.ts';
import { choice, holdsNumbers, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

const RIVALS_OF_CLEAR: ReadonlySet<AmountSense> = new Set<AmountSense>(['clear', 'plain', 'paid']);
const RIVALS_OF_PLAIN: ReadonlySet<AmountSense> = new Set<AmountSense>(['clear', 'plain', 'paid', 'gross']);

export const askAmount: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const used = usedFor(look.columns, 'amount');
  if (used === undefined || used.isSaid) return [];
  const others = columns.filter((column) => column.field === undefined && holdsAmounts(column));
  const rivals = others.filter((column) => isRival(column, used, others));
  if (rivals.length > 0) return [whichAmount(used, rivals)];
  return amountSense(used.header) === 'clear' ? [] : amountInParts(used, others);
};

/** `30.11.2026` could be read as a number. */
const holdsAmounts = (column: SeenColumn): boolean =>
  holdsNumbers(column) && !isFlag(column) && !column.examples.every((each) => isDateLike(each));

/** “Salary Withheld” with 0 and 1 in it. */
const isFlag = ({ words }: SeenColumn): boolean =>
  words !== undefined && [...words.keys()].every((word) => word === '0' || word === '1');

function isRival(column: SeenColumn, used: SeenColumn, others: readonly SeenColumn[]): boolean {
  const sense = senseOf(column);
  if (sense === 'paid' && hasOnlyZeros(column)) return false;
  if (amountSense(used.header) !== 'clear') return RIVALS_OF_PLAIN.has(sense);
  // “Net amount” beside VAT is an amount without tax, and the invoice asks for the amount with it.
  const isInvoice = others.some(({ header }) => namesSalesTax(header));
  return RIVALS_OF_CLEAR.has(sense) || (sense === 'gross' && isInvoice && !namesOnlyTax(column));
}

/** A header that payfile would take for the amount by itself is one, whatever its words. */
function senseOf({ header }: SeenColumn): AmountSense {
  const sense = amountSense(header);
  return sense === 'none' && fieldOfHeader(header) === 'amount' ? 'plain' : sense;
}

const namesOnlyTax = ({ header }: SeenColumn): boolean =>
  namesSalesTax(header) && amountSense(header.replace(/vat|tva|iva|gst/gi, '')) === 'none';

function hasOnlyZeros({ words }: SeenColumn): boolean {
  return words !== undefined && [...words.keys()].every((word) => /^[^1-9]*$/.test(word));
}

function whichAmount(used: SeenColumn, rivals: readonly SeenColumn[]): Question {
  const all = [used, ...rivals];
  const others = listed(rivals.map((rival) => shown(rival)));
  const payable = all.filter((column) => column === used || senseOf(column) !== 'paid');
  return {
    code: 'which_amount',
    text: message(
      'which_amount',
    )`Which column holds the amount to pay? ${shown(used)} is the amount so far, and ${others} may be meant${payable.length < all.length ? ', or say that a part was paid before' : ''}.`,
    headers: all.map(({ header }) => header),
    choices: [
      ...payable.map((column) => choice(`Pay ${quoted(column.header)}`, isIn('amount', column))),
      ...correctedAmount(used, rivals),
      ...(payable.length < all.length
        ? [choice('Write a column with what is left to pay in the file, and read it again')]
        : []),
    ],
  };
}

/** A few corrected amounts beside the first ones. */
function correctedAmount(used: SeenColumn, rivals: readonly SeenColumn[]): readonly Choice[] {
  const [rival] = rivals;
  if (rivals.length !== 1 || rival === undefined || rival.filled >= used.filled) return [];
  return amountSense(rival.header) === 'clear' ? [firstFilled([rival, used])] : [];
}

function firstFilled(columns: readonly SeenColumn[]): Choice {
  const [first = '', ...rest] = columns.map(({ header }) => quoted(header));
  return choice(`Pay ${first}, and where it is empty ${rest.join(', and then ')}`, {
    kind: 'first_filled',
    field: 'amount',
    headers: columns.map(({ name }) => name),
  });
}

/** “NSSF” may be what is taken off, or the number of the member. */
function hasNoMoreDigits(column: SeenColumn, used: SeenColumn): boolean {
  const lengths = ({ examples }: SeenColumn) => examples.map((each) => each.replace(/\D/g, '').length);
  return Math.min(...lengths(column)) <= Math.max(...lengths(used));
}

/** “Salary” beside “PAYE” or “Bonus”, and no net column: what is to be paid may be less or more. */
function amountInParts(used: SeenColumn, others: readonly SeenColumn[]): readonly Question[] {
  const parts = others.filter((column) => !hasOnlyZeros(column) && hasNoMoreDigits(column, used));
  const of = (sense: AmountSense) => parts.filter(({ header }) => amountSense(header) === sense);
  const taken = of('deducted');
  // Beside “Basic” the amount is what the others lead to.
  const added = of('before').length > 0 ? [] : of('added');
  const them = [...taken, ...added];
  if (them.length === 0) return [];
  const [is, shownThem] = [them.length === 1 ? 'Is' : 'Are', listed(them.map((column) => shown(column)))];
  const ways = [...(taken.length > 0 ? ['taken off'] : []), ...(added.length > 0 ? ['a part of'] : [])];
  return [
    {
      code: 'amount_in_parts',
      text: message(
        'amount_in_parts',
      )`${is} ${shownThem} already ${ways.join(' or ')} ${shown(used)}? No column says what is to be paid in all.`,
      headers: [used.header, ...them.map(({ header }) => header)],
      choices: [
        choice(`Pay ${quoted(used.header)} as it stands`, isIn('amount', used)),
        choice('Add a column with the amount to pay to the file, and read it again'),
      ],
    },
  ];
}
