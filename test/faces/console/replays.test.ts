/** The same form sent many times at once, as by a double press, a script, or two people: each thing happens once. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBook } from '../../../src/sandbox/book.ts';
import { ACCOUNT, aPlace, ROWS } from '../../builders/doubtful-batch.ts';
import { aConsole } from './a-console.ts';

it('approves, sends, pays again and rules once, however often each form comes at once', async () => {
  const place = aPlace();
  const { payfile, visitor, idle } = aConsole({ ledger: place.ledger });
  await payfile.plan(place.file, { batch: 'may' });
  const path = `/batches/${(await payfile.batches())[0]?.id}`;
  const [ada, eve] = [visitor('ada'), visitor('eve')];
  const six = [ada, eve, ada, eve, ada, eve];
  const atOnce = async (at: string, fields: Readonly<Record<string, string>>) => {
    await Promise.all(six.map((one) => one.post(path + at, fields)));
    await idle();
  };
  const entries = async (kind: string) =>
    (await payfile.history('may')).decisions.filter((one) => one.kind === kind).length;
  const book = () => readBook(join(place.folder, 'ledger-book.jsonl')).entries().length;
  const idOf = async (row: number) => (await payfile.explain('may', String(row))).story.payout.id;

  const approval = await ada.page(`${path}/approval`);
  const [, total = ''] = /Type the total: ([^<]*)</.exec(approval) ?? [];
  const [, digest = ''] = /name="digest" value="([0-9a-f]+)"/.exec(approval) ?? [];
  await atOnce('/approval', { digest, total });
  expect(await entries('approved')).toBe(1);
  await atOnce('/send', {});
  await atOnce('/send', {});
  expect([book(), (await payfile.status('may')).totals.counts]).toMatchObject([
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
  expect((await payfile.verify()).result.problems).toEqual([]);
});
