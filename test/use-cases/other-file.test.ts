/**
 * Between two steps of a command another process may give the batch another file: what was checked, confirmed or limited
 * by a ceiling is then not what would be paid.
 */
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { ruleOnDoubt } from '../../src/use-cases/decide/rule-on-doubt.ts';
import { planFile } from '../../src/use-cases/plan-file.ts';
import type { Ports } from '../../src/use-cases/ports.ts';
import { runFile } from '../../src/use-cases/run.ts';
import { ledgerWith } from '../builders/ledger-with.ts';
import { aRow, type FileRow, openRowsOf, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';
import { asking, atWork, aYard } from '../builders/yard.ts';

const HOLDER = { pid: 4_194_303, host: hostname(), user: 'ama', command: 'test' };
const places: Workplace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.ledger.close();
});

async function anOffice(): Promise<Workplace> {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  places.push(place);
  return place;
}

/** What another process does when this one asks for its lease for the `times`th time. */
function beforeLease({ world, ledger }: Workplace, times: number, act: () => Promise<unknown>): Ports {
  let asked = 0;
  const lease: typeof ledger.lease = async (...given) => {
    asked += 1;
    if (asked === times) await act();
    return ledger.lease(...given);
  };
  return { ...world, ledger: ledgerWith(ledger, { lease }) };
}

const OWN = someRows(3);
const OTHERS: readonly FileRow[] = [aRow(1), aRow(8), aRow(9)];

describe('another file that another process reads into the batch between two steps', () => {
  const request = {
    read: { open: { path: 'pay.csv' }, source: 'GB', maker: 'ama' },
    ...{ name: 'may', holder: HOLDER, skipInvalid: false, yes: true, deadlineMs: 60_000 },
  } as const;

  it('is neither priced nor paid by a run of the first one', async () => {
    const place = await anOffice();
    await place.place(OWN, 'may');
    // The first lease is for placing the file.
    const ports = beforeLease(place, 2, () => place.place(OTHERS, 'may'));
    await expect(runFile(openRowsOf(OWN.toReversed()), request, ports)).rejects.toMatchObject({
      code: 'batch_busy',
    });
    expect(place.service.book).toEqual([]);
    expect(await place.stand((await place.ledger.batches())[0]?.id as never)).toMatchObject({ planned: 3 });
  });

  it('is not planned in the place of the first one', async () => {
    const place = await anOffice();
    await place.place(OWN, 'may');
    const ports = beforeLease(place, 2, () => place.place(OTHERS, 'may'));
    const planned = planFile(openRowsOf(OWN.toReversed()), request, ports);
    await expect(planned).rejects.toMatchObject({ code: 'batch_busy' });
  });

  it('lets a run go on that nobody disturbed', async () => {
    const place = await anOffice();
    await place.place(OWN, 'may');
    const { run } = await runFile(
      openRowsOf(OWN.toReversed()),
      request,
      beforeLease(place, 9, async () => 0),
    );
    expect(run?.plan.counts).toEqual({ settled: 3 });
  });
});

describe('while workers do the stages of a run', () => {
  const read = { open: { path: 'pay.csv' }, source: 'GB', maker: 'ama' } as const;
  const request = { read, name: 'may', holder: HOLDER, skipInvalid: false, deadlineMs: 60_000 };
  const byCeiling = async () => ({ kind: 'agreed', how: 'ceiling' }) as const;

  async function busyYard() {
    const yard = await aYard();
    places.push(yard);
    const work = atWork(yard, 1);
    while ((await yard.fleet.workersOf('send-head')) === 0) await yard.clock.sleep(100);
    const end = async () => {
      work.ending.abort();
      await work.ended;
    };
    return { yard, end };
  }

  it('a ceiling agrees to no file that another process read meanwhile', async () => {
    const { yard, end } = await busyYard();
    let isPlaced = false;
    const counts: typeof yard.ledger.counts = async (id) => {
      if (!isPlaced) {
        isPlaced = true;
        await yard.place(OTHERS, 'may');
      }
      return yard.ledger.counts(id);
    };
    const ports = { ...asking(yard), ledger: ledgerWith(yard.ledger, { counts }) };
    const run = runFile(openRowsOf(OWN), { ...request, consent: byCeiling }, ports);
    await expect(run).rejects.toMatchObject({ code: 'batch_busy', name: 'OtherFileRead' });
    expect(yard.service.book).toEqual([]);
    await end();
  });

  it('nobody agrees while another process has the batch', async () => {
    const { yard, end } = await busyYard();
    const consent = async () => {
      const [batch] = await yard.ledger.batches();
      await yard.ledger.lease(batch?.id ?? ('' as never), { ...HOLDER, user: 'ben' });
      return byCeiling();
    };
    const run = runFile(openRowsOf(OWN), { ...request, consent }, asking(yard));
    await expect(run).rejects.toMatchObject({ name: 'BatchBusy' });
    expect(await yard.stand((await yard.ledger.batches())[0]?.id as never)).toEqual({ quoted: 3 });
    await end();
  });
});

it('rules on the payment that a person looked at, whatever number its row has got since', async () => {
  const place = await anOffice();
  const { batch } = await place.place(OWN, 'may');
  await place.agree(batch.id);
  place.service.turns.push('lose_before', 'lose_before', 'lose_before');
  for (let row = 2; row <= 4; row += 1) await place.send(batch.id).catch(() => undefined);
  const lost = (await place.payouts(batch.id)).filter(({ state }) => state.status === 'in_doubt');
  const [looked] = lost;
  if (looked === undefined) throw new TypeError('Nothing is in doubt');
  place.clock.advance(24 * 3_600_000);
  // The same rows in another order: each number is another payment's now.
  const ports = beforeLease(place, 1, () => place.place(OWN.toReversed(), 'may'));
  const ruling = {
    batch,
    row: String(looked.rowNumber),
    request: { kind: 'not_paid', by: 'ben', evidence: 'statement 7' },
  } as const;
  const ruled = await ruleOnDoubt(ruling, { isSure: true, holder: HOLDER }, async () => ports, ports);
  const now = await place.ledger.payout(looked.id);
  expect({ kind: ruled.kind, status: now?.state.status }).toEqual({ kind: 'ruled', status: 'failed' });
  const others = (await place.payouts(batch.id)).filter(({ id }) => id !== looked.id);
  expect(others.filter(({ state }) => state.status === 'failed')).toEqual([]);
});
