/**
 * The HTML report: one file without script and without anything from elsewhere, to read, print and file.
 *
 * The outcome comes first and is known last, so the page is put together in memory, with a limit on rows
 * (rows-section.ts). Same state, same bytes, but for the one value that says when it was made.
 */
import { debitReport, withDebitParts } from '../../../../domain/reporting/debit-report.ts';
import { DebitTotals } from '../../../../domain/reporting/debits.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import type { ReportSink } from '../../../../ports/outputs.ts';
import { lineWithoutAccount } from '../hidden-accounts.ts';
import type { ReportFile } from '../report-file.ts';
import { auditSection, legendSection, sourceSection } from './audit-section.ts';
import { Charts } from './charts-section.ts';
import { controlSection, moneySection } from './control-section.ts';
import { Exceptions } from './exceptions-section.ts';
import { outcomeHeader } from './outcome-section.ts';
import { PAGE_END, pageHead, sectionLinks } from './page.ts';
import { Rows } from './rows-section.ts';

export function htmlReport(file: ReportFile, options: { readonly fullAccounts: boolean }): ReportSink {
  const parts = {
    rows: new Rows(),
    exceptions: new Exceptions(),
    charts: new Charts(),
    debits: new DebitTotals(),
  };
  let header: ReportHeader | undefined;
  return {
    begin: async (begun) => {
      header = begun;
    },
    write: async (lines) => {
      for (const whole of lines) {
        const line = options.fullAccounts ? whole : lineWithoutAccount(whole);
        const isException = parts.exceptions.add(line, parts.rows.hasRoom());
        parts.rows.add(line, { fullAccounts: options.fullAccounts, isException });
        parts.charts.add(line);
        parts.debits.add(line);
      }
    },
    end: async (summary) => {
      if (header === undefined) throw new TypeError('A report is begun before it is ended');
      for await (const piece of pieces(header, summary, parts)) await file.write(piece);
      await file.commit();
    },
    abort: () => file.abort(),
  };
}

interface Parts {
  readonly rows: Rows;
  readonly exceptions: Exceptions;
  readonly charts: Charts;
  readonly debits: DebitTotals;
}

async function* pieces(header: ReportHeader, told: ReportSummary, parts: Parts): AsyncGenerator<string> {
  const ledger = await told.debits?.();
  const debits = ledger === undefined ? undefined : debitReport(ledger, parts.debits.finish());
  const totals = withDebitParts(told.totals, debits);
  const summary = { ...told, totals };
  const decisions = await summary.decisions?.();
  yield pageHead(header).text;
  yield outcomeHeader(header, summary).text;
  yield sectionLinks().text;
  yield controlSection(totals, debits).text;
  yield moneySection(totals, debits).text;
  yield parts.exceptions.section(header).text;
  yield parts.charts.section(totals).text;
  yield* parts.rows.pieces(header);
  yield auditSection(decisions).text;
  yield sourceSection(header, decisions).text;
  yield legendSection().text;
  yield PAGE_END.text;
}
