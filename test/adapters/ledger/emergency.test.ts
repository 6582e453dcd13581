/** An outcome that no commit would take is not lost: it waits beside the ledger and is applied at the next start. */
import { spawnSync } from 'node:child_process';
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
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmergencyFile } from '../../../src/adapters/ledger/storage/emergency.ts';
import { THIS_MACHINE } from '../../../src/adapters/ledger/storage/this-machine.ts';
import type { PayoutId } from '../../../src/domain/payouts/instruction.ts';
import { again, all, batchOf, eventsTo, moved, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { evidence, NOW } from '../../builders/payouts.ts';
import { openAt } from './ledger-files.ts';

const CHILD = fileURLToPath(new URL('./ledger-child.ts', import.meta.url));
const NODE = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-emergency-'));
  path = join(folder, 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function inFlight() {
  const ledger = await openAt(path);
  const id = await batchOf(ledger, [row(1), row(2)]);
  const payout = await walkedTo(ledger, await only(ledger, id, 2), 'sending');
  const accept = eventsTo('accepted', payout, ledger).at(-1);
  if (accept?.kind !== 'accept') throw new TypeError('accept is the last event');
  return { ledger, payout, accept };
}

async function afterRestart(id: PayoutId) {
  const ledger = await openAt(path);
  const payout = await again(ledger, id);
  const notes = await ledger.notes(payout.batchId, 'emergency_not_applied');
  expect((await ledger.verify()).problems).toEqual([]);
  await ledger.close();
  return { payout, notes };
}

it('[L18] takes the space for it in advance, for the owner alone', async () => {
  const { ledger } = await inFlight();
  const { size, mode, blocks } = statSync(`${path}.emergency`);
  expect([size, (mode & 0o777).toString(8)]).toEqual([1_048_576, '600']);
  expect(blocks * 512).toBeGreaterThanOrEqual(1_048_576);
  await ledger.close();
});

it('[L7][L18] makes an accepted transfer accepted at the next start, with the id of the transfer', async () => {
  const { ledger, payout, accept } = await inFlight();
  ledger.emergency(payout.id, 1, { ...accept, evidence: evidence({ fragment: 'x'.repeat(4_096) }) });
  await ledger.close();
  const { payout: now, notes } = await afterRestart(payout.id);
  expect(now.state).toMatchObject({ status: 'accepted', transferId: accept.transferId });
  expect(notes).toEqual([]);
  expect((await afterRestart(payout.id)).payout.version).toBe(now.version);
});

it('writes nothing once it is closed, and still says the outcome', () => {
  const told: string[] = [];
  const machine = { ...THIS_MACHINE, say: (line: string) => told.push(line) };
  const file = new EmergencyFile(`${path}.emergency`, 'L', { machine });
  file.close();
  // It gets the number of the file that was closed.
  const other = openSync(path, 'wx+');
  file.write('1' as PayoutId, 1, { kind: 'recover', at: NOW });
  expect(file.entries()).toEqual([]);
  file.close();
  expect(fstatSync(other).size).toBe(0);
  closeSync(other);
  expect(told).toMatchObject([expect.stringContaining('payfile-emergency {"ledger":"L","payout":"1"')]);
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
  expect(notes).toMatchObject([{ body: { payout: payout.id, event: 'accept' } }]);
});

it('never gives the id of another payout’s transfer away', async () => {
  const { ledger, payout, accept } = await inFlight();
  const other = (await all(ledger, payout.batchId))[1];
  if (other === undefined) throw new TypeError('There is a second row');
  await walkedTo(ledger, other, 'accepted');
  ledger.emergency(payout.id, 1, { ...accept, transferId: `tr-${other.id}` as never });
  await ledger.close();
  expect((await afterRestart(payout.id)).payout.state.status).toBe('sending');
});

it('passes over a line that was cut short', async () => {
  const { ledger, payout, accept } = await inFlight();
  await ledger.close();
  const line = JSON.stringify({ ledger: ledger.identity.id, payout: payout.id, kind: 'accept', at: NOW });
  writeFileSync(`${path}.emergency`, line.slice(0, 40));
  expect((await afterRestart(payout.id)).payout.state.status).toBe('sending');
  expect(accept.kind).toBe('accept');
});

it('[L19] says it on stderr in one line for machines, and does not throw where the file cannot be written', async () => {
  const { ledger, payout } = await inFlight();
  await ledger.close();
  rmSync(`${path}.emergency`);
  mkdirSync(`${path}.emergency`);
  const child = spawnSync(NODE, [CHILD, 'emergency', path, payout.id], { encoding: 'utf8' });
  expect(child.status).toBe(0);
  const [line = ''] = child.stderr.split('\n');
  expect(line.startsWith('payfile-emergency {')).toBe(true);
  const said = JSON.parse(line.slice('payfile-emergency '.length));
  expect(said).toMatchObject({ payout: payout.id, attempt: 1, kind: 'accept', ledger: ledger.identity.id });
  expect(said).toMatchObject({ pid: child.pid, host: ledger.writer.host });
  expect(typeof said.started).toBe(typeof ledger.writer.started);
  expect(JSON.parse(said.body)).toMatchObject({ transferId: `tr-${payout.id}` });
});

it('[L18] keeps what another process writes while it is being cleared', async () => {
  const { ledger, payout, accept } = await inFlight();
  const { id } = ledger.identity;
  await ledger.close();
  const options = { machine: { ...THIS_MACHINE, say: () => undefined } };
  const file = new EmergencyFile(`${path}.emergency`, id, options);
  const other = new EmergencyFile(`${path}.emergency`, id, options);
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
    expect(now.state.status).toBe('sending');
    expect(notes).toHaveLength(1);
  });

  it('never makes a row payable when another process wrote it, whatever number its attempt has', async () => {
    const { ledger, payout } = await inFlight();
    const { id } = ledger.identity;
    await ledger.close();
    const machine = { ...THIS_MACHINE, processStart: () => 'an earlier start', say: () => undefined };
    const other = new EmergencyFile(`${path}.emergency`, id, { machine });
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
    expect((await afterRestart(payout.id)).payout.state.status).toBe('sending');
    const opened = await openAt(path);
    const what = `an earlier request for it was accepted as transfer ${accept.transferId}; the answer was found only now`;
    expect(await opened.notes(payout.batchId, 'incident')).toMatchObject([{ body: { row: 2, what } }]);
    await opened.close();
  });

  it('holds a row that would go out again although the service has an earlier request of it', async () => {
    const { ledger, payout, accept } = await inFlight();
    await moved(ledger, payout, notSent);
    ledger.emergency(payout.id, 1, accept);
    await ledger.close();
    expect((await afterRestart(payout.id)).payout.state).toMatchObject({
      status: 'held',
      reasons: [
        { text: `The service accepted an earlier request for this row as transfer ${accept.transferId}` },
      ],
    });
  });
});
