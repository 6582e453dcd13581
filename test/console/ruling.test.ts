/** Ruling on a row in doubt: paid, where the transfer is compared; not paid, with words or a file; confirmed by its number. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { aConsole } from './a-console.ts';

async function opened() {
  const place = aPlace();
  const console = aConsole({ ledger: place.ledger });
  await sendDoubtful(console.payfile, place);
  const [batch] = await batchesOf(console.payfile);
  const at = (row: number) => `/batches/${batch?.id}/rows/${row}`;
  const ada = console.visitor();
  const fieldsOf = async (row: number, fields: Readonly<Record<string, string>>) => {
    const { story } = await console.payfile.call(explain, { batch: 'may', row: String(row) });
    return { payout: story.payout.id, row: String(row), ...fields };
  };
  const stateOf = async (row: number) =>
    (await console.payfile.call(explain, { batch: 'may', row: String(row) })).story.payout.state;
  return { ...console, place, at, ada, fieldsOf, stateOf };
}
/** After this time no request can still be under way. */
const DAY_MS = 86_400_000;
type Opened = Awaited<ReturnType<typeof opened>>;

/** A form that may have a file, and has none. */
const sent = async (path: string, fields: Readonly<Record<string, string>>, { ada }: Pick<Opened, 'ada'>) => {
  const answer = await ada.upload(`${path}/ruling`, '', '', fields);
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
};

it('rules paid after the transfer was looked up, and only with the number of the row', async () => {
  const place = await opened();
  const { at, fieldsOf, stateOf, ada } = place;
  const path = at(ROWS.doubtPaid);
  expect(await ada.page(path)).toContain('The request may still be under way. Rule on it after');
  const paid = { ruling: 'paid', transfer: place.place.transferOf(ACCOUNT) };
  const wrong = await sent(path, await fieldsOf(ROWS.doubtPaid, { ...paid, row: '3' }), place);
  expect(wrong).toMatchObject({ status: 422, text: expect.stringContaining('not the number of this row') });
  const other = await sent(path, { ...(await fieldsOf(ROWS.settled, paid)), row: '4' }, place);
  expect(other.status).toBe(422);
  expect((await stateOf(ROWS.doubtPaid)).status).toBe('in_doubt');
  const done = await sent(path, await fieldsOf(ROWS.doubtPaid, paid), place);
  expect([done.status, done.to]).toEqual([303, path.replace(/\/rows.*/, '')]);
  expect(await stateOf(ROWS.doubtPaid)).toMatchObject({ status: 'accepted', transferId: paid.transfer });
  expect(await ada.page(path.replace(/\/rows.*/, ''))).toContain(
    'Next, ask for its status on the page of the batch.',
  );
});

it('shows how a transfer differs, and rules only with words that say why', async () => {
  const place = await opened();
  const { at, fieldsOf, stateOf, ada } = place;
  const path = at(ROWS.doubtUnpaid);
  const paid = { ruling: 'paid', transfer: place.place.transferOf(ACCOUNT) };
  const asked = await sent(path, await fieldsOf(ROWS.doubtUnpaid, paid), place);
  expect(asked.status).toBe(422);
  expect(asked.text).toContain('What does not fit:');
  expect(asked.text).toMatch(/<li>amount: /);
  expect(asked.text).not.toContain(ACCOUNT);
  expect((await stateOf(ROWS.doubtUnpaid)).status).toBe('in_doubt');
  const evidence = '/etc/hostname';
  await sent(path, await fieldsOf(ROWS.doubtUnpaid, { ...paid, evidence }), place);
  expect((await stateOf(ROWS.doubtUnpaid)).status).toBe('accepted');
  const story = await ada.page(path);
  expect(story).toContain('on this evidence: /etc/hostname');
});

it('rules not paid from a time on, with a file of which name, size and hash are kept', async () => {
  const place = await opened();
  const { at, fieldsOf, stateOf, ada, desk, payfile, clock } = place;
  const path = at(ROWS.doubtUnpaid);
  clock.advance(DAY_MS);
  const without = await sent(path, await fieldsOf(ROWS.doubtUnpaid, { ruling: 'not_paid' }), place);
  expect(without).toMatchObject({
    status: 422,
    text: expect.stringContaining('“Not paid” needs “Evidence”'),
  });
  const fields = await fieldsOf(ROWS.doubtUnpaid, { ruling: 'not_paid', evidence: 'The bank wrote' });
  const done = await ada.upload(`${path}/ruling`, 'letter <b>.pdf', 'no such transfer', fields);
  expect(done.status).toBe(303);
  expect(await stateOf(ROWS.doubtUnpaid)).toMatchObject({ status: 'failed', basis: 'ruled' });
  const page = await ada.page(path);
  expect(page).toMatch(/The bank wrote; file letter &lt;b&gt;\.pdf \(16 bytes, SHA-256 [0-9a-f]{64}\)/);
  expect(readdirSync(desk.uploads)).toEqual([]);
  expect((await payfile.call(explain, { batch: 'may', row: String(ROWS.doubtUnpaid) })).open).toMatchObject({
    payAgain: 'as_it_is',
    rule: { mayBeUnpaid: false },
  });
});

it('says that there is nothing to rule on where the outcome is known', async () => {
  const { at, ada } = await opened();
  expect(await ada.page(at(ROWS.settled))).not.toContain('It was paid');
});
