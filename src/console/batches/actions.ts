/**
 * What a batch needs next, as the one button that leads on, and what else a person may do with it. payfile refuses all the
 * same what a person may not do.
 */
import { isMoved, isPausedForStatement } from '../../domain/batches/batch.ts';
import { type BatchNeed, batchNeed } from '../../domain/next-steps/batch-need.ts';
import { DEEDS, type Deed, mayDo, type Person } from '../../domain/people/person.ts';
import { othersSentence, samePersonSentence } from '../../domain/plan/typed-totals.ts';
import { counted } from '../../domain/text/printable.ts';
import type { BatchLook } from '../../operations/status.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { isUnderWay, type Job } from '../jobs.ts';
import { field } from '../page/fields.ts';
import { actionBar, linkButton, postButton, type Way } from '../page/way.ts';
import { address } from '../server/route.ts';

export interface Around {
  readonly person: Pick<Person, 'roles'>;
  readonly path: string;
  readonly need: BatchNeed;
  /** Work goes on, here or in another process. */
  readonly isGoing: boolean;
}

/** Our own work that only asks for outcomes keeps nobody from anything else. */
export function needNow(look: BatchLook, job: Job | undefined): BatchNeed {
  if (!isUnderWay(job)) return look.need;
  const needIf = (isAtWork: boolean) => batchNeed({ ...look, elsewhere: look.paidAgain.size, isAtWork });
  const free = needIf(job?.onlyAsks !== true);
  return free.kind === 'ask' ? needIf(true) : free;
}

/** Where the batch stands on its way. */
export function batchWay({ batch, counts }: BatchLook, { kind }: BatchNeed): Way {
  const path = address`/batches/${batch.id}`;
  const links = { review: `${path}/plan`, send: path };
  if (isMoved(counts) || kind === 'send' || (kind === 'wait' && counts.approved > 0))
    return { at: 'send', links, isDone: kind === 'nothing' };
  // Held rows are still to be reviewed.
  const at = kind === 'approve' && counts.held === 0 ? 'approve' : 'review';
  return { at, links: { ...links, approve: `${path}/plan` } };
}

/** The next step: a button, or who takes it. */
export function nextAction(look: BatchLook, { person, path, need }: Omit<Around, 'isGoing'>): Html {
  if (need.action === '') return actionBar({ about: need.state });
  const plan = linkButton(`${path}/plan`, 'Review the plan');
  const others = need.kind === 'approve' ? [plan] : [];
  const whyNot = need.kind === 'approve' ? look.whyNotApprove : undefined;
  if (whyNot !== undefined) {
    const about = [samePersonSentence(whyNot, look.batch), othersSentence(look.alsoExcluded, look.batch)];
    return actionBar({ about: about.join(' ').trim(), others });
  }
  if (need.deed !== undefined && !mayDo(person, need.deed)) {
    return actionBar({ about: `${need.action}: ${forWhom(need.deed)}.`, others });
  }
  const [method, at] = addressOf(look, need, path);
  const button = method === 'post' ? postButton : linkButton;
  return actionBar({ main: button(at, need.action, 'main') });
}

/** `for a person with the role approver`. */
export const forWhom = (deed: Deed): string => `for a person with the role ${DEEDS[deed].join(' or ')}`;

function addressOf(look: BatchLook, { kind }: BatchNeed, path: string): readonly ['get' | 'post', string] {
  const [first] = look.attention;
  const row = first === undefined ? `${path}#look` : `${path}${address`/rows/${first.row}`}`;
  switch (kind) {
    case 'price':
    case 'send':
    case 'resume':
      return ['post', `${path}/${kind}`];
    case 'ask':
      return ['post', `${path}/settle`];
    case 'find_out':
      // Rows that a process left on the wire are in doubt once somebody asks for them.
      return look.doubt === undefined ? ['post', `${path}/settle`] : ['get', `${path}/statement`];
    case 'approve':
      return ['get', `${path}/plan`];
    case 'decide':
      return ['get', `${path}/held`];
    case 'compare':
      return ['get', `${path}/statement`];
    case 'read_file':
      return ['get', '/new'];
    default:
      return ['get', look.attention.length === 1 ? row : `${path}#look`];
  }
}

/** Whatever is possible beside the next step. */
export function otherActions(look: BatchLook, { person, path, need, isGoing }: Around): Html {
  const { batch, counts } = look;
  const { held, quoted, approved, accepted, sending, planned } = counts;
  const isFree = need.kind !== 'wait';
  const maySend = mayDo(person, 'send');
  const link = (count: number, at: string, text: string) =>
    count === 0 ? NOTHING : html`<p><a class="button" href="${path}/${at}">${text}</a></p>\n`;
  const parts = [
    need.kind === 'decide' ? NOTHING : link(held, 'held', `Decide about ${counted(held, 'held row')}`),
    need.kind === 'approve' ? NOTHING : link(quoted, 'plan', 'Review the plan'),
    need.kind === 'correct' && look.attention.length > 1 && mayDo(person, 'see_accounts')
      ? link(look.attention.length, 'reports#unpaid', 'Correct these rows in one file')
      : NOTHING,
    maySend && isFree && batch.pause === undefined && approved > 0 ? firstFew(path) : NOTHING,
    maySend && !isGoing && need.kind !== 'ask' && accepted + sending > 0 ? asking(path) : NOTHING,
    maySend && batch.pause !== undefined && need.kind !== 'resume' ? resuming(look, path) : NOTHING,
    maySend && batch.pause === undefined && approved + quoted + planned + held > 0 ? pausing(path) : NOTHING,
  ].filter(({ text }) => text !== '');
  return parts.length === 0 ? NOTHING : section('others', 'Other actions', parts);
}

function firstFew(path: string): Html {
  const canary = field({
    name: 'canary',
    label: 'How many rows first',
    hint: 'A whole number, such as 3. payfile sends these rows, and the rest once all of them are settled. 0 sends all rows at once, whatever you said before.',
    isRequired: true,
  });
  return html`<details><summary>Send a few rows first</summary><form method="post" action="${path}/send">${canary}<button>Send these first, then the rest</button></form></details>\n`;
}

const asking = (path: string): Html =>
  html`<form method="post" action="${path}/settle"><button>Ask for the status of payments on the way</button></form>\n`;

function resuming({ batch }: BatchLook, path: string): Html {
  const first = isPausedForStatement(batch)
    ? html`<p>Compare the batch with a statement first. Resume it only if nothing more was paid.</p>\n`
    : NOTHING;
  return html`<details><summary>Resume the batch</summary>${first}<form method="post" action="${path}/resume"><button>Resume the batch</button></form></details>\n`;
}

function pausing(path: string): Html {
  const reason = field({ name: 'reason', label: 'Reason', hint: 'payfile keeps it with your name.' });
  return html`<details><summary>Pause the batch</summary><form method="post" action="${path}/pause">${reason}<button>Pause: send nothing new</button></form></details>\n`;
}
