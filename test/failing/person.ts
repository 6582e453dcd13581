/**
 * A person's commands on a ledger and a service, through the same stages that the command line calls.
 */

import { isIn, type Payout } from '../../src/domain/payouts/payout.ts';
import type { Policy } from '../../src/domain/policy.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { type RulingRequest, resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import { workplaceOn } from '../builders/workplace.ts';
import { withFreeLease } from '../fakes/crash.ts';
import type { ScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import type { VirtualClock } from '../fakes/virtual-clock.ts';
import { type Fault, NO_SIGNAL } from './fault.ts';
import type { Person } from './scenario.ts';

export interface PersonParts {
  readonly ledger: Ledger;
  readonly service: ScriptedPaymentService;
  readonly clock: VirtualClock;
  readonly policy: Policy;
  readonly fault: Fault | undefined;
  readonly repeats: Readonly<Record<string, string>>;
}

const SETTLE_MS = 20_000;
const ben = { by: 'ben', reason: 'looked at it' };

export function personAt(parts: PersonParts): Person {
  const { ledger, service, clock, policy, fault, repeats } = parts;
  const place = workplaceOn({
    ledger: fault?.ledger(ledger) ?? withFreeLease(ledger),
    service: fault?.service(service) ?? service,
    clock,
    policy,
  });
  const signal = fault?.signal ?? NO_SIGNAL;
  const batch: Person['batch'] = async (name) => {
    const found = (await place.ledger.batches()).find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`There is no batch ${name}`);
    return found.id;
  };
  const repeated = async (name: string) => {
    const other = repeats[name];
    return other === undefined ? {} : { repeatsReleased: await batch(other) };
  };
  return {
    world: { service, clock, ledger },
    batch,
    payouts: async (name) => place.payouts(await batch(name)),
    place: (rows, name) => place.place(rows, name),
    approve: async (name) => place.agree(await batch(name)),
    send: async (name) => place.send(await batch(name), { signal, ...(await repeated(name)) }),
    settle: async (name) => place.settle(await batch(name), SETTLE_MS),
    run: async (name) => {
      const deadline = () => plusMs(clock.now(), SETTLE_MS);
      const options = { signal, deadline, skipInvalid: true, ...(await repeated(name)) };
      return place.run(await batch(name), options);
    },
    release: async (name, choice = { kind: 'all' }) =>
      releaseHeld(await batch(name), choice, ben, place.world),
    cancel: async (name, ...rows) =>
      cancelUnsent(await batch(name), { kind: 'rows', rows }, ben, place.world),
    reissue: async (name, evidence) =>
      reissue(await batch(name), { kind: 'all' }, { by: 'ben', evidence }, place.world),
    rule: async (name, belief = 'as_it_is') => {
      for (const payout of await place.payouts(await batch(name)))
        await resolveDoubt(payout, rulingOf(payout, service, belief), place.world);
    },
    pause: async (name) =>
      place.ledger.pause(await batch(name), { reason: 'wait', by: 'ben', at: clock.now() }),
    resume: async (name) => place.ledger.resume(await batch(name), 'ben', clock.now()),
  };
}

/** A person who searched the service's dashboard for the tag. */
function rulingOf(
  payout: Payout,
  service: ScriptedPaymentService,
  belief: 'as_it_is' | 'not_paid',
): RulingRequest {
  const tag = isIn(payout, 'in_doubt') ? payout.state.tag : '';
  const paid = service.book.find(({ note }) => tag !== '' && note.startsWith(tag));
  if (paid === undefined || belief === 'not_paid')
    return { kind: 'not_paid', by: 'ben', evidence: 'ticket 12' };
  return { kind: 'paid', transferId: paid.transferId, by: 'ben', evidence: undefined };
}
