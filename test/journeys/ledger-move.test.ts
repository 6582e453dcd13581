/** A ledger goes from its file to a server: what is paid before and after, and what becomes of the file. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { aPostgres } from '../adapters/ledger/a-postgres.ts';
import {
  ANSWER_LOST,
  GOOD,
  NEVER_FINISHES,
  openOffice,
  payrollCsv,
  REFUSED,
  type Row,
  startLiveService,
} from '../builders/office.ts';

const server = aPostgres();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const CEILING = ['--max-total', 'GHS=9999'];
const good = (count: number): Row[] => GOOD.slice(0, count).map((account) => [account, '100.00']);

const others = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => [`10111300246${10 + at}`, `${70 + at}.00`, `J-${at + 1}`]);

async function anOffice() {
  const service = await startLiveService();
  const { user, host, port, database, schema, password = '' } = server.place();
  const office = openOffice({ ...service.env, PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password' });
  open.push(office, service.sandbox);
  writeFileSync(office.at('ledger-password'), `${password}\n`, { mode: 0o600 });
  const to = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
  const file = office.at('state/payfile/ledger.db');
  const run = (name: string, ...more: readonly string[]) =>
    office.payfile('run', `${name}.csv`, '--batch', name, ...CEILING, ...more);
  const paid = () => service.sandbox.book.size;
  return {
    ...office,
    service,
    to,
    ledger: file,
    run,
    paid,
    move: (...more: string[]) => office.payfile('ledger', 'move', '--to', to, ...more),
  };
}

describe('payfile ledger move', () => {
  it('moves what was sent, failed, is in doubt and waits; the rest is paid from the server, each row once', async () => {
    const { file, run, move, payfile, paid, to, env, ledger } = await anOffice();
    file('may.csv', payrollCsv([[REFUSED, '50.00'], [ANSWER_LOST, '51.00'], ...good(3)]));
    expect((await run('may', '--new-ledger')).code).toBe(5);
    file('june.csv', payrollCsv([[NEVER_FINISHES, '60.00', 'J-0'], ...others(4)]));
    const some = await run('june', '--canary', '1', '--deadline', '1s');
    expect(some.code, some.stderr).toBe(6);
    const before = paid();
    const moved = await move();
    expect(moved.code, moved.stderr).toBe(0);
    expect(moved.stdout).toContain(`to ${to}: 2 batches`);
    expect(moved.stderr).toContain(`Next: payfile status --ledger '${to}'`);
    expect(moved.stdout + moved.stderr).not.toContain('secret');

    env['PAYFILE_LEDGER'] = to;
    expect((await payfile('verify')).code).toBe(0);
    const status = await payfile('status', 'may', '--json');
    expect(status.json().counts).toMatchObject({ failed: 1, in_doubt: 1, settled: 3 });
    const rest = await run('june', '--canary', '0', '--deadline', '1s');
    expect(rest.code, rest.stderr).toBe(4);
    expect(paid()).toBe(before + 4);
    expect((await run('may')).code).toBe(5);
    expect(paid()).toBe(before + 4);

    delete env['PAYFILE_LEDGER'];
    const old = await run('may');
    expect(old.code, old.stderr).toBe(78);
    expect(old.stderr).toContain(`The ledger ${ledger} was moved to ${to}`);
    expect(old.stderr).toContain(`Next: payfile status --ledger '${to}'`);
    for (const words of [['status', 'may'], ['explain', 'may', '2'], ['report', 'may'], ['verify']]) {
      const read = await payfile(...words);
      expect(read.code, read.stderr).toBe(words[0] === 'verify' || words[0] === 'explain' ? 0 : read.code);
      expect(read.code, read.stderr).not.toBe(78);
    }
  });
});
