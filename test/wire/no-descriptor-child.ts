/**
 * A process that uses up its file descriptors, prepares a transfer, gives them back and sends one. Says both
 * outcomes, a line each.
 */
import { closeSync, openSync } from 'node:fs';
import { aClient, anOrder } from '../service/a-client.ts';

const { service } = aClient({ url: process.argv[2] ?? '' }, { openAhead: 0 });
const say = ({ kind, ...rest }: { readonly kind: string }) =>
  process.stdout.write(`${JSON.stringify({ kind, ...rest })}\n`);

// Logged in first, and everything loaded, while there are descriptors.
const first = await service.prepareSend();
if (first.kind === 'prepared') first.discard();
process.stdout.write('');
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // None is left.
}
const none = await service.prepareSend();
for (const descriptor of taken) closeSync(descriptor);
say(none);
const prepared = await service.prepareSend();
say(prepared.kind === 'not_sent' ? prepared : await service.send(anOrder(), prepared));
await service.close();
