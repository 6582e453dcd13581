/** Letting a second person in, in two browsers: a ticket, a passkey, coming in with it, and its end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatAmount } from '../../../src/domain/money/money.ts';
import { ROLES } from '../../../src/domain/people/person.ts';
import { totalsToType } from '../../../src/domain/plan/typed-totals.ts';
import { type RunningConsole, startConsole } from '../../../src/faces/console/console.ts';
import { createPayfile, type Payfile, type PayfileOptions } from '../../../src/payfile.ts';
import { aChromium } from '../../adapters/files/report/a-browser.ts';
import { GOOD, payrollCsv, startLiveService } from '../../builders/office.ts';
import { addressIn } from './a-served-console.ts';

const browser = aChromium();
const contexts: BrowserContext[] = [];
let folder: string;
let payfile: Payfile;
let running: RunningConsole;
const complaints: string[] = [];

beforeEach(async () => {
  complaints.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'payfile-people-'));
});

async function open(more: Partial<PayfileOptions> = { sandbox: true, ledger: ':memory:' }): Promise<void> {
  const people = { ben: ['maker'], eve: ['approver'] } as const;
  const own = { ledger: join(folder, 'ledger.db'), actor: 'ada', source: 'GB', people, ...more };
  payfile = createPayfile(own, { env: { HOME: folder } });
  running = await startConsole({
    port: 0,
    environment: payfile.environment,
    person: { id: 'ada', name: 'ada', roles: ROLES },
    payfile,
    temporary: folder,
    now: () => Date.now(),
    say: () => undefined,
  });
}
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  await running.close();
  await payfile.close();
  rmSync(folder, { recursive: true });
});

async function somebody(javaScriptEnabled = true): Promise<Page> {
  const context = await browser().newContext({ javaScriptEnabled });
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => {
    // What the browser says of an answer that is refused on purpose.
    if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

/** A fingerprint reader that knows its owner, or nobody. */
async function withReader(page: Page, isUserVerified = true): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified,
    automaticPresenceSimulation: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function ticketOf(ada: Page): Promise<string> {
  await ada.goto(running.link());
  await title(ada, 'Batches');
  await ada.getByRole('link', { name: 'People' }).click();
  await press(ada, 'Make a ticket for eve');
  return (await ada.locator('code').textContent()) ?? '';
}

it('lets a second person register a passkey and come in with it, until it is removed', async () => {
  await open();
  const [ada, eve] = [await somebody(), await somebody()];
  await withReader(eve);
  const link = await ticketOf(ada);
  await eve.goto(link);
  await title(eve, 'A passkey for eve');
  await press(eve, 'Make the passkey');
  await title(eve, 'The passkey is registered');
  await eve.getByRole('link', { name: 'Come in' }).click();
  await press(eve, 'Come in with a passkey');
  await title(eve, 'Batches');
  expect(await eve.locator('.leave').textContent()).toContain('eve');
  const inside = addressIn(eve, '/');
  // An approver neither brings files nor makes tickets.
  await eve.goto(addressIn(eve, '/people'));
  expect(await eve.getByRole('button', { name: /ticket|Remove/ }).count()).toBe(0);
  await eve.goto(link);
  expect(await eve.textContent('main')).toContain('used before');
  await ada.goto(addressIn(ada, '/people'));
  expect(await ada.textContent('main')).toContain('by a ticket of ada');
  await press(ada, 'Remove: eve, passkey 1');
  expect(await ada.textContent('main')).toContain('The passkey was removed');
  await eve.goto(inside);
  await title(eve, 'Come in first');
  await eve.goto(`http://localhost:${running.port}/enter`);
  await press(eve, 'Come in with a passkey');
  await title(eve, 'This cannot be done');
  expect(await eve.textContent('main')).toContain('lets nobody in');
  expect(complaints).toEqual([]);
});

it('lets nobody who has come in register the passkey of another person', async () => {
  await open();
  const ada = await somebody();
  await withReader(ada);
  await ada.goto(await ticketOf(ada));
  expect(await ada.textContent('main')).toContain('This ticket is for eve, and you entered as ada');
});

