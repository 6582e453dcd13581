/**
 * Rows whose amount is in another currency than the one they are paid in: by a column that no field is read from
 * (`Invoice Currency`), or by the header of the amount (`Send Amount (GBP)`), also when a person named it.
 *
 * Columns for what leaves (`Origin Currency`) and for what arrives (`Beneficiary Currency`) stand side by side in templates:
 * only the side of the amount is compared.
 */
import lists from '../../data/column-words.json' with { type: 'json' };
import { type CurrencyCode, parseCurrency } from '../money/currency.ts';
import { currenciesNamed, isWordFor } from '../money/currency-words.ts';
import { foldWords } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import type { FileColumns } from './column-names.ts';
import { currencyWordsOf } from './header-currency.ts';
import type { IssueText } from './issue-writer.ts';

const CURRENCY = wordList(lists.currency);
const SENT = wordList(lists.sentSide);
const RECEIVED = wordList(lists.receivedSide);
const TOPICS = wordList(lists.codeTopics);
const SENT_WORDS = new Set(lists.sentWords.map((words) => foldWords(words).join(' ')));

type Side = 'sent' | 'received' | 'open';

interface CurrencyColumn {
  readonly at: number;
  /** Its header speaks of a currency, so every word for one counts. */
  readonly isNamed: boolean;
  /** It says the amount in words. */
  readonly isInWords: boolean;
  /** `source` in it: the amount is in the currency of what leaves. */
  readonly side: Side;
}

type OtherCurrency = (cells: readonly string[], currency: CurrencyCode) => IssueText | undefined;

/** Made once for a file. `ignored`: columns that a person took out. */
export function otherCurrencyIn(file: FileColumns, ignored: ReadonlySet<number> = new Set()): OtherCurrency {
  const amountAt = file.columns.get('amount') ?? -1;
  const header = file.headers[amountAt] ?? '';
  const units = currencyWordsOf(header);
  const compared = comparedColumns(file, ignored);
  return (cells, currency) => {
    if (units.length > 0 && !units.some((unit) => isWordFor(unit, currency)))
      return issueOf(amountAt, cells[amountAt] ?? '', currency, {
        says: `the header “${header}” names another one`,
        ifSame: 'take the other one out of the header',
      });
    for (const column of compared) {
      const cell = cells[column.at];
      if (cell === undefined || cell === '' || !isOther(cell.trim(), column, currency)) continue;
      return issueOf(column.at, cell, currency, {
        says: `this column says “${cell.trim()}”`,
        ifSame: 'say that the column is not used',
      });
    }
    return undefined;
  };
}

/** None where the amount itself names another currency already. */
export function otherCurrencyIssues(...file: Parameters<typeof otherCurrencyIn>) {
  const find = otherCurrencyIn(...file);
  return (cells: readonly string[], currency: CurrencyCode | undefined, issues: readonly IssueText[]) =>
    currency === undefined || issues.some(({ kind }) => kind === 'amount_other_currency')
      ? []
      : [find(cells, currency) ?? []].flat();
}

function comparedColumns(
  { headers, columns }: FileColumns,
  ignored: ReadonlySet<number>,
): readonly CurrencyColumn[] {
  const used = new Set(columns.values());
  const amountSide = sideOf(headers[columns.get('amount') ?? -1] ?? '');
  const all = headers.flatMap((header, at): readonly CurrencyColumn[] => {
    const words = spacedWords(header);
    if (used.has(at) || ignored.has(at) || words.trim() === '') return [];
    const isNamed = CURRENCY.isIn(words);
    return !isNamed && TOPICS.isIn(words)
      ? []
      : [{ at, isNamed, isInWords: IN_WORDS.isIn(words), side: sideOf(header) }];
  });
  const hasOwn = columns.has('currency') || all.some(({ isNamed, side }) => isNamed && side !== 'sent');
  return all.filter(({ side }) => {
    if (side === 'sent') return amountSide === 'sent' || (amountSide === 'open' && !hasOwn);
    return side === 'open' || amountSide !== 'sent';
  });
}

function sideOf(header: string): Side {
  const words = spacedWords(header);
  if (RECEIVED.isIn(words)) return 'received';
  return SENT.isIn(words) ? 'sent' : 'open';
}

const IN_WORDS = wordList(['in words', 'in letters', 'en lettres', 'en toutes lettres', 'por extenso']);
/** Dollars and euros are said in any column. */
const UNIT = /(?:us )?(?:dollars?|euros?|d[oó]lar(?:es)?|pounds? sterling)/;
const IS_UNIT = new RegExp(`^${UNIT.source}$`, 'i');
const HAS_UNIT = new RegExp(`\\b${UNIT.source}\\b`, 'i');
/** Dollars may be those of Namibia. */
const isInDollars = (currency: CurrencyCode) => currenciesNamed('$')?.includes(currency) === true;

const LONGEST = 24;
/** In a column of any header: a code, or a sign. */
const CODE = /^[A-Z]{3}$|^\p{L}{0,3}\p{Sc}$/u;
/** Codes that are words as well. */
const WORDS = /^(?:ALL|TOP|TRY|CUP|PEN|COP|LAK|MAD)$/;

function isOther(cell: string, { isNamed, isInWords }: CurrencyColumn, currency: CurrencyCode): boolean {
  const unit = isInWords
    ? HAS_UNIT.exec(cell)?.[0]
    : cell.length <= LONGEST
      ? IS_UNIT.exec(cell)?.[0]
      : undefined;
  if (unit !== undefined) return !isInDollars(currency) && !isWordFor(unit.replace(/^us /i, ''), currency);
  if (cell.length > LONGEST || cell === currency) return false;
  if (!isNamed) return CODE.test(cell) && !WORDS.test(cell) && names(cell) && !isWordFor(cell, currency);
  if (SENT_WORDS.has(foldWords(cell).join(' '))) return true;
  return names(cell) && !isWordFor(cell, currency);
}

const names = (cell: string) => parseCurrency(cell) !== undefined || currenciesNamed(cell) !== undefined;

interface Saying {
  readonly says: string;
  /** What to do if the amount is in the currency of the institution. */
  readonly ifSame: string;
}

function issueOf(at: number, seen: string, currency: CurrencyCode, { says, ifSame }: Saying): IssueText {
  return {
    ...{ kind: 'amount_other_currency', field: 'amount', at, seen },
    expected: `an amount in ${currency}, the currency of the institution; ${says}`,
    suggestion: `Find out how much is meant in ${currency}, and write that. If the amount is in ${currency}, ${ifSame}.`,
  };
}
