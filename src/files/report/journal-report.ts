/**
 * The journal as a CSV for an accounting program, with one debit or credit line for each side of an entry: `journal` has a
 * line for every payment and event, `journal-by-day` the same amounts summed by day, account and currency.
 *
 * Such a file has no place to say that it contradicts itself. Where a check of the journal or a control total differs
 * there is none.
 * Errors:  ReportUnwritable.
 */
import { formatDecimal, type Money } from '../../domain/money/money.ts';
import type { AccountRole } from '../../domain/reporting/booking.ts';
import {
  ACCOUNTS_USED,
  type DaySum,
  dayNote,
  type Entry,
  JournalSums,
  kindText,
  SIDES,
  type Side,
} from '../../domain/reporting/journal.ts';
import { ACCOUNT_USES, journalChecks } from '../../domain/reporting/journal-checks.ts';
import type { ReportSummary } from '../../domain/reporting/report.ts';
import { GROUP_WORDS } from '../../domain/reporting/status-words.ts';
import { formatTimestamp, type Timestamp } from '../../domain/timestamp.ts';
import { ReportUnwritable } from '../../ports/outputs.ts';
import { bookEntries } from './book-entries.ts';
import { csvText, shownCsv, UTF8_MARK } from './csv-report.ts';
import type { BeginReport } from './report-sink.ts';

export type JournalForm = 'entries' | 'by_day';

export const JOURNAL_COLUMNS: Readonly<Record<JournalForm, readonly string[]>> = {
  entries: [
    ...['date', 'voucher', 'row', 'kind', 'account_code', 'account_name', 'used_for', 'debit', 'credit'],
    ...['currency', 'counted_as', 'name', 'reference', 'transfer_id', 'batch'],
  ],
  by_day: [
    ...['date', 'account_code', 'account_name', 'used_for', 'debit', 'credit', 'currency', 'entries', 'note'],
  ],
};

export function journalReport(form: JournalForm): BeginReport {
  return async ({ period }, file) => {
    const text = (records: readonly (readonly string[])[]) => file.write(shownCsv(records));
    await file.write(UTF8_MARK + csvText([JOURNAL_COLUMNS[form]]));
    return {
      write: () => undefined,
      end: async (summary) => {
        const sums = new JournalSums();
        const total = await bookEntries(summary, period, async (page) => {
          for (const entry of page) sums.add(entry);
          if (form === 'entries' && page.length > 0) await text(page.flatMap(entryRecords));
        });
        const days = sums.perDay();
        if (form === 'by_day' && days.length > 0) await text(days.map(dayRecord));
        const { parts } = journalChecks(summary.totals, sums.perCurrency(), total);
        refuseContradiction(summary, parts);
      },
    };
  };
}

function refuseContradiction({ totals }: ReportSummary, parts: readonly string[]): void {
  const why = [...totals.parts, ...parts][0];
  if (why === undefined) return;
  if (totals.isMoving === true) throw new ReportUnwritable(`There is no journal. ${why}`);
  throw new ReportUnwritable(
    `There is no journal, because what it books does not tie. ${why} Make it again when the batch rests. The workbook shows every check.`,
  );
}

function entryRecords(entry: Entry): readonly (readonly string[])[] {
  return SIDES.map((side) => [
    dayText(entry.at),
    entry.voucher,
    entry.row.toString(),
    kindText(entry),
    ...accountTexts(entry[side]),
    ...sideTexts(entry.money, side),
    GROUP_WORDS[entry.group].word,
    entry.name,
    entry.reference,
    entry.transferId,
    entry.batch,
  ]);
}

function dayRecord(sum: DaySum): readonly string[] {
  const { day, role, side, money, entries } = sum;
  return [dayText(day), ...accountTexts(role), ...sideTexts(money, side), entries.toString(), dayNote(sum)];
}

function accountTexts(role: AccountRole): readonly string[] {
  const { code, name } = ACCOUNTS_USED[role];
  return [code, name, ACCOUNT_USES[role]];
}

/** Debit, credit and currency; one of the two amounts is empty. */
function sideTexts(money: Money, side: Side): readonly string[] {
  const amount = formatDecimal(money);
  return [side === 'debit' ? amount : '', side === 'credit' ? amount : '', money.currency];
}

function dayText(at: Timestamp): string {
  return formatTimestamp(at).slice(0, 10);
}