it('lets a checker agree to real money with a typed total and a passkey, and nobody without', async () => {
  const live = await startLiveService();
  const { baseUrl, authUrl, credentials } = live.sandbox;
  const policy = { approvalPasskey: true, fourEyes: true };
  await open({ service: { baseUrl, authUrl, ...credentials }, createLedger: true, policy });
  writeFileSync(join(folder, 'may.csv'), payrollCsv(GOOD.map((account) => [account, '50.00'])));
  const { batch, seen } = await payfile.as('ben').plan(join(folder, 'may.csv'), { batch: 'may' });
  const [total] = totalsToType(seen?.plan ?? { toApprove: [] });
  const typed = total === undefined ? '' : formatAmount(total);
  const [ada, eve] = [await somebody(), await somebody()];
  await withReader(eve);
  await eve.goto(await ticketOf(ada));
  await press(eve, 'Make the passkey');
  await eve.getByRole('link', { name: 'Come in' }).click();
  await press(eve, 'Come in with a passkey');
  await title(eve, 'Batches');
  const form = (page: Page) => addressIn(page, `/batches/${batch.id}/approval`);
  await ada.goto(form(ada));
  expect(await ada.textContent('main')).toContain('You have no passkey here');
  await eve.goto(form(eve));
  await eve.getByLabel(/Type the total/).fill('1.00');
  await press(eve, /^Agree to pay/);
  await eve.getByText('is not the total').waitFor();
  // What the form is sent without: the question was not answered.
  await eve.evaluate("document.querySelector('form[data-sign]').removeAttribute('data-sign')");
  await eve.getByLabel(/Type the total/).fill(typed);
  await press(eve, /^Agree to pay/);
  await eve.getByText('is approved with a passkey').waitFor();
  expect((await payfile.batches())[0]?.approval).toBeUndefined();
  await eve.goto(form(eve));
  await eve.getByLabel(/Type the total/).fill(typed);
  await press(eve, /^Agree to pay/);
  await eve.getByText(`Approved ${GOOD.length} rows`).waitFor();
  expect((await payfile.batches())[0]?.approval).toMatchObject({ by: 'eve', how: 'typed_total' });
  expect((await payfile.verify()).result.problems).toEqual([]);
  expect(complaints).toEqual([]);
  await live.sandbox.close();
});

it('lets nobody agree with four eyes whom the maker let in, and says what to do', async () => {
  await open({ sandbox: true, ledger: ':memory:', policy: { fourEyes: true } });
  await payfile.plan('samples/suppliers.csv', { batch: 'may' });
  const [ada, eve] = [await somebody(), await somebody()];
  await withReader(eve);
  await eve.goto(await ticketOf(ada));
  await press(eve, 'Make the passkey');
  await eve.getByRole('link', { name: 'Come in' }).click();
  await press(eve, 'Come in with a passkey');
  await title(eve, 'Batches');
  await eve.getByRole('link', { name: 'may' }).first().click();
  await eve.getByText('ada made this plan, and the passkey of eve goes back to a ticket of ada.').waitFor();
  await eve.getByText('Another administrator has to make a ticket for eve').waitFor();
  expect(await eve.getByRole('link', { name: 'Agree to it' }).count()).toBe(0);
});

it('says so where the browser has no passkey, and where it runs no script', async () => {
  await open();
  const [eve, plain] = [await somebody(), await somebody(false)];
  await withReader(eve, false);
  await eve.goto(`http://localhost:${running.port}/enter`);
  await press(eve, 'Come in with a passkey');
  await eve.getByRole('alert').getByText('The browser gave no passkey').waitFor();
  await plain.goto(`http://localhost:${running.port}/enter`);
  expect(await plain.textContent('main')).toContain('A passkey needs a browser that runs the scripts');
  await press(plain, 'Come in with a passkey');
  expect(await plain.textContent('main')).toContain('Nothing was done');
});
