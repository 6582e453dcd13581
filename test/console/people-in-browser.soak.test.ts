/** Letting a second person in, in two browsers: a ticket, a passkey, coming in with it, and its end. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { formatAmount } from '../../src/domain/money/money.ts';
import { totalsToType } from '../../src/domain/plan/typed-totals.ts';
import { batchesOf, summaryOf } from '../builders/batch-state.ts';
import { planFile } from '../builders/library-calls.ts';
import { GOOD, payrollCsv, startLiveService } from '../builders/office.ts';
import { aChromium } from '../files/report/a-browser.ts';
import { addressIn, aServedConsole, follow, onPage, press } from './a-served-console.ts';

const browser = aChromium();
const PEOPLE = { ben: ['maker'], eve: ['approver'] } as const;

/** A fingerprint reader that knows its owner, or nobody. Gives back what puts a key beside it, and what takes it away again. */
async function withReader(page: Page, isUserVerified = true): Promise<() => Promise<() => Promise<unknown>>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified,
    automaticPresenceSimulation: true,
  };
  const add = (transport: 'internal' | 'usb') =>
    devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, transport } });
  await add('internal');
  return async () => {
    const { authenticatorId } = await add('usb');
    return () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  };
}

async function ticketOf(ada: Page, name = 'eve'): Promise<string> {
  await follow(ada, 'People');
  await press(ada, `Make a link for ${name}`);
  return (await ada.locator('code').textContent()) ?? '';
}

/** Eve, or another one, registers a passkey invited by ada, and comes in with it. */
async function comesIn(eve: Page, ada: Page, name = 'eve') {
  const addKey = await withReader(eve);
  await eve.goto(await ticketOf(ada, name));
  await press(eve, 'Register the passkey');
  await follow(eve, 'Sign in');
  await press(eve, 'Sign in with a passkey');
  await onPage(eve, 'Batches');
  return addKey;
}

it('lets a second person register a passkey and come in with it, until it is removed', async () => {
  const { origin, complaints, ...served } = await aServedConsole(browser(), { people: PEOPLE });
  const [ada, eve] = [await served.ada(), await served.somebody()];
  await withReader(eve);
  const link = await ticketOf(ada);
  await eve.goto(link);
  await onPage(eve, 'Passkey for eve');
  await press(eve, 'Register the passkey');
  await onPage(eve, 'The passkey is registered');
  await eve.getByRole('link', { name: 'Sign in' }).click();
  await press(eve, 'Sign in with a passkey');
  await onPage(eve, 'Batches');
  expect(await eve.locator('.leave').textContent()).toContain('eve');
  const inside = addressIn(eve, '/');
  // An approver neither brings files nor makes tickets.
  await eve.goto(addressIn(eve, '/people'));
  expect(await eve.getByRole('button', { name: /link|Remove/ }).count()).toBe(0);
  await eve.goto(link);
  expect(await eve.textContent('main')).toContain('used before');
  await ada.goto(addressIn(ada, '/people'));
  expect(await ada.textContent('main')).toContain('invited by ada');
  await press(ada, 'Remove: eve, passkey 1');
  expect(await ada.textContent('main')).toContain('The passkey was removed');
  await eve.goto(inside);
  await onPage(eve, 'Sign in first');
  await eve.goto(`${origin}/enter`);
  await press(eve, 'Sign in with a passkey');
  await onPage(eve, 'This cannot be done');
  expect(await eve.textContent('main')).toContain('Nobody can sign in');
  expect(complaints).toEqual([]);
});

it('asks the owner of a passkey to sign with it before a further one is registered', async () => {
  const { complaints, payfile, ...served } = await aServedConsole(browser(), { people: PEOPLE });
  const [ada, eve] = [await served.ada(), await served.somebody()];
  // The reader holds a passkey of eve already, so the new one goes into a key.
  const takeAway = await (await comesIn(eve, ada))();
  await eve.goto(await ticketOf(ada));
  await press(eve, 'Register the passkey');
  await onPage(eve, 'Another passkey for eve');
  const known = async () =>
    (await payfile.people.list()).people.find(({ id }) => id === 'eve')?.passkeys.length;
  expect(await known()).toBe(1);
  await takeAway();
  await press(eve, 'Sign with your passkey');
  await onPage(eve, 'The passkey is registered');
  expect(await known()).toBe(2);
  expect(complaints).toEqual([]);
});

it('lets nobody who has come in register the passkey of another person', async () => {
  const ada = await (await aServedConsole(browser(), { people: PEOPLE })).ada();
  await withReader(ada);
  await ada.goto(await ticketOf(ada));
  expect(await ada.textContent('main')).toContain('This link is for eve. You signed in as ada');
});

