/**
 * The HTML report: one file without script and without anything from elsewhere, to read, print and file. This file has the
 * page around the sections, and its header.
 *
 * The outcome comes first and is known last, so the page is put together in memory, with a limit on rows
 * (rows-section.ts). Same state, same bytes, but for the one value that says when it was made. The page's policy allows
 * nothing but the one style sheet, named by its hash: even markup that slipped through could load or run nothing.
 */

import { hash } from 'node:crypto';
import { withParts } from '../../domain/reporting/control-totals.ts';
import { debitChecks } from '../../domain/reporting/debit-checks.ts';
import { DebitTotals } from '../../domain/reporting/debits.ts';
import { lineWithoutAccount } from '../../domain/reporting/hidden-accounts.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import type { ReportSink } from '../../ports/outputs.ts';
import { Html, html } from '../../views/html.ts';
import { auditSection, legendSection, sourceSection } from '../../views/report/audit-section.ts';
import { Charts } from '../../views/report/charts.ts';
import { controlSection, moneySection } from '../../views/report/control-section.ts';
import { outcomeHeader } from '../../views/report/outcome.ts';
import { ExceptionRows, Rows } from '../../views/report/rows-section.ts';
import { STYLE } from '../../views/report/style.ts';
import type { ReportFile } from './report-file.ts';

export function htmlReport(file: ReportFile, options: { readonly fullAccounts: boolean }): ReportSink {
  const parts = {
    rows: new Rows(),
    exceptions: new ExceptionRows(),
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
        parts.rows.add(line, isException);
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
  readonly exceptions: ExceptionRows;
  readonly charts: Charts;
  readonly debits: DebitTotals;
}

async function* pieces(header: ReportHeader, told: ReportSummary, parts: Parts): AsyncGenerator<string> {
  const ledger = await told.debits?.();
  const debits = ledger === undefined ? undefined : debitChecks(ledger, parts.debits.finish());
  const totals = withParts(told.totals, debits?.parts ?? []);
  const summary = { ...told, totals };
  const decisions = await summary.decisions?.();
  const look = parts.exceptions.section(header);
  const money = moneySection(totals);
  const charts = parts.charts.section(totals);
  yield pageHead(header).text;
  yield outcomeHeader(header, summary, parts.exceptions).text;
  yield sectionLinks(charts.text === '' ? SECTIONS.filter(([id]) => id !== 'charts') : SECTIONS).text;
  yield html`${look}${money}${charts}`.text;
  yield* parts.rows.pieces(header);
  yield auditSection(decisions).text;
  yield sourceSection(header, decisions).text;
  yield controlSection(totals, debits).text;
  yield legendSection().text;
  yield PAGE_END.text;
}

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const SECTIONS: readonly (readonly [string, string])[] = [
  ['exceptions', 'What to look at'],
  ['money', 'Money by currency'],
  ['charts', 'Charts'],
  ['rows', 'All payments'],
  ['audit', 'Decisions'],
  ['source', 'Where this comes from'],
  ['control', 'Control checks'],
  ['words', 'What the words mean'],
];

function pageHead({ batch, environment }: ReportHeader): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="generator" content="payfile">
<title>Payments of ${batch.name} (${environment})</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to what to look at</a>
`;
}

function sectionLinks(sections: typeof SECTIONS): Html {
  const links = sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>\n`);
  return html`<nav aria-label="Sections"><ul>
${links}</ul></nav>
<main id="main">
`;
}

const PAGE_END = html`</main>
<footer><p>Made by payfile. Account numbers are whole only where that was asked for.</p></footer>
</body>
</html>
`;
