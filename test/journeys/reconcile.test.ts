/** When the outcome is not known: what a person is shown, types, and is told, from the command line. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openSqliteLedger } from '../../src/adapters/ledger/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { ANSWER_LOST, clock, GOOD, LOST_UNPAID, payrollCsv, REFUSED } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const DAY = 24 * 3_600_000;
const office = officesFor({ PAYFILE_SOURCE: 'GB', PAYFILE_POST_TIMEOUT_MS: '1000' });

interface BookEntry {
  readonly id: string;
  readonly at: number;
  readonly amount: string;
  readonly account: string;
  readonly note: string;
}

/** A batch of two rows of which the second one's answer was lost after the money had moved. */
async function lostAnswer() {
  const { payfile, file, folder } = office();
  const sandbox = (...words: string[]) => payfile(...words, '--sandbox');
  file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [ANSWER_LOST, '70.00'],
    ]),
  );
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(5);
  const book = await payfile('sandbox', '--book', '--json', '--full-accounts');
  const entries = book.json()['entries'] as readonly BookEntry[];
  const statement = (changes: (line: string[]) => string[] = (line) => line) => {
    const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
    const lines = entries.map(({ id, at, amount, account, note }) => [iso(at), id, amount, account, note]);
    const far = [iso((entries[0]?.at ?? 0) - 5 * DAY), 'x-1', '5.00', '999', 'bank charges'];
    const all = [['Date', 'Transfer ID', 'Amount', 'Account', 'Narration'], far, ...lines.map(changes)];
    return file('st.csv', `${all.map((cells) => cells.join(',')).join('\n')}\n`);
  };
  return { sandbox, folder, statement };
}

it('names a settled payment that a statement of the same day lacks: 4, and compare again with a later one', async () => {
  const { payfile, file } = office();
  const sandbox = (...words: string[]) => payfile(...words, '--sandbox');
  const good = GOOD.map((account, at) => [account, `${at + 1}00.00`] as const);
  file('may.csv', payrollCsv([...good, [REFUSED, '70.00'], ['1011130024509', 'half']]));
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may', '--skip-invalid')).code).toBe(3);
  const book = await payfile('sandbox', '--book', '--json', '--full-accounts');
  const [first] = book.json()['entries'] as readonly BookEntry[];
  const { id = '', at = 0, account = '', note = '' } = first ?? {};
  const day = new Date(at).toISOString().slice(0, 10);
  file('st.csv', `Date,Transfer ID,Amount,Account,Narration\n${day},${id},100.00,${account},${note}\n`);
  const found = await sandbox('reconcile', 'may', '--statement', 'st.csv', '--payments', 'plus');
  expect(found.code, found.stderr).toBe(4);
  expect(found.stdout).toContain(
    [
      'Not there yet     4  GHS 1,400.00',
      'Not expected      1     GHS 70.00',
      'Not expected      1',
      'Matched           1    GHS 100.00      1',
      'Total             6  GHS 1,570.00',
      '                  1',
      'Lines read                             1',
    ].join('\n'),
  );
  expect(found.stdout).toContain(
    `Not in the statement yet, but paid according to the service:\n  Row 3, GHS 200.00 to ••••4502: not there by ${day}.\n`,
  );
  expect(found.stdout).not.toContain('shows no payment of this batch');
  expect(found.stderr).toMatch(/^Then: payfile reconcile may --statement FILE --payments plus --sandbox$/m);
}, 60_000);

