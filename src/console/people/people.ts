/**
 * Who may do what here, with which passkeys, and who invited whom. The configuration holds the roles. An administrator
 * makes tickets and removes passkeys.
 */
import { mayDo, ROLE_SENTENCE, ROLES } from '../../domain/people/person.ts';
import { invite, type KnownPerson, list } from '../../operations/people.ts';
import { type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { factList, wideTable } from '../page/fields.ts';
import { type Answer, address, page, see, type Visit } from '../server/route.ts';
import { passkeyOffer } from './passkeys.ts';
import { originOf } from './signing.ts';

export async function peoplePage(visit: Visit): Promise<Answer> {
  const people = await visit.payfile.call(list, {});
  const mayAdminister = mayDo(visit.person, 'administer');
  const rows = people.map((person) => [
    person.name,
    person.roles.length === ROLES.length ? 'every role' : person.roles.join(', ') || 'none',
    passkeysOf(person, mayAdminister),
    mayAdminister && person.roles.length > 0
      ? buttonTo(address`/people/${person.id}/ticket`, 'Make a link', `Make a link for ${person.name}`)
      : NOTHING,
  ]);
  const heads = ['Person', 'Roles', 'Passkeys', mayAdminister ? 'To register a passkey' : ''];
  const roles = factList(ROLES.map((role) => [role, ROLE_SENTENCE[role]]));
  return page(
    'People',
    html`${await passkeyOffer(visit)}${wideTable({ label: 'People', heads, rows })}${section('roles', 'Roles', html`<p>The configuration gives roles to people, under “people”.</p>\n${roles}`)}`,
  );
}

function passkeysOf({ passkeys, isUser, name }: KnownPerson, mayRemove: boolean): Html {
  if (passkeys.length === 0) return html`${isUser ? 'none; signs in with the link' : 'none'}`;
  return html`${passkeys.map(
    ({ credentialId, registeredAt, ticketBy }, at) =>
      html`<p>registered ${instant(registeredAt)}, invited by ${ticketBy} ${mayRemove ? buttonTo(address`/people/passkeys/${credentialId}/remove`, 'Remove', `Remove: ${name}, passkey ${at + 1}`) : NOTHING}</p>`,
  )}`;
}

const buttonTo = (path: string, text: string, label: string) =>
  html`<form method="post" action="${path}"><button aria-label="${label}">${text}</button></form>`;

/** The only page that ever shows the ticket. */
export async function ticketMade({ payfile, part, desk }: Visit): Promise<Answer> {
  const { ticket, person, until } = await payfile.call(invite, { person: part('person') });
  const link = `${originOf(desk)}${address`/passkeys/${ticket}`}`;
  return page(
    `Link for ${person}`,
    html`<p><code>${link}</code></p>
<p>Give this link to ${person} and to nobody else. It registers one passkey, once, until ${instant(until)}. This page shows it once. If ${person} has a passkey, ${person} signs with it for the new one.</p>
<p>${person} opens it in a browser of this machine, with a login or a browser profile of their own. The ledger keeps that you made it.</p>
`,
  );
}

export async function passkeyRemoved({ payfile, part, desk }: Visit): Promise<Answer> {
  const credentialId = part('credential');
  await payfile.people.removePasskey({ credentialId });
  desk.sessions.endOf(credentialId);
  return see('/people', 'The passkey was removed. It signs nothing any more, and its sessions have ended.');
}
