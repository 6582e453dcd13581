/**
 * Machines whose clocks are wrong go by the clock of the ledger's server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { THIS_MACHINE } from '../../src/ledger/machine.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { run } from '../../src/operations/run.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import { createPayfile } from '../../src/payfile.ts';
import { batchOf, HOLDER, row } from '../builders/ledger-batches.ts';
import { aPostgres } from './a-postgres.ts';
import { SANDBOX } from './ledger-files.ts';

const DAY_MS = 86_400_000;
const NEAR_MS = 600_000;

const server = aPostgres();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-clock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const farFromNow = (at: number) => Math.abs(at - Date.now());

describe('a machine whose clock is a day ahead', () => {
  it('keeps its leases by the time of the server, and asks again after it was suspended', async () => {
    const measured: number[] = [];
    let wallMs = DAY_MS;
    const ownClock = { now: () => Date.now() + wallMs, monotonicMs: () => performance.now() };
    const setAheadMs = (ms: number) => measured.push(ms);
    // Without its timers, only the difference of the two clocks makes the ledger ask again.
    const machine = { ...THIS_MACHINE, every: () => () => undefined };
    const open = { place: server.place(), binding: SANDBOX, create: true, ownClock, setAheadMs, machine };
    const ledger = await openServerLedger(open);
    const first = await ledger.lease(await batchOf(ledger, [row(1)]), HOLDER);
    expect(measured.map((ms) => Math.round(ms / DAY_MS))).not.toContain(0);
    const before = measured.length;
    wallMs += 5_000;
    const second = await ledger.lease(await batchOf(ledger, [row(2)]), HOLDER);
    // Nothing waits for this answer: until it comes, the later of the two times counts.
    await vi.waitFor(() => expect(measured.length).toBeGreaterThan(before), { timeout: 10_000 });
    expect([first.kind, second.kind]).toEqual(['leased', 'leased']);
    for (const batch of await ledger.batches()) {
      const holder = await ledger.holderOf(batch.id);
      expect(farFromNow(holder?.since ?? 0)).toBeLessThan(NEAR_MS);
    }
    await ledger.close();
  });

  it('approves and sends by the time of the server, and doctor says so', async () => {
    const { schema, user, password = '', host, port, database } = server.place();
    const ledger = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
    const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
    const clock = { ...systemClock, now: () => timestampOf(Date.now() + DAY_MS) };
    const payfile = createPayfile(
      { sandbox: true, ledger, ledgerPassword: password, actor: 'ada', source: 'GB' },
      { env, clock },
    );
    const { batchEnd } = await payfile.call(run, {
      file: 'samples/suppliers.csv',
      batch: 'june',
      consent: async () => ({ kind: 'agreed', how: 'library' }),
    });
    expect(batchEnd?.outcome.sentence).toBe('12 payments: 12 settled');
    const { checks } = await payfile.machine.doctor();
    expect(checks).toContainEqual(
      expect.objectContaining({
        what: 'Clock',
        isGood: false,
        text: expect.stringMatching(/^is 86[34]\d\d(\.\d)? s ahead of the ledger’s server/),
      }),
    );
    await payfile.close();
    const place = { ...server.place(), schema };
    const reading = await openServerLedger({ place, binding: undefined, create: false, readOnly: true });
    const approvals = await reading.approvals();
    expect(approvals.length).toBeGreaterThan(0);
    for (const { at } of approvals) expect(farFromNow(at)).toBeLessThan(NEAR_MS);
    await reading.close();
  });
});
