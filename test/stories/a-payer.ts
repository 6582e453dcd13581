/**
 * A process of its own that plans, approves and sends batches by the library, one request a line: `plan may`, or
 * `approve+send may`. It answers with one line when it is done.
 */

import { createInterface } from 'node:readline';
import { createPayfile, type PayfileOptions } from '../../src/payfile.ts';
import { approvePlan, planFile } from '../builders/library-calls.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

export interface Payer {
  readonly options: PayfileOptions;
  /** Of the files, which are named as their batches. */
  readonly folder: string;
}

const { options, folder } = JSON.parse(process.argv[2] ?? '') as Payer;
const at = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
const payfile = createPayfile(options, {
  env: at,
  cwd: folder,
  clock: createBriskClock().withPauses(9_000),
});
const digests = new Map<string, string | undefined>();

for await (const line of createInterface({ input: process.stdin })) {
  const [verbs = '', name = ''] = line.split(' ');
  for (const verb of verbs.split('+')) await work(verb, name);
  process.stdout.write('done\n');
}
await payfile.close();

async function work(verb: string, name: string): Promise<void> {
  if (verb === 'plan')
    digests.set(name, (await planFile(payfile, `${name}.csv`, { batch: name })).plan?.plan.digest);
  if (verb === 'approve') await approvePlan(payfile, name, digests.get(name));
  if (verb === 'send') await payfile.send({ batch: name });
}
