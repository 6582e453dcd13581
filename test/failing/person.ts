/**
 * A person's commands in the simulated world: each in a process of its own, through the same use cases that the
 * command line calls.
 */
import { isIn, type Payout } from '../../src/domain/payouts/payout.ts';
import type { PaymentService } from '../../src/ports/payment-service.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { resolveDoubt } from '../../src/use-cases/decide/resolve-doubt.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import {
  PlantedBug,
  place,
  placedAs,
  runOf,
  type Stage,
  stageOf,
  told,
  type Work,
} from '../simulated-world/commands.ts';
import type { Paper, Scene } from '../simulated-world/scene.ts';
import type { Person, Scenario, Service } from './scenario.ts';
import type { Sweep } from './sweep.ts';

const SETTLE_MS = 90_000;
const BEN = { by: 'ben', reason: 'looked at it' };

export function personIn(scene: Scene, scenario: Scenario, sweep: Sweep): Person {
  const service = serviceIn(scene, sweep);
  const batch = (name: string) => {
    const id = paperOf(name, scene)?.batchId;
    if (id === undefined) throw new TypeError(`There is no batch ${name}`);
    return id;
  };
  const command = async <Result>(work: Work<Result>) => {
    const ended = await scene
      .start('runs')
      .run((world, process) => work(withBug(world, scene, sweep), process));
    told(scene, ended);
    return ended;
  };
  const decide = (work: (world: Ports) => Promise<unknown>) => command((world) => work(world));
  const repeated: Person['repeated'] = ({ name = '' }) => {
    const other = scenario.repeats?.[name];
    if (other === undefined) return undefined;
    scene.judge.repeats.set(Number(batch(name)), Number(batch(other)));
    return batch(other);
  };
  const stage = (name: string, which: Stage) =>
    command(
      stageOf(batch(name), which, sweep.stopping.signal, {
        deadlineMs: SETTLE_MS,
        newPeriod: repeated({ name }),
      }),
    );
  const payouts = (name: string) => payoutsOf(paperOf(name, scene), scene);
  return {
    ...{ service, batch, repeated, payouts },
    waits: (milliseconds) => scene.scheduler.jump(milliseconds),
    place: (rows, name) => {
      // Of a file that is no batch in the end nobody asks what became of it.
      const paper =
        scenario.ends[name] === undefined ? undefined : (paperOf(name, scene) ?? newPaper(name, scene));
      if (paper !== undefined) paper.trying = rows;
      return command(
        place({
          ...{ rows, name, agrees: true, skipsInvalid: true, deadlineMs: 0, signal: sweep.stopping.signal },
          onImported: (id) => void scene.imported.set(Number(id), rows),
          onPlaced: (placed) => paper && placedAs(paper, scene.papers, rows, placed),
        }),
      );
    },
    approve: async (name) => {
      await stage(name, 'price');
      return stage(name, 'approve');
    },
    send: (name) => stage(name, 'send'),
    settle: (name) => stage(name, 'settle'),
    run: (name) =>
      command(
        runOf(batch(name), {
          ...{ agrees: true, skipsInvalid: true, deadlineMs: SETTLE_MS, signal: sweep.stopping.signal },
          newPeriod: repeated({ name }),
        }),
      ),
    release: (name, ...kinds) =>
      decide((world) =>
        releaseHeld(
          batch(name),
          { kind: 'all' },
          { ...BEN, kinds: kinds.length === 0 ? undefined : kinds },
          world,
        ),
      ),
    cancel: (name, ...rows) =>
      decide((world) => cancelUnsent(batch(name), { kind: 'rows', rows }, BEN, world)),
    reissue: (name) =>
      decide((world) => reissue(batch(name), { kind: 'all' }, { by: 'ben', evidence: undefined }, world)),
    rule: (name, belief = 'as_it_is') =>
      decide(async (world) => {
        for (const payout of payouts(name).filter((one) => isIn(one, 'in_doubt')))
          await resolveDoubt(payout, rulingOf(payout, belief, scene), world);
      }),
    pause: (name) =>
      decide(({ ledger, clock }) =>
        ledger.pause(batch(name), { reason: 'wait', by: 'ben', at: clock.now() }),
      ),
    resume: (name) => decide(({ ledger, clock }) => ledger.resume(batch(name), 'ben', clock.now())),
  };
}

function paperOf(name: string, scene: Scene): Paper | undefined {
  return scene.papers.find((paper) => paper.name === name);
}

function newPaper(name: string, scene: Scene): Paper {
  const paper: Paper = { name, batchId: undefined, rows: [], trying: undefined };
  scene.papers.push(paper);
  return paper;
}

/** As they stand in the ledger now, in the order of the file. */
function payoutsOf(paper: Paper | undefined, { watch, eyes }: Scene): Payout[] {
  const placed = eyes
    .prepare('SELECT id FROM payouts WHERE batch = ? AND position IS NOT NULL ORDER BY position')
    .all(Number(paper?.batchId ?? 0));
  return placed.flatMap(({ id }) => watch.payouts.get(Number(id))?.payout ?? []);
}

/** A person who searched the service's dashboard for the tag. */
function rulingOf(payout: Payout, belief: 'as_it_is' | 'not_paid', { judge }: Scene) {
  const [paid] = judge.executionsOf(Number(payout.id));
  if (paid === undefined || belief === 'not_paid')
    return { kind: 'not_paid', by: 'ben', evidence: 'ticket 12' } as const;
  return { kind: 'paid', transferId: paid.id, by: 'ben', evidence: undefined } as const;
}

function serviceIn({ oracle, watch }: Scene, sweep: Sweep): Service {
  const service: Service = {
    transfer: () => undefined,
    name: (account, holder) => void oracle.market.holders.set(account, holder),
    becomes: (account, fate) => oracle.decree(account, fate),
    rate(rate) {
      oracle.market.rate = rate;
    },
  };
  sweep.script = (payout) => {
    const known = watch.payouts.get(payout)?.payout;
    const account = known?.instruction?.account.reveal();
    return account === undefined ? undefined : service.transfer(account, known?.attempts ?? 1);
  };
  return service;
}

const METHODS: readonly (keyof PaymentService)[] = [
  ...(['countries', 'institutions', 'accountName', 'estimate', 'rate'] as const),
  ...(['transaction', 'profile', 'prepareSend', 'send'] as const),
];

/** A bug of ours behind any call to the service; a transfer has gone out by then. */
function withBug(world: Ports, scene: Scene, sweep: Sweep): Ports {
  const paymentService = new Proxy(world.paymentService, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || !METHODS.some((method) => method === key)) return value;
      return async (...given: unknown[]) => {
        const isBug = sweep.hits('bug_of_ours');
        if (isBug && key === 'send') {
          scene.mayDoubt();
          const outcome: unknown = await Reflect.apply(value, target, given);
          // Nobody can keep an answer that a bug swallows; its row must be in doubt.
          scene.judge.said.push(JSON.stringify(outcome));
        }
        if (isBug) throw new PlantedBug(`Planted at ${String(key)}`);
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { ...world, paymentService };
}
