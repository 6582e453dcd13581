/**
 * Work as it goes on: how far each stage is, what money moved, why it waits. The figures change as they come; what a
 * screen reader speaks changes three times a minute at the most.
 */
import { formatMoney } from '../../domain/money/money.ts';
import type { Status } from '../../domain/payouts/payout.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { carriesMoney, type Stage, type StageProgress } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import type { Job, JobEnd } from '../jobs.ts';
import { problemText } from '../page/errors.ts';
import type { Answer, Visit } from '../server/route.ts';

const SPOKEN_EVERY_MS = 20_000;

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  read: 'Rows read',
  price: 'Names and fees',
  approve: 'Approved',
  send: 'Sent',
  settle: 'Outcome known',
  report: 'Report',
};

/** Of any work: its panel as it changes. */
export function workEvents({ jobs, now }: Visit['desk'], about: string): Answer {
  return {
    kind: 'events',
    watch(send) {
      let spokenAt = 0;
      const show = (job: Job) => {
        const isTime = now() - spokenAt >= SPOKEN_EVERY_MS || job.end !== undefined;
        if (isTime) spokenAt = now();
        send(isTime ? newsOf(job).spoken : newsOf(job).quiet);
      };
      const job = jobs.about(about);
      if (job !== undefined) show(job);
      return jobs.watch(about, show);
    },
  };
}

interface JobNews {
  readonly quiet: Html;
  readonly spoken: Html;
}

/** Made once for all who watch: it is the same for everybody who may look at all. A change makes another job. */
const made = new WeakMap<Job, JobNews>();

function newsOf(job: Job): JobNews {
  const known = made.get(job);
  if (known !== undefined) return known;
  // The page around it is old now.
  const quiet = html`${panel(job)}${job.end === undefined ? NOTHING : AGAIN}`;
  const news = { quiet, spoken: html`${quiet}${spoken(job)}` };
  made.set(job, news);
  return news;
}

const AGAIN = html`<p data-reload><a href="">Show how it stands now</a></p>\n`;

/** The panel of work under way, or of the last that ended; nothing where none was begun here. `events`: its address. */
export function workPanel(job: Job | undefined, events: string): Html {
  if (job === undefined) return NOTHING;
  const live = job.end === undefined ? html` hx-sse:connect="${events}" hx-swap="innerHTML"` : NOTHING;
  return html`<section class="work" aria-labelledby="work">
<h2 id="work">${job.end === undefined ? 'Going on now' : 'The last work here'}</h2>
<div id="panel"${live}>${panel(job)}</div>
<p id="spoken" class="unseen" role="status"></p>
</section>
`;
}

function panel(job: Job): Html {
  const { doing, by, stages, waiting, warnings, end } = job;
  const stopped = end === undefined ? waiting : undefined;
  return html`<p><strong>${doing}</strong>, begun by ${by}.</p>
${stages.map(stageLine)}${stopped === undefined ? NOTHING : html`<p class="doubt">Waiting: ${stopped}</p>\n`}${warnings.map((text) => html`<p class="doubt">${text}</p>\n`)}${end === undefined ? NOTHING : became(end)}`;
}

/** A screen reader says all of it when the keyboard is put here. */
function became(end: JobEnd): Html {
  const said = end.kind === 'failed' ? html`<p class="wrong">${problemText(end.error)}</p>\n` : end.said;
  return html`<div id="ended" tabindex="-1">${said}</div>\n`;
}

function stageLine({ stage, total, done, outcomes, money }: StageProgress): Html {
  const most = Math.max(total, done);
  const bar =
    most === 0 || stage === 'read'
      ? NOTHING
      : html`<progress max="${most}" value="${done}" aria-label="${STAGE_WORDS[stage]}"></progress> `;
  const far = stage === 'read' || most === 0 ? rowsText(done) : `${countText(done)} of ${rowsText(most)}`;
  const told = ([status, count]: readonly [Status, number]) =>
    `${countText(count)} ${STATUS_WORDS[status].counted}`;
  const became = [...outcomes];
  // The sum stands behind the rows that it is of.
  const counted = became.filter(([status]) => carriesMoney(status)).map(told);
  const sums = [...money.values()].map(formatMoney);
  const withSums = counted.length === 0 ? [] : [`${counted.join(' and ')} with ${sums.join(' and ')}`];
  const more = [...became.filter(([status]) => !carriesMoney(status)).map(told), ...withSums].join(', ');
  return html`<p>${STAGE_WORDS[stage]}: ${bar}${far}${more === '' ? '' : `: ${more}`}</p>\n`;
}

/** Outside of the panel, so that it is spoken now and then and not with each change. */
function spoken({ doing, stages, end }: Job): Html {
  const last = stages.at(-1);
  const far =
    last === undefined ? '' : `: ${countText(last.done)} of ${rowsText(Math.max(last.total, last.done))}`;
  const text = end === undefined ? `${doing}${far}` : `${doing}: ended`;
  return html`<hx-partial hx-target="#spoken" hx-swap="innerHTML">${text}</hx-partial>`;
}
