/**
 * The sheet Journal: double entry, ready to be imported. One debit and one credit line for everything that happened to a
 * payment's money, on its own day, to the accounts that the sheet Accounts names. Payments that were paid again since
 * stand after those of the file.
 *
 * In a report over days only what is dated in them is booked, so that months imported one after another book everything
 * once. A sheet holds a million lines. Where a batch needs more, each kind of line is summed up per currency, and the
 * sheet says so: nothing is left out.
 *
 * The sheet Accounts says which account of your books each side goes to; every line of the Journal follows it.
 */

import type { Money } from '../../../domain/money/money.ts';
import {
  type Entry,
  JournalSums,
  type KindSum,
  kindText,
  SIDES,
  type Side,
} from '../../../domain/reporting/journal.ts';
import {
  ACCOUNT_MEANINGS,
  type Account,
  JournalAccounts,
  type UsedAccount,
} from '../../../domain/reporting/journal-accounts.ts';
import { ACCOUNT_USES } from '../../../domain/reporting/journal-checks.ts';
import { GROUP_WORDS } from '../../../domain/reporting/status-words.ts';
import { countText, printable } from '../../../domain/text/printable.ts';
import { dayNumber } from '../../../domain/time-zone.ts';
import { timestampOf } from '../../../domain/timestamp.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { cell } from './cells.ts';
import { addRows, rows, TableSheet, table, widthsOf } from './sheet.ts';
import { amberRule, groupRules } from './styles.ts';
import { DeflatedRows, type Sheet } from './xlsx-workbook.ts';

const ACCOUNT_COLUMNS: readonly Column<UsedAccount>[] = [
  column.plain('Used for', ({ role }) => ACCOUNT_USES[role], { width: 26 }),
  column.input('Account code', ({ code }) => code, { width: 16 }),
  column.input('Account name', ({ name }) => name, { width: 34 }),
  column.words('What is booked there', ({ role }) => ACCOUNT_MEANINGS[role], { width: 96 }),
  column.text('Batches', ({ batches }) => (batches === undefined ? '' : `${batches}…`), {
    width: 24,
    mayGo: true,
  }),
  column.text('Currency', ({ currency }) => currency ?? '', { width: 10, mayGo: true }),
];

export const ACCOUNTS = { name: 'Accounts', widths: widthsOf(ACCOUNT_COLUMNS) };

const HOW =
  'Replace these codes and names with your own in the columns B and C. The sheet Journal uses them.';
const FIRST_ROW = 4;

export function writeAccounts(sheet: Sheet, { all: lines }: JournalAccounts): void {
  const above = rows([cell('bold', 'Accounts of the Journal')], [cell('quiet', HOW)]);
  addRows(sheet, [...above, ...table({ columns: ACCOUNT_COLUMNS, lines })]);
  sheet.rule(`B${FIRST_ROW}:C${FIRST_ROW + lines.length - 1}`, amberRule(`LEN(TRIM(B${FIRST_ROW}))=0`));
}

/** Where all of a kind are summed up, no day and no row is known. */
type SheetEntry = Omit<Entry, 'foreign' | 'rate' | 'tag'>;

interface Pair extends Omit<SheetEntry, 'at' | 'day' | 'row'> {
  readonly day: string | undefined;
  readonly row: number | undefined;
}

/** One line of a pair. */
interface Line extends Pair {
  readonly side: Side;
  /** Its place on the sheet Accounts. */
  readonly place: number;
  readonly account: Account;
}

/** What the sheet Accounts says, and the cell that says it. */
const account = (what: keyof Account) => ({
  value: (line: Line) => line.account[what],
  formula: ({ place }: Line) => `${ACCOUNTS.name}!$${what === 'code' ? 'B' : 'C'}$${FIRST_ROW + place}`,
});
const amountOf = (side: Side) => (line: Line) => (line.side === side ? line.money : undefined);

/** As a cell holds it. */
const dateOf = (day: string | undefined) =>
  day === undefined ? undefined : timestampOf(dayNumber(day) ?? Number.NaN);

