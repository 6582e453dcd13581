/** A row in doubt: the screens and commands until it is settled or ruled on. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { openLedger } from '../../src/ledger/file.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import {
  ANSWER_LOST,
  clock,
  GOOD,
  LOST_UNPAID,
  type Office,
  payrollCsv,
  REFUSED,
  type Row,
} from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const DAY = 24 * 3_600_000;
const newOffice = officesFor({ PAYFILE_SOURCE: 'GB', PAYFILE_POST_TIMEOUT_MS: '1000' });

function anOffice() {
  const office = newOffice();
  return { ...office, sandbox: (...words: string[]) => office.payfile(...words, '--sandbox') };
}

interface BookEntry {
  readonly id: string;
  readonly at: number;
  readonly amount: string;
  readonly account: string;
  readonly note: string;
}

async function bookOf({ payfile }: Office): Promise<readonly BookEntry[]> {
  const { json } = await payfile('sandbox', '--book', '--json', '--full-accounts');
  return json()['entries'] as readonly BookEntry[];
}

/** A batch of two rows. The answer to the second row was lost after the money had moved. */
async function lostAnswer() {
  const office = anOffice();
  const paid: Row = [GOOD[0] ?? '', '100.50'];
  office.file('may.csv', payrollCsv([paid, [ANSWER_LOST, '70.00']]));
  expect((await office.sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(5);
  const entries = await bookOf(office);
  const statement = (changes: (line: string[]) => string[] = (line) => line) => {
    const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
    const lines = entries.map(({ id, at, amount, account, note }) => [iso(at), id, amount, account, note]);
    const far = [iso((entries[0]?.at ?? 0) - 5 * DAY), 'x-1', '5.00', '999', 'bank charges'];
    const all = [['Date', 'Transfer ID', 'Amount', 'Account', 'Narration'], far, ...lines.map(changes)];
    return office.file('st.csv', `${all.map((cells) => cells.join(',')).join('\n')}\n`);
  };
  return { ...office, statement };
}

it('shows 14 rows in doubt on one screen, with the statement to get and the commands to go on', async () => {
  const { sandbox, file } = anOffice();
  const lost = Array.from({ length: 14 }, (_, at): Row => [ANSWER_LOST, `${70 + at}.00`]);
  file('may.csv', payrollCsv([...GOOD.slice(0, 2).map((account): Row => [account, '100.50']), ...lost]));
  const ended = await sandbox('run', 'may.csv', '--yes', '--batch', 'may', '--concurrency', '14');
  expect(ended.code, ended.stderr).toBe(5);
  const block = ended.stdout.slice(ended.stdout.indexOf('14 rows in doubt'));
  expect(block.trim().split('\n').length).toBeLessThanOrEqual(20);
  expect(block).toMatch(/^14 rows in doubt, GHS 1,071\.00, sent .* UTC: rows 4–17\.$/m);
  expect(block).toContain('payfile reconcile may --statement FILE --sandbox');
  expect(block).toContain('payfile settle may --sandbox');
  expect(ended.stderr.match(/^Warning: /gm)).toHaveLength(4);
  expect((await sandbox('status', 'may')).stdout).toContain(block.trim().split('\n')[0]);
  expect((await sandbox('status')).stdout).toContain('Batch may has 14 rows in doubt: payfile status may');
}, 60_000);

it('rules one row paid and one row not paid by the printed commands alone', async () => {
  const { payfile, file } = anOffice();
  file(
    'may.csv',
    payrollCsv([
      [GOOD[0] ?? '', '100.50'],
      [ANSWER_LOST, '66.00'],
      [LOST_UNPAID, '55.00'],
    ]),
  );
  let shown = await payfile('run', 'may.csv', '--yes', '--batch', 'may', '--sandbox');
  // Until no answer can come any more.
  clock.advance(60_000);
  const typed = async (pattern: RegExp) => {
    const said = (shown.stdout + shown.stderr).replace(/\s+/g, ' ');
    const [, line] = pattern.exec(said) ?? [];
    if (line === undefined) throw new Error(`nothing to type: ${pattern}\n${said}`);
    shown = await payfile(...line.replace('FILE', 'statement.csv').split(' '));
    return shown;
  };
  await typed(/payfile (sandbox --book -o \S+ --sandbox)/);
  shown = await payfile('status', 'may', '--sandbox');
  await typed(/payfile (reconcile may --statement FILE --sandbox)/);
  const first = await typed(/Then: payfile (reconcile may --statement statement.csv --accept --sandbox)/);
  expect(first.code).toBe(10);
  expect(first.stdout).toMatch(/^Decided: paid:\n {2}Row 3, GHS 66\.00 /m);
  const last = await typed(
    /Then: payfile (reconcile may --statement statement.csv --accept not-paid --sandbox)/,
  );
  expect(last.code, last.stdout + last.stderr).toBe(0);
  expect((await typed(/Next: payfile (settle may --sandbox)/)).stdout).toMatch(/2 settled, 1 failed/);
}, 60_000);

it('rules on a row by hand if no statement can prove more, and then plans it again', async () => {
  const { payfile, sandbox, file } = anOffice();
  file('redo.csv', payrollCsv([[LOST_UNPAID, '70.00']]));
  expect((await sandbox('run', 'redo.csv', '--yes', '--batch', 'redo')).code).toBe(5);
  clock.advance(60_000);
  await payfile('sandbox', '--book', '-o', 'st.csv');
  const found = await sandbox('reconcile', 'redo', '--statement', 'st.csv');
  expect(found.code, found.stderr).toBe(5);
  expect(found.stdout).not.toContain('payfile reconcile');
  const then = 'payfile resolve redo 2 --not-paid --evidence TEXT';
  expect(found.stderr).toMatch(new RegExp(`^Then: ${then} --accept not-paid --sandbox$`, 'm'));
  const ruling = ['resolve', 'redo', '2', '--not-paid', '--evidence'];
  expect((await sandbox(...ruling, './statment.pdf', '--accept', 'not-paid')).code).toBe(64);
  const ruled = await sandbox(...ruling, 'not in the book', '--accept', 'not-paid');
  // Nothing was wrong in the row: it is planned again, whichever command says so.
  for (const said of [ruled, await sandbox('settle', 'redo')])
    expect(said.stderr).toMatch(/^Next: payfile reissue redo 2 --sandbox$/m);
  expect((await sandbox('reissue', 'redo', '2')).code).toBe(0);
  const told = await sandbox('explain', 'redo', '2');
  expect(told.stdout).toContain('The first attempt to pay this row, row 2 of batch redo: ✖ Failed\n');
}, 60_000);

describe('a row in doubt and a statement', () => {
  it('is explained with all that is known, proposed as paid (10), and ruled with --accept', async () => {
    const { sandbox, statement } = await lostAnswer();
    const told = await sandbox('explain', 'may', '3');
    expect(told.stdout).toMatch(/Bytes written\s+[1-9]\d*/);
    expect(told.stdout).toMatch(/for\s+PF-[0-9A-Z]{8}/);
    expect(told.stdout).not.toContain(ANSWER_LOST);
    const words = ['reconcile', 'may', '--statement', statement()];
    const proposed = await sandbox(...words);
    expect(proposed.code, proposed.stderr).toBe(10);
    const accepted = await sandbox(...words, '--accept', '--json');
    expect(accepted.json()).toMatchObject({ exitCode: 0, accepted: [{ row: 3, outcome: 'ruled' }] });
    expect((await sandbox('settle', 'may')).code).toBe(0);
  }, 90_000);

  it('asks which amounts are payments (65), and takes only the ruling that fits the finding', async () => {
    const { sandbox, statement } = await lostAnswer();
    const words = ['reconcile', 'may', '--statement', statement((line) => line.with(2, `-${line[2]}`))];
    const asked = await sandbox(...words, '--accept');
    expect(asked.code).toBe(65);
    expect(asked.stderr).toContain('--payments minus or --payments plus');
    expect((await sandbox(...words, '--payments', 'minus')).code).toBe(10);
    expect((await sandbox(...words, '--map', 'amount=Amount')).code).toBe(65);
    expect((await sandbox(...words, '--map', 'debit=Sent')).code).toBe(65);
    for (const wrong of [
      ['--payments', 'both'],
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

  it('is an incident (5) if a statement shows it as paid after it was ruled not paid and planned again', async () => {
    const { sandbox, statement } = await lostAnswer();
    const words = ['resolve', 'may', '3', '--not-paid', '--evidence', 'they said so', '--yes'];
    // The request may be under way for as long as its answer is waited for, and a moment more.
    const ruled = async () => expect((await sandbox(...words)).code).toBe(0);
    await vi.waitFor(ruled, { timeout: 30_000, interval: 200 });
    expect((await sandbox('reissue', 'may', '3')).code).toBe(0);
    const shown = statement((line) => line.with(1, ''));
    expect((await sandbox('reconcile', 'may', '--statement', shown, '--accept')).code).toBe(5);
    // Another statement does not show it: it stays an incident all the same, and the list of batches counts it.
    const coffee = ['2020-01-01', 'y-1', '3.00', '1', 'coffee'];
    const silent = statement((line) => (line[2] === '70.00' ? coffee : line));
    expect((await sandbox('reconcile', 'may', '--statement', silent)).code).toBe(5);
    const listed = (await sandbox('status', '--json')).json()['batches'];
    expect(listed).toMatchObject([{ name: 'may', outcome: 'incident' }]);
    const again = await sandbox('reissue', 'may', '3');
    // The row is the payment that was ruled on, and no withdrawn one: a person has to look.
    expect(again.code).toBe(10);
    expect(again.stderr).toContain('would pay twice');
    const explained = await sandbox('explain', 'may', '3', '--json');
    expect(explained.json()['nextStep']).toContain('do not pay it again');
    expect(explained.stdout).not.toContain('payfile reissue');
  }, 90_000);

  it('is not proven unpaid by an older book or by the book of another sandbox ledger', async () => {
    const { payfile, sandbox, file } = anOffice();
    const paid: Row = [GOOD[0] ?? '', '100.50'];
    file('may.csv', payrollCsv([paid]));
    await sandbox('run', 'may.csv', '--yes', '--batch', 'may');
    await payfile('sandbox', '--book', '-o', 'early.csv');
    file('may.csv', payrollCsv([paid, [LOST_UNPAID, '66.00']]));
    for (const ledger of [[], ['--ledger', 'other.db']])
      expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may', ...ledger)).code).toBe(5);
    clock.advance(60_000);
    await payfile('sandbox', '--book', '-o', 'other.csv', '--ledger', 'other.db');
    for (const book of ['early.csv', 'other.csv']) {
      const compared = await sandbox(
        'reconcile',
        'may',
        '--statement',
        book,
        '--accept',
        'not-paid',
        '--json',
      );
      expect(compared.json()).toMatchObject({ exitCode: 5, accepted: [] });
    }
  }, 60_000);
});

it('refuses every decision on a row while another process holds the batch (75)', async () => {
  const { sandbox, file, at } = anOffice();
  const planned: Row = [GOOD[1] ?? '', '81.00'];
  file('may.csv', payrollCsv([[ANSWER_LOST, '70.00']]));
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(5);
  file('may.csv', payrollCsv([[ANSWER_LOST, '70.00'], planned]));
  await sandbox('plan', 'may.csv', '--batch', 'may');
  const digest = String((await sandbox('status', 'may', '--json')).json()['planDigest']);
  const binding = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;
  const path = at('state/payfile/sandbox-ledger.db');
  const ledger = await openLedger({ path, binding, create: false, clock: systemClock });
  const found = await ledger.findBatch('may');
  if (found.kind !== 'found') throw new TypeError('the batch is there');
  const holder = { pid: process.pid, host: hostname(), user: 'ama', command: 'payfile plan' };
  expect(await ledger.lease(found.batch.id, holder)).toMatchObject({ kind: 'leased' });
  const approve = ['approve', 'may', '--digest', digest];
  for (const words of [['resolve', 'may', '2', '--not-paid', '--evidence', 'x', '--yes'], approve]) {
    const busy = await sandbox(...words);
    expect(busy.code, busy.stderr).toBe(75);
    expect(busy.stderr).toContain('payfile plan');
  }
  const { counts } = (await sandbox('status', 'may', '--json')).json();
  expect(counts).toMatchObject({ in_doubt: 1, quoted: 1, approved: 0, canceled: 0 });
  await ledger.close();
});

it('does not call a row missing by a statement of the same day (4), and asks for a later statement', async () => {
  const office = anOffice();
  const { sandbox, file } = office;
  const good = GOOD.map((account, at): Row => [account, `${at + 1}00.00`]);
  file('may.csv', payrollCsv([...good, [REFUSED, '70.00']]));
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(3);
  const [{ id, at, account, note } = { id: '', at: 0, account: '', note: '' }] = await bookOf(office);
  const day = new Date(at).toISOString().slice(0, 10);
  file('st.csv', `Date,Transfer ID,Amount,Account,Narration\n${day},${id},100.00,${account},${note}\n`);
  const found = await sandbox('reconcile', 'may', '--statement', 'st.csv', '--payments', 'plus');
  expect(found.code, found.stderr).toBe(4);
  expect(found.stdout).toMatch(/^Not there yet +4 +GHS 1,400\.00$/m);
  expect(found.stderr).toMatch(/^Then: payfile reconcile may --statement FILE --payments plus --sandbox$/m);
}, 60_000);

it('refuses a decision that cannot help (64) and a file that is no statement (65)', async () => {
  const { sandbox, file } = anOffice();
  file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(0);
  expect((await sandbox('reissue', 'may', '2')).code).toBe(64);
  expect((await sandbox('release', 'may', '2', '--reason', 'x')).code).toBe(64);
  file('bad.csv', 'Weather,Mood\nsunny,good\n');
  const bad = await sandbox('reconcile', 'may', '--statement', 'bad.csv');
  expect(bad.code).toBe(65);
  expect(bad.stderr).toContain('date, amount, account');
}, 90_000);

describe('the sandbox', () => {
  it('writes its book as a statement, and replaces only its own files', async () => {
    const { payfile, sandbox, file, at } = anOffice();
    file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
    expect((await sandbox('run', 'may.csv', '--yes', '--batch', 'may')).code).toBe(0);
    const elsewhere = await payfile('sandbox', '--book', '-o', 'none.csv', '--ledger', 'other/n.db');
    expect(elsewhere.code).toBe(66);
    expect(existsSync(at('none.csv'))).toBe(false);
    for (const _ of ['once', 'again']) {
      const written = await payfile('sandbox', '--book', '-o', 'statement.csv');
      expect([written.code, written.stdout]).toEqual([0, '1 transfer. Statement: statement.csv\n']);
    }
    file('bank.csv', 'Date,Id,Amount\n');
    expect((await payfile('sandbox', '--book', '-o', 'bank.csv')).code).toBe(73);
    expect((await payfile('sandbox', '-o', 'x.csv')).code).toBe(64);
  });

  it('prints all settings that another shell needs to pay through it, with the source country', async () => {
    const at = newOffice();
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
    const run = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=999', '--new-ledger'];
    const paid = await at.payfile(...run);
    expect(paid.code, paid.stderr).toBe(0);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });
});
