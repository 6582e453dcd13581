/**
 * The HTML report: one file without script and without anything from elsewhere, to read, print and file. This file has the
 * page around the sections, and its header.
 *
 * The outcome comes first and is known last, so the page is put together in memory, with a limit on rows
 * (rows-section.ts). Same state, same bytes, but for the one value that says when it was made.
 */

import { unreadableText } from '../../domain/reporting/control-totals.ts';
import { codesIn } from '../../domain/reporting/journal-accounts.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import { reportTitle } from '../../domain/reporting/report-title.ts';
import { WallClock } from '../../domain/time-zone.ts';
import { documentHead, type Html, html } from '../../views/html.ts';
import { leftOutSection } from '../../views/report/left-out-section.ts';
import { groupSection, moneySection } from '../../views/report/money-section.ts';
import { outcomeHeader } from '../../views/report/outcome.ts';
import { auditSection, sourceSection } from '../../views/report/proof.ts';
import { ExceptionRows, Rows } from '../../views/report/rows-section.ts';
import { pageStyle } from '../../views/report/style.ts';
import { ReportChecks } from './report-checks.ts';
import type { BeginReport } from './report-sink.ts';

export const htmlReport: BeginReport = (header, file) => {
  const parts = {
    rows: new Rows(new WallClock(header.timeZone)),
    exceptions: new ExceptionRows(),
    checks: new ReportChecks(),
  };
  return {
    write: (lines) => {
      for (const line of lines) {
        const isException = parts.exceptions.add(line, parts.rows.hasRoom());
        parts.rows.add(line, isException);
        parts.checks.add(line);
      }
    },
    end: async (summary) => {
      for await (const piece of pieces(header, summary, parts)) await file.write(piece);
    },
  };
};

interface Parts {
  readonly rows: Rows;
  readonly exceptions: ExceptionRows;
  readonly checks: ReportChecks;
}

async function* pieces(header: ReportHeader, told: ReportSummary, parts: Parts): AsyncGenerator<string> {
  const { totals, booked, debits } = await parts.checks.finish(told, {
    period: header.period,
    clock: new WallClock(header.timeZone),
  });
  const summary = { ...told, totals };
  const decisions = await summary.decisions?.();
  const unreadable = unreadableText(totals);
  const notes = [...(unreadable === undefined ? [] : [unreadable]), ...(debits?.unpriced ?? [])];
  yield pageHead(header, reportTitle(header, totals)).text;
  yield outcomeHeader(header, summary, parts.exceptions).text;
  yield SECTION_LINKS.text;
  yield moneySection(totals, { counts: totals.counts, booked, notes, codeOf: codesIn(header) }).text;
  if (told.grouped !== undefined) yield groupSection(told.grouped).text;
  yield parts.exceptions.section(header).text;
  yield* parts.rows.pieces(header);
  yield leftOutSection(header.linesLeftOut).text;
  yield auditSection(decisions, new WallClock(header.timeZone)).text;
  yield sourceSection(header, decisions).text;
  yield PAGE_END.text;
}

const SECTIONS: readonly (readonly [string, string])[] = [
  ['money', 'Money'],
  ['exceptions', 'What to look at'],
  ['rows', 'All payments'],
  ['audit', 'Decisions'],
  ['source', 'Where this comes from'],
];

function pageHead({ batch, environment }: ReportHeader, title: string): Html {
  const style = pageStyle(`${environment.toUpperCase()} · ${title}`);
  return html`${documentHead(`Payments of ${batch.name} (${environment})`, style, 'payfile')}<a class="skip" href="#main">Skip to the money</a>
`;
}

const SECTION_LINKS = html`<nav aria-label="Sections"><ul>
${SECTIONS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>\n`)}</ul></nav>
<main id="main">
`;

const PAGE_END = html`</main>
<footer><p>Made by payfile. Account numbers are whole only where that was asked for.</p></footer>
</body>
</html>
`;
