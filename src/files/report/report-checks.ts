/** What a report for people checks on its way: the lines beside the ledger, and the journal. */
import type { BookedTotal } from '../../domain/reporting/booked-totals.ts';
import { type ControlTotals, withParts } from '../../domain/reporting/control-totals.ts';
import { type Debits, DebitTotals } from '../../domain/reporting/debits.ts';
import { type Entry, JournalSums } from '../../domain/reporting/journal.ts';
import { type BookedSum, type JournalChecks, journalChecks } from '../../domain/reporting/journal-checks.ts';
import type { ReportSummary } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { type BookedDays, bookEntries } from './book-entries.ts';

export interface Checked {
  /** With what parts them by the checks beside. */
  readonly totals: ControlTotals;
  readonly booked: readonly BookedSum[];
  readonly total: BookedTotal;
  /** undefined over days, which show a batch in part. */
  readonly debits: Debits | undefined;
  /** undefined: the ledger gave no payments, so there is nothing to check. */
  readonly journal: JournalChecks | undefined;
}

export class ReportChecks {
  readonly #debits = new DebitTotals();

  add(line: ReportLine): void {
    this.#debits.add(line);
  }

  async finish(
    told: ReportSummary,
    days: BookedDays,
    keep: (page: readonly Entry[]) => Promise<void> = async () => undefined,
  ): Promise<Checked> {
    const sums = new JournalSums();
    const total = await bookEntries(told, days, async (page) => {
      for (const entry of page) sums.add(entry);
      await keep(page);
    });
    const booked = sums.perCurrency();
    const journal = told.sent === undefined ? undefined : journalChecks(told.totals, booked, total);
    const debits = days.period === undefined ? this.#debits.finish() : undefined;
    return { totals: withParts(told.totals, journal?.parts ?? []), booked, total, debits, journal };
  }
}
