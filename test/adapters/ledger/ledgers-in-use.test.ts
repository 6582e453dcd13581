/** Two copies of one ledger know the same approved payments; never may both work. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchId } from '../../../src/domain/payouts/instruction.ts';
import { LedgerError } from '../../../src/ports/ledger/errors.ts';
import type { Ledger } from '../../../src/ports/ledger/ledger.ts';
import { batchOf, HOLDER, only, row, walkedTo } from '../../builders/ledger-batches.ts';
import { BINDING, openAt } from './ledger-files.ts';

const LIVE = { ...BINDING, environment: 'live' } as const;
const here = { ...HOLDER, host: hostname() };

let folder: string;
let path: string;
let copy: string;
let known: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-in-use-'));
  path = join(folder, 'ledger.db');
  copy = join(folder, 'copy.db');
  known = join(folder, 'config', 'known-ledgers.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (at: string) => openAt(at, { binding: LIVE, knownLedgersPath: known });

async function copied(): Promise<BatchId> {
  const ledger = await open(path);
  const id = await batchOf(ledger, [row(1), row(2)]);
  await ledger.close();
  copyFileSync(path, copy);
  return id;
}

async function refusal(
  opening: Promise<Ledger>,
): Promise<{ readonly code: string; readonly message: string }> {
  const answer: unknown = await opening.catch((error: unknown) => error);
  if (!(answer instanceof LedgerError)) throw new TypeError('The ledger was opened');
  return answer;
}

describe('while a process works with a live ledger', () => {
  it('[L25] its copy is refused, naming the other file and who works with it', async () => {
    const id = await copied();
    const ledger = await open(path);
    expect((await ledger.lease(id, here)).kind).toBe('leased');
    const { code, message } = await refusal(open(copy));
    expect(code).toBe('ledger_busy');
    expect(message).toContain(path);
    expect(message).toContain(`process ${process.pid}`);
    await ledger.close();
  });

  it('[L25] its copy may still be looked at', async () => {
    await copied();
    const ledger = await open(path);
    const other = await openAt(copy, { binding: LIVE, knownLedgersPath: known, readOnly: true });
    expect(await other.batches()).toHaveLength(1);
    await other.close();
    await ledger.close();
  });

  it('another process works with other batches of the same file', async () => {
    const id = await copied();
    const [first, second] = [await open(path), await open(path)];
    const other = await batchOf(second, [row(3)]);
    expect((await first.lease(id, here)).kind).toBe('leased');
    expect((await second.lease(other, here)).kind).toBe('leased');
    await first.close();
    // The second still works with it.
    expect((await refusal(open(copy))).code).toBe('ledger_busy');
    await second.close();
  });

  it('a copy of a sandbox ledger may be used as one likes', async () => {
    const ledger = await openAt(path, { knownLedgersPath: known });
    await batchOf(ledger, [row(1)]);
    copyFileSync(path, copy);
    const other = await openAt(copy, { knownLedgersPath: join(folder, 'elsewhere', 'known-ledgers.json') });
    await other.close();
    await ledger.close();
  });
});

describe('after a process ended', () => {
  it('[L25] a copy that was not at work is refused, for it knows less', async () => {
    const id = await copied();
    const ledger = await open(path);
    await walkedTo(ledger, await only(ledger, id, 2), 'sending');
    await ledger.close();
    expect((await refusal(open(copy))).code).toBe('ledger_rolled_back');
  });

  it('its entry counts for nothing, even when it could not take it back', async () => {
    await copied();
    const ledger = await open(path);
    const list = new DatabaseSync(join(folder, 'config', 'ledgers-in-use.db'));
    list.exec("UPDATE in_use SET started = 'an earlier boot'");
    list.close();
    const accepted = { binding: LIVE, knownLedgersPath: known, acceptLedger: true };
    await (await openAt(copy, accepted)).close();
    await ledger.close();
  });

  it('no entry is left behind', async () => {
    await copied();
    const list = new DatabaseSync(join(folder, 'config', 'ledgers-in-use.db'));
    expect(list.prepare('SELECT * FROM in_use').all()).toEqual([]);
    list.close();
  });
});

it('refuses to work when the list of ledgers at work cannot be kept, and names it', async () => {
  await copied();
  const list = join(folder, 'config', 'ledgers-in-use.db');
  writeFileSync(list, 'not a list at all, and long enough to look at'.repeat(50));
  const { code, message } = await refusal(open(path));
  expect(code).toBe('ledger_unwritable');
  expect(message).toContain(list);
});
