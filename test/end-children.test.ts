/** No process outlives the test that started it: neither a stopped one, nor what that one started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

let child: ChildProcess | undefined;
/** Both processes have the same output, which is closed when both have ended. */
let closed: Promise<unknown> | undefined;

it('leaves a stopped process behind, and one that this one started', async () => {
  const script = 'sleep 600 & echo ready; kill -STOP $$';
  const started = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  closed = once(started, 'close');
  await once(createInterface({ input: started.stdout }), 'line');
});

it('finds both ended', async () => {
  await closed;
  expect(child?.signalCode).toBe('SIGKILL');
});
