/** Work under way: how far each stage is, why it waits, and how it ended. */
import { countText, rowsText } from '../../domain/text/printable.ts';
import type { Stage, StageProgress } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import type { Job } from '../jobs.ts';
import { problemText } from './errors.ts';
import { saidOnPage } from './words.ts';

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  read: 'Rows read',
  price: 'Names and fees',
  approve: 'Approved',
  send: 'Sent',
  settle: 'Outcome known',
  report: 'Report',
};

/** How far the work is, or how the last work here ended; nothing where none was begun. */
export function workPanel(job: Job | undefined): Html {
  if (job === undefined) return NOTHING;
  const { doing, by, stages, waiting, warnings, end } = job;
  const head = html`<p><strong>${doing}</strong>, started by ${by}.</p>\n${stages.map(stageLine)}`;
  const waits = end === undefined && waiting !== undefined ? [`Waiting: ${waiting}`] : [];
  const lines = [...waits, ...warnings].map((text) => html`<p class="doubt">${saidOnPage(text)}</p>\n`);
  const became = end?.kind === 'failed' ? html`<p class="wrong">${problemText(end.error)}</p>\n` : end?.said;
  return html`<section class="work" id="panel">${end === undefined ? head : NOTHING}${lines}${became}</section>\n`;
}

function stageLine({ stage, total, done }: StageProgress): Html {
  const most = Math.max(total, done);
  const what = STAGE_WORDS[stage];
  if (stage === 'read' || most === 0) return html`<p>${what}: ${rowsText(done)}</p>\n`;
  return html`<p>${what}: <progress max="${most}" value="${done}" aria-label="${what}"></progress> ${countText(done)} of ${rowsText(most)}</p>\n`;
}
