/**
 * A transfer whose answer comes after the patience has run out: in doubt at once, and cleared by nothing but a
 * whole, well framed acceptance on the same connection.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { SendOutcome } from '../../src/ports/payment-service.ts';
import type { HttpPaymentServiceSettings } from '../../src/service/http-payment-service.ts';
import type { Fault } from '../fakes/fault-server/fault.ts';
import { type FaultServer, startFaultServer } from '../fakes/fault-server/server.ts';
import { json } from '../fakes/scripted-service.ts';
import { aClient, sendOnce } from '../service/a-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** So much later than the patience that a busy machine cannot turn their order round. */
const LATE_MS = 700;
const PATIENCE = { postTimeoutMs: 60, lateAnswerMs: 2_000, openAhead: 0 };

async function sendWith(fault: Fault, settings: Partial<HttpPaymentServiceSettings> = {}) {
  const server = await startFaultServer({ next: () => fault });
  const { service, log } = aClient(server, { ...PATIENCE, ...settings });
  closing.push(
    () => service.close(),
    () => server.close(),
  );
  const outcome = await sendOnce(service);
  return { server, service, log, outcome };
}

function lateOf(outcome: SendOutcome) {
  if (outcome.kind !== 'in_doubt') throw new Error(`${outcome.kind}, not in doubt`);
  if (outcome.late === undefined) throw new Error('nobody listens for a late answer');
  return outcome.late.answer;
}

describe('an answer that is late', () => {
  it('[N13] ends the doubt when it is an acceptance, with evidence of its own', async () => {
    const { server, outcome } = await sendWith({ executes: true, delayMs: LATE_MS });
    expect(outcome).toMatchObject({
      kind: 'in_doubt',
      reason: 'no_answer',
      evidence: { errorCode: 'timeout' },
    });
    expect(outcome).not.toHaveProperty('evidence.httpStatus');
    const accepted = await lateOf(outcome);
    expect(accepted).toMatchObject({
      kind: 'accepted',
      transferId: 'tr-1',
      evidence: { phase: 'answer', attempt: 1 },
    });
    if (accepted === undefined || outcome.kind !== 'in_doubt') return;
    expect(accepted.evidence.startedAt).toBe(outcome.evidence.startedAt);
    expect(accepted.evidence.endedAt - outcome.evidence.endedAt).toBeGreaterThan(50);
    expect(server.book.posts).toHaveLength(1);
  });

  it('[N13][N14] ends it too when it had begun in time', async () => {
    const halfThenRest = { executes: true, rest: { fromByte: 120, afterMs: 900 } };
    const { outcome } = await sendWith(halfThenRest, { postTimeoutMs: 300 });
    expect(outcome).toMatchObject({ reason: 'answer_incomplete', evidence: { phase: 'answer' } });
    expect(await lateOf(outcome)).toMatchObject({ kind: 'accepted', transferId: 'tr-1' });
  });

  it.each<[string, Fault]>([
    ['a refusal', { executes: false, answer: () => json(400, '{"status":"failed","data":{},"code":7}') }],
    ['cut off', { executes: true, breakAnswer: { atByte: 150, by: 'end' } }],
    [
      'without a frame',
      {
        executes: true,
        answer: () => 'HTTP/1.1 200 OK\r\n\r\n{"status":"success","data":{"id":"tr-1"},"code":0}',
        breakAnswer: { atByte: 1_000, by: 'end' },
      },
    ],
    [
      'contradictory',
      { executes: true, answer: () => json(200, '{"status":"success","data":{"id":"tr-1"},"code":3}') },
    ],
  ])('[N13] changes nothing when it is %s', async (_what, fault) => {
    const { outcome, server } = await sendWith({ ...fault, delayMs: LATE_MS });
    expect(outcome.kind).toBe('in_doubt');
    expect(await lateOf(outcome)).toBeUndefined();
    expect(server.book.posts).toHaveLength(1);
  });

  it('is waited for no longer than allowed', async () => {
    const { outcome } = await sendWith({ executes: true, delayMs: 1_500 }, { lateAnswerMs: 100 });
    expect(await lateOf(outcome)).toBeUndefined();
  });

  it('is not waited for once the client is closed, nor when nobody may wait', async () => {
    const { outcome, service } = await sendWith({ executes: true, delayMs: 5_000 });
    await service.close();
    expect(await lateOf(outcome)).toBeUndefined();
    const { outcome: other } = await sendWith({ executes: true, delayMs: 300 }, { lateAnswerMs: 0 });
    expect(other.kind).toBe('in_doubt');
    expect(other).not.toHaveProperty('late');
  });

  it('is not waited for once the listening was stopped, and its connection is closed', async () => {
    const { outcome, server } = await sendWith({ executes: true, delayMs: 5_000 });
    if (outcome.kind !== 'in_doubt' || outcome.late === undefined) throw new Error('nobody listens');
    outcome.late.stop();
    expect(await outcome.late.answer).toBeUndefined();
    await expect.poll(() => openTransfers(server)).toBe(0);
  });

  it('keeps no connection open after it was heard or given up', async () => {
    const { outcome, server } = await sendWith({ executes: true, delayMs: LATE_MS });
    await lateOf(outcome);
    await expect.poll(() => openTransfers(server)).toBe(0);
  });

  it('cannot be hoped for when the connection is gone', async () => {
    const gone: Fault = { executes: true, answer: () => '', breakAnswer: { atByte: 0, by: 'end' } };
    const { outcome } = await sendWith(gone, { postTimeoutMs: 5_000 });
    expect(outcome).toMatchObject({ kind: 'in_doubt', evidence: { errorCode: 'ECONNRESET' } });
    expect(outcome).not.toHaveProperty('late');
  });
});

/** Connections other than the kept one over which we logged in. */
function openTransfers(server: FaultServer): number {
  return Math.max(0, server.open() - 1);
}
