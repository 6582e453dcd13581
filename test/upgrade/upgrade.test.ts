/**
 * Ledgers that the program of commit c146b49 left, with rows in every state, go on working: nothing is paid twice,
 * nothing is lost. What was paid is judged by the service's own book (test/fixtures/old-ledgers/README.md).
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBookFile } from '../../src/sandbox/book-file.ts';
import { useUpgrades } from './an-upgrade.ts';
import { type Executed, personOf, SERVICE_ENV } from './kept-service.ts';

const upgraded = useUpgrades();
const MAX = ['--max-total', 'GHS=99999999'];
const run = (name: string) => ['run', `${name}.csv`, '--batch', name, '--skip-invalid', ...MAX];

/** As the old program left the rows, batch by batch. */
const LEFT = {
  april: { 'A-1': 'settled', 'A-2': 'settled' },
  bare: { '': 'settled' },
  'spaced-sent': { 'S-1': 'settled', 'S-2': 'settled' },
  may: {
    ...{ 'M-02': 'settled', 'M-03': 'accepted', 'M-04': 'failed', 'M-05': 'settled', 'M-06': 'returned' },
    ...{ 'M-07': 'held', 'M-08': 'invalid', 'M-09': 'canceled', 'M-10': 'in_doubt', 'M-11': 'in_doubt' },
    ...{ 'M-12': 'failed', 'M-13': 'planned', 'M-14': 'settled' },
  },
  june: { 'J-1': 'approved', 'J-2': 'approved' },
  'spaced-approved': { 'P-1': 'approved', 'P-2': 'approved' },
  comma: { 'C-1': 'approved', 'C-2': 'approved' },
  july: { 'Q-1': 'quoted', 'Q-2': 'held' },
  august: { 'U-1': 'approved', 'U-2': 'approved' },
  september: { 'T-1': 'planned', 'T-2': 'planned' },
  october: { 'O-1': 'accepted', 'O-2': 'sending', 'O-3': 'sending', 'O-4': 'sending', 'O-5': 'approved' },
};

describe('[L39] an old ledger with rows in every state', () => {
  it('is whole, and every row is shown once, as it was left', async () => {
    const { ends, states, paid } = upgraded('live');
    await ends(0, 'verify');
    const shown: Record<string, unknown> = {};
    for (const name of Object.keys(LEFT)) shown[name] = await states(name);
    expect(shown).toEqual(LEFT);
    const { batches } = (await ends(0, 'status', '--json')).json() as { batches: { name: string }[] };
    expect(batches.map(({ name }) => name).sort()).toEqual(Object.keys(LEFT).sort());
    await ends(0, 'verify');
    expect(paid()).toEqual([]);
  });
});

describe('the files of an old ledger, run again under their names', () => {
  it('[L39] send what was approved once, what was priced on agreement, and nothing that was sent before', async () => {
    const { ends, states, paid, service } = upgraded('live');
    for (const name of ['april', 'bare', 'spaced-sent']) await ends(0, ...run(name));
    expect(paid()).toEqual([]);
    await ends(0, ...run('june'));
    await ends(0, ...run('june'));
    await ends(3, ...run('july'));
    await ends(0, ...run('september'));
    expect(paid().toSorted()).toEqual(['0244000104', '0244000105', '0244000108', '0244000701', '0244000742']);
    expect(await states('july')).toEqual({ 'Q-1': 'settled', 'Q-2': 'held' });
    await ends(0, 'release', 'july', 'Q-2', '--reason', 'asked her');
    await ends(0, ...run('july'));
    await ends(0, ...run('july'));
    expect(paid().filter((account) => account === '0244000143')).toHaveLength(1);
    expectNothingTwice(service.book);
    await ends(0, 'verify');
  });

  it('leave a paused batch paused until somebody resumes it', async () => {
    const { ends, paid } = upgraded('live');
    const { stderr } = await ends(6, ...run('august'));
    expect(stderr).toContain('waiting for funds');
    expect(paid()).toEqual([]);
    await ends(0, 'resume', 'august');
    await ends(0, ...run('august'));
    expect(paid().toSorted()).toEqual(['0244000109', '0244000110']);
  });

  it('never send again what a killed process left on the wire, and send once what it had not begun', async () => {
    const { ends, states, paid, later } = upgraded('live');
    await ends(5, ...run('october'));
    const now = {
      'O-1': 'settled',
      'O-2': 'in_doubt',
      'O-3': 'in_doubt',
      'O-4': 'in_doubt',
      'O-5': 'settled',
    };
    expect(await states('october')).toEqual(now);
    await ends(5, ...run('october'));
    await ends(5, 'send', 'october');
    later(80);
    await ends(5, ...run('october'));
    expect(paid()).toEqual(['0244000805']);
    await ends(0, 'verify');
  });

  it('pay again what was failed and reissued, once, and leave every other exception as it was', async () => {
    const { ends, states, paid } = upgraded('live');
    await ends(5, ...run('may'));
    await ends(5, ...run('may'));
    expect(paid()).toEqual(['0244001332']);
    expect(await states('may')).toEqual({ ...LEFT.may, 'M-03': 'settled', 'M-13': 'settled' });
    await ends(0, 'verify');
  });

  it('do not send what was approved too long ago', async () => {
    const { ends, states, paid, later } = upgraded('live');
    later(72);
    await ends(10, 'send', 'june');
    expect(await states('june')).toEqual({ 'J-1': 'quoted', 'J-2': 'quoted' });
    expect(paid()).toEqual([]);
  });
});

