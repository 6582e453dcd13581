/**
 * Registering a passkey with a ticket, and coming in with one. Whoever opens a ticket is nobody yet; whose passkey it
 * becomes stands in the ticket. A person who has a passkey signs with it for the new one, on a second page.
 */
import { register } from '../../operations/people.ts';
import { html } from '../../views/html.ts';
import { refusedPage } from '../page/errors.ts';
import { hidden } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';
import { originOf, signedForm, signedIn, signingOf } from './signing.ts';

/** Whoever has entered opens no ticket of another person: the door tells them apart. */
const payfileOf = ({ desk, marked }: Visit) =>
  marked === undefined ? desk.payfile : desk.payfileAs({ id: marked });

export async function ticketPage(visit: Visit): Promise<Answer> {
  const ticket = visit.part('ticket');
  const { person, options } = await payfileOf(visit).people.registration({ ticket });
  const signing = signingOf(options);
  const form = signedForm({ action: address`/passkeys/${ticket}`, button: 'Make the passkey', signing });
  return page(
    `A passkey for ${person}`,
    html`<p>This ticket is for <strong>${person}</strong>. With the passkey ${person} comes in and approves here, by a fingerprint, a face or a PIN. If you are somebody else, leave this page.</p>\n${form}`,
  );
}

export async function registerPage(visit: Visit): Promise<Answer> {
  const sent = await visit.form();
  const [ticket, answer, made] = [visit.part('ticket'), sent.text('answer'), sent.text('made')];
  if (answer === '') return refusedPage('nothing_signed');
  const origin = originOf(visit.desk);
  const payfile = payfileOf(visit);
  const given = made === '' ? { answer } : { answer: made, signed: answer };
  const registered = await payfile.call(register, { ticket, origin, ...given });
  const { person } = registered;
  if (registered.kind === 'to_sign') {
    const { attribute, fields } = signingOf(registered.options);
    const signing = { attribute, fields: html`${hidden('made', answer)}${fields}` };
    const form = signedForm({ action: address`/passkeys/${ticket}`, button: 'Sign with it', signing });
    return page(
      `A further passkey for ${person}`,
      html`<p>${person} has a passkey already. Sign with it, so that the new one counts. Without it, ask for a ticket from the window in which the console runs.</p>\n${form}`,
    );
  }
  return page(
    'The passkey is registered',
    html`<p>From now on ${person} comes in with it.</p>\n<p><a class="button main" href="/enter">Come in</a></p>\n`,
  );
}

export async function enterPage(visit: Visit): Promise<Answer> {
  const { nonce, options } = await visit.desk.payfile.people.askSignIn({ origin: originOf(visit.desk) });
  const signing = signingOf(options, nonce);
  const form = signedForm({ action: '/enter', button: 'Come in with a passkey', signing });
  return page(
    'Come in',
    html`<p>Whoever started the console comes in with its link. Everybody else comes in with a passkey; an administrator makes the ticket to register one.</p>\n${form}`,
  );
}

export async function enterSigned({ desk, form }: Visit): Promise<Answer> {
  const given = signedIn(await form());
  if (given === undefined) return refusedPage('nothing_signed');
  const { person, credentialId } = await desk.payfile.people.signIn(given);
  const entered = page('You are in', html`<p><a class="button" href="/">Go on</a></p>\n`, { leadsTo: '/' });
  return {
    kind: 'entered',
    as: desk.sessions.enter({ ...person, cameWith: credentialId }),
    page: entered,
  };
}
