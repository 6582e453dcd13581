/** Advice by the command: the answers that a person gets, and who may ask for it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GOOD, type Office, openOffice, payrollCsv, REFUSED } from '../builders/office.ts';

let office: Office;
beforeAll(async () => {
  office = openOffice();
  office.file(
    'may.csv',
    payrollCsv([GOOD[0] ?? '', GOOD[1] ?? '', REFUSED].map((account) => [account, '50.00'])),
  );
  expect((await sandbox('run', 'may.csv', '--batch', 'may', '--yes')).code).toBe(3);
});
afterAll(() => office.close());

const sandbox = (...words: string[]) => office.payfile(...words, '--sandbox');
const at = (name: string) => join(office.folder, name);

it('writes pages, a folder or messages, and says what is left out and that nothing is sent', async () => {
  const page = await sandbox('advice', 'may', '-o', 'may.html');
  expect(page.code, page.stderr).toBe(0);
  expect(page.stdout).toContain('Advice for 2 payments: may.html\n  1 row left out: failed');
  expect(page.stderr).toContain('The advice does not say who paid.');
  expect(page.stderr).toContain('payfile does not send advice.');
  const pages = await sandbox('advice', 'may', '-o', 'pages/', '--json');
  expect(pages.json()).toMatchObject({
    exitCode: 0,
    advice: { path: 'pages/', format: 'folder', rows: 2, withoutContact: null, leftOut: { failed: 1 } },
    cameBack: [],
  });
  expect(readdirSync(at('pages'))).toHaveLength(2);
  const text = ['--contact', 'account', '--text', 'Dear {name}: {amount}'];
  expect((await sandbox('advice', 'may', '-o', 'may-sms.csv', ...text)).code).toBe(0);
  expect(readFileSync(at('may-sms.csv'), 'utf8')).toContain('SANDBOX, no money moved: Dear ');
});

it.each<[number, string, ...string[]]>([
  [64, 'Say where the advice goes', 'may'],
  [64, 'Say where the advice goes', 'may', '-o', '-'],
  [64, 'Advice is an .html, a .csv or a folder, not “a.pdf”', 'may', '-o', 'a.pdf'],
  [64, '--contact and --text go into a table', 'may', '-o', 'a.html', '--contact', 'phone'],
  [
    64,
    '--text has {nam}, which is no placeholder. Did you mean {name}?',
    'may',
    '-o',
    'a.csv',
    '--text',
    'Dear {nam}',
  ],
  [
    64,
    '--contact: no column is called “acount”. Did you mean “Account”',
    'may',
    '-o',
    'a.csv',
    '--contact',
    'acount',
  ],
  [73, 'payfile did not write it as advice', 'may', '-o', 'may.csv'],
  [64, 'has no batch “june”', 'june', '-o', 'a.csv'],
])('exits with %i and says: %s', async (code, said, ...words) => {
  const refused = await sandbox('advice', ...words);
  expect(refused.stderr).toContain(said);
  expect(refused.code).toBe(code);
  expect(existsSync(at('a.csv'))).toBe(false);
});

it('gives phones to people who may see accounts, and pages to everybody who may look', async () => {
  office.configure({ people: { [userInfo().username]: ['viewer'] }, organization: 'Asante Ltd' });
  const [viewer, page] = [
    await sandbox('advice', 'may', '-o', 'v.csv', '--contact', 'account'),
    await sandbox('advice', 'may', '-o', 'v.html'),
  ];
  expect(viewer.stderr).toContain('takes the role maker or approver or investigator');
  expect(viewer.code).toBe(10);
  expect([page.code, readFileSync(at('v.html'), 'utf8').includes('Asante Ltd')]).toEqual([0, true]);
});
