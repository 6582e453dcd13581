/**
 * A person at a terminal sees the plan and types the total. Only the right total pays. One story uses a real terminal,
 * which needs Python. The others use a terminal in this process.
 */
import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { listenForStop } from '../../src/cli/terminal/stopping.ts';
import { commandPath } from '../builders/command.ts';
import { ANSWER_LOST, GOOD, payrollCsv, REFUSED, type Row } from '../builders/office.ts';
import { CTRL_C, DOWN, openSeat, type Seat, type SeatOptions } from './a-seat.ts';

const seats: Seat[] = [];
afterEach(() => {
  for (const seat of seats.splice(0)) seat.close();
});

function sit(options: SeatOptions = {}): Seat {
  const seat = openSeat(options);
  seats.push(seat);
  return seat;
}

const rows: Row[] = GOOD.slice(0, 2).map((account) => [account, '1000.00'] as const);
const SANDBOX = '--sandbox';

const DRIVER = fileURLToPath(new URL('a-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0;

it.skipIf(!hasPython)(
  'pays when the total shown is typed on a real terminal, and not for another number',
  () => {
    const { file, folder, env } = sit();
    file('may.csv', payrollCsv(rows));
    const type = (answers: readonly (readonly [text: string, typed: string])[], ...words: string[]) => {
      const all = [DRIVER, JSON.stringify(answers), process.execPath, commandPath(), ...words];
      const ended = spawnSync('python3', all, { cwd: folder, env, encoding: 'utf8', timeout: 85_000 });
      return { code: ended.status, screen: stripVTControlCharacters(ended.stdout) };
    };
    const asked = type([['Type the total', CTRL_C]], 'run', 'may.csv', '--batch', 'may', SANDBOX);
    expect(asked.code, asked.screen).toBe(10);
    const total = /Type the total to pay 2 rows: GBP ([\d,.]+)/.exec(asked.screen)?.[1] ?? '';
    expect(total).not.toBe('');
    const answers = [
      ['Type the total', '1.00\r'],
      ['That is not GBP', `${total.replace(',', '')}\r`],
    ] as const;
    const paid = type(answers, 'run', 'may.csv', '--batch', 'may', SANDBOX);
    expect(paid.code, paid.screen).toBe(0);
    expect(paid.screen).toContain('2 settled');
  },
);

describe('run on a terminal', () => {
  it('says how the rows that wait are approved when nobody agreed, whatever became of the others', async () => {
    const { type, file, payfile } = sit();
    const paid = [...rows, [REFUSED, '60.00']] as const;
    file('may.csv', payrollCsv(paid));
    await payfile('run', 'may.csv', '--batch', 'may', SANDBOX, '--yes');
    file('may.csv', payrollCsv([...paid, [GOOD[2] ?? '', '70.00']]));
    const stopped = await type([['Type the total', CTRL_C]], 'run', 'may.csv', '--batch', 'may', SANDBOX);
    expect(stopped.code, stopped.screen).toBe(3);
    expect(stopped.screen).toContain('Next: payfile approve may --sandbox');
  });

  it('asks about the file of another batch, and pays it again only as a new period', async () => {
    const { type, file, payfile } = sit();
    file('may.csv', payrollCsv(rows));
    await payfile('run', 'may.csv', SANDBOX, '--yes', '--batch', 'may');
    const june = ['run', 'may.csv', SANDBOX, '--yes', '--batch', 'june'];
    const shown = await type([['What is this file?', '\r']], ...june);
    expect(shown.code, shown.screen).toBe(0);
    expect(shown.screen).toMatch(/Batch may of \d{4}-\d\d-\d\d has 2 rows, GHS [\d.,]+\./);
    expect(shown.screen).toContain('Nothing to send: batch may');
    const early = await type([['What is this file?', `${DOWN}\r`]], ...june);
    expect(early.code, early.screen).toBe(10);
    expect(early.screen.replace(/\s+/g, ' ')).toContain(
      'Its rows are not paid for a new period yet. You can pay a new period from ',
    );
    expect(early.screen).not.toContain('A new period: pay all rows again');
    expect((await payfile('status', SANDBOX, '--json')).json()['batches']).toHaveLength(1);
    const insisted = await payfile(...june, '--repeats', 'may');
    expect(insisted.code, insisted.stderr).toBe(10);
    expect(insisted.stderr).toContain('Next: payfile run may.csv --yes --batch may --sandbox\n');
    file('payfile.json', JSON.stringify({ repeatHours: 0 }));
    const again = await type([], ...june, '--repeats', 'may', '--config', 'payfile.json');
    expect(again.code, again.screen).toBe(0);
    expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toHaveLength(4);
  });

  it('asks what only the owner of the file knows, reads it again, and remembers the answer', async () => {
    const { type, file, payfile } = sit();
    const content = payrollCsv(rows);
    const [header = '', ...lines] = content.split('\n');
    file('may.csv', [header.replace(/Country/i, 'Where to'), ...lines].join('\n'));
    const stopped = await type([['Where does it stand', CTRL_C]], 'check', 'may.csv', SANDBOX);
    expect(stopped.code, stopped.screen).toBe(65);
    const asked = await type([['Where does it stand', '\r']], 'check', 'may.csv', SANDBOX);
    expect(asked.code, asked.screen).toBe(0);
    expect(asked.screen).toContain('kept as the reading “may”');
    const next = await payfile('check', 'may.csv', SANDBOX);
    expect(next.stdout).toMatch(/Remembered for files with these columns/);
  });

  it('proposes a name for the batch, and asks before a taken name makes the file a newer version', async () => {
    const { type, file, payfile } = sit();
    file('pay.csv', payrollCsv(rows));
    const named = await type([['Name of the batch', '\r']], 'plan', 'pay.csv', SANDBOX);
    expect(named.code, named.screen).toBe(0);
    const month = new Date().toISOString().slice(0, 7);
    expect(named.screen).toContain(`New batch pay ${month}.`);
    file('pay.csv', payrollCsv([...rows, [GOOD[2] ?? '', '70.00']]));
    const newer = await type(
      [
        ['Name of the batch', `PAY ${month}\r`],
        ['What is this file?', '\r'],
      ],
      ...['plan', 'pay.csv', SANDBOX],
    );
    expect(newer.code, newer.screen).toBe(0);
    expect(newer.screen).toMatch(/Batch pay \S+ of \S+ has 2 rows, GHS [\d.,]+\.\r?\n/);
    expect(newer.screen).toContain(`Revision 2 of batch pay ${month}`);
    const nobody = await type([['Name of the batch', CTRL_C]], 'plan', 'pay.csv', SANDBOX);
    expect(nobody.code, nobody.screen).toBe(10);
    expect(nobody.screen).toContain('Nobody named the batch');
    expect((await payfile('status', SANDBOX, '--json')).json()['batches']).toHaveLength(1);
  });

  it('shows a plan and its outcome in 80 columns, every command whole', async () => {
    const { type, file } = sit({ columns: 80 });
    const name = 'payroll-of-all-the-employees-2026-05';
    file('may.csv', payrollCsv([...rows, [ANSWER_LOST, '1234567.00'], [REFUSED, '7654321.00']]));
    const words = ['run', 'may.csv', SANDBOX, '--yes', '--batch', name];
    const ended = await type([], ...words);
    expect(ended.code, ended.screen).toBe(5);
    const lines = ended.screen.split(/\r?\n/).map((line) => line.split('\r').at(-1) ?? '');
    const wide = lines.filter((line) => line.length > 80);
    expect(wide.filter((line) => !/^ {2,6}payfile /.test(line))).toEqual([]);
    const whole = lines.map((line) => line.trim());
    expect(whole).toContain(`payfile reconcile ${name} --statement FILE --sandbox`);
    expect(whole).toContain(`payfile reissue ${name} 5 --sandbox`);
    expect(lines).toContainEqual(expect.stringMatching(/^Warning: row 4 is in doubt\./));
  });

  it('never asks where CI is set, although there is a terminal', async () => {
    const { type, file } = sit({ env: { CI: 'true' } });
    file('may.csv', payrollCsv(rows));
    const ended = await type([], 'run', 'may.csv', SANDBOX);
    expect(ended.code).toBe(10);
    expect(ended.screen).not.toContain('Type the total');
  });
});

describe('approve on a terminal', () => {
  const row = (number: number, amount: string, source = 'GB') =>
    `R-${number},GH,GCB Bank,${GOOD[number - 1]},${amount},,${source}`;
  /** A name in the file that the sandbox's account does not have. */
  const HELD = 'R-H,GH,GCB Bank,1011130024505,900.00,Zebedee Unknown,GB';

  async function planned(...lines: readonly string[]) {
    const seat = sit();
    seat.file(
      'may.csv',
      ['Reference,Country,Institution,Account,Amount,Name,Source', ...lines, ''].join('\n'),
    );
    const { code, stderr } = await seat.payfile('plan', 'may.csv', '--batch', 'may', SANDBOX);
    expect([0, 3, 10], stderr).toContain(code);
    const counts = async () => (await seat.payfile('status', 'may', SANDBOX, '--json')).json().counts;
    return { ...seat, counts };
  }

  function totalsIn(screen: string): string[] {
    const shown = screen.matchAll(/Type the total to approve \d+ rows?: [A-Z]{3} ([\d,.]+\d)/g);
    return [...new Set([...shown].map(([, total = '']) => total))];
  }

  it('asks for the total of the plan with released and without withdrawn rows, and approves only if it is typed', async () => {
    const { type, payfile, counts } = await planned(row(1, '1000.00'), row(2, '2000.00'), HELD);
    expect((await payfile('release', 'may', 'R-H', '--reason', 'x', SANDBOX)).code).toBe(0);
    expect((await payfile('cancel', 'may', 'R-2', '--reason', 'x', SANDBOX)).code).toBe(0);
    await payfile('plan', 'may.csv', '--batch', 'may', SANDBOX);
    const asked = await type([['Type the total', CTRL_C]], 'approve', 'may', SANDBOX);
    expect(asked.code, asked.screen).toBe(10);
    expect(asked.screen).toMatch(/GHS +2 +1,900\.00/);
    expect(asked.screen).toContain('You did not agree. Nothing was approved.');
    expect(await counts()).toMatchObject({ quoted: 2, canceled: 1, approved: 0, held: 0 });
    const [total = ''] = totalsIn(asked.screen);
    const agreed = await type([['Type the total', `${total}\r`]], 'approve', 'may', SANDBOX);
    expect(agreed.code, agreed.screen).toBe(0);
    expect(await counts()).toMatchObject({ quoted: 0, canceled: 1, approved: 2 });
  });

  it('asks for the total of each currency that pays', async () => {
    const { type, counts } = await planned(row(1, '1000.00'), row(2, '2000.00', 'US'));
    const approve = ['approve', 'may', SANDBOX];
    const first = await type([['Type the total', CTRL_C]], ...approve);
    expect(first.screen).toMatch(/Type the total to approve 2 rows: GBP [\d.]+ \(1 of 2 totals\)/);
    const [pounds = ''] = totalsIn(first.screen);
    const typed = (dollars: string) =>
      [
        ['1 of 2 totals', `${pounds}\r`],
        ['2 of 2 totals', dollars],
      ] as const;
    const half = await type(typed(CTRL_C), ...approve);
    expect(half.code, half.screen).toBe(10);
    expect(half.screen).toMatch(/Type the total to approve 2 rows: USD [\d.]+ \(2 of 2 totals\)/);
    expect(await counts()).toMatchObject({ quoted: 2 });
    const both = await type(typed(`${totalsIn(half.screen).at(-1) ?? ''}\r`), ...approve);
    expect(both.code, both.screen).toBe(0);
    expect(await counts()).toMatchObject({ approved: 2 });
  });
});

describe('a question that nobody can answer any more', () => {
  const run = ['run', 'may.csv', '--batch', 'may', SANDBOX];

  it.each(['the input is closed', 'what started the command is gone'])(
    'ends when %s (143), agrees to nothing, and leaves the batch free',
    async (how) => {
      let isGone = false;
      const { type, file, payfile } = sit({ isAbandoned: () => isGone });
      file('may.csv', payrollCsv(rows));
      const leave = how === 'the input is closed' ? (stdin: Writable) => stdin.end() : () => (isGone = true);
      const { code, screen } = await type([['Type the total', leave]], ...run);
      expect(code, screen).toBe(143);
      expect(screen).toContain('Nothing was agreed to.');
      const status = await payfile('status', 'may', SANDBOX, '--json');
      expect(status.json().counts).toMatchObject({ quoted: 2 });
      expect((await payfile(...run, '--yes')).code).toBe(0);
    },
  );

  it('reports no bug if the input fails, and a bug for every other error', () => {
    let bug: (error: unknown) => void = () => undefined;
    let said = '';
    const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
      said += String(chunk);
      done();
    };
    const stopping = listenForStop({
      stderr: new Writable({ write }),
      exit: () => undefined,
      onSignal: () => () => undefined,
      onBug(receive) {
        bug = receive;
        return () => undefined;
      },
    });
    const broken = new Error('read EIO');
    stopping.abandon(broken);
    bug(broken);
    expect([said, stopping.exitCode()]).toEqual(['', 143]);
    bug(new Error('another'));
    expect(said).toContain('This is a bug of payfile: another');
  });
});
