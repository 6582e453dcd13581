/** All questions about a file, in the order in which they are asked. Each is a pure function of what was seen. */
import type { Directory } from '../../rows/directory.ts';
import type { Field } from '../../rows/row.ts';
import type { Answer } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Asks, Question } from '../question.ts';
import { askAccountParts } from './account-in-parts.ts';
import { askAmountPerCurrency } from './amount-per-currency.ts';
import { askBankOrMobile } from './bank-or-mobile.ts';
import { askNameColumn } from './name-columns.ts';
import { askFillDown, askNumberedNames, askOtherDigits, askZeros } from './odd-cells.ts';
import { askPreset } from './preset.ts';
import { askAmount } from './rival-amounts.ts';
import { askAccount, askCountry, askDestination, askInstitution, askName } from './rival-columns.ts';
import { askCurrencyWords, askSameReference } from './same-words.ts';
import { askSecondTable } from './second-table.ts';
import { askLaterDates, askStops } from './stops.ts';
import { askThousands } from './thousands.ts';
import { askTitles } from './titles.ts';
import { askTwoPayments } from './two-payments.ts';

/** Those that settle several columns at once stand ahead of those about one. */
export const ASKS: readonly Asks[] = [
  askSecondTable,
  askPreset,
  askBankOrMobile,
  askAccountParts,
  askAmountPerCurrency,
  askTwoPayments,
  askAmount,
  askThousands,
  askAccount,
  askCountry,
  askDestination,
  askInstitution,
  askName,
  askNameColumn,
  askStops,
  askTitles,
  askLaterDates,
  askSameReference,
  askCurrencyWords,
  askFillDown,
  askZeros,
  askOtherDigits,
  askNumberedNames,
];

/** Everything to ask in one round. A field that one question settles with others is not asked about again. */
export function questionsAbout(
  look: Look,
  said: readonly Answer[],
  directory: Directory,
  asks = ASKS,
): readonly Question[] {
  const settled = new Set<Field>();
  return asks.flatMap((ask) =>
    ask(look, said, directory).filter((question) => {
      const isSettled = fieldsOf(question).some((field) => settled.has(field));
      for (const field of question.settles ?? []) settled.add(field);
      return !isSettled;
    }),
  );
}

/** Fields of which all choices say where they stand. */
function fieldsOf({ choices, settles = [] }: Question): readonly Field[] {
  const mapped = choices.flatMap(({ answers }) =>
    answers.flatMap((answer) =>
      answer.kind === 'map' || answer.kind === 'first_filled' ? [answer.field] : [],
    ),
  );
  return [...new Set([...settles, ...mapped])];
}