describe('a row in doubt', () => {
  it('is explained with all that is known, proposed as paid by a statement (10), and ruled with --accept', async () => {
    const { sandbox, statement } = await lostAnswer();
    const told = await sandbox('explain', 'may', '3');
    expect(told.stdout).toMatch(
      /Under way\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) to \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
    );
    expect(told.stdout).toMatch(/Reached\s+the request was written; no answer had begun/);
    expect(told.stdout).toMatch(/Bytes written\s+[1-9]\d*/);
    expect(told.stdout).toMatch(/search it for\s+PF-[0-9A-Z]{8}/);
    expect(told.stdout).not.toContain(ANSWER_LOST);
    const words = ['reconcile', 'may', '--statement', statement()];
    const proposed = await sandbox(...words);
    expect(proposed.code, proposed.stderr).toBe(10);
    expect(proposed.stdout).toMatch(/Proposed: paid\s+1\s+GHS 70\.00/);
    expect(proposed.stderr).toMatch(
      /^Next: payfile explain may 3 --sandbox$[\s\S]*^Then: payfile reconcile may .*--accept --sandbox$/m,
    );
    // A command is one line, however long, so that it can be pasted.
    const texts = proposed.stdout.split('\n').filter((line) => !line.trim().startsWith('payfile '));
    for (const line of texts) expect(line.length).toBeLessThanOrEqual(80);
    const accepted = await sandbox(...words, '--accept', '--json');
    expect(accepted.json()).toMatchObject({ exitCode: 0, accepted: [{ row: 3, outcome: 'ruled' }] });
    expect((await sandbox('settle', 'may')).code).toBe(0);
  }, 90_000);

  it('waits for a person to say which amounts are payments (65), and is ruled not paid only by --accept not-paid', async () => {
    const { sandbox, statement } = await lostAnswer();
    const signed = statement((line) => line.with(2, `-${line[2]}`));
    const words = ['reconcile', 'may', '--statement', signed];
    const asked = await sandbox(...words, '--accept');
    expect(asked.code).toBe(65);
    expect(asked.stderr).toMatch(
      /which amounts are payments: 2 amounts have a minus \(line 3: -100\.50?\), 1 amount has a plus or no sign \(line 2: 5\.00\)/,
    );
    expect(asked.stderr).toContain('--payments minus or --payments plus');
    const told = await sandbox(...words, '--payments', 'minus');
    expect(told.code, told.stderr).toBe(10);
    expect(told.stderr).toContain('--payments minus --accept --sandbox');
    expect((await sandbox(...words, '--payments', 'column', 'Amount')).code).toBe(65);
    expect((await sandbox(...words, '--payments', 'column', 'Paid out')).stderr).toContain(
      'that header is not there',
    );
    for (const wrong of [
      ['--payments', 'both'],
      ['--payments', 'column'],
      ['--accept', 'all'],
      ['--accept', 'paid', '--accept', 'not-paid'],
      ['--accept', 'not-paid', '--accept'],
    ])
      expect((await sandbox(...words, ...wrong)).code).toBe(64);
    const untouched = await sandbox(...words, '--payments', 'minus', '--accept', 'not-paid', '--json');
    expect(untouched.json()).toMatchObject({ exitCode: 10, accepted: [] });
    const ruled = await sandbox(...words, '--payments', 'minus', '--accept', 'paid', '--json');
    expect(ruled.json()).toMatchObject({ exitCode: 0, accepted: [{ row: 3, outcome: 'ruled' }] });
  }, 90_000);

  it.each([false, true])(
    'is not ruled not paid while a process holds the batch (75); ruled so and shown as paid, it is an incident (5); planned again: %s',
    async (isReissued) => {
      const { sandbox, statement, folder } = await lostAnswer();
      const words = ['resolve', 'may', '3', '--not-paid', '--evidence', 'they said so', '--yes'];
      const release = await holdBatch(folder);
      const refused = await sandbox(...words);
      expect(refused.code, refused.stderr).toBe(75);
      await release();
      // The request may be under way for as long as its answer is waited for, and a moment more.
      const ruled = async () => expect((await sandbox(...words)).code).toBe(0);
      await vi.waitFor(ruled, { timeout: 30_000, interval: 200 });
      if (isReissued) expect((await sandbox('reissue', 'may', '3')).code).toBe(0);
      const noted = await sandbox(
        'reconcile',
        'may',
        '--statement',
        statement((line) => line.with(1, '')),
        '--accept',
      );
      expect(noted.code).toBe(5);
      expect(noted.stdout).toContain('INCIDENT');
      // Another statement does not show it: it stays an incident all the same, and the list of batches counts it.
      const silent = await sandbox(
        'reconcile',
        'may',
        '--statement',
        statement((line) => (line[2] === '70.00' ? ['2020-01-01', 'y-1', '3.00', '1', 'coffee'] : line)),
      );
      expect(silent.code, silent.stdout).toBe(5);
      expect(silent.stdout).toMatch(/INCIDENT, kept in the ledger[\s\S]*Row 3: /);
      const listed = (await sandbox('status', '--json')).json()['batches'];
      expect(listed).toMatchObject([{ name: 'may', outcome: 'incident' }]);
      expect((await sandbox('status')).stdout).toContain('INCIDENT: 1 ');
      const again = await sandbox('reissue', 'may', '3');
      expect(again.code).toBe(isReissued ? 64 : 10);
      expect(again.stderr).toContain('paying it again would pay twice');
      const explained = await sandbox('explain', 'may', '3', '--json');
      expect(explained.json()['nextStep']).toContain('do not pay it again');
      expect(explained.stdout).not.toContain('payfile reissue');
      expect(explained.stdout).toContain('shows it as paid');
      expect(explained.stdout).not.toContain(ANSWER_LOST);
    },
    90_000,
  );
});

