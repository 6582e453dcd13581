/**
 * What a batch came to: one sentence, what it means, what to do next, and how many rows are in each status.
 */
import type { OutcomeWord, StatusCounts } from '../../domain/batches/batch.ts';
import { batchNeed } from '../../domain/next-steps/batch-need.ts';
import { shownSteps } from '../../domain/next-steps/command.ts';
import { commandsFor } from '../../domain/next-steps/next-step.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import type { ControlTotals } from '../../domain/reporting/control-totals.ts';
import { STORIES } from '../../domain/reporting/exceptions.ts';
import { balanceText, moneyHeadline } from '../../domain/reporting/money-matrix.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import { reportTitle } from '../../domain/reporting/report-title.ts';
import { STATUS_ORDER, STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { commandPiece, type Html, html, NOTHING, stepPieces } from '../html.ts';
import type { ExceptionRows } from './rows-section.ts';

const MEANING: Readonly<Record<OutcomeWord, string>> = {
  settled: 'Every payment is settled. Nothing is left to do.',
  finished_with_exceptions: 'Nothing is being sent, and not every row was paid. “What to look at” says why.',
  on_its_way: 'The service has payments that are not finished yet.',
  in_doubt:
    'At least one payment was asked for and its outcome is not known. It is never sent again by itself: a person must find out.',
  incident:
    'A payment that was called unpaid is paid, more went out than was asked, or the service does not find a payment. A person must look at once.',
  stopped: 'Sending stopped before everything that was approved was sent.',
  needs_approval: 'Nothing was sent.',
};

function meaningOfWord(word: OutcomeWord, counts: StatusCounts): string {
  const isAllSettled = STATUS_ORDER.every((status) => status === 'settled' || counts[status] === 0);
  return word === 'finished_with_exceptions' && isAllSettled ? SETTLED_DIFFERING : MEANING[word];
}

/** What is true of each row that was not paid here and asks nothing of anyone. */
function meaningOf(
  { outcome: { word }, totals: { counts, ties } }: ReportSummary,
  look: ExceptionRows,
): string {
  if (!ties) return DIFFERING;
  if (word !== 'finished_with_exceptions' || look.count > 0) return meaningOfWord(word, counts);
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

export function outcomeHeader(header: ReportHeader, summary: ReportSummary, look: ExceptionRows): Html {
  const { outcome, totals } = summary;
  const { batch, environment } = header;
  const need = batchNeed({ batch, counts: totals.counts, outcome, elsewhere: 0, isAtWork: false });
  const { next } = need.steps;
  const isAlarming = outcome.exitCode === 5 || !(totals.ties || totals.isMoving);
  const where = environment === 'live' ? 'LIVE' : 'SANDBOX – no real money';
  const step = { text: need.action, ...(next && { command: next }) };
  const steps = next === undefined ? NOTHING : stepPieces(shownSteps([step], commandsFor(header).place));
  return html`<header>
<p class="about"><strong class="place ${environment}">${where}</strong> <b>${reportTitle(header, totals)}</b></p>
<h1${isAlarming ? html` class="bad"` : NOTHING}>${moneyHeadline(totals)}</h1>
<p class="verdict"><b>${outcome.sentence}.</b> ${meaningOf(summary, look)}</p>
<p class="verdict">${balance(header, totals)}</p>
${parting(totals)}${next === undefined ? NOTHING : html`<p>Next: ${steps}</p>\n`}</header>
`;
}

/** What was compared, and what was not. */
function balance(header: ReportHeader, totals: ControlTotals): Html {
  const { ties, isMoving, rowsIn } = totals;
  if (isMoving === true) return html`<strong>${balanceText(totals)}</strong>: the batch moved meanwhile.`;
  if (!ties) return html`<strong class="differs">✖ ${balanceText(totals)}.</strong>`;
  const { forBatch, place } = commandsFor(header);
  const compare = commandPiece(forBatch('reconcile', ['--statement', 'FILE']), place);
  return html`<strong class="ties">✔ ${balanceText(totals)}</strong>: ${rowsText(rowsIn)} in, all accounted for. The bank’s statement is another check: ${compare}`;
}

/** Where report and ledger part; it stands above everything else. */
function parting({ parts, isMoving }: ControlTotals): Html {
  if (parts.length === 0) return NOTHING;
  const items = parts.map((part) => html`<li>${part}</li>\n`);
  return html`<div class="alarm"><p><strong>${isMoving === true ? 'Why not' : 'They differ here'}:</strong></p><ul>\n${items}</ul></div>\n`;
}

/** `pathOf`: where the rows of a status are listed. */
export function statusCounts(counts: StatusCounts, pathOf?: (status: Status) => string): Html {
  const items = STATUS_ORDER.filter((status) => counts[status] > 0).map((status) => {
    const { symbol, word, tone } = STATUS_WORDS[status];
    const named = html`<b>${countText(counts[status])}</b> <span>${symbol} ${word}</span>`;
    const shown = pathOf === undefined ? named : html`<a href="${pathOf(status)}">${named}</a>`;
    return html`<li class="${tone}">${shown}</li>\n`;
  });
  return html`<ul class="counts" aria-label="Payments by status">\n${items}</ul>\n`;
}