describe('payments of an old ledger', () => {
  it.each([
    ['april', ['A-1', 'A-2']],
    ['bare', ['']],
    ['spaced-sent', ['S-1', 'S-2']],
    ['october', ['O-1', 'O-2', 'O-3', 'O-4', 'O-5']],
    ['august', ['U-1', 'U-2']],
  ])('are remembered: %s.csv under another name is held, row by row', async (name, references) => {
    const { payfile, states, paid } = upgraded('live');
    await payfile('run', `${name}.csv`, '--batch', 'again', ...MAX);
    expect(paid()).toEqual([]);
    expect(await states('again')).toEqual(Object.fromEntries(references.map((one) => [one, 'held'])));
  });

  it('are remembered where spaces were taken out of the accounts, with references and without', async () => {
    const { payfile, states, paid, file } = upgraded('live');
    const rows = (first: string, second: string) =>
      'Reference;Country;Institution;Account;Name;Amount\n' +
      `${first};GH;MTN MoMo;0712345601;${personOf('601')};1.210,50\n` +
      `${second};GH;MTN MoMo;+233712345602;${personOf('602')};220,50\n`;
    file('same.csv', rows('S-1', 'S-2'));
    file('none.csv', rows('', ''));
    await payfile(...run('same'));
    await payfile(...run('none'));
    expect(paid()).toEqual([]);
    expect(await states('same')).toEqual({ 'S-1': 'held', 'S-2': 'held' });
  });

  it('can be ruled on, paid again and settled, and no ruling pays twice', async () => {
    const { ends, states, paid, before, service } = upgraded('live');
    const idOf = (account: string) => before.find((one) => one.account === account)?.id ?? '';
    await ends(5, ...run('october'));
    await ends(0, 'resolve', 'may', 'M-10', '--paid', idOf('0244001031'), '--accept', 'paid');
    await ends(0, 'resolve', 'october', 'O-2', '--paid', idOf('0244000833'), '--accept', 'paid');
    const notPaid = ['--not-paid', '--evidence', 'no line in the statement', '--accept', 'not-paid'];
    await ends(0, 'resolve', 'may', 'M-11', ...notPaid);
    await ends(0, 'resolve', 'october', 'O-3', ...notPaid);
    await ends(0, 'reissue', 'may', 'M-11', 'M-04', 'M-06');
    await ends(0, 'reissue', 'october', 'O-3');
    await ends(3, ...run('may'));
    await ends(5, ...run('october'));
    await ends(3, 'settle', 'may');
    const again = ['0244000421', '0244000613', '0244000805', '0244000834', '0244001132', '0244001332'];
    expect(paid().toSorted()).toEqual(again);
    expect(await states('october')).toMatchObject({ 'O-2': 'settled', 'O-3': 'settled', 'O-4': 'in_doubt' });
    expectNothingTwice(service.book.filter(({ account }) => account !== '0244000613'));
    await ends(0, 'verify');
  });

  it('are found in a statement', async () => {
    const { ends, file, before, paid, states } = upgraded('live');
    const lines = before.map(
      ({ id, account, amount, note }) => `04/05/2026,${id},${account},${note},${amount}`,
    );
    file('statement.csv', `${['Date,Transfer id,Account,Narration,Amount', ...lines].join('\n')}\n`);
    await ends(5, ...run('october'));
    const { stdout } = await ends(5, 'reconcile', 'october', '--statement', 'statement.csv');
    expect(stdout).toContain(before.find(({ account }) => account === '0244000833')?.id);
    await ends(5, 'reconcile', 'october', '--statement', 'statement.csv', '--accept');
    expect((await states('october'))['O-2']).toBe('accepted');
    await ends(0, 'verify');
    expect(paid()).toEqual(['0244000805']);
  });

  it.each(['csv', 'json', 'xlsx', 'html', 'xml'])('are reported as %s', async (ending) => {
    const { ends, folder } = upgraded('live');
    for (const name of Object.keys(LEFT)) {
      const path = join(folder, `${name}-report.${ending}`);
      await ends(0, 'report', name, '-o', path);
      expect(statSync(path).size).toBeGreaterThan(100);
    }
  });
});

