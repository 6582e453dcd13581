/**
 * The journal as a CSV for an accounting program, with one debit or credit line for each side of an entry: `journal` has a
 * line for every payment and event, `journal-by-day` the same amounts summed by day, account and currency.
 *
 * Such a file has no place to say that it contradicts itself. Where a check of the journal or a control total differs
 * there is none.
 * Errors:  ReportUnwritable.
 */
import { formatDecimal } from '../../domain/money/money.ts';
import {
  type DaySum,
  dayNote,
  type Entry,
  JournalSums,
  SIDES,
  type Side,
} from '../../domain/reporting/journal.ts';
import { JournalAccounts } from '../../domain/reporting/journal-accounts.ts';
import { ACCOUNT_USES, journalChecks } from '../../domain/reporting/journal-checks.ts';
import type { JournalProfile, ReportSummary } from '../../domain/reporting/report.ts';
import { WallClock } from '../../domain/time-zone.ts';
import { ReportUnwritable } from '../../ports/outputs.ts';
import { bookEntries } from './book-entries.ts';
import { csvText, shownCsv, UTF8_MARK } from './csv-report.ts';
import { JOURNAL_PROFILES } from './journal-profiles.ts';
import type { BeginReport } from './report-sink.ts';

export const DAY_COLUMNS = [
  ...['date', 'account_code', 'account_name', 'used_for', 'debit', 'credit', 'currency', 'entries', 'note'],
];

/** Every entry, in the columns of a program. */
export function journalReport(profile: JournalProfile = 'generic'): BeginReport {
  const { columns, record, keptMax = Number.POSITIVE_INFINITY, hasOneCurrency } = JOURNAL_PROFILES[profile];
  return async ({ period, timeZone, accounts: rules, keptColumns = [] }, file) => {
    if (keptColumns.length > keptMax)
      throw new ReportUnwritable(
        `A journal for ${profile} has room for ${keptMax} columns of the file, not ${keptColumns.length}.`,
      );
    const accounts = new JournalAccounts(rules);
    const accountOf = ({ batch, money: { currency }, ...roles }: Entry, side: Side) =>
      accounts.of(roles[side], { batch, currency });
    await file.write(UTF8_MARK + csvText([columns(keptColumns)]));
    return {
      write: () => undefined,
      end: async (summary) => {
        const sums = new JournalSums(accounts);
        const days = { period, clock: new WallClock(timeZone) };
        const total = await bookEntries(summary, days, async (page) => {
          for (const entry of page) sums.add(entry);
          const records = page.flatMap((entry) =>
            SIDES.map((side) => record({ entry, side, account: accountOf(entry, side), keptColumns })),
          );
          if (records.length > 0) await file.write(shownCsv(records));
        });
        if (hasOneCurrency === true) refuseSeveral(profile, sums);
        refuseContradiction(summary, journalChecks(summary.totals, sums.perCurrency(), total).parts);
      },
    };
  };
}

/** The same summed by day, account and currency. */
export const journalByDay: BeginReport = async ({ period, timeZone, accounts: rules }, file) => {
  await file.write(UTF8_MARK + csvText([DAY_COLUMNS]));
  return {
    write: () => undefined,
    end: async (summary) => {
      const sums = new JournalSums(new JournalAccounts(rules));
      const booked = { period, clock: new WallClock(timeZone) };
      const total = await bookEntries(summary, booked, async (page) => {
        for (const entry of page) sums.add(entry);
      });
      const days = sums.perDay();
      if (days.length > 0) await file.write(shownCsv(days.map(dayRecord)));
      refuseContradiction(summary, journalChecks(summary.totals, sums.perCurrency(), total).parts);
    },
  };
};

function refuseSeveral(profile: JournalProfile, sums: JournalSums): void {
  const currencies = sums.perCurrency().map(({ currency }) => currency);
  if (currencies.length < 2) return;
  throw new ReportUnwritable(
    `There is no journal for ${profile}, because its journals have one currency and this one has ${currencies.join(' and ')}. Make one for each batch of one currency, or a generic one for all.`,
  );
}

function refuseContradiction({ totals }: ReportSummary, parts: readonly string[]): void {
  const why = [...totals.parts, ...parts][0];
  if (why === undefined) return;
  if (totals.isMoving === true) throw new ReportUnwritable(`There is no journal. ${why}`);
  throw new ReportUnwritable(
    `There is no journal, because what it books does not tie. ${why} Make it again when the batch rests. The workbook shows every check.`,
  );
}

function dayRecord(sum: DaySum): readonly string[] {
  const { day, role, account, side, money, entries } = sum;
  const amount = formatDecimal(money);
  return [
    ...[day, account.code, account.name, ACCOUNT_USES[role]],
    ...(side === 'debit' ? [amount, ''] : ['', amount]),
    ...[money.currency, entries.toString(), dayNote(sum)],
  ];
}
