/**
 * The same form sent many times at once, as by a double press, a script, or two people: each thing happens once. Forms and
 * addresses that no page makes do nothing, and are no bug.
 */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { history } from '../../src/operations/status.ts';
import { readBook } from '../../src/sandbox/book.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, ROWS } from '../builders/doubtful-batch.ts';
import { planFile } from '../builders/library-calls.ts';
import { aConsole } from './a-console.ts';

it('approves, sends, pays again and rules once, however often each form comes at once', async () => {
  const place = aPlace();
  const { payfile, visitor, idle } = aConsole({ ledger: place.ledger });
  await planFile(payfile, place.file, { batch: 'may' });
  const path = `/batches/${(await batchesOf(payfile))[0]?.id}`;
  const [ada, eve] = [visitor('ada'), visitor('eve')];
  const six = [ada, eve, ada, eve, ada, eve];
  const atOnce = async (at: string, fields: Readonly<Record<string, string>>) => {
    await Promise.all(six.map((one) => one.post(path + at, fields)));
    await idle();
  };
  const entries = async (kind: string) =>
    (await payfile.call(history, { batch: 'may' })).decisions.filter((one) => one.kind === kind).length;
  const book = () => readBook(join(place.folder, 'ledger-book.jsonl')).entries().length;
  const idOf = async (row: number) =>
    (await payfile.call(explain, { batch: 'may', row: String(row) })).story.payout.id;

  const approval = await ada.page(`${path}/plan`);
  const [, total = ''] = /Type the total: ([^<]*)</.exec(approval) ?? [];
  const [, digest = ''] = /name="digest" value="([0-9a-f]+)"/.exec(approval) ?? [];
  await atOnce('/approval', { digest, total });
  expect(await entries('approved')).toBe(1);
  await atOnce('/send', {});
  await atOnce('/send', {});
  expect([book(), (await stateOf(payfile, 'may')).totals.counts]).toMatchObject([
    2,
    { in_doubt: 2, failed: 1 },
  ]);
  await atOnce(`/rows/${ROWS.refused}/reissue`, { payout: await idOf(ROWS.refused) });
  expect(await entries('replacement')).toBe(1);
  const paid = { ruling: 'paid', transfer: place.transferOf(ACCOUNT) };
  const said = { payout: await idOf(ROWS.doubtPaid), row: String(ROWS.doubtPaid), ...paid };
  const ruling = `${path}/rows/${ROWS.doubtPaid}/ruling`;
  await Promise.all(six.map((one) => one.upload(ruling, '', '', said)));
  expect([await entries('rule_paid'), book()]).toEqual([1, 2]);
  expect((await payfile.ledger.verify()).problems).toEqual([]);
});

it('agrees to nothing by a form that no page makes', async () => {
  const place = aPlace();
  const { payfile, visitor } = aConsole({ ledger: place.ledger });
  await planFile(payfile, place.file, { batch: 'may' });
  const path = `/batches/${(await batchesOf(payfile))[0]?.id}`;
  const ada = visitor();
  const page = await ada.page(`${path}/plan`);
  const [, total = ''] = /Type the total: ([^<]*)</.exec(page) ?? [];
  const [, digest = ''] = /name="digest" value="([0-9a-f]+)"/.exec(page) ?? [];
  const stale: readonly Record<string, string>[] = [
    { total },
    { digest: '', total },
    { digest: digest.slice(0, 8), total },
    { digest: digest.replace(/./, (letter) => (letter === '0' ? '1' : '0')), total },
  ];
  const untyped: readonly Record<string, string>[] = [
    { digest },
    { digest, total: '0' },
    { digest, total: `-${total}` },
    { digest, total: total.replace(/\d/, '９') },
    { digest, total: '1', how: 'library', by: 'eve' },
    { digest, total: '', nonce: 'x', answer: '{}' },
  ];
  for (const fields of stale)
    expect([fields, (await ada.post(`${path}/approval`, fields)).status]).toEqual([fields, 409]);
  for (const fields of untyped)
    expect([fields, (await ada.post(`${path}/approval`, fields)).status]).toEqual([fields, 422]);
  expect((await batchesOf(payfile))[0]?.approval).toBeUndefined();
  expect((await ada.post(`${path}/approval`, { digest, total })).status).toBe(303);
});

it('finds no bug of its own at odd addresses', async () => {
  const place = aPlace();
  const { payfile, visitor } = aConsole({ ledger: place.ledger });
  await planFile(payfile, place.file, { batch: 'may' });
  const ada = visitor();
  for (const at of [
    ...['__proto__', 'constructor', '%00', '..%2f..%2fetc', '%E0%A4%A', 'a'.repeat(5_000)].flatMap((odd) => [
      ...[`/batches/${odd}`, `/batches/may/rows/${odd}`, `/uploads/${odd}/rows`, `/assets/${odd}`],
      ...[
        `/batches/may?after=${odd}&status=${odd}`,
        `/lists?country=${odd}`,
        `/reports?from=${odd}&to=${odd}`,
      ],
      ...[`/batches/may/statement?upload=${odd}&payments=${odd}`, `/passkeys/${odd}`, `/enter/${odd}`],
    ]),
    '/batches/may/rows/1e3',
    '/batches/may?after=99999999999999999999',
    '/batches/may/held?after=-5',
    '/reports?from=2020-13-45&to=0000-00-00',
  ]) {
    const answer = await ada.get(at);
    const isBug = answer.status >= 500 || (await answer.text()).includes('bug of payfile');
    expect([at, isBug]).toEqual([at, false]);
  }
});
