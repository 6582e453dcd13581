/** The page in a real browser: what the markup promises must be what a person, a screen reader and paper get. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { printable } from '../../../src/domain/text/printable.ts';
import { aMixedBatch } from '../../builders/mixed-batch.ts';
import { aPayoutIn, money } from '../../builders/payouts.ts';
import { aRow } from '../../builders/report-rows.ts';
import { HTML_PAYLOADS } from '../../fixtures/html-payloads.ts';
import { aBrowser } from './a-browser.ts';
import { write, writeSaying } from './spoken-page.ts';
import { folder, text } from './written.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true } as const;
const open = aBrowser();
const mixed = 'mixed.html';
/** Every state, and a few of the settled. */
const some = aMixedBatch().filter(({ payout }, at) => payout.state.status !== 'settled' || at % 5 === 0);
beforeAll(() => write(mixed, some));

describe('for everybody', () => {
  it('breaks no rule of accessibility on a desk, light or dark', async () => {
    const { page, asked, complaints } = await open(mixed, { colorScheme: 'light' });
    expect(await broken(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await broken(page, ['color-contrast'])).toEqual([]);
    expect({ asked, complaints }).toEqual({ asked: [], complaints: [] });
  });

  it('breaks none on a phone', async () => {
    const { page } = await open(mixed, PHONE);
    expect(await broken(page)).toEqual([]);
  });

  it('has pictures with a title and a description, and their figures in a table', async () => {
    const { page } = await open(mixed);
    const charts = page.locator('#money figure.chart');
    expect(await charts.count()).toBe(2);
    expect(await page.locator('#money figure.chart > svg[role=img]').count()).toBe(2);
    expect(await page.locator('#money figure.chart > figcaption:not(:empty)').count()).toBe(2);
    const tables = await page.locator('#money table').count();
    expect(tables).toBeGreaterThan(0);
    expect(await page.locator('#money table > caption:not(:empty)').count()).toBe(tables);
    const untold = await page
      .locator('svg:not(:has(> title:not(:empty))), svg:not(:has(> desc:not(:empty)))')
      .count();
    expect(untold).toBe(0);
  });
});

describe('on a small desk', () => {
  it('breaks no currency in two, and cuts no heading', async () => {
    const wide = aRow(
      aPayoutIn('settled', { rowNumber: 60, instruction: { amount: money('GHS 41000.00') } }),
    );
    await write('desk.html', [...some, wide]);
    const { page } = await open('desk.html', { viewport: { width: 1000, height: 800 } });
    expect(await page.evaluate(BROKEN_CURRENCIES)).toEqual([]);
    const cut = `[...document.querySelectorAll('th')].filter((head) => head.scrollWidth > head.clientWidth)`;
    expect(await page.evaluate(`${cut}.map((head) => head.textContent)`)).toEqual([]);
  });
});

/** Texts of money whose three letters stand on more than one line. */
const BROKEN_CURRENCIES = `[...document.querySelectorAll('td.money')].flatMap((cell) => {
  const text = cell.firstChild;
  if (text?.nodeType !== 3 || !/[A-Z]{3}$/.test(text.data)) return [];
  const letters = document.createRange();
  letters.setStart(text, text.length - 3);
  letters.setEnd(text, text.length);
  return new Set([...letters.getClientRects()].map(({ top }) => top)).size > 1 ? [text.data] : [];
})`;

describe('on a phone', () => {
  it('is never wider than the screen, whatever stands in the cells', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6);
    const instruction = {
      name: long,
      reference: long,
      institutionName: long,
      amount: money('GHS 999999999999999.99'),
    };
    const huge = (['settled', 'held', 'failed'] as const).map((status, at) =>
      aRow(aPayoutIn(status, { rowNumber: at + 60, instruction })),
    );
    await write('narrow.html', [...some, ...huge], { said: long });
    const { page } = await open('narrow.html', PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('shows each payment as a card whose values are named', async () => {
    const { page } = await open(mixed, PHONE);
    const named = await page.evaluate(
      `[...document.querySelectorAll('#row-2 > *')].map((cell) => getComputedStyle(cell, '::before').content)`,
    );
    expect(named).toEqual(
      [
        'Row',
        'Beneficiary',
        'Institution',
        'Account',
        'Reference',
        'Amount',
        'Status',
        'Cost',
        'Fee in it',
        'Sent',
        'Transfer',
      ].map((name) => JSON.stringify(name)),
    );
  });
});

describe('on paper', () => {
  it('is A4 on its side, and repeats the headings of its tables', async () => {
    const { page } = await open(mixed, { colorScheme: 'dark' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(
      ([, width, height]) => `${Math.round(Number(width))} × ${Math.round(Number(height))}`,
    );
    expect(new Set(sizes)).toEqual(new Set(['842 × 595']));
    await page.emulateMedia({ media: 'print' });
    const style = (of: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${of}')).${name}`);
    expect(await style('table.rows thead', 'display')).toBe('table-header-group');
    expect(await style('table.rows tr', 'breakInside')).toBe('avoid');
    expect(await style('nav', 'display')).toBe('none');
    // Dark is for screens: paper is white, and so is what stands on it.
    expect(await style('body', 'backgroundColor')).toBe('rgb(255, 255, 255)');
  });
});

describe('whatever stands in the cells, the answers and the words of people', () => {
  it('is text: no element, attribute, link or script comes from it', async () => {
    await writeSaying('evil.html', HTML_PAYLOADS);
    // No number of a row stands in the name of their batch: steps that differ only by it are told once.
    await writeSaying(
      'plain.html',
      HTML_PAYLOADS.map((_, at) => `plain words w${at}`),
    );
    const evil = await open('evil.html');
    const plain = await open('plain.html');
    const [built, wanted] = [await skeleton(evil.page), await skeleton(plain.page)];
    expect(wanted.length).toBeGreaterThan(2_000);
    expect(built).toEqual(wanted);
    expect(await strangers(evil.page)).toEqual([]);
    expect(await evil.page.evaluate('window.pwned')).toBeUndefined();
    expect({ asked: evil.asked, complaints: evil.complaints }).toEqual({ asked: [], complaints: [] });
  });

  it('is shown as it was written', async () => {
    await writeSaying('shown.html', HTML_PAYLOADS);
    const { page } = await open('shown.html');
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.rows tbody tr:not(.sum)')].map((row) => row.children[3].textContent)`,
    );
    const whole = HTML_PAYLOADS.map((payload) => printable(payload).toWellFormed());
    expect(shown).toEqual(whole.flatMap((payload) => [payload, payload]));
  });

  it('would be caught here if it were not', async () => {
    await writeSaying('whole.html', ['<b title="x">bold</b>']);
    await writeSaying('words.html', ['plain words']);
    writeFileSync(
      join(folder, 'leaky.html'),
      text('whole.html').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    );
    const leaky = await skeleton((await open('leaky.html')).page);
    expect(leaky).not.toEqual(await skeleton((await open('words.html')).page));
  });

  it('could run nothing even if it slipped through', async () => {
    const markup =
      '<script>window.pwned=1</script><img src="x" onerror="window.pwned=1"><p style="color:red">x</p>';
    writeFileSync(join(folder, 'slipped.html'), text(mixed).replace('<main id="main">', `$&${markup}`));
    const { page, got, complaints } = await open('slipped.html');
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(
      complaints.filter((said) => said.includes('Content Security Policy')).length,
    ).toBeGreaterThanOrEqual(3);
    expect(got).toEqual([]);
  });
});

/** Every element with its place and the names of its attributes; commands are left out, whose number differs with quoting. */
function skeleton(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('*')]
    .filter((element) => !['CODE', 'BR'].includes(element.tagName.toUpperCase()))
    .map((element) => {
      let depth = 0;
      for (let above = element.parentElement; above; above = above.parentElement) depth += 1;
      return depth + ' ' + element.tagName + ' ' + element.getAttributeNames().sort().join();
    })`);
}

/** Attributes whose value is none that the page itself would write. */
function strangers(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')].flatMap((element) =>
    element.getAttributeNames().flatMap((name) => {
      const value = element.getAttribute(name);
      const known = {
        class: /^(?:c\\d\\d?|[a-z]+)(?: [a-z]+)*$/, id: /^[a-z]+(-[a-z0-9]+)*$/, href: /^#[a-z]+(-\\d+)?$/, scope: /^(row|col)$/, role: /^[a-z]+$/,
        datetime: /^[0-9TZ:.-]+$/, 'data-name': /^[A-Za-z, ]+$/, 'aria-label': /^[A-Za-z ]+$/, 'aria-labelledby': /^[a-z0-9 -]+$/,
        viewBox: /^[0-9. ]+$/, d: /^[MHVZ0-9. ]+$/, 'text-anchor': /^(end|middle)$/,
      }[name] ?? /^-?[0-9.]+$/;
      return known.test(value) ? [] : [element.tagName + ' ' + name + '=' + value];
    }))`);
}

/** Rules of axe that the page breaks, with the first places. */
async function broken(page: Page, only: readonly string[] = []): Promise<string[]> {
  await page.evaluate(AXE);
  const rules = only.length === 0 ? {} : { runOnly: only };
  return page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })}).then(
    ({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}
