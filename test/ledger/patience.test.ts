/** For how long a server that gives no answer is waited for after a stop. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { patienceOf } from '../../src/ledger/patience.ts';

const never = () => new Promise<string>(() => undefined);

it('waits for every answer until the stop, and after it for a server that answers', async () => {
  const stopping = new AbortController();
  const patience = patienceOf(stopping.signal);
  expect(await patience.of(wait(20, 'before'))).toBe('before');
  stopping.abort();
  expect(await patience.of(wait(600, 'after'))).toBe('after');
  expect(await patience.of(wait(900, 'again'))).toBe('again');
});

it('gives up all questions with the one that hangs, and every later one, on all connections', async () => {
  const stopping = new AbortController();
  const [patience, other] = [patienceOf(stopping.signal), patienceOf(stopping.signal)];
  const hanging = patience.of(never());
  stopping.abort();
  await Promise.all([
    expect(hanging).rejects.toThrow('no answer after the stop'),
    expect(other.of(never())).rejects.toThrow('no answer'),
  ]);
  await expect(other.of(Promise.resolve('late'))).rejects.toThrow('no answer');
});

it('has no end where nobody can stop the process, and leaves errors as they are', async () => {
  expect(await patienceOf(undefined).of(wait(10, 'it'))).toBe('it');
  const error = new Error('refused');
  await expect(patienceOf(new AbortController().signal).of(Promise.reject(error))).rejects.toBe(error);
});
