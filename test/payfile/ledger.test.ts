/** What the library answers about the ledger as a whole: the same as --json, with the exit code. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPayfile, type Payfile } from '../../src/payfile.ts';

let folder: string;
let opened: Payfile[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-ledger-'));
});
afterAll(async () => {
  for (const payfile of opened) await payfile.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(ledger: string): Payfile {
  const env = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const payfile = createPayfile({ sandbox: true, ledger, actor: 'ada', source: 'GB' }, { env, cwd: folder });
  opened = [...opened, payfile];
  return payfile;
}

it('creates, backs up, restores and proves a ledger', async () => {
  const payfile = open('ledger.db');
  const { ledger } = payfile;
  const made = await ledger.init();
  expect(made).toMatchObject({ created: true, environment: 'sandbox', exitCode: 0 });
  expect(await ledger.init()).toEqual({ ...made, created: false });
  const { backup, exitCode } = await ledger.backup({ output: 'backup.db' });
  expect([backup, exitCode]).toEqual([
    expect.objectContaining({ path: join(folder, 'backup.db'), batches: 0, sending: 0, emergencyPath: null }),
    0,
  ]);
  await expect(ledger.restore({ file: 'backup.db' })).rejects.toMatchObject({ code: 'ledger_present' });

  const other = open('other.db').ledger;
  const { restored } = await other.restore({ file: 'backup.db' });
  expect(restored).toMatchObject({ path: join(folder, 'other.db'), keptAt: null, sentSince: null });
  expect(await other.verify()).toMatchObject({ batches: 0, problems: [], exitCode: 0 });
  await expect(other.verify({ batch: 'may', acceptLedger: true })).rejects.toThrow('Nothing was accepted');
});
