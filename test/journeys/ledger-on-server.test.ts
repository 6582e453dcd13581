/** A ledger moves from its file to a server: payments before and after, the right to use it, and the old file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
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
import { callMain } from '../builders/process-context.ts';
import { aPostgres } from '../ledger/a-postgres.ts';

const server = aPostgres();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const good = GOOD.slice(0, 3).map((account): Row => [account, '100.00']);
const others = GOOD.slice(3).map((account, at): Row => [account, `${70 + at}.00`, `J-${at + 1}`]);

/** payfile asks a few times, up to the deadline, about a payment that never finishes. */
const FEW_LOOKS = { PAYFILE_POLL_MIN_MS: '5000' };

async function anOffice() {
  const service = await startLiveService();
  const { user, host, port, database, schema, password = '' } = server.place();
  const office = openOffice({
    ...service.env,
    PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
    ...FEW_LOOKS,
  });
  open.push(office, service.sandbox);
  writeFileSync(office.at('ledger-password'), `${password}\n`, { mode: 0o600 });
  return {
    ...office,
    to: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
    run: (name: string, ...more: readonly string[]) =>
      office.payfile('run', `${name}.csv`, '--batch', name, '--max-total', 'GHS=9999', ...more),
    paid: () => service.sandbox.book.size,
  };
}

it('moves sent, failed, doubtful and waiting rows; the server pays the rest, each row once', async () => {
  const { file, run, payfile, paid, to, env, at } = await anOffice();
  file('may.csv', payrollCsv([[REFUSED, '50.00'], [ANSWER_LOST, '51.00'], ...good]));
  expect((await run('may', '--new-ledger')).code).toBe(5);
  file('june.csv', payrollCsv([[NEVER_FINISHES, '60.00', 'J-0'], ...others]));
  const some = await run('june', '--canary', '1', '--deadline', '30s');
  expect(some.code, some.stderr).toBe(6);
  const before = paid();
  const moved = await payfile('ledger', 'move', '--to', to);
  expect(moved.code, moved.stderr).toBe(0);
  expect(moved.stderr).toContain(`Next: payfile status --ledger '${to}'`);
  expect(moved.stdout + moved.stderr).not.toContain('secret');

  env['PAYFILE_LEDGER'] = to;
  expect((await payfile('verify')).code).toBe(0);
  const status = await payfile('status', 'may', '--json');
  expect(status.json().counts).toMatchObject({ failed: 1, in_doubt: 1, settled: 3 });
  const rest = await run('june', '--canary', '0', '--deadline', '30s');
  expect(rest.code, rest.stderr).toBe(4);
  expect((await run('may')).code).toBe(5);
  expect(paid()).toBe(before + others.length);

  delete env['PAYFILE_LEDGER'];
  const old = await run('may');
  expect(old.code, old.stderr).toBe(78);
  expect(old.stderr).toContain(`The ledger ${at('state/payfile/ledger.db')} was moved to ${to}`);
  for (const words of [['status', 'may'], ['explain', 'may', '2'], ['report', 'may'], ['verify']]) {
    const read = await payfile(...words);
    expect(read.code, read.stderr).not.toBe(78);
  }
});

it('takes two logins for two people, and one for one', async () => {
  const { file, payfile, paid, to, env, at, folder, configure } = await anOffice();
  configure({ fourEyes: true });
  env['PAYFILE_LEDGER'] = to;
  file('may.csv', payrollCsv(good));
  const plan = await payfile('plan', 'may.csv', '--batch', 'may', '--new-ledger', '--json');
  const { digest } = plan.json()['plan'] as { readonly digest: string };
  const approve = ['approve', 'may', '--digest', digest];
  const own = await payfile(...approve);
  expect(own.code, own.stderr).toBe(10);
  expect(own.stderr).toContain('If the ledger is on a server, a login of their own is enough.');
  expect(own.stderr).toContain('Then: payfile approve may --digest DIGEST');
  const asBen = (...words: readonly string[]) => callMain(words, { folder, env }, { user: 'Ben' });
  const run = await asBen('run', at('may.csv'), '--batch', 'may', '--max-total', 'GHS=9999');
  expect(run.code, run.stderr).toBe(10);
  expect(run.stderr).toContain('Four eyes: a second person approves this plan, with a command of their own.');
  const other = await asBen(...approve);
  expect(other.code, other.stderr).toBe(0);
  expect(paid()).toBe(0);
  expect((await payfile('explain', 'may', '2')).stdout).toContain('ben');
  expect((await payfile('doctor')).stdout).toContain('a second person approves with their own login');
});

it('is refused on a machine that is new to it (78), until its configuration names the id', async () => {
  const { file, run, payfile, paid, to, env, at } = await anOffice();
  env['PAYFILE_LEDGER'] = to;
  file('may.csv', payrollCsv(good));
  expect((await run('may', '--new-ledger')).code).toBe(0);
  const [, id = ''] = /Ledger: .*, id ([0-9a-f]{32})/.exec((await payfile('doctor')).stdout) ?? [];
  expect(id).not.toBe('');

  for (const kind of ['CONFIG', 'STATE']) env[`XDG_${kind}_HOME`] = at(`new-${kind}`);
  file('june.csv', payrollCsv(others));
  for (const refused of [await run('june'), await payfile('doctor')]) {
    expect(refused.code).toBe(78);
    const told = refused.stdout + refused.stderr;
    expect(told).toContain('"ledger": {"id": "ID"}');
    expect(told).not.toContain(id);
  }
  mkdirSync(at('new-CONFIG/payfile'), { recursive: true });
  const named = (name: string) =>
    writeFileSync(at('new-CONFIG/payfile/config.json'), JSON.stringify({ ledger: { id: name } }), {
      mode: 0o600,
    });
  named('f'.repeat(32));
  const other = await payfile('doctor');
  expect(other.code).toBe(78);
  expect(other.stdout).toMatch(/✔ Program.*✔ Settings.*✔ Service.*✖ Ledger: .*f{32}/s);
  named(id);
  const joined = await run('june');
  expect(joined.code, joined.stderr).toBe(0);
  expect(paid()).toBe(5);

  env['PAYFILE_LEDGER_PASSWORD_FILE'] = '';
  for (const words of [['status'], ['doctor']]) {
    const refused = await payfile(...words);
    expect(refused.code).toBe(78);
    expect(refused.stdout + refused.stderr).toContain('PAYFILE_LEDGER_PASSWORD_FILE');
  }
});
