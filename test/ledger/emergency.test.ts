/** An outcome that no commit would take is not lost: it waits beside the ledger and is applied at the next start. */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutId } from '../../src/domain/payouts/instruction.ts';
import { bodyOf } from '../../src/ledger/codec-json.ts';
import { applyEmergencies, EmergencyFile } from '../../src/ledger/emergency.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { q } from '../../src/ledger/sql.ts';
import { batchOf, eventsTo, moved, row, walkedTo } from '../builders/ledger-batches.ts';
import { evidence, NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import { openAt } from './ledger-files.ts';
import { batchIn, payoutAt, payoutsIn } from './new-ledgers.ts';

let folder: string;
let path: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-emergency-'));
  path = join(folder, 'ledger.db');
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quiet = () => ({ ...THIS_MACHINE, say: (line: string) => void said.push(line) });

async function inFlight() {
  const opened = await openAt(path, { machine: quiet() });
  const { ledger } = opened;
  const id = await batchOf(opened.ledger, [row(1), row(2)]);
  const [first, second] = await payoutsIn(opened, id);
  if (first === undefined || second === undefined) throw new TypeError('There are two rows');
  const payout = await walkedTo(ledger, first, 'sending');
  const accept = eventsTo('accepted', payout, ledger).at(-1);
  if (accept?.kind !== 'accept') throw new TypeError('accept is the last event');
  return { ledger, payout, other: second, accept };
}

async function afterRestart(id: PayoutId) {
  const opened = await openAt(path, { machine: quiet() });
  const payout = await payoutAt(opened, id);
  if (payout === undefined) throw new TypeError('It is there');
  const rows = await opened.parts.read.all(q`SELECT kind, at, body, personal, seal FROM journal
    WHERE kind IN ('note:emergency_not_applied','note:incident') ORDER BY seq`);
  expect((await opened.ledger.verify()).problems).toEqual([]);
  await opened.ledger.close();
  const notes = rows.map((each) => ({ kind: each['kind'], body: bodyOf(each) }));
  return { payout, notes };
}

it('takes the space for it in advance, for the owner alone', async () => {
  const { ledger } = await inFlight();
  const { size, mode, blocks } = statSync(`${path}.emergency`);
  expect([size, (mode & 0o777).toString(8)]).toEqual([1_048_576, '600']);
  expect(blocks * 512).toBeGreaterThanOrEqual(1_048_576);
  await ledger.close();
});

it('makes an accepted transfer accepted at the next start, with the id of the transfer', async () => {
  const { ledger, payout, accept } = await inFlight();
  ledger.emergency(payout.id, 1, { ...accept, evidence: evidence({ fragment: 'x'.repeat(4_096) }) });
  await ledger.close();
  const { payout: now, notes } = await afterRestart(payout.id);
  expect(now.state).toMatchObject({ status: 'accepted', transferId: accept.transferId });
  expect(notes).toEqual([]);
  expect((await afterRestart(payout.id)).payout.version).toBe(now.version);
});

it('makes it accepted even when recovery has put it in doubt meanwhile', async () => {
  const { ledger, payout, accept } = await inFlight();
  ledger.emergency(payout.id, 1, accept);
  await moved(ledger, payout, { kind: 'recover', at: NOW });
  await ledger.close();
  expect((await afterRestart(payout.id)).payout.state.status).toBe('accepted');
});

it('never applies the outcome of another attempt; a person finds it as a note', async () => {
  const { ledger, payout, accept } = await inFlight();
  ledger.emergency(payout.id, 7, { ...accept, evidence: evidence({ attempt: 7 }) });
  await ledger.close();
  const { payout: now, notes } = await afterRestart(payout.id);
  expect(now.state.status).toBe('sending');
  expect(notes[0]).toMatchObject({ body: { payout: payout.id, event: 'accept' } });
});

it('never gives the id of another payout’s transfer away, and goes on with the others', async () => {
  const { ledger, payout, other, accept } = await inFlight();
  await walkedTo(ledger, other, 'accepted');
  ledger.emergency(payout.id, 1, { ...accept, transferId: `tr-${other.id}` as never });
  await ledger.close();
  expect((await afterRestart(payout.id)).payout.state.status).toBe('sending');
});

it('passes over a line that was cut short', async () => {
  const { ledger, payout } = await inFlight();
  await ledger.close();
  const line = JSON.stringify({ ledger: ledger.identity.id, payout: payout.id, kind: 'accept', at: NOW });
  writeFileSync(`${path}.emergency`, line.slice(0, 40));
  expect((await afterRestart(payout.id)).payout.state.status).toBe('sending');
});

it('says it on stderr in one line for machines, and does not throw where the file cannot be written', async () => {
  const { ledger, payout, accept } = await inFlight();
  await ledger.close();
  rmSync(`${path}.emergency`);
  mkdirSync(`${path}.emergency`);
  const again = await openAt(path, { machine: quiet() });
  again.ledger.emergency(payout.id, 1, accept);
  await again.ledger.close();
  const [line = ''] = said;
  expect(line).toMatch(/^payfile-emergency \{[^\n]*\}\n$/);
  const told = JSON.parse(line.slice('payfile-emergency '.length));
  expect(told).toMatchObject({ payout: payout.id, attempt: 1, kind: 'accept', ledger: ledger.identity.id });
  expect(told).toMatchObject({ ...ledger.writer });
  expect(JSON.parse(told.body)).toMatchObject({ transferId: `tr-${payout.id}` });
});

it('writes nothing once it is closed, and still says the outcome', () => {
  const file = new EmergencyFile(`${path}.emergency`, 'L', quiet());
  file.close();
  // It gets the number of the file that was closed.
  const other = openSync(path, 'wx+');
  file.write('1' as PayoutId, 1, { kind: 'recover', at: NOW });
  expect(file.entries()).toEqual([]);
  file.close();
  expect(fstatSync(other).size).toBe(0);
  closeSync(other);
  expect(said).toMatchObject([expect.stringContaining('payfile-emergency {"ledger":"L","payout":"1"')]);
});

it('keeps what another process writes while it is being cleared', async () => {
  const { ledger, payout, accept } = await inFlight();
  await ledger.close();
  const [file, other] = [1, 2].map(
    () => new EmergencyFile(`${path}.emergency`, ledger.identity.id, quiet()),
  ) as [EmergencyFile, EmergencyFile];
  expect(file.entries()).toEqual([]);
  other.write(payout.id, 1, accept);
  file.clear();
  expect(file.entries()).toHaveLength(1);
  file.clear();
  expect(file.entries()).toEqual([]);
  file.close();
  other.close();
});

describe('a line that is older than the request on the wire', () => {
  const notSent = { kind: 'not_sent', phase: 'write', reason: 'connection reset', at: NOW } as const;
  /** Attempt 1 was not sent; attempt 2 is on the wire. */
  async function onSecondAttempt() {
    const { ledger, payout, accept } = await inFlight();
    const sender = { ...ledger.writer, patienceMs: 120_000 };
    const begin = { kind: 'begin_attempt', attempt: 2, bodyDigest: 'd', sender, at: NOW } as const;
    return { ledger, payout: await moved(ledger, payout, notSent, begin), accept };
  }

  it('never makes a row payable', async () => {
    const { ledger, payout } = await onSecondAttempt();
    ledger.emergency(payout.id, 1, notSent);
    await ledger.close();
    const { payout: now, notes } = await afterRestart(payout.id);
    expect([now.state.status, notes.length]).toEqual(['sending', 1]);
  });

  it('never makes a row payable when another process wrote it, whatever number its attempt has', async () => {
    const { ledger, payout } = await inFlight();
    await ledger.close();
    const machine = { ...quiet(), processStart: () => 'an earlier start' };
    const other = new EmergencyFile(`${path}.emergency`, ledger.identity.id, machine);
    other.write(payout.id, 1, notSent);
    other.close();
    const { payout: now, notes } = await afterRestart(payout.id);
    expect(now.state.status).toBe('sending');
    expect(notes).toMatchObject([{ body: { event: 'not_sent', attempt: 1 } }]);
  });

  it('makes a row payable when it is about the very request that the intent stands for', async () => {
    const { ledger, payout } = await onSecondAttempt();
    ledger.emergency(payout.id, 2, notSent);
    await ledger.close();
    expect((await afterRestart(payout.id)).payout.state.status).toBe('approved');
  });

  it('is an incident when it is an acceptance: the row may be paid twice', async () => {
    const { ledger, payout, accept } = await onSecondAttempt();
    ledger.emergency(payout.id, 1, accept);
    await ledger.close();
    const { payout: now, notes } = await afterRestart(payout.id);
    expect(now.state.status).toBe('sending');
    const what = `an earlier request for it was accepted as transfer ${accept.transferId}; the answer was found only now`;
    expect(notes).toContainEqual({ kind: 'note:incident', body: { payout: payout.id, row: 2, what } });
  });

  it('holds a row that would go out again although the service has an earlier request of it', async () => {
    const { ledger, payout, accept } = await inFlight();
    await moved(ledger, payout, notSent);
    ledger.emergency(payout.id, 1, accept);
    await ledger.close();
    const text = `The service accepted an earlier request for this row as transfer ${accept.transferId}`;
    expect((await afterRestart(payout.id)).payout.state).toMatchObject({
      status: 'held',
      reasons: [{ text }],
    });
  });
});

onBoth((place) => {
  it('applies each outcome by itself: one that another payout has does not keep the next from its own', async () => {
    const opened = await (await place()).open();
    const { ledger, parts } = opened;
    const id = await batchIn(opened, [row(1), row(2), row(3)]);
    const [first, second, third] = await payoutsIn(opened, id);
    if (first === undefined || second === undefined || third === undefined)
      throw new TypeError('There are three rows');
    await walkedTo(ledger, third, 'accepted');
    const file = new EmergencyFile(`${path}.emergency`, ledger.identity.id, quiet());
    for (const payout of [first, second]) {
      const sending = await walkedTo(ledger, payout, 'sending');
      const accept = eventsTo('accepted', sending, ledger).at(-1);
      if (accept?.kind !== 'accept') throw new TypeError('accept is the last event');
      const transferId = payout === first ? (`tr-${third.id}` as never) : accept.transferId;
      file.write(payout.id, 1, { ...accept, transferId });
    }
    expect(await applyEmergencies(parts, file)).toBe(1);
    const now = await Promise.all([first, second].map(({ id: each }) => payoutAt(opened, each)));
    expect(now.map((payout) => payout?.state.status)).toEqual(['sending', 'accepted']);
    expect(file.entries()).toEqual([]);
    file.close();
  });
});