it('says how a row is ruled on by hand where no statement can prove more, and not to compare once more', async () => {
  const { payfile, file } = office();
  file('redo.csv', payrollCsv([[LOST_UNPAID, '70.00']]));
  expect((await payfile('run', 'redo.csv', '--sandbox', '--yes', '--batch', 'redo')).code).toBe(5);
  clock.advance(60_000);
  await payfile('sandbox', '--book', '-o', 'st.csv');
  const found = await payfile('reconcile', 'redo', '--statement', 'st.csv', '--sandbox');
  expect(found.code, found.stderr).toBe(5);
  expect(found.stdout).toMatch(/it shows no\s+other payment of this batch in GHS/);
  expect(found.stdout).not.toContain('payfile reconcile');
  expect(found.stderr).toMatch(/^Next: payfile explain redo 2 --sandbox$/m);
  const then = 'payfile resolve redo 2 --not-paid --evidence TEXT';
  expect(found.stderr).toMatch(new RegExp(`^Then: ${then} --accept not-paid --sandbox$`, 'm'));
  const evidence = ['--evidence', 'not in the book', '--accept', 'not-paid'];
  const ruled = await payfile('resolve', 'redo', '2', '--not-paid', ...evidence, '--sandbox');
  // Nothing was wrong in the row: it is planned again, whichever command says so.
  for (const said of [ruled, await payfile('settle', 'redo', '--sandbox')])
    expect(said.stderr).toMatch(/^Next: payfile reissue redo 2 --sandbox$/m);
}, 60_000);

/** Another process at work on the batch, as far as the ledger can tell. */
async function holdBatch(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'state', 'payfile', 'sandbox-ledger.db');
  const binding = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;
  const ledger = await openSqliteLedger({ path, binding, create: false, clock: systemClock });
  const found = await ledger.findBatch('may');
  if (found.kind !== 'found') throw new TypeError('the batch is there');
  const lease = await ledger.lease(found.batch.id, {
    pid: process.pid,
    host: hostname(),
    user: 'ama',
    command: 'payfile run',
  });
  expect(lease.kind).toBe('leased');
  return () => ledger.close();
}

