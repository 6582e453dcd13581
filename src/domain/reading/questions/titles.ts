/**
 * What a title, the name of the sheet or file, or a note under the list says of all its rows: that they were paid, or that
 * they are in another currency or another country.
 */
import { parseCurrency } from '../../money/currency.ts';
import { isWordFor } from '../../money/currency-words.ts';
import type { Country, Directory } from '../../rows/directory.ts';
import { currencyWordsOf } from '../../rows/header-currency.ts';
import { message } from '../../text/message.ts';
import { printable } from '../../text/printable.ts';
import type { Look } from '../look.ts';
import type { Asks } from '../question.ts';
import { stopWordOf } from '../stop-words.ts';
import { choice, isAbout, listed, openColumns, quoted, usedFor } from './columns.ts';

export const askTitles: Asks = (look, said, directory) => {
  const used = usedFor(openColumns(look, said), 'amount');
  if (used === undefined || isAbout(said, 'pay_anyway', used)) return [];
  const countries = countriesOf(look, directory);
  const isElsewhere = (text: string) => namesOtherCountry(text, countries, directory);
  const { sheet, file, above } = look;
  const texts = [...above, ...notesBelow(look)];
  const isStop = (text: string) => stopWordOf(text) !== undefined;
  const found = [
    ...againstPaying([sheet, file], (text) => namesOther(text, look, ANYWHERE)),
    // Files are called after what was done with them: “paid.xlsx”.
    ...againstPaying([sheet, ...texts], isStop),
    ...againstPaying(texts, (text) => namesOther(text, look)),
  ];
  const elsewhere = againstPaying([sheet, file, ...above], isElsewhere);
  const all = [...new Set([...found, ...elsewhere])];
  if (all.length === 0) return [];
  const where = elsewhere.length === 0 ? '' : `, to ${listed(countries.map(({ name }) => printable(name)))}`;
  return [
    {
      code: 'title_against_paying',
      text: message(
        'title_against_paying',
      )`The file says ${listed(all.slice(0, MOST_SHOWN).map(quoted))}. Are its rows to be paid all the same${paidIn(look)}${where}?`,
      headers: [used.header],
      choices: [
        choice('Pay them as they are written', { kind: 'pay_anyway', header: used.name }),
        choice('They are not to be paid as they are written: change the file'),
      ],
    },
  ];
};

const MOST_SHOWN = 3;
/** A long title is shown by the part that says it. */
const PARTS = /[,;()\n]|\s[-–—]\s/;

const againstPaying = (texts: readonly string[], isAgainst: (text: string) => boolean) =>
  texts.filter(isAgainst).map((text) => text.split(PARTS).find(isAgainst)?.trim() ?? text);

const notesBelow = ({ between }: Look): readonly string[] =>
  between.flatMap(({ text, below, isAlone }) => (below === 0 && isAlone ? [text] : []));

function paidIn({ currencies }: Look): string {
  return currencies.size === 0 ? '' : `, in ${listed([...currencies.keys()])}`;
}

/** Names of companies and places have such words, too. */
const SAYS_UNIT =
  /\b(?:in|en|em|amounts?|figures|values|montants?|valores|montantes|currency|devise|moeda)\b[\p{L}\s:(]{0,24}$/iu;
const ANYWHERE = /^/;
const UNIT = /^(?:[A-Z]{3}|\p{L}{0,2}\p{Sc}|dollars?|euros?|d[oó]lar(?:es)?|sterling)$/iu;
/** `Payroll November (USD)`, `Field staff - USD` */
const AT_END = /^[)\]\s.]*$/;

/** “All amounts in USD” above rows in KES. `before`: what stands before the currency. */
function namesOther(text: string, { currencies }: Look, before = SAYS_UNIT): boolean {
  const paid = [...currencies.keys()].flatMap((code) => parseCurrency(code) ?? []);
  const units = currencyWordsOf(text).filter((word) => UNIT.test(word));
  if (paid.length === 0 || units.some((unit) => paid.some((code) => isWordFor(unit, code)))) return false;
  return units.some((unit) => {
    const at = text.indexOf(unit);
    return before.test(text.slice(0, at)) || AT_END.test(text.slice(at + unit.length));
  });
}

/** Those of the rows. */
function countriesOf({ columns }: Look, directory: Directory): readonly Country[] {
  const words = columns.find(({ field }) => field === 'country')?.words;
  return [...new Set([...(words?.keys() ?? [])].flatMap((word) => countryCalled(word, directory)))];
}

/** “Uganda November” above rows in Kenya. Codes of countries are short words as well. */
function namesOtherCountry(text: string, countries: readonly Country[], directory: Directory): boolean {
  const words = text.match(/[\p{L}\p{M}'’.]+/gu) ?? [];
  const phrases = words.flatMap((_, from) =>
    [1, 2, 3].map((many) => words.slice(from, from + many).join(' ')),
  );
  const named = phrases
    .filter((phrase) => phrase.length >= SHORTEST_NAME || phrase === text.trim())
    .flatMap((phrase) => countryCalled(phrase, directory));
  return countries.length > 0 && named.length > 0 && !named.some((country) => countries.includes(country));
}

const SHORTEST_NAME = 4;

function countryCalled(text: string, directory: Directory): readonly Country[] {
  const found = directory.findCountry(text);
  return found.kind === 'found' ? [found.item] : [];
}