const JOURNAL_COLUMNS: readonly Column<Line>[] = [
  column.day('Date', ({ day }) => dateOf(day), { width: 12 }),
  column.row('Row', ({ row }) => row, { width: 7 }),
  { header: 'Account code', width: 14, style: 'plain', ...account('code') },
  { header: 'Account name', width: 30, style: 'plain', ...account('name') },
  column.money('Debit', amountOf('debit'), { width: 15 }),
  column.money('Credit', amountOf('credit'), { width: 15 }),
  column.text('Currency', ({ money }) => money.currency, { width: 10 }),
  column.plain('Kind', kindText, { width: 26 }),
  column.plain('Counted as', ({ group }) => GROUP_WORDS[group].word, { width: 13 }),
  column.plain('Name', ({ name }) => name, { width: 24 }),
  column.text('Reference', ({ reference }) => reference, { width: 17 }),
  column.text('Transfer id', ({ transferId }) => transferId, { width: 26 }),
  column.words('Batch', ({ batch }) => batch, { width: 48 }),
  column.text('Voucher', ({ voucher }) => voucher, { width: 16 }),
  column.plain('Used for', (line) => ACCOUNT_USES[line[line.side]], { width: 20 }),
];

export const JOURNAL_NAME = 'Journal';

/** `kept`: columns of the file, which stand behind the others. */
export function journalSheet(kept: readonly string[] = []) {
  const own = kept.map(
    (header, at): Column<Line> =>
      column.text(printable(header), (line) => line.kept[at] ?? '', { width: 17 }),
  );
  const columns = [...JOURNAL_COLUMNS, ...own];
  return { name: JOURNAL_NAME, columns, widths: widthsOf(columns) };
}

/** JSON has no bigint. */
type Packed = Omit<SheetEntry, 'money'> & {
  readonly money: Omit<Money, 'minor'> & { readonly minor: string };
};

function packed({ foreign: _foreign, rate: _rate, tag: _tag, ...entry }: Entry): Packed {
  return { ...entry, money: { ...entry.money, minor: entry.money.minor.toString() } };
}

function unpacked(kept: Packed): SheetEntry {
  return { ...kept, money: { ...kept.money, minor: BigInt(kept.money.minor) } };
}

/** Two lines each, below the header and above the last row that a sheet has. */
const PAIRS_MAX = (1_048_576 - 2) / 2;
/** Rows added between two looks at how much waits to be written. */
const SLICE = 500;

export class Journal {
  readonly #kept = new DeflatedRows<Packed>();
  readonly sums = new JournalSums();
  readonly #accounts: JournalAccounts;
  readonly #pairsMax: number;
  #isTooLong = false;

  constructor(accounts = new JournalAccounts(), pairsMax = PAIRS_MAX) {
    this.#accounts = accounts;
    this.#pairsMax = pairsMax;
  }

  add(entry: Entry): void {
    this.sums.add(entry);
    if (this.#kept.count < this.#pairsMax) this.#kept.add(packed(entry));
    else this.#isTooLong = true;
  }

  packed(): Promise<void> {
    return this.#kept.packed();
  }

  async writeTo(
    sheet: Sheet,
    { columns }: Pick<ReturnType<typeof journalSheet>, 'columns'>,
    nothing: string,
  ): Promise<void> {
    const table = new TableSheet(sheet, columns);
    const add = (pair: Pair) => {
      for (const side of SIDES) table.add({ ...pair, side, ...this.#accountOf(pair, side) });
    };
    if (this.#isTooLong) for (const sum of this.sums.perKind()) add(summedPair(sum));
    else {
      let written = 0;
      for await (const row of this.#kept.rows()) {
        add(unpacked(row));
        written += 1;
        if (written % SLICE === 0) await sheet.drained();
      }
    }
    table.end(nothing, (letter) => groupRules(`$${letter('Counted as')}2`));
  }

  #accountOf({ batch, money: { currency }, ...roles }: Pair, side: Side) {
    const account = this.#accounts.of(roles[side], { batch, currency });
    return { account, place: this.#accounts.placeOf(account) };
  }
}

function summedPair({ currency, minor, count, ...sum }: KindSum): Pair {
  const name = `Sum of ${countText(count)}: a sheet cannot hold them all`;
  const unnamed = { day: undefined, row: undefined, reference: '', transferId: '', batch: '', voucher: '' };
  return { ...sum, ...unnamed, kept: [], money: { minor, currency }, name };
}
