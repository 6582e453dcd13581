/**
 * Coming in and leaving. A ticket opens once. The page that it opens leads on by itself: a browser keeps a strict cookie
 * from the very request that another place led to.
 */
import { html } from '../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { type Answer, page, type Visit } from '../server/route.ts';

export async function enter({ desk, part }: Visit): Promise<Answer> {
  const used = desk.tickets.use(part('ticket'));
  if (used.kind === 'unknown') return refusedPage('ticket_unknown');
  if (used.kind === 'used_before') {
    const { name } = used.person;
    desk.say(
      `A link that ${name} came in with was opened a second time. If it was not you, end the console.`,
    );
    return refusedPage('ticket_used');
  }
  const goOn = html`<p><a class="button" href="/">Go on</a></p>\n`;
  const entered = page('You are in', goOn, { leadsTo: '/' });
  return { kind: 'entered', as: desk.sessions.enter(used.person), page: entered };
}

export async function leave(): Promise<Answer> {
  return { kind: 'left', path: '/left' };
}

export async function left(): Promise<Answer> {
  return page(
    'You have left',
    html`<p>Work that was begun goes on. To come in again use your passkey, or press Enter in the window in which the console runs.</p>\n<p><a class="button" href="/enter">Come in with a passkey</a></p>\n`,
  );
}
