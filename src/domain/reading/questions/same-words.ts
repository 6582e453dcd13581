/** One text for many rows: a reference that is a narration, and words that stand for a currency. They are offers: the rows are issues. */
import { parseCurrency } from '../../money/currency.ts';
import { currenciesNamed, isWordFor, SENDERS_CURRENCIES } from '../../money/currency-words.ts';
import { message } from '../../text/message.ts';
import { rowsText } from '../../text/printable.ts';
import { type Answer, wordKey } from '../answer.ts';
import type { Asks } from '../question.ts';
import { choice, isIn, listed, openColumns, quoted, usedFor } from './columns.ts';

export const askSameReference: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const used = usedFor(columns, 'reference');
  if (used?.words === undefined || used.filled < 2) return [];
  const { header, name, words, filled } = used;
  const isRepeated = [...words.values()].every((rows) => rows > 1);
  if (!isRepeated) return [];
  const shown = [...words].slice(0, 2).map(([word, rows]) => `${quoted(word)} in ${rowsText(rows)}`);
  const hasNote = usedFor(columns, 'note') !== undefined;
  return [
    {
      code: 'same_reference',
      text: message(
        'same_reference',
      )`Is ${quoted(header)} a text for the beneficiaries, and no reference? It has ${listed(shown)} of ${rowsText(filled)}. A reference belongs to one payment.`,
      headers: [header],
      isOffer: true,
      choices: [
        ...(hasNote ? [] : [choice(`Send ${quoted(header)} as the note`, isIn('note', used))]),
        choice(`Do not use ${quoted(header)}`, { kind: 'ignore', header: name }),
      ],
    },
  ];
};

export const askCurrencyWords: Asks = (look, said) => {
  const used = usedFor(openColumns(look, said), 'currency');
  const values = [...(used?.words?.keys() ?? [])].flatMap((written): readonly ValueAnswer[] => {
    const isKnown = parseCurrency(written) !== undefined || said.some((answer) => isValue(answer, written));
    const means = isKnown ? undefined : meaningOf(written, [...look.currencies.keys()]);
    return means === undefined ? [] : [{ kind: 'value', field: 'currency', written, means }];
  });
  if (used === undefined || values.length === 0) return [];
  const shown = values.map(({ written, means }) => `${quoted(written)} for ${means}`);
  return [
    {
      code: 'currency_words',
      text: message(
        'currency_words',
      )`Are these words of ${quoted(used.header)} currencies: ${listed(shown)}?`,
      headers: [used.header],
      isOffer: true,
      choices: [choice(`Read ${listed(shown)}`, ...values)],
    },
  ];
};

/** `FCFA` is two currencies; `SH` is that of too many countries to propose one. */
const MOST_MEANINGS = 2;

/**
 * The one currency of the rows that the word names; where no row can be paid yet, what it means first of all. A row in
 * another currency stays an issue.
 */
function meaningOf(written: string, paidIn: readonly string[]): string | undefined {
  const [own, ...others] = paidIn.filter((code) => isNamed(written, code));
  if (own !== undefined) return others.length === 0 ? own : undefined;
  const named = currenciesNamed(written) ?? [];
  const [first] = named.length <= MOST_MEANINGS ? named : [];
  return first === undefined || SENDERS_CURRENCIES.has(first) ? undefined : first;
}

type ValueAnswer = Extract<Answer, { kind: 'value' }>;

const isValue = (answer: Answer, written: string): boolean =>
  answer.kind === 'value' && answer.field === 'currency' && wordKey(answer.written) === wordKey(written);

function isNamed(written: string, code: string): boolean {
  const currency = parseCurrency(code);
  return currency !== undefined && isWordFor(written, currency);
}
