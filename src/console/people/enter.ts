/**
 * Signing in and out. A link signs in once. The page that it opens leads on by itself: a browser keeps a strict cookie
 * from the very request that another place led to.
 */
import type { Person } from '../../domain/people/person.ts';
import { html } from '../../views/html.ts';
import type { Desk } from '../desk.ts';
import { refusedPage } from '../page/errors.ts';
import { linkButton } from '../page/way.ts';
import { type Answer, page, type Visit } from '../server/route.ts';
import { mayUsePasskeys } from './signing.ts';

export function signIn(desk: Desk, person: Person): Answer {
  const goOn = page('You are signed in', html`<p>${linkButton('/', 'Continue', 'main')}</p>\n`, {
    leadsTo: '/',
  });
  return { kind: 'entered', as: desk.sessions.enter(person), page: goOn };
}

export async function enter({ desk, part }: Visit): Promise<Answer> {
  const used = desk.tickets.use(part('ticket'));
  if (used.kind === 'unknown') return refusedPage('ticket_unknown', await mayUsePasskeys(desk));
  if (used.kind === 'good') return signIn(desk, used.person);
  const { name } = used.person;
  desk.say(`Somebody opened the link of ${name} a second time. If it was not you, stop the console.`);
  return refusedPage('ticket_used');
}

export async function leave(): Promise<Answer> {
  return { kind: 'left', path: '/left' };
}

export async function left({ desk }: Visit): Promise<Answer> {
  const again = (await mayUsePasskeys(desk))
    ? html`<p>${linkButton('/enter', 'Sign in with a passkey')}</p>\n`
    : html`<p>To sign in again, open a new link: press Enter in the window where the console runs.</p>\n`;
  return page('You are signed out', html`<p>Work that you started goes on.</p>\n${again}`);
}
