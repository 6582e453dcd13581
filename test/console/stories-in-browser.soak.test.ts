/** The main stories of people in a real browser, with script and without. */

import { describe, expect, it } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { ACCOUNT, aPlace, ROWS, sendDoubtful } from '../builders/doubtful-batch.ts';
import { approvePlan, planFile, planShown } from '../builders/library-calls.ts';
import { aChromium } from '../files/report/a-browser.ts';
import { addressIn, aServedConsole, follow, press } from './a-served-console.ts';
import { choose, payPayroll, waitForText } from './payroll-story.ts';

const browser = aChromium();

it(
  'pays a payroll from the file over corrected cells to its report, without script',
  () => payPayroll(browser(), { javaScriptEnabled: false }),
  90_000,
);

describe.each([
  ['with script', true],
  ['without script', false],
] as const)('%s', (_how, javaScriptEnabled) => {
  it('rules on lost answers with a statement', async () => {
    const place = aPlace();
    const served = await aServedConsole(browser(), { ledger: place.ledger });
    await sendDoubtful(served.payfile, place);
    const page = await served.ada({ javaScriptEnabled });
    await waitForText(page, 'It is not known whether these were paid');
    await follow(page, 'Find out about 2 rows in doubt');
    await follow(page, 'Find out about 2 rows in doubt');
    await waitForText(page, '2 rows in doubt');
    await choose(page, 'bank-may.csv', place.statement());
    await press(page, /Compare/);
    await waitForText(page, 'In doubt, and the statement shows it as paid');
    await page.getByRole('checkbox').first().check();
    await page.locator('form:has(input[type=checkbox]) button').first().click();
    await waitForText(page, 'Decided');
    const stateOf = async (row: number) =>
      (await served.payfile.call(explain, { batch: 'may', row: String(row) })).story.payout.state.status;
    expect([await stateOf(ROWS.doubtPaid), await stateOf(ROWS.doubtUnpaid)]).toEqual([
      'accepted',
      'in_doubt',
    ]);
    await page.goto(addressIn(page, `/batches/${(await batchesOf(served.payfile))[0]?.id}`));
    await press(page, /^Ask for the status of/);
    await expect.poll(() => stateOf(ROWS.doubtPaid), { timeout: 30_000 }).toBe('settled');
    expect(await stateOf(ROWS.doubtPaid)).toBe('settled');
    expect(served.complaints).toEqual([]);
  }, 90_000);
});

it('shows the state of each row beside a moving bar, without a click', async () => {
  // The last row never finishes: payfile asks about it for an hour.
  const place = aPlace(`Reference,Country,Institution,Account,Name,Amount
S-1,GH,GCB Bank,${ACCOUNT},,300.00
S-2,GH,GCB Bank,1011130990011,,400.00
`);
  const served = await aServedConsole(browser(), { ledger: place.ledger });
  await planFile(served.payfile, place.file, { batch: 'may' });
  await approvePlan(served.payfile, 'may', (await planShown(served.payfile, 'may')).plan.digest);
  const page = await served.ada();
  await follow(page, 'may');
  await press(page, /^Send 2 approved rows/);
  await page.locator('#now', { hasText: '1 in doubt' }).waitFor({ timeout: 30_000 });
  await waitForText(page, 'started by ada');
  await page.locator('#rows-now', { hasText: 'In doubt' }).waitFor();
  expect(await page.locator('#rows-now').textContent()).not.toContain('Not sent');
  expect(await page.locator('#money-now').textContent()).not.toContain('Not yet sent');
  await page.getByRole('link', { name: 'Find out about 1 row in doubt' }).waitFor();
  expect(served.complaints).toEqual([]);
}, 90_000);
