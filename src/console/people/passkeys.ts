/**
 * Registering a passkey with a ticket, and signing in with one. Who opens a ticket is nobody yet; the ticket says whose
 * passkey it becomes. A person who has a passkey signs with it for the new one, on a second page.
 */
import { invite, list, register } from '../../operations/people.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { hidden } from '../page/fields.ts';
import { linkButton, postButton } from '../page/way.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { signIn } from './enter.ts';
import { originOf, signedForm, signedIn, signingOf } from './signing.ts';

/** A signed-in person opens no ticket of another person: the operation tells them apart. */
const payfileOf = ({ desk, marked }: Visit) =>
  marked === undefined ? desk.payfile : desk.payfileAs({ id: marked });

/** For a user of this machine who signed in with the link and has no passkey: next time no terminal is needed. */
export async function passkeyOffer({ payfile, person }: Visit): Promise<Html> {
  if (person.cameWith !== undefined) return NOTHING;
  const isWanting = (await payfile.call(list, {})).some(
    ({ id, mayInviteSelf }) => id === person.id && mayInviteSelf,
  );
  return isWanting
    ? html`<section class="said" aria-label="Passkey"><p>Sign in with a fingerprint, a face or a PIN next time. You need no terminal then.</p>
<p>${postButton('/passkey', 'Register a passkey')}</p></section>\n`
    : NOTHING;
}

export async function ownTicket({ payfile, person }: Visit): Promise<Answer> {
  const { ticket } = await payfile.call(invite, { person: person.id });
  return { kind: 'see', path: address`/passkeys/${ticket}` };
}

export async function ticketPage(visit: Visit): Promise<Answer> {
  const ticket = visit.part('ticket');
  const { person, options } = await payfileOf(visit).people.registration({ ticket });
  const form = signedForm(address`/passkeys/${ticket}`, 'Register the passkey', signingOf(options));
  return page(
    `Passkey for ${person}`,
    html`<p>This link is for <strong>${person}</strong>. With the passkey, ${person} signs in and approves: by a fingerprint, a face or a PIN. If you are somebody else, close this page.</p>\n${form}`,
  );
}

export async function registerPage(visit: Visit): Promise<Answer> {
  const sent = await visit.form();
  const [ticket, answer, made] = [visit.part('ticket'), sent.text('answer'), sent.text('made')];
  if (answer === '') return refusedPage('nothing_signed');
  const origin = originOf(visit.desk);
  const given = made === '' ? { answer } : { answer: made, signed: answer };
  const registered = await payfileOf(visit).call(register, { ticket, origin, ...given });
  const { person } = registered;
  if (registered.kind === 'to_sign') {
    const { attribute, fields } = signingOf(registered.options);
    const signing = { attribute, fields: html`${hidden('made', answer)}${fields}` };
    const form = signedForm(address`/passkeys/${ticket}`, 'Sign with your passkey', signing);
    return page(
      `Another passkey for ${person}`,
      html`<p>${person} has a passkey already. Sign with it to confirm the new one. If it is lost, ask for a link from the window where the console runs.</p>\n${form}`,
    );
  }
  return page(
    'The passkey is registered',
    html`<p>From now on ${person} signs in with it.</p>\n<p>${linkButton('/enter', 'Sign in', 'main')}</p>\n`,
  );
}

export async function enterPage(visit: Visit): Promise<Answer> {
  const { nonce, options } = await visit.desk.payfile.people.askSignIn({ origin: originOf(visit.desk) });
  const form = signedForm('/enter', 'Sign in with a passkey', signingOf(options, nonce));
  return page(
    'Sign in',
    html`<p>No passkey yet? Ask an administrator for a link to register one.</p>\n${form}`,
  );
}

export async function enterSigned({ desk, form }: Visit): Promise<Answer> {
  const given = signedIn(await form());
  if (given === undefined) return refusedPage('nothing_signed');
  const { person, credentialId } = await desk.payfile.people.signIn(given);
  return signIn(desk, { ...person, cameWith: credentialId });
}
