/**
 * Whether all is well here: the checks of `doctor`, and the proof that nothing of the journal was changed. Both are work that
 * goes on beside the page. The checks log in once; so they are made by themselves once, and again only by a press.
 */
import { wayToJoin } from '../../domain/batches/ledger-trust.ts';
import { type Command, commandText } from '../../domain/next-steps/command.ts';
import { counted, countText } from '../../domain/text/printable.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { doctor } from '../../operations/doctor.ts';
import { type LedgerProof, verify } from '../../operations/ledger.ts';
import { overview } from '../../operations/status.ts';
import type { Check, Payfile } from '../../payfile.ts';
import { type Html, html, instant, NOTHING, type Piece, section } from '../../views/html.ts';
import { workEvents, workPanel } from '../batches/live.ts';
import { isUnderWay, type Job } from '../jobs.ts';
import { problemText, refusedPage } from '../page/errors.ts';
import { factList, wideTable } from '../page/fields.ts';
import { saidOnPage } from '../page/words.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';

const CHECKS = 'health:checks';
const VERIFY = 'health:verify';

export async function health(visit: Visit): Promise<Answer> {
  const { desk, payfile } = visit;
  if (desk.jobs.about(CHECKS) === undefined) beginChecks(visit);
  const place = await ledgerOf(payfile);
  const jobs = [desk.jobs.about(CHECKS), desk.jobs.about(VERIFY)];
  const [checked, verified] = jobs;
  const body = html`${factList([
    ['Service', desk.environment === 'live' ? 'live: real money' : 'the sandbox: no real money'],
    ['Ledger', place],
  ])}${section('checks', 'What was checked', html`${found(checked, '/health/checks/events')}<form method="post" action="/health/checks"><button>Check again</button></form>\n`)}${section('journal', 'The journal', html`<p>Every entry is chained to the one before. This recomputes all of it, and compares it with where every payment stands.</p>\n${found(verified, '/health/verify/events')}<form method="post" action="/health/verify"><button>Verify the journal</button></form>\n`)}`;
  return page('Health', body, { reloadSeconds: jobs.some(isUnderWay) ? 2 : undefined });
}

/** A ledger that cannot be opened is among the checks, with what to do. */
async function ledgerOf(payfile: Payfile): Promise<Piece> {
  try {
    const { ledgerPath, count } = await payfile.call(overview, { limit: 1 });
    return [html`<code>${ledgerPath}</code>`, `, ${counted(count, 'batch', 'batches')}`];
  } catch (error) {
    return problemText(error);
  }
}

export async function healthEvents({ desk, part }: Visit): Promise<Answer> {
  const about = `health:${part('work')}`;
  return about === CHECKS || about === VERIFY ? workEvents(desk, about) : refusedPage('no_such_page');
}

export async function checkAgain(visit: Visit): Promise<Answer> {
  beginChecks(visit);
  return see('/health');
}

function beginChecks({ desk, person, payfile }: Visit): void {
  const what = { about: CHECKS, doing: 'Checking', by: person.name };
  desk.jobs.begin(what, async ({ signal }) =>
    checksTold((await payfile.call(doctor, {}, { signal })).checks),
  );
}

export async function verifyJournal({ desk, person, payfile }: Visit): Promise<Answer> {
  const what = { about: VERIFY, doing: 'Verifying the journal', by: person.name };
  desk.jobs.begin(what, async () => verifiedTold(await payfile.call(verify, {})));
  return see('/health');
}

/** What was found, or the work that goes on. */
function found(job: Job | undefined, events: string): Html {
  if (job?.end?.kind !== 'done') return workPanel(job, events);
  return html`${job.end.said}<p class="note">Asked for at ${instant(timestampOf(job.since))} by ${job.by}.</p>\n`;
}

function checksTold(checks: readonly Check[]): Html {
  const rows = checks.map(({ what, isGood, text, fix, fixBy, error }) => [
    isGood ? html`<span class="badge good">✔ good</span>` : html`<span class="badge bad">✖ to mend</span>`,
    what,
    error === undefined ? saidOnPage(text) : problemText(error),
    [saidOnPage(fix ?? ''), fixBy === undefined ? NOTHING : mendPiece(fixBy)],
  ]);
  const bad = checks.filter(({ isGood }) => !isGood).length;
  const said =
    bad === 0
      ? html`<p class="good">✔ All is well.</p>\n`
      : html`<p class="alarm">✖ ${counted(bad, 'thing')} to mend.</p>\n`;
  const heads = ['Well?', 'What', 'Found', 'How to mend it'];
  return html`${said}${wideTable({ label: 'Checks', heads, rows })}`;
}

/** What is done on a page here is a link. */
function mendPiece(command: Command): Html {
  const [batch] = command.words;
  const isHere = (command.verb === 'status' || command.verb === 'settle') && typeof batch === 'string';
  return isHere
    ? html` <a href="${address`/batches/${batch}`}">Look at batch ${batch}</a>`
    : html` <code>${commandText(command, {})}</code>`;
}

function verifiedTold({ result, path }: LedgerProof): Html {
  const { batches, entries, head, problems, unknownHere } = result;
  const size = `${counted(batches, 'batch', 'batches')}, ${counted(entries, 'journal entry', 'journal entries')}`;
  if (problems.length > 0)
    return html`<div class="alarm" role="alert"><p>✖ ${size}: ${counted(problems.length, 'problem')}. Send nothing with this ledger, and keep it.</p>
<ul>${problems.slice(0, PROBLEMS_MAX).map((problem) => html`<li>${problem}</li>\n`)}</ul>${problems.length > PROBLEMS_MAX ? html`<p>… and ${countText(problems.length - PROBLEMS_MAX)} more.</p>` : NOTHING}</div>
`;
  const unknown =
    unknownHere === undefined
      ? NOTHING
      : html`<p class="doubtful">It is whole, but not known here: ${unknownHere}. ${wayToJoin(path, unknownHere) ?? html`Nothing is sent with it until somebody accepts it on a terminal: <code>payfile verify --accept-ledger</code>.`}</p>\n`;
  return html`<p class="good">✔ ${size}; everything belongs together.</p>
<p class="note">Fingerprint of the journal, another with each entry: <code>${head}</code></p>
${unknown}`;
}

const PROBLEMS_MAX = 50;
