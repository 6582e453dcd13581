/** A process with a sandbox in it that pays until it is killed, and tells its parent the first ids. */
import { startSandbox } from '../../src/sandbox/server.ts';
import { aTransfer, pay, sessionOf, transferIdOf } from './a-client.ts';

const sandbox = await startSandbox({ bookPath: process.argv[2] });
const session = await sessionOf(sandbox);
const answered: string[] = [];
const TOLD = 20;

async function payOnAndOn(): Promise<void> {
  for (;;) {
    answered.push(transferIdOf(await pay(sandbox, session, aTransfer())));
    if (answered.length === TOLD) process.send?.([...answered]);
  }
}
await Promise.all(Array.from({ length: 8 }, payOnAndOn));
