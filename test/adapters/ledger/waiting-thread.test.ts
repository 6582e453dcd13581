/** A thread that stands still until another one has answered. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { hasChanged } from '../../../src/adapters/ledger/postgres/connection.ts';

const CALLS_FIRST = `
const { parentPort, workerData: count } = require('node:worker_threads');
parentPort.once('message', (answers) => {
  const calm = new Int32Array(new SharedArrayBuffer(4));
  for (let time = 0; time < 20; time += 1) { Atomics.notify(count, 0); Atomics.wait(calm, 0, 0, 10); }
  if (answers) { Atomics.add(count, 0, 1); Atomics.notify(count, 0); }
});
parentPort.postMessage('ready');`;

it.each([
  ['the answer', true, 60_000],
  ['the time that it may take', false, 400],
])('is not deceived by calls about earlier answers: it waits for %s', async (_what, answers, mostMs) => {
  const count = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(CALLS_FIRST, { eval: true, workerData: count });
  await once(worker, 'message');
  worker.postMessage(answers);
  const begunMs = performance.now();
  expect(hasChanged(count, 0, mostMs)).toBe(answers);
  expect(count[0]).toBe(answers ? 1 : 0);
  if (!answers) expect(performance.now() - begunMs).toBeGreaterThanOrEqual(mostMs);
  await worker.terminate();
});
