/**
 * The HTML report: one file without script and without anything from elsewhere, to read, print and file. This file has the
 * page around the sections, and its header.
 *
 * The outcome comes first and is known last, so the page is put together in memory, with a limit on rows
 * (rows-section.ts). Same state, same bytes, but for the one value that says when it was made. The page's policy allows
 * nothing but the one style sheet, named by its hash: even markup that slipped through could load or run nothing.
 */

import { hash } from 'node:crypto';
import { type OutcomeWord, STATUS_ORDER } from '../../../../domain/batches/batch.ts';
import { type Step, shownSteps } from '../../../../domain/next-steps/command.ts';
import { type Commands, commandsFor, readAgain } from '../../../../domain/next-steps/next-step.ts';
import type { ControlTotals } from '../../../../domain/reporting/control-totals.ts';
import { debitReport, withDebitParts } from '../../../../domain/reporting/debit-report.ts';
import { DebitTotals } from '../../../../domain/reporting/debits.ts';
import { STORIES } from '../../../../domain/reporting/exceptions.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import { reportTitle } from '../../../../domain/reporting/report-title.ts';
import { STATUS_WORDS } from '../../../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../../../domain/text/printable.ts';
import type { ReportSink } from '../../../../ports/outputs.ts';
import { lineWithoutAccount } from '../hidden-accounts.ts';
import type { ReportFile } from '../report-file.ts';
import { auditSection, legendSection, sourceSection } from './audit-section.ts';
import { Charts } from './charts.ts';
import { controlSection, moneySection, parting } from './control-section.ts';
import { Html, html, NOTHING, stepPieces } from './html.ts';
import { ExceptionRows, Rows } from './rows-section.ts';
import { STYLE } from './style.ts';

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
  const debits = ledger === undefined ? undefined : debitReport(ledger, parts.debits.finish());
  const totals = withDebitParts(told.totals, debits);
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
<title>Payments of ${batch.name ?? batch.id} (${environment})</title>
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

const MEANING: Readonly<Record<OutcomeWord, string>> = {
  settled: 'Every payment is settled. Nothing is left to do.',
  finished_with_exceptions: 'Nothing is being sent, and not every row was paid. “What to look at” says why.',
  on_its_way: 'The service has payments that are not finished yet.',
  in_doubt:
    'At least one payment was asked for and its outcome is not known. It is never sent again by itself: a person must find out.',
  incident: 'At least one payment was called failed and turned out to be paid. A person must look at once.',
  stopped: 'Sending stopped before everything that was approved was sent.',
  needs_approval: 'Nothing was sent. The plan waits for a person to agree.',
};

/** What is true of each row that was not paid here and asks nothing of anyone. */
function meaningOf(
  { outcome: { word }, totals: { counts, ties } }: ReportSummary,
  look: ExceptionRows,
): string {
  if (!ties) return DIFFERING;
  if (word === 'settled' && look.count > 0) return SETTLED_DIFFERING;
  if (word !== 'finished_with_exceptions' || look.count > 0) return MEANING[word];
  const stories = look.stories();
  const tried = stories.get(STORIES.canceled_later) ?? 0;
  const told = [
    tellRows(counts.canceled - tried, 'canceled before anything was sent'),
    tellRows(tried, 'tried, not paid, and canceled before the next try'),
    tellRows(stories.get(STORIES.paid_elsewhere) ?? 0, 'not paid here and paid again in another batch'),
    tellRows(stories.get(STORIES.open_elsewhere) ?? 0, 'not paid here and taken over by another batch'),
  ];
  const nothing = counts.settled === 0 ? ['Nothing was paid here.'] : [];
  return ['It is finished.', ...told.flat(), ...nothing].join(' ');
}

function tellRows(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${rowsText(count)} ${count === 1 ? 'was' : 'were'} ${what}.`];
}

const SETTLED_DIFFERING =
  'Every payment is settled. For some the service shows something else than was asked: see “What to look at”.';

const DIFFERING = 'Do not rely on this report before the differences are explained.';

const NEXT: Readonly<Partial<Record<OutcomeWord, (commands: Commands) => Step>>> = {
  on_its_way: ({ forBatch }) => ({ text: 'Ask again how they stand', command: forBatch('settle') }),
  stopped: ({ forBatch }) => ({ text: 'Send the rest', command: forBatch('send') }),
  needs_approval: ({ forBatch }) => ({ text: 'Agree to the plan', command: forBatch('approve') }),
};

const READ_AGAIN = 'Read the file to its end';

function outcomeHeader(header: ReportHeader, summary: ReportSummary, look: ExceptionRows): Html {
  const { outcome, totals } = summary;
  const { batch, environment } = header;
  const isLive = environment === 'live';
  const commands = commandsFor(header);
  const again = readAgain(batch);
  const next = again === undefined ? NEXT[outcome.word]?.(commands) : { text: READ_AGAIN, command: again };
  const isAlarming = outcome.exitCode === 5 || !(totals.ties || totals.isMoving);
  const where = isLive ? 'LIVE' : 'SANDBOX – no real money';
  return html`<header>
<p class="about"><strong class="place ${environment}">${where}</strong> <b>${reportTitle(header, totals)}</b></p>
<h1${isAlarming ? html` class="bad"` : NOTHING}>${outcome.sentence}</h1>
<p class="verdict">Control totals: ${verdict(totals)}. ${meaningOf(summary, look)}</p>
${parting(totals)}${next === undefined ? NOTHING : html`<p>Next: ${stepPieces(shownSteps([next], commands.place))}</p>\n`}<ul class="counts" aria-label="Payments by status">
${STATUS_ORDER.filter((status) => totals.counts[status] > 0).map((status) => {
  const { symbol, word, tone } = STATUS_WORDS[status];
  return html`<li class="${tone}"><b>${countText(totals.counts[status])}</b> <span>${symbol} ${word}</span></li>\n`;
})}</ul>
</header>
`;
}

function verdict({ ties, isMoving }: ControlTotals): Html {
  if (isMoving === true) return html`<strong>they were not compared</strong>`;
  return ties
    ? html`<strong class="ties">✔ they tie</strong>`
    : html`<strong class="differs">✖ they differ</strong>`;
}
