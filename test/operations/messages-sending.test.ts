/** Why sending stopped: one sentence for each reason, for the terminal and the console. */
import { expect, it } from 'vitest';
import { IN_A_PROGRAM, input, textOf } from '../../src/domain/text/message.ts';
import type { Timestamp } from '../../src/domain/timestamp.ts';
import { stopPieces } from '../../src/operations/messages-sending.ts';

it('has a sentence for each reason, and none if all rows were sent', () => {
  const until = Date.UTC(2026, 4, 25, 6, 10) as Timestamp;
  const stops = [
    { kind: 'paused', reason: 'waiting for funds' },
    { kind: 'outage', reason: '503' },
    { kind: 'limited', until },
    { kind: 'canary', reason: 'row 2 failed' },
    { kind: 'over_debit', reason: 'the next row' },
    { kind: 'lease_lost', reason: 'Another process took over.' },
    { kind: 'interrupted' },
  ] as const;
  const said = (stop: (typeof stops)[number] | undefined, setAside: readonly string[] = []) => {
    const sent = { stop, setAside } as Parameters<typeof stopPieces>[0];
    const pieces = stopPieces(sent, ['send again with ', input('canary', '0')]);
    return pieces && textOf(pieces, IN_A_PROGRAM);
  };
  expect(stops.map((stop) => said(stop))).toMatchSnapshot();
  expect(stops.filter((stop) => said(stop) === undefined)).toEqual([]);
  expect(said(undefined, ['GCB Bank'])).toMatchSnapshot();
  expect(said(undefined)).toBeUndefined();
});
