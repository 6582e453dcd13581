/** Where a passkey is asked for, nobody agrees without one: no typed digest, no ceiling, no later configuration. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  startLiveService,
} from '../builders/office.ts';

let live: LiveService;
let office: Office;
const config = () => office.at('config/payfile/config.json');
beforeAll(async () => {
  live = await startLiveService();
  office = openOffice(live.env);
  mkdirSync(dirname(config()), { recursive: true });
  writeFileSync(config(), '{"approvalPasskey": true}', { mode: 0o600 });
  office.file('may.csv', payrollCsv(GOOD.map((account) => [account, '50.00'])));
  await office.payfile('init');
  expect((await office.payfile('plan', 'may.csv', '--batch', 'may')).code).toBe(0);
});
afterAll(async () => {
  office.close();
  await live.sandbox.close();
});

const SAYS = 'Batch may is approved with a passkey, and so in the console alone.';
const digest = async () => String((await office.payfile('status', 'may', '--json')).json()['planDigest']);

it('refuses to approve on the command line, and says where it is done', async () => {
  const said = await office.payfile('approve', 'may', '--digest', await digest());
  expect(said.code).toBe(10);
  expect(said.stderr).toContain(SAYS);
  expect(said.stderr).toContain('Next: payfile console');
  const { outcome } = (await office.payfile('approve', 'may', '--digest', await digest(), '--json')).json();
  expect(outcome).toBe('passkey_missing');
});

it('lets no ceiling agree, and sends nothing', async () => {
  const said = await office.payfile('run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=1000');
  expect(said.code).toBe(10);
  expect(said.stderr).toContain(SAYS);
  expect((await office.payfile('status', 'may', '--json')).json().counts).toMatchObject({
    quoted: GOOD.length,
  });
});

it('keeps the rule for a batch that was planned with it', async () => {
  rmSync(config());
  const said = await office.payfile('approve', 'may', '--digest', await digest());
  expect(said.code).toBe(10);
  expect(said.stderr).toContain(SAYS);
});

it('asks for none in the sandbox', async () => {
  writeFileSync(config(), '{"approvalPasskey": true}', { mode: 0o600 });
  const said = await office.payfile('run', 'may.csv', '--batch', 'may', '--sandbox', '--yes');
  expect(said.stderr).not.toContain('passkey');
  expect(said.code).toBe(0);
});

it('lets a person do on the command line what the configuration says, and no more', async () => {
  const people = { [userInfo().username]: ['viewer'] };
  writeFileSync(config(), JSON.stringify({ people }), { mode: 0o600 });
  expect((await office.payfile('status', 'may')).stdout).toContain('may');
  const refused = await office.payfile('plan', 'may.csv', '--batch', 'june');
  expect(refused.code).toBe(10);
  expect(refused.stderr).toContain('it takes the role maker. Nothing was done.');
});
