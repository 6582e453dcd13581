/**
 * What an older program left is read by today's rules where the older ones paid wrong: nothing is paid that a person
 * did not agree to as it is read now, and nothing that could be on its way already.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useUpgrades } from './an-upgrade.ts';
import { personOf, SERVICE_ENV } from './kept-service.ts';

const upgraded = useUpgrades();
const MAX = ['--max-total', 'GHS=99999999'];
const run = (name: string) => ['run', `${name}.csv`, '--batch', name, ...MAX];

describe('accounts with spaces, approved by an older program and not sent', () => {
  it('wait for a person again, and go out without the spaces once she agreed', async () => {
    const { ends, states, paid, service, before } = upgraded('live');
    await ends(10, 'send', 'spaced-approved');
    expect(await states('spaced-approved')).toEqual({ 'P-1': 'quoted', 'P-2': 'quoted' });
    expect(paid()).toEqual([]);
    const { planDigest } = (await ends(0, 'status', 'spaced-approved', '--json')).json();
    await ends(0, 'approve', 'spaced-approved', '--digest', String(planDigest));
    await ends(0, ...run('spaced-approved'));
    const accounts = service.book.slice(before.length).map(({ account }) => account);
    expect(accounts.toSorted()).toEqual(['+233712345605', '0712345604']);
    await ends(0, ...run('spaced-approved'));
    expect(paid()).toHaveLength(2);
    await ends(0, 'verify');
  });

  it('are never sent with their spaces, whatever is run first', async () => {
    const { payfile, service, before } = upgraded('live');
    await payfile(...run('spaced-approved'));
    await payfile(...run('spaced-approved'));
    const accounts = service.book.slice(before.length).map(({ account }) => account);
    expect(accounts.filter((account) => account.includes(' '))).toEqual([]);
    expect(new Set(accounts).size).toBe(accounts.length);
  });
});

describe('accounts with spaces, sent by an older program', () => {
  it('are the same rows when the spaces leave the file', async () => {
    const { ends, file, paid, states } = upgraded('live');
    file(
      'spaced-sent.csv',
      'Reference;Country;Institution;Account;Name;Amount\n' +
        `S-1;GH;MTN MoMo;0712345601;${personOf('601')};1.210,50\n` +
        `S-2;GH;MTN MoMo;+233712345602;${personOf('602')};220,50\n`,
    );
    await ends(0, ...run('spaced-sent'));
    expect(await states('spaced-sent')).toEqual({ 'S-1': 'settled', 'S-2': 'settled' });
    expect(paid()).toEqual([]);
  });
});

it('an amount that an older program read as another one is not paid, neither from its file nor without', async () => {
  const { ends, payfile, paid } = upgraded('live');
  const { stdout, stderr } = await ends(65, ...run('comma'));
  expect(`${stdout}${stderr}`).toContain('Row 3');
  expect(paid()).toEqual([]);
  await payfile('send', 'comma');
  await payfile(...run('comma'));
  expect(paid()).not.toContain('0244000107');
});

it('an older line of the emergency file never makes a row payable that may be on the wire', async () => {
  const { ends, states, paid } = upgraded('emergency');
  await ends(5, ...run('may'));
  await ends(5, ...run('may'));
  expect(await states('may')).toEqual({ 'E-1': 'settled', 'E-2': 'in_doubt', 'E-3': 'in_doubt' });
  expect(paid()).toEqual([]);
});

it('a ruling “not paid” waits eleven minutes where the request names neither its process nor its patience', async () => {
  const { ends, later, states } = upgraded('live');
  const notPaid = ['--not-paid', '--evidence', 'no line', '--accept', 'not-paid'];
  const rule = ['resolve', 'october', 'O-3', ...notPaid];
  later(5 / 60);
  await ends(5, ...run('october'));
  await ends(10, ...rule);
  expect((await states('october'))['O-3']).toBe('in_doubt');
  later(15 / 60);
  await ends(0, ...rule);
});

describe('a configuration of the working folder with addresses in it', () => {
  it('is refused, names the way, and works when a person names it', async () => {
    const { ends, paid } = upgraded('config', {});
    const { stderr } = await ends(78, ...run('may'));
    expect(stderr).toContain('payfile.config.json');
    expect(stderr).toContain('--config');
    expect(paid()).toEqual([]);
    const named = ['--config', 'payfile.config.json'];
    await ends(0, ...run('april'), ...named);
    await ends(0, ...run('may'), ...named);
    await ends(0, ...run('may'), ...named);
    expect(paid()).toEqual(['0244000102']);
  });

  it('binds the ledger to its login address from then on', async () => {
    const { ends, env, paid, remove } = upgraded('config');
    remove('payfile.config.json');
    await ends(0, ...run('april'));
    env['PAYFILE_AUTH_URL'] = 'http://127.0.0.1:9/auth';
    await ends(78, ...run('may'));
    env['PAYFILE_AUTH_URL'] = SERVICE_ENV.PAYFILE_AUTH_URL;
    await ends(0, ...run('may'));
    expect(paid()).toEqual(['0244000102']);
  });
});

it('a ledger that this user never saw sends nothing until a person accepts it, and then waits to be resumed', async () => {
  const { ends, folder, paid } = upgraded('live');
  rmSync(join(folder, 'config'), { recursive: true });
  const { stderr } = await ends(78, ...run('june'));
  expect(stderr).toContain('payfile verify --accept-ledger');
  expect(paid()).toEqual([]);
  await ends(0, 'verify', '--accept-ledger');
  await ends(6, ...run('june'));
  expect(paid()).toEqual([]);
  await ends(0, 'resume', 'june');
  await ends(0, ...run('june'));
  expect(paid().toSorted()).toEqual(['0244000104', '0244000105']);
  await ends(0, 'verify');
});
