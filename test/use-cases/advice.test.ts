/** Advice of a batch in the ledger: what was left out, what came back since, and what the journal keeps. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { openAdviceSink } from '../../src/files/report/advice-file.ts';
import { reissue } from '../../src/use-cases/decide/reissue.ts';
import { makeAdvice } from '../../src/use-cases/report/make-advice.ts';
import { someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const HOUR = 3_600_000;

function advising(place: Workplace) {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-advice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'advice.csv');
  const made = (contact?: string, text?: string) =>
    makeAdvice(
      'may',
      { path, format: 'csv', isReplaced: false, by: 'ada', contact, text },
      { ...place.world, openAdviceSink, journal: async () => place.ledger },
    );
  return { made, read: () => readFileSync(path, 'utf8') };
}

async function settled(place: Workplace, batch: BatchId) {
  await place.send(batch);
  await place.settle(batch, HOUR);
}

it('says how many rows were left out and why, and writes nothing if all were', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(3), 'may');
  const { made, read } = advising(place);
  const none = await made();
  expect([none.rows, [...none.leftOut]]).toEqual([0, [['approved but not sent', 3]]]);
  expect(read).toThrow('ENOENT');
  expect(await place.ledger.notes(batch, 'advice_made')).toEqual([]);
  place.service.turns.push('accept', { refuse: 'closed account' }, 'lose_before');
  await settled(place, batch);
  const some = await made();
  expect([some.rows, [...some.leftOut]]).toEqual([
    1,
    [
      ['failed', 1],
      ['in doubt', 1],
    ],
  ]);
  const [note] = await place.ledger.notes(batch, 'advice_made');
  expect(note?.body).toEqual({ by: 'ada', rows: 1, format: 'csv', contact: false });
  expect((await place.ledger.verify()).problems).toEqual([]);
});

it('names a payment that came back after its advice, also when it was paid again', async () => {
  const place = await aWorkplace();
  const batch = await place.approved(someRows(2), 'may');
  const { made, read } = advising(place);
  await settled(place, batch);
  expect(await made()).toMatchObject({ rows: 2, cameBack: [] });
  place.clock.advance(HOUR);
  place.service.statusOf = (id) => (id === 'tr-1' ? 'Returned' : 'Finished');
  await place.settle(batch, HOUR);
  const back = await made();
  expect(back).toMatchObject({ rows: 1, cameBack: [{ row: 2 }] });
  expect([...back.leftOut]).toEqual([['returned', 1]]);
  place.clock.advance(24 * HOUR);
  await reissue(batch, { kind: 'rows', rows: ['2'] }, { by: 'ben', evidence: undefined }, place.world);
  await place.agree(batch);
  await settled(place, batch);
  expect(await made()).toMatchObject({ rows: 2, cameBack: [{ row: 2 }] });
  expect(read()).toMatch(/,\d{4}-\d\d-\d\d,sandbox,,\n/);
});

it('refuses a column that the file does not have, and a payer that nobody set', async () => {
  const place = await aWorkplace();
  const own = { Phone: '+233244123456', Mail: 'ama@example.com' };
  await settled(place, await place.approved(someRows(1, { own }), 'may'));
  const { made, read } = advising(place);
  await expect(made('Phome')).rejects.toThrow('no column is called “Phome”. Did you mean “Phone”');
  await expect(made('Telegram id')).rejects.toThrow('The columns are “reference”');
  await expect(made(undefined, 'from {payer}')).rejects.toThrow('Set “organization”');
  await made('mail', 'Dear {name}');
  expect(read()).toContain(',ama@example.com,"SANDBOX, no money moved: Dear Ama Mensah"');
});
