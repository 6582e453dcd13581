/** What a second signal says and waits for, where this process pays and where workers do. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StopSignal } from '../../src/cli/process-context.ts';
import { listenForStop } from '../../src/cli/terminal/stopping.ts';
import type { InFlight } from '../../src/payfile.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call that is stopped by signals; `flight`: what is on the wire. */
function aCall(flight: InFlight) {
  const [stderr, ends] = [new PassThrough(), [] as number[]];
  let receive: (name: StopSignal) => void = () => undefined;
  const stopping = listenForStop({
    stderr,
    exit: (code) => void ends.push(code),
    onSignal(signaled) {
      receive = signaled;
      return () => undefined;
    },
    onBug: () => () => undefined,
  });
  const call = {
    flight,
    ends,
    said: () => String(stderr.read() ?? '').trim(),
    interrupt: () => receive('SIGINT'),
  };
  stopping.countInFlight(() => call.flight);
  stopping.setNextCommand((goesOn) => `payfile ${goesOn ? 'pause' : 'status'} may`);
  return call;
}

it.each([
  [0, 'No row was in flight.'],
  [1, '1 row left in flight: it will be in doubt.'],
  [3, '3 rows left in flight: they will be in doubt.'],
])('a second Ctrl-C ends at once and says that %s rows of this process are in flight', (rows, text) => {
  const call = aCall({ rows, workers: undefined });
  call.interrupt();
  expect(call.ends).toEqual([]);
  call.interrupt();
  expect(call.ends).toEqual([130]);
  expect(call.said()).toBe(`Stopped at once. ${text}\nNext: payfile status may`);
});

it('a second Ctrl-C waits until the workers are told, and says how many rows they may have in flight', () => {
  const call = aCall({ rows: 0, workers: 'at_work' });
  call.interrupt();
  call.interrupt();
  vi.advanceTimersByTime(1_000);
  expect(call.ends).toEqual([]);
  call.flight = { rows: 12, workers: 'stopped' };
  vi.advanceTimersByTime(20);
  expect(call.ends).toEqual([130]);
  expect(call.said()).toBe(
    'Stopped at once. The workers start no new transfer. At most 12 rows were in flight. They record the outcomes.\nNext: payfile status may',
  );
});

it.each(['a third Ctrl-C', 'five seconds'])('says after %s that the workers may send more', (what) => {
  const call = aCall({ rows: 0, workers: 'at_work' });
  call.interrupt();
  call.interrupt();
  if (what === 'a third Ctrl-C') call.interrupt();
  else vi.advanceTimersByTime(5_100);
  expect(call.ends).toEqual([130]);
  expect(call.said()).toBe(
    'Stopped at once. The ledger did not record the stop for the workers. They may send more rows.\nNext: payfile pause may',
  );
});
