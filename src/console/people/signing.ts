/**
 * Forms that a passkey signs. The browser asks for the passkey when the form is sent (script/console.js), writes its answer
 * into the form, and sends it. Without script nothing is signed, and the page says so.
 */
import type { CreationOptions, RequestOptions } from '../../domain/people/passkey.ts';
import { list } from '../../operations/people.ts';
import type { PlanToSee } from '../../payfile.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { hidden } from '../page/fields.ts';
import type { Form } from '../server/form.ts';
import { ownHost } from '../server/guards.ts';
import type { Visit } from '../server/route.ts';

/** What makes a form one that is signed: an attribute of it, and fields in it. Both empty where nothing is signed. */
export interface Signing {
  readonly attribute: Html;
  readonly fields: Html;
}

const UNSIGNED: Signing = { attribute: NOTHING, fields: NOTHING };

/** `nonce` names the question that is answered; empty where a passkey is made. */
export function signingOf(options: CreationOptions | RequestOptions, nonce = ''): Signing {
  const json = JSON.stringify(options);
  return {
    attribute: 'rpId' in options ? html` data-sign="${json}"` : html` data-make="${json}"`,
    fields: html`${hidden('nonce', nonce)}${hidden('answer', '')}
<noscript><p class="wrong">A passkey needs a browser that runs the scripts of this page.</p></noscript>
<p class="wrong" role="alert" data-failed="The browser gave no passkey. Try again, or ask an administrator for a link to register one."></p>
`,
  };
}

/** For the form that agrees to this plan. Errors: RequestRefused, where a passkey is needed and this person has none. */
export async function approvalSigning(
  { payfile, desk }: Visit,
  { batch, plan }: PlanToSee,
): Promise<Signing> {
  const { isNeeded } = await payfile.people.needsPasskey({ batch: batch.id });
  if (!isNeeded) return UNSIGNED;
  const asked = { batch: batch.id, digest: plan.digest, origin: originOf(desk) };
  const { nonce, options } = await payfile.people.askApproval(asked);
  return signingOf(options, nonce);
}

/** What the browser signed, as `approve` takes it; undefined where it signed nothing. */
export function signedIn(form: Form): { readonly nonce: string; readonly answer: string } | undefined {
  const [nonce, answer] = [form.text('nonce'), form.text('answer')];
  return nonce === '' || answer === '' ? undefined : { nonce, answer };
}

export function originOf({ port }: Visit['desk']): string {
  return `http://${ownHost(port)}`;
}

export function signedForm(action: string, button: string, { attribute, fields }: Signing): Html {
  return html`<form method="post" action="${action}"${attribute}>
${fields}<button class="main">${button}</button>
</form>
`;
}

/** A ledger that cannot be read has no passkeys to offer. */
export async function mayUsePasskeys({ payfile }: Visit['desk']): Promise<boolean> {
  const people = await payfile.call(list, {}).catch(() => []);
  return people.some(({ passkeys }) => passkeys.length > 0);
}
