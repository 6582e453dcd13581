/**
 * The console in a process of its own. Arguments: folder, service JSON. Its parent asks over the channel of the fork, and
 * ends it by closing that.
 */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { startConsole } from '../../../src/console/console.ts';
import { ROLES } from '../../../src/domain/people/person.ts';
import { send } from '../../../src/operations/send.ts';
import { look } from '../../../src/operations/status.ts';
import type { Payfile } from '../../../src/payfile.ts';
import { approvePlan, planFile } from '../../builders/library-calls.ts';
import { ACTOR, payfileIn } from '../console-place.ts';

/** What the process used so far, and how long the last sending took. */
export interface Used {
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly sending: { readonly ms: number; readonly cpuMs: number; readonly accepted: number } | undefined;
}

keepHeapSmall();
const [folder = '', service = '{}'] = process.argv.slice(2);
const payfile = payfileIn({ folder, service });
let sending: Used['sending'];

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Sending alone is timed, without the settling that follows in the same work of the console. */
function timed(door: Payfile): Payfile {
  const call: Payfile['call'] = async (operation, given, dialogue) => {
    const [from, cpu] = [performance.now(), cpuMs()];
    const done = await door.call(operation, given, dialogue);
    if (operation.name !== send.name) return done;
    const { counts } = await door.call(look, { batch: String(given['batch']) });
    const accepted = counts.accepted + counts.settled;
    sending = { ms: performance.now() - from, cpuMs: cpuMs() - cpu, accepted };
    return done;
  };
  return { ...door, call, as: (person) => timed(door.as(person)) };
}

const running = await startConsole({
  port: 0,
  environment: 'live',
  person: { id: ACTOR, name: ACTOR, roles: ROLES },
  payfile: timed(payfile),
  temporary: folder,
  now: () => Date.now(),
  say: (line) => console.error(line),
});
process.send?.(running.link());
process.on('message', async (asked: { readonly plan?: string; readonly batch: string }) => {
  if (asked.plan === undefined) {
    const used: Used = { cpuMs: cpuMs(), rssMb: process.memoryUsage.rss() / 2 ** 20, sending };
    process.send?.(used);
    return;
  }
  const { plan, batch } = await planFile(payfile, asked.plan, {
    ...{ batch: asked.batch, repeats: undefined, skipInvalid: true },
  });
  await approvePlan(payfile, batch.id, plan?.plan.digest);
  process.send?.(batch.id);
});
process.on('disconnect', async () => {
  await running.close();
  await payfile.close();
  process.exit(0);
});
