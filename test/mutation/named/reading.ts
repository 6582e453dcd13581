/** Mistakes in reading a file: a lost row, a wrong amount or a wrong account. */
import { condition, returning, returns, valued, withoutTerm } from '../changes.ts';
import { mutation, type NamedMutation } from '../named-mutation.ts';

const MONEY = 'src/domain/money/money.ts';
const CSV = 'src/files/csv/csv-source.ts';
const XLSX = 'src/files/xlsx/xlsx-source.ts';
const AMOUNT_TEST = 'test/domain/amount.test.ts';
const KEYS_TEST = 'test/domain/accounts-and-keys.test.ts';
const THREE_DIGITS_TEST = 'test/domain/three-digits.test.ts';
const ROW_TEST = 'test/domain/validate-row.test.ts';
const GUARDS = 'test/guards.test.ts';

export const READING_MUTATIONS: readonly NamedMutation[] = [
  mutation(
    'twin-not-noted',
    'A row that repeats a row of its file without a reference is read without a word.',
    [
      'src/domain/rows/repeats-in-file.ts',
      'createDuplicateFinder.payments',
      valued('{ meet: (): Seen | undefined => undefined }'),
    ],
    [KEYS_TEST, 'two equal payments without references: the later one says so'],
  ),
  mutation(
    'twin-not-held',
    'Two equal rows without a reference are both paid.',
    ['src/ledger/memory.ts', 'rowsAbove', returns('new Map()')],
    ['test/use-cases/people.test.ts', 'says that the equal row of its own file was withdrawn'],
  ),
  mutation(
    'digits-beyond-currency-read',
    'An amount with more decimals than its currency is paid as another amount.',
    [MONEY, 'parseDecimal', condition('fraction decimals', 'false')],
    ['test/domain/money.test.ts', 'as nothing rather than as something else'],
    [AMOUNT_TEST, 'is exact or refused'],
  ),
  mutation(
    'amount-rounded',
    'A large amount loses its last digits.',
    [
      MONEY,
      'parseDecimal',
      returning('minor', '{ minor: BigInt(Math.round(Number(text) * 10 ** decimals)), currency }'),
    ],
    ['test/domain/money.test.ts', 'plain decimals'],
  ),
  mutation(
    'three-digits-are-decimals',
    'An amount of 27,500 is paid as 27.50.',
    ['src/domain/money/amount-style.ts', 'chooseThreeDigits', withoutTerm('decimals DECIMALS_IN_DOUBT')],
    [THREE_DIGITS_TEST, 'a mark with three digits after it is no decimal mark'],
  ),
  mutation(
    'other-currency-paid-as-own',
    'An amount in another currency is paid in the currency of the row.',
    ['src/domain/rows/validate-amount.ts', 'otherMark', condition('mark undefined', 'true')],
    [THREE_DIGITS_TEST, 'is said to be so'],
  ),
  mutation(
    'currency-not-compared',
    'A row in one currency is paid in another one.',
    ['src/domain/rows/validate-cells.ts', 'checkCurrency', condition('parseCurrency currency', 'true')],
    ['test/corpus/corpus.test.ts', '[F21]'],
  ),
  mutation(
    'invisible-character-paid',
    'An account with an invisible character is paid as another account.',
    ['src/domain/text/printable.ts', 'UNSEEN', valued("'\\\\u2800'")],
    [ROW_TEST, 'a row that cannot be paid'],
  ),
  mutation(
    'scientific-account-paid',
    'An account such as 1.23E+10 is paid.',
    ['src/domain/accounts/account-faults.ts', 'accountFault', condition('SCIENTIFIC', 'false')],
    [KEYS_TEST, 'damage to an account'],
  ),
  mutation(
    'csv-row-lost',
    'A CSV row with an empty first cell is lost.',
    [CSV, 'isBlank', returns("record[0] === ''")],
    [GUARDS, '[F26] keeps a row of which only the first cell'],
  ),
  mutation(
    'shifted-row-paid',
    'A row with one cell too many is paid with shifted columns.',
    [CSV, 'rowsOf', condition('isLineOfText', 'false')],
    ['test/files/csv.test.ts', 'a row with a cell too few'],
  ),
  mutation(
    'workbook-row-lost',
    'A row of a workbook with a failed formula is lost.',
    [XLSX, 'isBlank', returning('marks', 'true')],
    [GUARDS, 'keeps a row in which nothing but a formula without a result stands'],
  ),
  mutation(
    'hidden-row-paid',
    'A row that is hidden in the sheet is paid without a question.',
    [XLSX, 'sourceRow', condition('isHidden wasHidden', 'false')],
    ['test/files/xlsx.test.ts', 'marks rows that nobody can see'],
  ),
];
