/** Commands whose ledger is on a server, and a service that keeps one session for each login. */
import { chmodSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { parseScenario } from '../../src/sandbox/scenarios.ts';
import { aPostgres } from '../adapters/ledger/a-postgres.ts';
import { GOOD, openOffice, payrollCsv, startLiveService } from '../builders/office.ts';

const server = aPostgres();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

it('two commands at once, and one after them, use one login', async () => {
  const { user, host, port, database, schema, password = '' } = server.place();
  const service = await startLiveService({ scenario: parseScenario('one-session') });
  const office = openOffice({
    ...service.env,
    PAYFILE_LEDGER: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
    PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
  });
  open.push(service.sandbox, office);
  office.file('ledger-password', password);
  chmodSync(office.at('ledger-password'), 0o600);
  for (const [index, name] of ['may', 'june'].entries())
    office.file(`${name}.csv`, payrollCsv([[GOOD[index] ?? '', `${100 + index}.00`, name]]));
  expect((await office.payfile('init')).code).toBe(0);
  const run = (name: string) => ['run', `${name}.csv`, '--batch', name, '--max-total', 'GHS=500'];
  const [may, june] = [office.start(run('may')), office.start(run('june'))];
  for (const ended of [await may.ended, await june.ended]) expect(ended.code, ended.stderr).toBe(0);
  const doctor = await office.payfile('doctor');
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
  expect(service.sandbox.book.size).toBe(2);
  expect(service.requests.filter((line) => line.startsWith('POST /auth/login'))).toHaveLength(1);
}, 60_000);
