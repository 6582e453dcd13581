/**
 * Who may do what here, with which passkeys, and who let whom in. Roles stand in the configuration; an administrator makes
 * tickets and removes passkeys.
 */
import { mayDo, ROLE_SENTENCE, ROLES } from '../../domain/people/person.ts';
import { invite, type KnownPerson, list } from '../../operations/people.ts';
import { type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { originOf } from './signing.ts';

export async function peoplePage({ payfile, person: by }: Visit): Promise<Answer> {
  const people = await payfile.call(list, {});
  const mayAdminister = mayDo(by, 'administer');
  const rows = people.map((person) => [
    person.name,
    person.roles.length === ROLES.length ? 'every role' : person.roles.join(', ') || 'none',
    passkeysOf(person, mayAdminister),
    mayAdminister && person.roles.length > 0 ? ticketForm(person) : NOTHING,
  ]);
  const heads = ['Person', 'Roles', 'Passkeys', mayAdminister ? 'Ticket' : ''];
  const roles = ROLES.map((role) => html`<li>${role}: ${ROLE_SENTENCE[role]}</li>\n`);
  return page(
    'People',
    html`${wideTable({ label: 'People', heads, rows })}${section('roles', 'Roles', html`<p>Who has which role stands in the configuration, under “people”.</p>\n<ul>${roles}</ul>\n`)}`,
  );
}

function passkeysOf({ passkeys, isUser, name }: KnownPerson, mayRemove: boolean): Html {
  if (passkeys.length === 0) return html`${isUser ? 'none; comes in with the link' : 'none'}`;
  return html`${passkeys.map(
    ({ credentialId, registeredAt, ticketBy }, at) =>
      html`<p>registered ${instant(registeredAt)}, by a ticket of ${ticketBy}${mayRemove ? removeForm(credentialId, `${name}, passkey ${at + 1}`) : NOTHING}</p>`,
  )}`;
}

function removeForm(credentialId: string, label: string): Html {
  return html`<form method="post" action="${address`/people/passkeys/${credentialId}/remove`}"><button aria-label="Remove: ${label}">Remove</button></form>`;
}

function ticketForm({ id, name }: KnownPerson): Html {
  return html`<form method="post" action="${address`/people/${id}/ticket`}"><button aria-label="Make a ticket for ${name}">Make a ticket</button></form>`;
}

/** The only page that ever shows the ticket. */
export async function ticketMade({ payfile, part, desk }: Visit): Promise<Answer> {
  const { ticket, person, until } = await payfile.call(invite, { person: part('person') });
  const link = `${originOf(desk)}${address`/passkeys/${ticket}`}`;
  return page(
    `A ticket for ${person}`,
    html`<p>Give this link to ${person} and to nobody else. It registers one passkey, once, until ${instant(until)}. It is not shown again. If ${person} has a passkey, ${person} signs with it for the new one.</p>
<p><code>${link}</code></p>
<p>${person} opens it in a browser of this machine, under an account or a profile of their own. The ledger keeps that you made it.</p>
`,
  );
}

export async function passkeyRemoved({ payfile, part, desk }: Visit): Promise<Answer> {
  const credentialId = part('credential');
  await payfile.people.removePasskey({ credentialId });
  desk.sessions.endOf(credentialId);
  return see(
    '/people',
    'The passkey was removed. It signs nothing any more, and whoever came in with it is out.',
  );
}