it('lets a checker agree to real money with a typed total and a passkey, and nobody without', async () => {
  const live = await startLiveService();
  const { baseUrl, authUrl, credentials } = live.sandbox;
  const policy = { approvalPasskey: true, fourEyes: true };
  const folder = mkdtempSync(join(tmpdir(), 'payfile-people-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { payfile, complaints, ...served } = await aServedConsole(browser(), {
    ...{ sandbox: false, service: { baseUrl, authUrl, ...credentials } },
    ...{ ledger: join(folder, 'ledger.db'), createLedger: true, policy, people: PEOPLE },
  });
  writeFileSync(join(folder, 'may.csv'), payrollCsv(GOOD.map((account) => [account, '50.00'])));
  const { batch, seen } = await planFile(payfile.as('ben'), join(folder, 'may.csv'), { batch: 'may' });
  const [total] = totalsToType(seen?.plan ?? { toApprove: [] });
  const typed = total === undefined ? '' : formatAmount(total);
  const [ada, eve] = [await served.ada(), await served.somebody()];
  await comesIn(eve, ada);
  const form = (page: Page) => addressIn(page, `/batches/${batch.id}/plan`);
  await ada.goto(form(ada));
  expect(await ada.textContent('main')).toContain('You have no passkey here');
  await eve.goto(form(eve));
  await eve.getByLabel(/Type the total/).fill('1.00');
  await press(eve, /^Approve \d+ rows/);
  await eve.getByText('is not the total').waitFor();
  // What the form is sent without: the question was not answered.
  await eve.evaluate("document.querySelector('form[data-sign]').removeAttribute('data-sign')");
  await eve.getByLabel(/Type the total/).fill(typed);
  await press(eve, /^Approve \d+ rows/);
  await eve.getByText('is approved with a passkey').waitFor();
  expect((await batchesOf(payfile))[0]?.approval).toBeUndefined();
  await eve.goto(form(eve));
  await eve.getByLabel(/Type the total/).fill(typed);
  await press(eve, /^Approve \d+ rows/);
  await eve.getByText(`Approved ${GOOD.length} rows`).waitFor();
  expect((await batchesOf(payfile))[0]?.approval).toMatchObject({ by: 'eve', how: 'typed_total' });
  expect((await payfile.ledger.verify()).problems).toEqual([]);
  expect(complaints).toEqual([]);
  await live.sandbox.close();
});

it.each([
  ['with script', true],
  ['without script but for the passkeys', false],
] as const)(
  'pays what a maker brought and a checker agreed to, %s',
  async (_how, hasScript) => {
    const live = await startLiveService();
    const { baseUrl, authUrl, credentials } = live.sandbox;
    const folder = mkdtempSync(join(tmpdir(), 'payfile-people-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { payfile, complaints, ...served } = await aServedConsole(browser(), {
      ...{ sandbox: false, service: { baseUrl, authUrl, ...credentials }, people: PEOPLE },
      ...{ ledger: join(folder, 'ledger.db'), createLedger: true },
      policy: { approvalPasskey: true, fourEyes: true, pollMinMs: 200 },
    });
    /** The same person, in a browser that runs no script. */
    const plain = async (page: Page) => {
      if (hasScript) return page;
      const storageState = await page.context().storageState();
      const same = await served.somebody({ javaScriptEnabled: false, storageState });
      await same.goto(addressIn(page, '/'));
      return same;
    };
    const [ada, ben, eve] = [await served.ada(), await served.somebody(), await served.somebody()];
    await comesIn(ben, ada, 'ben');
    await comesIn(eve, ada);
    const maker = await plain(ben);
    await follow(maker, 'New batch');
    const buffer = Buffer.from(payrollCsv(GOOD.map((account) => [account, '50.00'])));
    await maker.locator('input[type=file]').setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer });
    await press(maker, /^Upload$/);
    await press(maker, /^Continue with \d+ rows/);
    await onPage(maker, 'Plan of may');
    // Whoever brought it is offered no way to agree.
    expect(await maker.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    const batch = (await batchesOf(payfile))[0];
    const place = `/batches/${batch?.id}`;
    await eve.goto(addressIn(eve, `${place}/plan`));
    await eve.getByText(/ben/).first().waitFor();
    const total =
      (await eve.getByText(/^Type the total: /).textContent())?.replace('Type the total: ', '') ?? '';
    await eve.getByLabel(/Type the total/).fill(total);
    await press(eve, /^Approve \d+ rows/);
    await eve.getByText(`Approved ${GOOD.length} rows`).waitFor();
    const sender = await plain(ada);
    await sender.goto(addressIn(sender, place));
    await press(sender, /^Send \d+ approved rows/);
    await sender.getByText('Every payment is settled.').first().waitFor({ timeout: 60_000 });
    const { totals } = await summaryOf(payfile, batch?.id ?? '');
    expect([totals.counts.settled, totals.ties]).toEqual([GOOD.length, true]);
    expect((await payfile.ledger.verify()).problems).toEqual([]);
    expect(complaints).toEqual([]);
    await live.sandbox.close();
  },
  120_000,
);

it('lets nobody agree with four eyes whom the maker let in, and says what to do', async () => {
  const options = { policy: { fourEyes: true }, people: PEOPLE };
  const { payfile, ...served } = await aServedConsole(browser(), options);
  await planFile(payfile, 'samples/suppliers.csv', { batch: 'may' });
  const [ada, eve] = [await served.ada(), await served.somebody()];
  await comesIn(eve, ada);
  await eve.getByRole('link', { name: 'may' }).first().click();
  await eve.getByText('ada made this plan, and the passkey of eve goes back to a link of ada.').waitFor();
  await eve.getByText('Another administrator has to make a link for eve').waitFor();
  expect(await eve.getByRole('link', { name: 'Review and approve' }).count()).toBe(0);
});

it('says so where the browser has no passkey, and where it runs no script', async () => {
  const { origin, somebody } = await aServedConsole(browser(), { people: PEOPLE });
  const [eve, plain] = [await somebody(), await somebody({ javaScriptEnabled: false })];
  await withReader(eve, false);
  await eve.goto(`${origin}/enter`);
  await press(eve, 'Sign in with a passkey');
  await eve.getByRole('alert').getByText('The browser gave no passkey').waitFor();
  await plain.goto(`${origin}/enter`);
  expect(await plain.textContent('main')).toContain('A passkey needs a browser that runs the scripts');
  await press(plain, 'Sign in with a passkey');
  expect(await plain.textContent('main')).toContain('Nothing was done');
});
