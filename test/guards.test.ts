/** Promises that no other test shows. Mutation testing found each of them. */
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatStamp } from '../src/contract/wire-date.ts';
import { formatTimestamp, timestampOf } from '../src/domain/timestamp.ts';
import { reportBatch } from '../src/use-cases/report/report-batch.ts';
import { recoverBatch } from '../src/use-cases/send/recover-batch.ts';
import {
  again,
  approvalOf,
  batchOf,
  eventsTo,
  moved,
  only,
  row,
  walkedTo,
} from './builders/ledger-batches.ts';
import { someRows } from './builders/payout-file.ts';
import { anEvent, NOW } from './builders/payouts.ts';
import { aHeader, inPages, ledgerTotalsOf, NOTHING_KEPT, rowsIn } from './builders/report-rows.ts';
import { aWorkplace, HOLDER } from './builders/workplace.ts';
import { createJumpingClock } from './fakes/jumping-clock.ts';
import { envelope, json, session, startScriptedService } from './fakes/scripted-service.ts';
import { buildZip, workbookParts } from './files/build-zip.ts';
import { readBytes, refusal } from './files/read-file.ts';
import { openAtPlace as openAt } from './ledger/contract-ledgers.ts';
import { aClient, anOrder, letLogIn, sendOnce, TOKEN } from './service/a-client.ts';

