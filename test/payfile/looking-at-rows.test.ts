/** The decisions about a row, the log of views of a full account number, and proofs under another name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { ACCOUNT, aPlace, type Place, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';

let payfile: Payfile;
let place: Place;
const open = async () => {
  place = aPlace();
  payfile = createPayfile({ sandbox: true, ledger: place.ledger, actor: 'ada', source: 'GB' });
  await sendDoubtful(payfile, place);
};
afterEach(() => payfile.close());

const shown = (value: unknown) => inspect(value, { depth: 20 });
const openOf = async (row: number) => (await payfile.call(explain, { batch: 'may', row: String(row) })).open;

it('says what may be decided about a row as it stands', async () => {
  await open();
  expect(await openOf(ROWS.settled)).toEqual({
    release: false,
    withdraw: false,
    payAgain: undefined,
    accept: false,
    rest: [],
    rule: undefined,
  });
  expect(await openOf(ROWS.held)).toMatchObject({ release: true, withdraw: true });
  expect(await openOf(ROWS.refused)).toMatchObject({ payAgain: 'as_it_is', rule: undefined });
  expect((await openOf(ROWS.doubtPaid)).rule).toEqual({
    mayBeUnpaid: true,
    notYet: expect.stringMatching(/^The request may still be under way\. Rule on it after /),
  });
});

it('shows a whole account only after the journal keeps who asked for it', async () => {
  await open();
  const masked = await payfile.call(explain, { batch: 'may', row: String(ROWS.doubtPaid) });
  const seen = await payfile.as('ben').rows.showAccount({ batch: 'may', row: String(ROWS.doubtPaid) });
  expect(shown(masked)).not.toContain(ACCOUNT);
  expect(seen.account).toBe(ACCOUNT);
  const path = join(place.folder, 'may.html');
  await payfile.report({ batch: 'may', output: path });
  expect(readFileSync(path, 'utf8')).toMatch(/Whole accounts shown[\s\S]*ben[\s\S]*on the page of the row/);
});

it('takes words for words and a file under the name that people know', async () => {
  await open();
  const row = String(ROWS.doubtPaid);
  const transferId = place.transferOf(ACCOUNT);
  const upload = join(place.folder, '0a1b2c.pdf');
  writeFileSync(upload, 'the bank says so');
  const proof = { path: upload, name: 'letter of the bank.pdf' };
  await payfile.rows.resolve({ batch: 'may', row, paid: transferId, accept: 'paid', evidence: proof });
  const { story } = await payfile.call(explain, { batch: 'may', row: row });
  expect(shown(story)).toContain('file letter of the bank.pdf (16 bytes, SHA-256 ');
  expect(shown(story)).not.toContain('0a1b2c');
  await payfile.rows.reissue({ batch: 'may', rows: [String(ROWS.refused)], evidence: { words: upload } });
  const again = await payfile.call(explain, { batch: 'may', row: String(ROWS.refused) });
  expect(shown(again)).not.toContain('SHA-256');
});
