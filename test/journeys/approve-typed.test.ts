/** A person approves at a terminal: the plan is shown as it will be, and decisions about its rows come with the consent. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../src/adapters/ledger/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { GOOD } from '../builders/office.ts';
import { CTRL_C, hasPython, openSeat, type Seat } from './a-seat.ts';

const SANDBOX = '--sandbox';
const seats: Seat[] = [];
afterEach(() => {
  for (const seat of seats.splice(0)) seat.close();
});

async function planned(lines: readonly string[]): Promise<Seat> {
  const seat = openSeat();
  seats.push(seat);
  const head = 'Reference,Country,Institution,Account,Amount,Name,Source';
  seat.file('may.csv', `${[head, ...lines].join('\n')}\n`);
  const { code, stderr } = await seat.payfile('plan', 'may.csv', '--batch', 'may', SANDBOX);
  expect([0, 3, 10], stderr).toContain(code);
  return seat;
}

const row = (number: number, amount: string, source = 'GB') =>
  `R-${number},GH,GCB Bank,${GOOD[number - 1]},${amount},,${source}`;
/** A name in the file that the sandbox's account does not have. */
const HELD = 'R-H,GH,GCB Bank,1011130024505,900.00,Zebedee Unknown,GB';

async function countsOf({ payfile }: Seat) {
  return (await payfile('status', 'may', SANDBOX, '--json')).json().counts;
}

function totalsIn(screen: string): string[] {
  const shown = screen.matchAll(/Type the total to approve \d+ rows?: [A-Z]{3} ([\d,.]+\d)/g);
  return [...new Set([...shown].map(([, total = '']) => total))];
}

describe.skipIf(!hasPython)('approve on a terminal', () => {
  it('shows the plan without what is withdrawn, and withdraws it only when the person agrees', async () => {
    const seat = await planned([row(1, '1000.00'), row(2, '2000.00'), HELD]);
    const words = ['approve', 'may', '--withdraw', 'R-2', '--release', 'R-H', '--reason', 'x', SANDBOX];
    const asked = seat.type([['Type the total', CTRL_C]], ...words);
    expect(asked.code, asked.screen).toBe(10);
    expect(asked.screen).toMatch(/Released: 1 row \(4\)\. This is kept even when you do not agree/);
    expect(asked.screen).toMatch(/without what is withdrawn when you agree: 1 row \(3\)/);
    expect(asked.screen).toMatch(/GHS +2 +1,900\.00/);
    expect(asked.screen).toContain('nothing was approved or withdrawn');
    expect(await countsOf(seat)).toMatchObject({ quoted: 3, canceled: 0, approved: 0, held: 0 });
    const [total = ''] = totalsIn(asked.screen);
    const without = ['approve', 'may', '--withdraw', 'R-2', '--reason', 'x', SANDBOX];
    const agreed = seat.type([['Type the total', `${total}\r`]], ...without);
    expect(agreed.code, agreed.screen).toBe(0);
    expect(agreed.screen).toMatch(/Withdrawn: 1 row \(3\)\.[\s\S]*Approved 2 rows of batch may/);
    expect(await countsOf(seat)).toMatchObject({ quoted: 0, canceled: 1, approved: 2 });
  }, 60_000);

  it('asks for the total of each currency that pays', async () => {
    const seat = await planned([row(1, '1000.00'), row(2, '2000.00', 'US')]);
    const first = seat.type([['Type the total', CTRL_C]], 'approve', 'may', SANDBOX);
    expect(first.screen).toMatch(/Type the total to approve 2 rows: GBP [\d.]+ \(1 of 2 totals\)/);
    const [pounds = ''] = totalsIn(first.screen);
    const half = seat.type(
      [
        ['1 of 2 totals', `${pounds}\r`],
        ['2 of 2 totals', CTRL_C],
      ],
      ...['approve', 'may', SANDBOX],
    );
    expect(half.code, half.screen).toBe(10);
    expect(half.screen).toMatch(/Type the total to approve 2 rows: USD [\d.]+ \(2 of 2 totals\)/);
    expect(await countsOf(seat)).toMatchObject({ quoted: 2 });
    const dollars = totalsIn(half.screen).at(-1) ?? '';
    const both = seat.type(
      [
        ['1 of 2 totals', `${pounds}\r`],
        ['2 of 2 totals', `${dollars}\r`],
      ],
      ...['approve', 'may', SANDBOX],
    );
    expect(both.code, both.screen).toBe(0);
    expect(await countsOf(seat)).toMatchObject({ approved: 2 });
  }, 60_000);
});

it('does not approve a batch that another process is at work with: 75, and nothing is done', async () => {
  const seat = await planned([row(1, '1000.00'), row(2, '2000.00')]);
  const plan = (await seat.payfile('status', 'may', SANDBOX, '--json')).json()['planDigest'];
  const path = join(seat.folder, 'state', 'payfile', 'sandbox-ledger.db');
  const binding = { environment: 'sandbox', baseUrl: 'sandbox', loginId: 'sandbox' } as const;
  const ledger = await openSqliteLedger({ path, binding, create: false, clock: systemClock });
  const found = await ledger.findBatch('may');
  if (found.kind !== 'found') throw new TypeError('the batch is there');
  const holder = { pid: process.pid, host: hostname(), user: 'ama', command: 'payfile plan' };
  await ledger.lease(found.batch.id, holder);
  const words = ['approve', 'may', '--digest', String(plan), '--withdraw', '2', '--reason', 'x', SANDBOX];
  const busy = await seat.payfile(...words);
  expect(busy.code, busy.stderr).toBe(75);
  expect(busy.stderr).toContain('payfile plan');
  expect(await countsOf(seat)).toMatchObject({ quoted: 2, approved: 0, canceled: 0 });
  await ledger.close();
  expect((await seat.payfile(...words)).code).toBe(0);
  expect(await countsOf(seat)).toMatchObject({ approved: 1, canceled: 1 });
});
