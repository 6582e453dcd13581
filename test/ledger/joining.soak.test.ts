/**
 * Machines that join a ledger on a server by its id, and what the machines tell each other when the server was set back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenServerLedgerOptions, openServerLedger } from '../../src/ledger/server.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { batchOf, later, only, row, walkedTo } from '../builders/ledger-batches.ts';
import { TestServer } from '../builders/servers.ts';

const LIVE = { environment: 'live', baseUrl: 'https://pay.example', loginId: 'ama' } as const;

let server: TestServer;
let folder: string;
let place: ServerPlace;
beforeAll(async () => {
  server = await TestServer.made();
});
afterAll(() => server.remove());
let schemas = 0;
beforeEach(async () => {
  schemas += 1;
  place = server.place(`joining_${schemas}`);
  folder = mkdtempSync(join(tmpdir(), 'payfile-joining-'));
  await server.start();
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const listOf = (machine: string) => join(folder, machine, 'known-ledgers');

const openOn = (machine: string, options: Partial<OpenServerLedgerOptions> = {}) =>
  openServerLedger({ place, binding: LIVE, create: false, knownLedgersPath: listOf(machine), ...options });

async function refused(opening: Promise<Ledger>): Promise<unknown> {
  return opening.then(
    (ledger) => ledger.close(),
    (error: unknown) => error,
  );
}

async function work(ledger: Ledger, n: number): Promise<void> {
  const id = await batchOf(ledger, [row(n)], `batch ${n}`);
  await walkedTo(ledger, await only(ledger, id, n + 1), 'settled');
}

/** Machine “old” makes it and works with it. */
async function made(): Promise<string> {
  const ledger = await openOn('old', { create: true });
  await work(ledger, 1);
  await ledger.close();
  return ledger.identity.id;
}

describe('a machine that has never seen the ledger', () => {
  it('joins the one that its configuration names, unattended, and remembers it', async () => {
    const namedId = await made();
    expect(await refused(openOn('new'))).toMatchObject({ code: 'ledger_unknown' });
    expect(await refused(openOn('new', { namedId }))).toBeUndefined();
    expect(await refused(openOn('new'))).toBeUndefined();
  });

  it('opens no other one, not even to read, and makes none', async () => {
    await made();
    const other = { namedId: 'f'.repeat(32) };
    expect(await refused(openOn('old', other))).toMatchObject({ code: 'ledger_foreign' });
    expect(await refused(openOn('old', { ...other, readOnly: true }))).toMatchObject({
      code: 'ledger_foreign',
    });
    const empty = { ...other, place: { ...place, schema: 'empty' }, create: true };
    expect(await refused(openOn('old', empty))).toMatchObject({ code: 'ledger_missing' });
  });
});

describe('a server that was set back', () => {
  /** Machine “old” wrote more than the server has now. */
  async function setBack(): Promise<string> {
    const namedId = await made();
    await server.stop();
    server.copyData('older');
    await server.start();
    const ledger = await openOn('old');
    await work(ledger, 2);
    await ledger.close();
    await server.stop();
    server.putBack('older');
    await server.start();
    return namedId;
  }

  it('is found by a machine that wrote more, which pauses it for all; a new machine cannot see it', async () => {
    const joined = await openOn('new', { namedId: await setBack() });
    const id = await batchOf(joined, [row(5)], 'waiting');
    expect(await joined.batch(id)).not.toHaveProperty('pause.reason');
    for (let time = 0; time < 2; time += 1)
      expect(await refused(openOn('old'))).toMatchObject({ code: 'ledger_rolled_back' });
    expect((await joined.batch(id))?.pause?.reason).toContain('set back');
    const next = await batchOf(joined, [row(6)], 'new one');
    expect((await joined.batch(next))?.pause?.reason).toContain('set back');
    await joined.resumeAll('ama', later(0));
    expect(await refused(openOn('old'))).toMatchObject({ code: 'ledger_rolled_back' });
    expect((await joined.batch(id))?.pause).toBeUndefined();
    expect((await joined.verify()).problems).toEqual([]);
    await joined.close();
  });

  it('is found also when others have brought it as far again', async () => {
    const joined = await openOn('new', { namedId: await setBack() });
    for (const n of [11, 12, 13]) await work(joined, n);
    await joined.close();
    expect(await refused(openOn('old'))).toMatchObject({
      code: 'ledger_rolled_back',
      message: expect.stringContaining('is not the one seen on'),
    });
  });
});
