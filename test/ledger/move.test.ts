/** A ledger goes from a file to a server once, with all that it has; at every instant at most one of the two is the ledger. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openFileToMove } from '../../src/ledger/file.ts';
import { beginMove } from '../../src/ledger/move.ts';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { connectPg } from '../../src/ledger/pg-connection.ts';
import { FORMAT } from '../../src/ledger/schema.ts';
import { openServerLedger } from '../../src/ledger/server.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { invalidRow, row } from '../builders/ledger-batches.ts';
import { ownDatabase } from '../builders/postgres.ts';
import type { RunningPostgres } from '../builders/servers.ts';
import { LIVE, openAt, refusal, workedIn } from './ledger-files.ts';
import { batchIn } from './new-ledgers.ts';

const CLOCK = { now: () => timestampOf(Date.now()) };
let server: RunningPostgres;
let places = 0;
let [folder, path, known] = ['', '', ''];
let place: ServerPlace;
beforeAll(async () => {
  server = await ownDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  places += 1;
  place = { ...server.place, schema: `moved_${places}` };
  folder = mkdtempSync(join(tmpdir(), 'payfile-move-'));
  [path, known] = [join(folder, 'ledger.db'), join(folder, 'known')];
  const opened = await openAt(path, { binding: LIVE, knownLedgersPath: known });
  await workedIn(opened);
  await batchIn(opened, [{ ...row(91), cells: ['a\tb', 'c\\d\n', 'é'] }, invalidRow(92)], 'june');
  await opened.ledger.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = () => ({ path, binding: LIVE, create: false, clock: CLOCK, knownLedgersPath: known });
const onServer = (): Promise<Ledger> =>
  openServerLedger({ place, binding: LIVE, create: false, knownLedgersPath: known });
const begun = async () =>
  beginMove({ file: await openFileToMove(options()), place, clock: CLOCK, open: onServer });

async function exec(words: string) {
  const client = await connectPg(place);
  return client.query(words).finally(() => client.end());
}

async function problemsThere(ledger: Ledger) {
  const db = pgDatabase({ place, format: FORMAT });
  return verifyLedger({ still: db.still, identity: ledger.identity }).finally(() => db.close());
}

it('brings everything over, leaves the file for reading, and is known to whoever knew the file', async () => {
  const move = await begun();
  const told: string[] = [];
  await move.copy(({ table, rows }) => told.push(`${table} ${rows}`), undefined);
  expect(told).toContain('payouts 4');
  expect(await move.verifyCopy()).toEqual([]);
  expect((await refusal(onServer())).code).toBe('ledger_moved');
  await move.leave('ama');
  const arrived = await move.arrive();
  expect(arrived.batches).toBe(2);
  const ledger = await onServer();
  const { problems, entries, head } = await problemsThere(ledger);
  expect(problems).toEqual([]);
  expect({ entries, head }).toEqual({ entries: arrived.entries, head: arrived.head });
  await ledger.close();
  expect((await refusal(openAt(path, options()))).code).toBe('ledger_moved');
  const looked = await openAt(path, { ...options(), readOnly: true });
  expect(looked.ledger.identity.id).toBe(arrived.identity.id);
  await looked.ledger.close();
});

it('goes on where a move broke off: before the file was left, and after', async () => {
  const first = await begun();
  await first.copy(() => undefined, undefined);
  await first.close();
  const second = await begun();
  expect(second.isLeft).toBe(false);
  await second.copy(() => undefined, undefined);
  await expect(second.arrive()).rejects.toThrow('was not left');
  await second.leave('ama');
  await second.close();
  const third = await begun();
  expect(third.isLeft).toBe(true);
  await third.arrive();
  const fourth = await begun();
  expect((await fourth.arrive()).batches).toBe(2);
  const ledger = await onServer();
  expect((await problemsThere(ledger)).problems).toEqual([]);
  await ledger.close();
});

it('notices a copy that is not as it was made, and never makes it the ledger', async () => {
  const move = await begun();
  await move.copy(() => undefined, undefined);
  await exec("UPDATE payouts SET account = '1' WHERE id = 1");
  expect(await move.verifyCopy()).toEqual(['its table payouts is another']);
  await exec("UPDATE commits SET head = 'x' WHERE seq = (SELECT max(seq) FROM commits)");
  await move.leave('ama');
  expect((await refusal(move.arrive())).code).toBe('ledger_damaged');
  expect((await refusal(onServer())).code).toBe('ledger_moved');
});

it('changes nothing at a place where another ledger is, and stops when it is told to', async () => {
  const move = await begun();
  await expect(move.copy(() => undefined, AbortSignal.abort())).rejects.toThrow();
  await (await openServerLedger({ place, binding: LIVE, create: true })).close();
  expect((await refusal(move.copy(() => undefined, undefined))).code).toBe('ledger_present');
  await move.close();
  await (await openAt(path, options())).ledger.close();
});