it('says usage (64) where no decision of a person would help, and 65 for a statement that is none', async () => {
  const { payfile, file } = office();
  file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  expect((await payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may')).code).toBe(0);
  expect((await payfile('reissue', 'may', '2', '--sandbox')).code).toBe(64);
  expect((await payfile('release', 'may', '2', '--reason', 'x', '--sandbox')).code).toBe(64);
  expect((await payfile('reconcile', 'may', '--sandbox')).code).toBe(64);
  file('bad.csv', 'Weather,Mood\nsunny,good\n');
  const bad = await payfile('reconcile', 'may', '--statement', 'bad.csv', '--sandbox');
  expect(bad.code).toBe(65);
  expect(bad.stderr).toContain('date, amount, account');
}, 90_000);

it('believes of the book of another sandbox ledger nothing about a payment that is not in it', async () => {
  const { payfile, file } = office();
  file('redo.csv', payrollCsv([[LOST_UNPAID, '70.00']]));
  for (const ledger of ['one.db', 'other.db']) {
    const place = ['--sandbox', '--ledger', ledger];
    expect((await payfile('run', 'redo.csv', '--yes', '--batch', 'redo', ...place)).code).toBe(5);
  }
  clock.advance(60_000);
  const toldBy = async (ledger: string) => {
    await payfile('sandbox', '--book', '-o', `${ledger}.csv`, '--ledger', ledger);
    const compared = ['reconcile', 'redo', '--statement', `${ledger}.csv`, '--ledger', 'one.db'];
    return (await payfile(...compared, '--sandbox')).stdout.replace(/\s+/g, ' ');
  };
  expect(await toldBy('one.db')).toContain('it shows no other payment of this batch in GHS');
  expect(await toldBy('other.db')).toContain('which proves nothing: the statement does not reach');
}, 60_000);

it('can be tried in the sandbox with a statement of its book, which is written over no file but its own', async () => {
  const { payfile, file, at } = office();
  file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [ANSWER_LOST, '70.00'],
    ]),
  );
  expect((await payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may')).code).toBe(5);
  const elsewhere = await payfile('sandbox', '--book', '-o', 'none.csv', '--ledger', 'other/n.db');
  expect(elsewhere.code).toBe(66);
  expect(elsewhere.stderr).toMatch(/There is no book at .*other\/n-book\.jsonl: .* with --ledger\./);
  expect(existsSync(at('none.csv'))).toBe(false);
  const written = await payfile('sandbox', '--book', '-o', 'statement.csv');
  expect([written.code, written.stdout]).toEqual([0, '2 transfers. Statement: statement.csv\n']);
  const summed = await payfile('sandbox', '--book');
  expect(summed.stdout).toMatch(
    /^2 transfers\. Book: .*sandbox-ledger-book\.jsonl\n(Finished|Processing): GHS 170\.50 in 2 transfers\n$/,
  );
  expect(summed.stderr).toContain('payfile sandbox --book -o statement.csv');
  expect(summed.stderr).toContain('payfile sandbox --book --json');
  const compared = await payfile(
    'reconcile',
    'may',
    '--statement',
    'statement.csv',
    '--accept',
    '--sandbox',
    '--json',
  );
  expect(compared.code, compared.stderr).toBe(0);
  const status = await payfile('status', 'may', '--sandbox', '--json');
  expect(status.json()['counts']).toMatchObject({ in_doubt: 0 });
  const again = await payfile('sandbox', '--book', '-o', 'statement.csv');
  expect(again.code, again.stderr).toBe(0);
  file('bank.csv', 'Date,Id,Amount\n');
  const refused = await payfile('sandbox', '--book', '-o', 'bank.csv');
  expect([refused.code, refused.stderr]).toEqual([73, expect.stringContaining('a file is there already')]);
  expect((await payfile('sandbox', '-o', 'x.csv')).code).toBe(64);
});

it('prints all that another shell needs to pay through the sandbox, the country of the money too', async () => {
  const at = office();
  const running = at.start(['sandbox', '--port', '0']);
  let printed = '';
  running.child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await running.saw('Stop it with Ctrl-C');
  await vi.waitFor(() => expect(printed).toMatch(/PAYFILE_LEDGER='.*'\n/));
  const lines = printed.matchAll(/^export (\w+)='([^']*)'$/gm);
  Object.assign(at.env, Object.fromEntries([...lines].map(([, name, value]) => [name, value])));
  at.file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  const paid = await at.payfile('run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=999', '--new-ledger');
  expect(paid.code, paid.stderr).toBe(0);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
});