describe('what the old program kept of an old ledger elsewhere', () => {
  it('notices that the log of the last commits is gone, and sends nothing', async () => {
    const { ends, paid, remove } = upgraded('live');
    remove('state/payfile/ledger.db-wal');
    const { stderr } = await ends(78, ...run('june'));
    expect(stderr).toContain('--accept-rollback');
    expect(paid()).toEqual([]);
  });

  it('still binds it to its service and login', async () => {
    const { ends, paid } = upgraded('live', { ...SERVICE_ENV, PAYFILE_ID: 'somebody-else' });
    const { stderr } = await ends(78, ...run('june'));
    expect(stderr).toContain('belongs to');
    expect(paid()).toEqual([]);
  });

  it('takes an acceptance from the emergency file, and sends nothing of the rest again', async () => {
    const { ends, states, paid } = upgraded('emergency');
    await ends(5, ...run('may'));
    expect(await states('may')).toMatchObject({ 'E-1': 'settled', 'E-3': 'in_doubt' });
    await ends(5, ...run('may'));
    expect(paid().filter((account) => account !== '0244000333')).toEqual([]);
    await ends(0, 'verify');
  });

  it('goes on with a ledger that a group shares, and leaves its files to the group', async () => {
    const { ends, states, paid, folder } = upgraded('group');
    await ends(0, 'verify');
    await ends(0, ...run('april'));
    await ends(0, ...run('may'));
    await ends(0, ...run('may'));
    expect(paid()).toEqual(['0244000102']);
    expect(await states('may')).toEqual({ 'G-2': 'settled' });
    const mode = (path: string) => (statSync(join(folder, path)).mode & 0o7777).toString(8);
    expect([mode('shared'), mode('shared/ledger.db')]).toEqual(['2770', '660']);
  });

  it.each(['csv', 'json', 'xlsx', 'html', 'xml'])(
    'replaces the old program’s own report.%s without a flag',
    async (ending) => {
      const { ends, folder } = upgraded('group');
      const path = join(folder, `report.${ending}`);
      const before = readFileSync(path);
      await ends(0, 'report', 'may', '-o', path);
      expect(readFileSync(path).equals(before)).toBe(false);
    },
  );

  it('replaces the old program’s metrics without a flag', async () => {
    const { child, folder } = upgraded('group');
    expect(await child(...run('may'), '--metrics-file', 'report.prom')).toBe(0);
    expect(readFileSync(join(folder, 'report.prom'), 'utf8')).toContain('batch="may"');
  });

  it('goes on with the sandbox’s ledger and its book', async () => {
    const { ends, states, folder } = upgraded('sandbox', {});
    const sandbox = (name: string, deadline: string) => [
      'run',
      `${name}.csv`,
      '--batch',
      name,
      '--sandbox',
      '--yes',
      '--deadline',
      deadline,
    ];
    const executed = () =>
      readBookFile(join(folder, 'state/payfile/sandbox-ledger-book.jsonl')).entries.map(
        ({ account }) => account,
      );
    const before = executed();
    const left = {
      'X-1': 'settled',
      'X-2': 'in_doubt',
      'X-3': 'in_doubt',
      'X-4': 'failed',
      'X-5': 'accepted',
    };
    await ends(0, 'verify', '--sandbox');
    expect(await states('may', '--sandbox')).toEqual({ ...left, 'X-6': 'settled' });
    await ends(5, ...sandbox('may', '2s'));
    expect(executed()).toEqual(before);
    await ends(0, ...sandbox('june', '1m'));
    await ends(0, ...sandbox('june', '1m'));
    expect(executed()).toEqual([...before, '1011130024503']);
    await ends(0, 'verify', '--sandbox');
  });
});

/** By what a person sees as one payment: account and amount, each of which stands once in the files. */
function expectNothingTwice(book: readonly Executed[]): void {
  const payments = book.map(({ account, amount }) => `${account.replace(/\s/g, '')} ${amount}`);
  expect(payments.filter((one, at) => payments.indexOf(one) !== at)).toEqual([]);
}
