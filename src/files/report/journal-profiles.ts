/**
 * The columns of a journal as accounting programs import them. Each line of a journal is one side of an entry.
 *
 * The kept columns of the file stand behind all others, for programs that let you choose what to import. Xero has no place
 * for them but its two tracking categories.
 * Source:  Xero “Import manual journals” (help.xero.com), QuickBooks Online “Import journal entries”
 *          (quickbooks.intuit.com/learn-support), Odoo “Export and import data” (odoo.com/documentation, fields of
 *          account.move), ERPNext “Data Import” of Journal Entry (docs.frappe.io). Their pages name these columns.
 */
import { formatDecimal } from '../../domain/money/money.ts';
import { descriptionOf, type Entry, kindText, type Side } from '../../domain/reporting/journal.ts';
import type { Account } from '../../domain/reporting/journal-accounts.ts';
import { ACCOUNT_USES } from '../../domain/reporting/journal-checks.ts';
import type { JournalProfile } from '../../domain/reporting/report.ts';
import { GROUP_WORDS } from '../../domain/reporting/status-words.ts';

export interface JournalLine {
  readonly entry: Entry;
  readonly side: Side;
  readonly account: Account;
  /** The headers of the kept columns. */
  readonly keptColumns: readonly string[];
}

interface Profile {
  readonly columns: (kept: readonly string[]) => readonly string[];
  readonly record: (line: JournalLine) => readonly string[];
  /** Its journals are in the currency of the books, so one file has one currency. */
  readonly hasOneCurrency?: true;
  readonly keptMax?: number;
}

const XERO_TRACKING = 2;

export const JOURNAL_PROFILES: Readonly<Record<JournalProfile, Profile>> = {
  generic: {
    columns: (kept) => [
      ...['date', 'voucher', 'account_code', 'account_name', 'debit', 'credit', 'amount', 'currency'],
      ...[
        'foreign_amount',
        'foreign_currency',
        'rate',
        'description',
        'row',
        'kind',
        'used_for',
        'counted_as',
      ],
      ...['name', 'reference', 'transfer_id', 'batch', 'tag', ...kept],
    ],
    record: (line) => {
      const { entry, side, account } = line;
      const { money, foreign } = entry;
      return [
        ...[entry.day, entry.voucher, account.code, account.name],
        ...[amountOf(line, 'debit'), amountOf(line, 'credit'), signedOf(line), money.currency],
        ...(foreign === undefined ? ['', ''] : [signed(formatDecimal(foreign), side), foreign.currency]),
        ...[
          entry.rate,
          descriptionOf(entry),
          entry.row.toString(),
          kindText(entry),
          ACCOUNT_USES[entry[side]],
        ],
        ...[GROUP_WORDS[entry.group].word, entry.name, entry.reference, entry.transferId, entry.batch],
        ...[entry.tag, ...entry.kept],
      ];
    },
  },
  xero: {
    hasOneCurrency: true,
    keptMax: XERO_TRACKING,
    columns: () => [
      ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
      ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
    ],
    record: (line) => {
      const { entry, account, keptColumns } = line;
      const [year, month, day] = entry.day.split('-');
      const narration = [entry.batch, entry.voucher].join(' ');
      const tracked = Array.from({ length: XERO_TRACKING }, (_, at) => entry.kept[at] ?? '');
      return [
        ...[narration, `${day}/${month}/${year}`, descriptionOf(entry), account.code, NO_TAX, signedOf(line)],
        ...tracked.flatMap((option, at) => [option === '' ? '' : (keptColumns[at] ?? ''), option]),
      ];
    },
  },
  quickbooks: {
    columns: (kept) => [
      ...[
        'Journal No.',
        'Journal Date',
        'Account Name',
        'Debits',
        'Credits',
        'Description',
        'Currency',
        ...kept,
      ],
    ],
    record: (line) => {
      const { entry, account } = line;
      const [year, month, day] = entry.day.split('-');
      return [
        ...[entry.voucher, `${month}/${day}/${year}`, account.name],
        ...[amountOf(line, 'debit'), amountOf(line, 'credit')],
        ...[descriptionOf(entry), entry.money.currency, ...entry.kept],
      ];
    },
  },
  odoo: {
    hasOneCurrency: true,
    columns: (kept) => [
      ...['date', 'ref', 'line_ids/account_id', 'line_ids/name', 'line_ids/debit', 'line_ids/credit'],
      ...['line_ids/currency_id', 'line_ids/amount_currency', ...kept],
    ],
    record: (line) => {
      const { entry, account } = line;
      return [
        ...firstOnly(line, [entry.day, entry.voucher]),
        ...[account.code, descriptionOf(entry), amountOf(line, 'debit', '0'), amountOf(line, 'credit', '0')],
        ...[entry.money.currency, signedOf(line), ...entry.kept],
      ];
    },
  },
  erpnext: {
    hasOneCurrency: true,
    columns: (kept) => [
      ...[
        'Entry Type',
        'Posting Date',
        'Reference Number',
        'Reference Date',
        'User Remark',
        'Multi Currency',
      ],
      ...['Account (Accounting Entries)', 'Debit in Account Currency (Accounting Entries)'],
      ...['Credit in Account Currency (Accounting Entries)', 'User Remark (Accounting Entries)', ...kept],
    ],
    record: (line) => {
      const { entry, account } = line;
      const day = entry.day;
      return [
        ...firstOnly(line, ['Journal Entry', day, entry.voucher, day, descriptionOf(entry), '1']),
        ...[`${account.code} - ${account.name}`, amountOf(line, 'debit', '0'), amountOf(line, 'credit', '0')],
        ...[descriptionOf(entry), ...entry.kept],
      ];
    },
  },
};

/** The name of the rate without tax; journals of payments have none. */
const NO_TAX = 'Tax Exempt';

function amountOf({ entry, side }: JournalLine, column: Side, other = ''): string {
  return side === column ? formatDecimal(entry.money) : other;
}

function signedOf({ entry, side }: JournalLine): string {
  return signed(formatDecimal(entry.money), side);
}

/** Debits are positive. */
function signed(amount: string, side: Side): string {
  return side === 'debit' ? amount : `-${amount}`;
}

/** What belongs to the entry stands in the first line of its two. */
function firstOnly({ side }: JournalLine, cells: readonly string[]): readonly string[] {
  return side === 'debit' ? cells : cells.map(() => '');
}
