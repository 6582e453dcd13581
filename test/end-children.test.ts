/** No process outlives the test that started it: neither a stopped process nor its child. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

let child: ChildProcess | undefined;
/** Both processes share one output. It closes when both have ended. */
let closed: Promise<unknown> | undefined;

it('leaves a stopped process and its child', async () => {
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