describe('a transfer', () => {
  it('asks for an answer that is not compressed', async () => {
    const scripted = await startScriptedService();
    letLogIn(scripted);
    scripted.on('POST /v1/transfer', json(200, envelope('success', 0, { id: 'tr_1' })));
    const { service } = aClient(scripted);
    expect((await sendOnce(service)).kind).toBe('accepted');
    expect(scripted.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
    await service.close();
    await scripted.close();
  });

  it('leaves nothing on a connection that was prepared more than two seconds ago', async () => {
    const scripted = await startScriptedService();
    letLogIn(scripted);
    const clock = createJumpingClock();
    const { service } = aClient(scripted, {}, clock);
    const prepared = await service.prepareSend();
    if (prepared.kind !== 'prepared') throw new TypeError('the service is there');
    clock.advance(3_000);
    expect(await service.send(anOrder(), prepared)).toMatchObject({ kind: 'not_sent' });
    expect(scripted.count('POST /v1/transfer')).toBe(0);
    await service.close();
    await scripted.close();
  });

  it('[T6] renews a token although the wall clock was set back', async () => {
    const scripted = await startScriptedService();
    const clock = createJumpingClock();
    const grant = session(TOKEN, formatStamp(clock.now() + 1_800_000, 0));
    scripted.on('POST /auth/login', grant);
    scripted.on('GET /v1/profile', json(200, envelope('success', 0, {})));
    const { service } = aClient(scripted, {}, clock);
    await service.profile();
    clock.setWallForward(-24 * 3_600_000);
    clock.advance(29 * 60_000);
    await service.profile();
    expect(scripted.count('POST /auth/login')).toBe(2);
    await service.close();
    await scripted.close();
  });
});

describe('a ledger file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'payfile-guards-'));
    path = join(folder, 'ledger.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The databases that are opened while `work` runs, and what is done to each statement on its way. */
  async function watched<Result>(
    work: (opened: ReadonlySet<DatabaseSync>) => Promise<Result>,
    onExec: (sql: string) => void = () => undefined,
  ): Promise<Result> {
    const opened = new Set<DatabaseSync>();
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function watchedExec(this: DatabaseSync, sql: string) {
      opened.add(this);
      onExec(sql);
      exec.call(this, sql);
    };
    try {
      return await work(opened);
    } finally {
      DatabaseSync.prototype.exec = exec;
    }
  }

  const pragma = (db: DatabaseSync, name: string) =>
    Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {}).map(String)[0];

  it('[L16][L30] waits for the disk with every commit', async () => {
    await (await openAt(path)).close();
    await watched(async (opened) => {
      const ledger = await openAt(path);
      // One that writes, and those that read.
      expect(opened.size).toBeGreaterThan(0);
      for (const db of opened) {
        const names = ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync', 'foreign_keys'];
        expect(names.map((name) => pragma(db, name))).toEqual(['wal', '2', '1', '1', '1']);
      }
      await ledger.close();
    });
  });

  it('[L17] writes nothing more after the disk reported an error', async () => {
    const ledger = await openAt(path);
    const id = await batchOf(ledger, [row(1)]);
    let isBad = true;
    const failOnce = (sql: string) => {
      if (sql !== 'COMMIT' || !isBad) return;
      isBad = false;
      throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    };
    await watched(async () => {
      await expect(ledger.note(id, 'four_eyes', { by: 'one' }, NOW)).rejects.toMatchObject({
        code: 'ledger_unwritable',
      });
      await expect(ledger.note(id, 'four_eyes', { by: 'two' }, NOW)).rejects.toMatchObject({
        code: 'ledger_unwritable',
      });
    }, failOnce);
    expect(await ledger.notes(id, 'four_eyes')).toEqual([]);
    await ledger.close().catch(() => undefined);
  });

  it('[T12] shows the events of a payout in order, in UTC, although the clock was set back meanwhile', async () => {
    const ledger = await openAt(path);
    const payout = await only(ledger, await batchOf(ledger, [row(1)]), 2);
    const quoted = await moved(ledger, payout, { ...anEvent('price'), at: NOW });
    const earlier = timestampOf(NOW - 3_600_000);
    await moved(ledger, quoted, approvalOf(quoted, ledger, { at: earlier }));
    const story = (await ledger.journalOf(payout.id)).map(({ kind }) => kind);
    expect(story).toEqual(['imported', 'price', 'approve']);
    await ledger.close();
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Africa/Nairobi';
    try {
      expect(formatTimestamp(NOW)).toBe('2026-05-25T06:15:00.000Z');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('[B6] knows a settled payment again without its reference, and tells apart one with another', async () => {
    const ledger = await openAt(path);
    const alone = async (changes: Parameters<typeof row>[1]) =>
      only(ledger, await batchOf(ledger, [row(1, changes)]), 2);
    await walkedTo(ledger, await alone({}), 'settled');
    const without = await alone({ reference: undefined });
    const found = [{ isSamePayment: true, pointer: { status: 'settled' } }];
    expect(await ledger.repeatsOf(without.id)).toMatchObject(found);
    // A written reference of its own tells two payments apart.
    expect(await ledger.repeatsOf((await alone({ reference: 'ANOTHER' })).id)).toEqual([]);
    await ledger.close();
  });

  it('is sent by no later run once a person paused it, until it is resumed', async () => {
    const place = await aWorkplace();
    const batch = await place.approved(someRows(2));
    await place.ledger.pause(batch, { reason: 'wait for the bank', by: 'ben', at: place.clock.now() });
    expect((await place.send(batch)).stop).toEqual({ kind: 'paused', reason: 'wait for the bank' });
    expect(await place.stand(batch)).toEqual({ approved: 2 });
    await place.ledger.resume(batch, 'ben', place.clock.now());
    await place.send(batch);
    expect(await place.stand(batch)).toEqual({ accepted: 2 });
  });

  it.each([
    'DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)',
    'UPDATE journal SET at = 0',
    'DELETE FROM commits WHERE seq = (SELECT max(seq) FROM commits)',
  ])('finds that the journal is not as it was written: %s', async (sql) => {
    const ledger = await openAt(path);
    await batchOf(ledger, [row(1)]);
    await ledger.close();
    const raw = new DatabaseSync(path);
    raw.exec(sql);
    raw.close();
    const again = await openAt(path);
    expect((await again.verify()).problems.length).toBeGreaterThan(0);
    await again.close();
  });

  it('[L5][L6] puts a row that a dead process had on the wire in doubt, and never back among those to send', async () => {
    const dead = { pid: 4_194_303, host: hostname(), user: 'ama', command: 'payfile run' };
    const first = await openAt(path);
    const batch = await batchOf(first, [row(1)]);
    expect((await first.lease(batch, dead)).kind).toBe('leased');
    const onWire = await walkedTo(first, await only(first, batch, 2), 'sending');
    // The first one is not closed: a process that dies gives nothing back.
    const next = await openAt(path);
    expect(await next.lease(batch, { ...dead, pid: process.pid })).toMatchObject({ tookOver: true });
    expect((await again(next, onWire.id)).state.status).toBe('sending');
    const { world } = await aWorkplace();
    expect(await recoverBatch(batch, HOLDER, { ...world, ledger: next })).toBe(1);
    expect((await again(next, onWire.id)).state).toMatchObject({ status: 'in_doubt', reason: 'crash' });
    await next.close();
    await first.close();
  });

  it('[L12] has an outcome in the emergency file even when the process is ended at once', async () => {
    const ledger = await openAt(path);
    const id = await batchOf(ledger, [row(1)]);
    const payout = await walkedTo(ledger, await only(ledger, id, 2), 'sending');
    const accept = eventsTo('accepted', payout, ledger).at(-1);
    if (accept?.kind !== 'accept') throw new TypeError('accept is the last event');
    const { fsyncSync } = fs;
    let synced = 0;
    fs.fsyncSync = (file) => {
      synced += 1;
      fsyncSync(file);
    };
    syncBuiltinESMExports();
    ledger.emergency(payout.id, payout.attempts, accept);
    const written = readFileSync(`${path}.emergency`, 'latin1');
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
    expect(written).toContain(accept.transferId);
    expect(synced, 'times that the line was forced to the disk').toBe(1);
    await ledger.close();
  });
});

describe('a report', () => {
  it('reports what the ledger holds now, not what it held before', async () => {
    let rows = rowsIn('approved', 'approved');
    const ports = {
      ledger: {
        ...NOTHING_KEPT,
        reportRows: () => inPages(rows),
        totals: async () => ledgerTotalsOf(rows),
      },
      openSink: () => Promise.reject(new TypeError('nobody asked for a file')),
    };
    const before = await reportBatch(aHeader(), ports, { target: undefined });
    expect(before.totals.counts).toMatchObject({ approved: 2 });
    rows = rowsIn('settled', 'in_doubt', 'settled');
    const after = await reportBatch(aHeader(), ports, { target: undefined });
    expect(after).toMatchObject({ totals: { linesOut: 3, ties: true }, outcome: { exitCode: 5 } });
    expect(after.totals.counts).toMatchObject({ settled: 2, in_doubt: 1 });
  });
});

describe('a CSV file', () => {
  it('[F26] keeps a row of which only the first cell is empty', async () => {
    const { rows } = await readBytes(
      'Reference,Country,Institution,Account,Amount\n,Ghana,GCB Bank,0123,5\n,,,,\n',
    );
    expect(rows).toMatchObject([{ rowNumber: 2, cells: ['', 'Ghana', 'GCB Bank', '0123', '5'] }]);
  });
});

describe('a file', () => {
  it('[F31] has a name that cannot control a terminal', async () => {
    const name = 'may\n\u001b[31m\u202e;rm -rf ~.csv';
    const said = await refusal('', { name });
    expect(said).toContain(';rm -rf ~.csv');
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('a workbook', () => {
  it('keeps a row in which nothing but a formula without a result stands', async () => {
    const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const header = ['Country', 'Institution', 'Account', 'Amount'].map(cell).join('');
    const broken = '<row><c r="D2"><f>B1*2</f></c></row>';
    const sheets = { May: `<sheetData><row>${header}</row>${broken}</sheetData>` };
    const { rows } = await readBytes(buildZip(workbookParts({ sheets })), { name: 'may.xlsx' });
    expect(rows).toMatchObject([{ rowNumber: 2, marks: [{ column: 3, kind: 'formula_without_value' }] }]);
  });
});
