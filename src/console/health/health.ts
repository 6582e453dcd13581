/**
 * Whether all is well: the checks of `doctor`, and the proof that nothing of the journal was changed. Both go on beside the
 * page. The checks log in once; so they begin by themselves once, and again only by a press.
 */

import { timestampOf } from '../../domain/timestamp.ts';
import { doctor } from '../../operations/doctor.ts';
import { verify } from '../../operations/ledger.ts';
import type { Payfile } from '../../payfile.ts';
import { type Html, html, instant, section } from '../../views/html.ts';
import { isUnderWay, type Job } from '../jobs.ts';
import { drawn } from '../page/blocks.ts';
import { refusedPage } from '../page/errors.ts';
import { postButton } from '../page/way.ts';
import { workPanel } from '../page/work-panel.ts';
import { type Answer, page, see, type Visit } from '../server/route.ts';

interface Examination {
  readonly doing: string;
  readonly title: string;
  readonly button: string;
  readonly look: (payfile: Payfile, signal: AbortSignal) => Promise<Html>;
}

const CHECKS: Examination = {
  ...{ doing: 'Checking', title: 'Checks', button: 'Check again' },
  look: async (payfile, signal) => drawn(doctor, await payfile.call(doctor, {}, { signal }), 'Checks'),
};
const JOURNAL: Examination = {
  ...{ doing: 'Verifying the journal', title: 'Journal', button: 'Verify the journal' },
  look: async (payfile) => drawn(verify, await payfile.call(verify, {}), 'Journal'),
};
const EXAMINATIONS = { checks: CHECKS, verify: JOURNAL };

type Name = keyof typeof EXAMINATIONS;

const aboutOf = (name: Name) => `health:${name}`;

export async function health(visit: Visit): Promise<Answer> {
  const { desk } = visit;
  if (desk.jobs.about(aboutOf('checks')) === undefined) begin('checks', visit);
  const names = Object.keys(EXAMINATIONS) as Name[];
  const jobs = names.map((name) => desk.jobs.about(aboutOf(name)));
  const sections = names.map((name, at) => {
    const { title, button } = EXAMINATIONS[name];
    const path = `/health/${name}`;
    return section(name, title, html`${found(jobs[at])}<p>${postButton(path, button)}</p>\n`);
  });
  return page('Health', html`${sections}`, { reloadSeconds: jobs.some(isUnderWay) ? 2 : undefined });
}

const nameIn = ({ part }: Visit) =>
  (Object.keys(EXAMINATIONS) as Name[]).find((name) => name === part('work'));

export async function examine(visit: Visit): Promise<Answer> {
  const name = nameIn(visit);
  if (name === undefined) return refusedPage('no_such_page');
  begin(name, visit);
  return see('/health');
}

function begin(name: Name, { desk, person, payfile }: Visit): void {
  const { doing, look } = EXAMINATIONS[name];
  desk.jobs.begin({ about: aboutOf(name), doing, by: person.name }, ({ signal }) => look(payfile, signal));
}

/** What was found, or the work that goes on. */
function found(job: Job | undefined): Html {
  if (job?.end?.kind !== 'done') return workPanel(job);
  return html`${job.end.said}<p class="note">Asked for by ${job.by}, ${instant(timestampOf(job.since))}.</p>\n`;
}
