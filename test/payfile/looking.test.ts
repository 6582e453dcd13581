/** What a page asks the door: a batch at first sight, its rows, its history, its plan; and all batches. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rowList } from '../../src/operations/row-list.ts';
import { run } from '../../src/operations/run.ts';
import { history, look as lookNow, overview } from '../../src/operations/status.ts';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { stateOf } from '../builders/batch-state.ts';
import { approvePlan, planFile, planShown } from '../builders/library-calls.ts';
import { NO_HOME } from '../builders/no-home.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const ORIGIN = 'http://localhost:4870';
const OPTIONS = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
const clock = createBriskClock().withPauses(9_000);
const people = { ben: ['approver'], boss: ['administrator'] } as const;
const create = (policy = {}) =>
  createPayfile({ ...OPTIONS, people, policy }, { env: { HOME: NO_HOME }, clock });

function open(policy = {}): Payfile {
  const payfile = create(policy);
  onTestFinished(() => payfile.close());
  return payfile;
}

/** Rows that end in every way there is. */
const EVERY_WAY = 'samples/payroll.xlsx';

describe('of a batch that was paid', () => {
  let payfile: Payfile;
  beforeAll(async () => {
    payfile = create();
    const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
    await payfile.call(run, { file: EVERY_WAY, batch: 'may', consent });
    await payfile.batches.pause({ batch: 'may', reason: 'lunch' });
  });
  afterAll(() => payfile.close());

  it('shows what its status shows, without reading its rows', async () => {
    const [look, status] = [await payfile.call(lookNow, { batch: 'may' }), await stateOf(payfile, 'may')];
    const shared = [
      'batch',
      'environment',
      'status',
      'outcome',
      'attention',
      'attentionLeft',
      'releaseAll',
      'doubt',
    ] as const;
    for (const key of shared) expect(look[key], key).toEqual(status[key]);
    expect(look.counts).toEqual(status.totals.counts);
    expect(look.currencies).toEqual(status.totals.currencies);
    expect(look.counts.held).toBe(1);
    expect([look.waits, look.atWork, look.whyNotApprove]).toEqual([undefined, undefined, undefined]);
  });

  it('gives rows page by page, with what to do about each, and no whole account', async () => {
    const first = await payfile.call(rowList, { batch: 'may', limit: 20 });
    const second = await payfile.call(rowList, { batch: 'may', limit: 20, after: first.next });
    expect([first.lines.length, second.lines.length, second.next]).toEqual([20, 4, undefined]);
    expect(first.counts).toMatchObject({ settled: 23, held: 1 });
    const { rows } = await payfile.call(lookNow, { batch: 'may', rows: { limit: 20, after: first.next } });
    expect(rows).toEqual(second);
    const search = { batch: 'may', search: 'owusu', statuses: ['held' as const] };
    const { lines: held } = await payfile.call(rowList, search);
    expect(held[0]?.steps.map(({ command }) => command)).toHaveLength(held[0]?.steps.length ?? -1);
    expect(held[0]?.texts.next_step).toContain('payfile release may');
    const { columns } = first.batch.file;
    const account = columns.get('account') ?? -1;
    const shown = [...first.lines, ...second.lines].map(({ cells }) => cells[account]);
    expect(shown.every((cell) => cell?.startsWith('••••'))).toBe(true);
    const all = await payfile.rows.list({ batch: 'may' });
    expect(await payfile.rows.list({ batch: 'may', search: ' ' })).toEqual(all);
    expect(all.rows.map(({ row }) => row)).toEqual(first.lines.concat(second.lines).map(({ row }) => row));
    expect(all.rows.every((row) => row.account.startsWith('••••') && row.amount !== null)).toBe(true);
  });

  it('shows its history, the newest entry first', async () => {
    const first = await payfile.call(history, { batch: 'may', limit: 1 });
    const rest = await payfile.call(history, { batch: 'may', after: first.next });
    expect(first.decisions.map(({ what }) => what)).toEqual(['Paused']);
    expect(rest.decisions.map(({ what }) => what)).toEqual(['Sending begun', 'Approved', 'File read']);
  });
});

it('names the digest of a plan that somebody was shown, and none once a row moved', async () => {
  const payfile = open({ fourEyes: true });
  await planFile(payfile, EVERY_WAY, { batch: 'may' });
  const { plan } = await stateOf(payfile, 'may');
  const { waits, whyNotApprove } = await payfile.call(lookNow, { batch: 'may' });
  expect(waits).toEqual({ rows: 23, digest: plan?.digest });
  expect(whyNotApprove).toEqual({ kind: 'same_person', maker: 'ada' });
  const { names } = (await planShown(payfile, 'may')).plan;
  const [held] = names.toSee;
  expect([held?.written, held?.resolved]).toEqual(['Kwame Owusu', 'Kwame Owusu-Ansah']);
  await payfile.rows.release({ batch: 'may', rows: [String(held?.rowNumber)], reason: 'asked' });
  expect((await payfile.call(lookNow, { batch: 'may' })).waits).toEqual({ rows: 23, digest: undefined });
  const seen = await planShown(payfile, 'may');
  expect((await payfile.call(lookNow, { batch: 'may' })).waits?.digest).toBe(seen.plan.digest);
  await planFile(payfile, EVERY_WAY, { batch: 'may' });
  const newest = await payfile.call(lookNow, { batch: 'may' });
  expect(newest.waits).toMatchObject({ rows: 24 });
  expect(newest.waits?.digest).not.toBe(seen.plan.digest);
  const [ben, key] = [payfile.as('ben'), anAuthenticator()];
  const { ticket } = await payfile.as('boss').people.invite({ person: 'ben' });
  const { options: making } = await payfile.people.registration({ ticket });
  await payfile.people.register({ ticket, answer: key.make(making, ORIGIN), origin: ORIGIN });
  const digest = newest.waits?.digest ?? '';
  const { nonce, options } = await ben.people.askApproval({ batch: 'may', digest, origin: ORIGIN });
  const passkey = { nonce, answer: key.sign(options, ORIGIN) };
  const approved = await approvePlan(ben, 'may', digest, { passkey });
  expect(approved.kind).toBe('approved');
});

it('counts the money of invalid rows as a report does', async () => {
  const payfile = open();
  await planFile(payfile, 'samples/every-fault.csv', { batch: 'may', skipInvalid: true });
  const [look, { totals }] = [await payfile.call(lookNow, { batch: 'may' }), await stateOf(payfile, 'may')];
  expect(look.currencies).toEqual(totals.currencies);
  expect(look.invalidWithoutMoney).toBe(totals.amountUnreadable);
  expect(look.counts.invalid).toBeGreaterThan(2);
});

it('gives all batches a page at a time', async () => {
  const payfile = open();
  for (const batch of ['one', 'two', 'three'])
    await planFile(payfile, 'samples/suppliers.csv', { batch, repeats: batch === 'one' ? undefined : 'one' });
  const first = await payfile.call(overview, { limit: 2 });
  const second = await payfile.call(overview, { limit: 2, after: first.next });
  const names = [...first.batches, ...second.batches].map(({ batch }) => batch.name);
  expect([names, first.count, second.next]).toEqual([['three', 'two', 'one'], 3, undefined]);
});

it('refuses a page that is too large', async () => {
  await expect(open().rows.list({ batch: 'may', limit: 201 })).rejects.toThrow(
    'a whole number from 1 to 200',
  );
});
