/** A person at a terminal: the plan is shown, the total is typed, and only the right total pays. */
import { afterEach, describe, expect, it } from 'vitest';
import { ANSWER_LOST, GOOD, payrollCsv, REFUSED, type Row } from '../builders/office.ts';
import { CTRL_C, DOWN, hasPython, openSeat, type Seat } from './a-seat.ts';

const seats: Seat[] = [];
afterEach(() => {
  for (const seat of seats.splice(0)) seat.close();
});

function sit(env: Record<string, string> = {}): Seat {
  const seat = openSeat(env);
  seats.push(seat);
  return seat;
}

const rows: Row[] = GOOD.slice(0, 2).map((account) => [account, '1000.00'] as const);

describe.skipIf(!hasPython)('run on a terminal', () => {
  it('pays when the total shown is typed, and not for another number', () => {
    const { type, file } = sit();
    file('may.csv', payrollCsv(rows));
    const asked = type([['Type the total', CTRL_C]], 'run', 'may.csv', '--sandbox');
    expect(asked.code, asked.screen).toBe(10);
    const total = /Type the total to pay 2 rows: GBP ([\d,.]+)/.exec(asked.screen)?.[1] ?? '';
    expect(total).not.toBe('');
    const paid = type(
      [
        ['Type the total', '1.00\r'],
        ['That is not GBP', `${total.replace(',', '')}\r`],
      ],
      'run',
      'may.csv',
      '--sandbox',
    );
    expect(paid.code, paid.screen).toBe(0);
    expect(paid.screen).toContain('2 settled');
  });

  it('says how the rows that wait are approved when nobody agreed, whatever became of the others', async () => {
    const { type, file, payfile } = sit();
    const paid = [...rows, [REFUSED, '60.00']] as const;
    file('may.csv', payrollCsv(paid));
    await payfile('run', 'may.csv', '--batch', 'may', '--sandbox', '--yes');
    file('may.csv', payrollCsv([...paid, [GOOD[2] ?? '', '70.00']]));
    const stopped = type([['Type the total', CTRL_C]], 'run', 'may.csv', '--batch', 'may', '--sandbox');
    expect(stopped.code, stopped.screen).toBe(3);
    expect(stopped.screen).toContain('You did not agree.');
    expect(stopped.screen).toContain('Next: payfile approve may --sandbox');
  });

  it('asks about a file that was paid before, and pays it again only as a new period with a name', async () => {
    const { type, file, payfile } = sit();
    file('may.csv', payrollCsv(rows));
    await payfile('run', 'may.csv', '--sandbox', '--yes', '--batch', 'may');
    const shown = type([['What is this file?', '\r']], 'run', 'may.csv', '--sandbox', '--yes');
    expect(shown.code, shown.screen).toBe(0);
    expect(shown.screen).toContain('Nothing to send');
    const again = type(
      [
        ['What is this file?', `${DOWN}\r`],
        ['Name of the new batch', 'june\r'],
      ],
      'run',
      'may.csv',
      '--sandbox',
      '--yes',
    );
    expect(again.code, again.screen).toBe(0);
    expect((await payfile('sandbox', '--book', '--json')).json()['entries']).toHaveLength(4);
  });

  it('shows a plan and its outcome in 80 columns, every command whole', () => {
    const { type, file } = sit({ SCREEN_COLUMNS: '80' });
    const name = 'payroll-of-all-the-employees-2026-05';
    file('may.csv', payrollCsv([...rows, [ANSWER_LOST, '1234567.00'], [REFUSED, '7654321.00']]));
    const words = ['run', 'may.csv', '--sandbox', '--yes', '--batch', name, '--deadline', '5s'];
    const ended = type([], ...words);
    expect(ended.code, ended.screen).toBe(5);
    const lines = ended.screen.split(/\r?\n/).map((line) => line.split('\r').at(-1) ?? '');
    const wide = lines.filter((line) => line.length > 80);
    expect(wide.filter((line) => !/^ {2,4}payfile /.test(line))).toEqual([]);
    expect(lines).toContain(`   payfile reconcile ${name} --statement FILE --sandbox`);
    expect(lines).toContain(`    payfile reissue ${name} 5 --sandbox`);
    expect(lines).toContainEqual(expect.stringMatching(/^Warning: row 4 is in doubt\./));
  });

  it('never asks where CI is set, although there is a terminal', () => {
    const { type, file } = sit({ CI: 'true' });
    file('may.csv', payrollCsv(rows));
    const ended = type([], 'run', 'may.csv', '--sandbox');
    expect(ended.code).toBe(10);
    expect(ended.screen).not.toContain('Type the total');
  });
});
