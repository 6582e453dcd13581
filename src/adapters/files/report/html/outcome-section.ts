/**
 * What a reader sees first: live or sandbox, the outcome in one sentence, what it means, what to do next, and
 * how many payments stand where.
 */
import { type OutcomeWord, SPOKEN } from '../../../../domain/batches/batch.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import { STATUS_WORDS } from '../../../../domain/reporting/status-words.ts';
import { type Step, shownSteps } from '../../../../domain/steps/command.ts';
import { type Commands, commandsFor } from '../../../../domain/steps/next-step.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING } from './html.ts';
import { stepPieces } from './words.ts';

const MEANING: Readonly<Record<OutcomeWord, string>> = {
  settled: 'Every payment is settled. Nothing is left to do.',
  finished_with_exceptions: 'It is finished, but not every row was paid. What was not paid is listed below.',
  on_its_way: 'The service has payments that are not finished yet.',
  in_doubt:
    'At least one payment was asked for and its outcome is not known. It is never sent again by itself: a person must find out.',
  incident: 'At least one payment was called failed and turned out to be paid. A person must look at once.',
  stopped: 'Sending stopped before everything that was approved was sent.',
  needs_approval: 'Nothing was sent. The plan waits for a person to agree.',
};

const DIFFERING = 'Where they part stands below. Rely on nothing here before that is explained.';

const NEXT: Readonly<Partial<Record<OutcomeWord, (commands: Commands) => Step>>> = {
  on_its_way: ({ forBatch }) => ({ text: 'Ask again how they stand', command: forBatch('settle') }),
  stopped: ({ forBatch }) => ({ text: 'Send the rest', command: forBatch('send') }),
  needs_approval: ({ forBatch }) => ({ text: 'Agree to the plan', command: forBatch('approve') }),
};

export function outcomeHeader(header: ReportHeader, { outcome, totals }: ReportSummary): Html {
  const { batch, environment } = header;
  const isLive = environment === 'live';
  const commands = commandsFor(header);
  const next = NEXT[outcome.word]?.(commands);
  const isAlarming = outcome.exitCode === 5 || !totals.ties;
  const meaning = totals.ties ? MEANING[outcome.word] : DIFFERING;
  const where = isLive ? 'LIVE' : 'SANDBOX – no real money';
  return html`<header>
<p class="about"><strong class="place ${environment}">${where}</strong> Payments of <b>${batch.name ?? batch.id}</b></p>
<h1${isAlarming ? html` class="bad"` : NOTHING}>${outcome.sentence}</h1>
<p class="verdict">Control totals: ${verdict(totals.ties)}. ${meaning}</p>
${next === undefined ? NOTHING : html`<p>Next: ${stepPieces(shownSteps([next], commands.place))}</p>\n`}<ul class="counts" aria-label="Payments by status">
${SPOKEN.filter((status) => totals.counts[status] > 0).map((status) => {
  const { symbol, word, tone } = STATUS_WORDS[status];
  return html`<li class="${tone}"><b>${countText(totals.counts[status])}</b> <span>${symbol} ${word}</span></li>\n`;
})}</ul>
</header>
`;
}

export function verdict(isTying: boolean): Html {
  return isTying
    ? html`<strong class="ties">✔ they tie</strong>`
    : html`<strong class="differs">✖ they differ</strong>`;
}
