/** What a title or a note under the list says of all its rows: that they were paid, or that they are in another currency. */
import { parseCurrency } from '../../money/currency.ts';
import { isWordFor } from '../../money/currency-words.ts';
import { currencyWordsOf } from '../../rows/header-currency.ts';
import { message } from '../../text/message.ts';
import type { Look } from '../look.ts';
import type { Asks } from '../question.ts';
import { stopWordOf } from '../stop-words.ts';
import { choice, isAbout, listed, openColumns, quoted, usedFor } from './columns.ts';

export const askTitles: Asks = (look, said) => {
  const header = usedFor(openColumns(look, said), 'amount')?.header;
  if (header === undefined || isAbout(said, 'pay_anyway', header)) return [];
  const texts = [
    ...look.above,
    ...look.between.flatMap(({ text, below, isAlone }) => (below === 0 && isAlone ? [text] : [])),
  ];
  const isAgainst = (text: string) => stopWordOf(text) !== undefined || namesOther(text, look);
  const found = texts.filter(isAgainst).map((text) => text.split(PARTS).find(isAgainst)?.trim() ?? text);
  if (found.length === 0) return [];
  return [
    {
      code: 'title_against_paying',
      text: message(
        'title_against_paying',
      )`The file says ${listed(found.slice(0, MOST_SHOWN).map(quoted))}. Are its rows to be paid all the same${paidIn(look)}?`,
      headers: [header],
      choices: [
        choice('Pay them as they are written', { kind: 'pay_anyway', header }),
        choice('They are not to be paid as they are written: change the file'),
      ],
    },
  ];
};

const MOST_SHOWN = 3;
/** A long title is shown by the part that says it. */
const PARTS = /[,;()\n]|\s[-–—]\s/;

function paidIn({ currencies }: Look): string {
  return currencies.size === 0 ? '' : `, in ${listed([...currencies.keys()])}`;
}

/** Names of companies and places have such words, too. */
const SAYS_UNIT =
  /\b(?:in|en|em|amounts?|figures|values|montants?|valores|montantes|currency|devise|moeda)\b[\p{L}\s:(]{0,24}$/iu;
const UNIT = /^(?:[A-Z]{3}|\p{L}{0,2}\p{Sc}|dollars?|euros?|d[oó]lar(?:es)?|sterling)$/iu;

/** “All amounts in USD” above rows in KES. */
function namesOther(text: string, { currencies }: Look): boolean {
  const paid = [...currencies.keys()].flatMap((code) => parseCurrency(code) ?? []);
  const units = currencyWordsOf(text).filter((word) => UNIT.test(word));
  if (paid.length === 0 || units.some((unit) => paid.some((code) => isWordFor(unit, code)))) return false;
  return units.some((unit) => SAYS_UNIT.test(text.slice(0, text.indexOf(unit))));
}
