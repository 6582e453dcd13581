/**
 * What can be done with a batch as it stands, by whoever looks at it: buttons that say what they do. What a person may
 * not do is not shown; the door refuses it all the same.
 */
import { isPausedForStatement } from '../../domain/batches/batch.ts';
import { type Deed, mayDo, type Person } from '../../domain/people/person.ts';
import { samePersonSentence } from '../../domain/plan/typed-totals.ts';
import { rowsText } from '../../domain/text/printable.ts';
import type { BatchLook } from '../../operations/status.ts';
import { type Html, html, NOTHING, section } from '../../views/html.ts';
import { isUnderWay, type Job } from '../jobs.ts';
import { field } from '../page/fields.ts';

interface Around {
  readonly person: Person;
  readonly path: string;
  /** The work under way here, or the last. */
  readonly job: Job | undefined;
}

export function batchActions(look: BatchLook, { person, path, job }: Around): Html {
  const may = (deed: Deed) => mayDo(person, deed);
  const isGoing = isUnderWay(job);
  // The lease that is held while it only asks is our own.
  const isFree = isGoing ? job?.onlyAsks === true : look.atWork === undefined;
  const first = firstDeed(look, may);
  const main = (deed: Deed) => (deed === first ? 'main' : '');
  const asked = isGoing ? NOTHING : asking(look, path);
  const parts = [
    ...(may('price') && isFree ? [pricing(look, path, main('price'))] : []),
    agreeing(look, { person, path, main: main('approve') }),
    ...(may('send') && isFree ? [sending(look, path, main('send')), asked] : []),
    may('send') ? pausing(look, path) : NOTHING,
  ].filter(({ text }) => text !== '');
  return parts.length === 0 ? NOTHING : section('do', 'What can be done', parts);
}

/** One button leads on. Rows in doubt have theirs above. */
function firstDeed({ doubt, counts }: BatchLook, may: (deed: Deed) => boolean): Deed | undefined {
  if (doubt !== undefined) return undefined;
  if (counts.planned > 0 && may('price')) return 'price';
  return counts.approved > 0 && may('send') ? 'send' : 'approve';
}

interface Agreeing extends Pick<Around, 'person' | 'path'> {
  readonly main: string;
}

function agreeing({ waits, whyNotApprove, batch }: BatchLook, { person, path, main }: Agreeing): Html {
  if (waits === undefined || batch.halfRead !== undefined) return NOTHING;
  const rows = html`<p>${rowsText(waits.rows)} ${waits.rows === 1 ? 'waits' : 'wait'} for somebody to agree.</p>\n`;
  const look = html`<a class="button" href="${path}/plan">Look at the plan</a>`;
  if (whyNotApprove !== undefined)
    return html`${rows}<p>${samePersonSentence(whyNotApprove, batch)}</p>\n<p>${look}</p>\n`;
  const agree = mayDo(person, 'approve')
    ? html`<a class="button ${main}" href="${path}/approval">Agree to it</a>`
    : NOTHING;
  return html`${rows}<p>${look}${agree}</p>\n`;
}

/** Rows that were let go on, or are paid again, have no fee yet. */
function pricing({ counts: { planned }, batch }: BatchLook, path: string, main: string): Html {
  if (planned === 0 || batch.halfRead !== undefined) return NOTHING;
  return html`<form method="post" action="${path}/price"><button class="${main}">Ask for names and fees of ${rowsText(planned)}</button></form>\n`;
}

function sending({ counts: { approved }, batch }: BatchLook, path: string, main: string): Html {
  if (approved === 0 || batch.pause !== undefined || batch.halfRead !== undefined) return NOTHING;
  const canary = field({
    name: 'canary',
    label: 'How many rows first',
    hint: 'A whole number, such as 3: they are sent, and the rest follows once all of them are settled. 0: all at once, whatever was said before.',
    isRequired: true,
  });
  return html`<form method="post" action="${path}/send">
<button class="${main}">Send ${rowsText(approved)} that somebody agreed to</button></form>
<details><summary>Or begin with a few of them</summary><form method="post" action="${path}/send">${canary}<button>Send these first, then the rest</button></form></details>
`;
}

function asking({ counts: { accepted, sending: onTheWire } }: BatchLook, path: string): Html {
  const rows = accepted + onTheWire;
  if (rows === 0) return NOTHING;
  return html`<form method="post" action="${path}/settle"><button>Ask what became of ${rowsText(rows)} on the way</button></form>\n`;
}

function pausing(look: BatchLook, path: string): Html {
  const { batch, counts } = look;
  const { approved, quoted, planned, held } = counts;
  if (batch.pause !== undefined) {
    const first = isPausedForStatement(batch)
      ? html`<p>Compare it with a statement first. Resume only if nothing more was paid.</p>\n`
      : NOTHING;
    return html`${first}<form method="post" action="${path}/resume"><button>Resume: it may be sent again</button></form>\n`;
  }
  if (approved + quoted + planned + held === 0) return NOTHING;
  const reason = field({ name: 'reason', label: 'Why', hint: 'Kept for whoever asks later.' });
  return html`<details><summary>Pause this batch</summary><form method="post" action="${path}/pause">${reason}<button>Pause: send nothing new</button></form></details>\n`;
}
