/** A signature is for one plan: whatever else would be paid, or at whatever other cost, is another plan. */
import { expect, it } from 'vitest';
import type { Plan } from '../../src/domain/plan/plan.ts';
import { createWebAuthnPasskeys } from '../../src/outside/webauthn-passkeys.ts';
import { planOf } from '../../src/use-cases/approve/plan-of-batch.ts';
import { makeTicket, passkeyToMake, registerPasskey } from '../../src/use-cases/people/register-passkey.ts';
import { askApproval, proveWith } from '../../src/use-cases/people/sign-approval.ts';
import { createSignedQuestions } from '../../src/use-cases/people/signed-questions.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { aRow } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import { aWorkplace } from '../builders/workplace.ts';

const ORIGIN = 'http://localhost:4870';

/** The first line of the plan with something else in it. */
function withLine(plan: Plan, change: Partial<Plan['toApprove'][number]>): Plan {
  const [first, ...more] = plan.toApprove;
  if (first === undefined) throw new TypeError('The plan has a line');
  return { ...plan, toApprove: [{ ...first, ...change }, ...more] };
}

it('is for exactly the plan that was asked about, its rows, what they get and what it costs', async () => {
  const place = await aWorkplace();
  const { batch } = await place.place([aRow(1), aRow(2)], 'may');
  await place.price(batch.id);
  const plan = await planOf(batch.id, place.world);
  const passkeys = createWebAuthnPasskeys();
  const ports = { ...place.world, passkeys, questions: createSignedQuestions() };
  const person = { id: 'eve', name: 'eve', roles: ['approver'] } as const;
  const { ticket } = await makeTicket({ person, by: 'ada', isFromTerminal: false }, ports);
  const key = anAuthenticator();
  const { options: making } = await passkeyToMake({ ticket, signedInPerson: undefined }, ports);
  const answer = key.make(making, ORIGIN);
  await registerPasskey({ ticket, answer, origin: ORIGIN, signedInPerson: undefined }, ports);
  const proven = async (now: Plan) => {
    const asked = await askApproval({ batchId: batch.id, plan, by: 'eve', origin: ORIGIN }, ports);
    const given = { nonce: asked.nonce, answer: key.sign(asked.options, ORIGIN) };
    return (await proveWith(given, ports)(batch.id, now, 'eve')).kind;
  };
  expect(await proven(plan)).toBe('proven');
  const others: readonly Plan[] = [
    { ...plan, digest: plan.digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) as Plan['digest'] },
    { ...plan, counts: { ...plan.counts, quoted: 3 } },
    withLine(plan, { sum: money('GHS 1.00') }),
    withLine(plan, { debits: [money('GBP 1.00')] }),
    withLine(plan, { debits: [money('USD 1.00')] }),
    { ...plan, toApprove: [] },
  ];
  for (const other of others) expect(await proven(other)).toBe('changed');
});
