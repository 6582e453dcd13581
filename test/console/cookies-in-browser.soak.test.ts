/** Other programs of this machine, at other ports of the same name: what a real browser sends them, and what they can set. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { aChromium } from '../files/report/a-browser.ts';
import { addressIn, aServedConsole, follow, onPage } from './a-served-console.ts';

const browser = aChromium();

/** It keeps what it is sent, sets cookies, and links to the console. */
async function anotherProgram() {
  const sent: string[] = [];
  const does = { cookies: [] as string[], link: '' };
  const server = createServer(({ headers }, answer) => {
    sent.push(headers.cookie ?? '');
    answer.setHeader('set-cookie', does.cookies);
    answer.setHeader('content-type', 'text/html');
    answer.end(`<h1>Other</h1><a href="${does.link}">Go</a><img src="/x"><img src="/passkeys/x">`);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { sent, does, url: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

it('sends the session to no other port, also where a page of the console leads there', async () => {
  const served = await aServedConsole(browser());
  const other = await anotherProgram();
  const ada = await served.ada();
  const [secret = ''] = (await ada.context().cookies(ada.url())).map(({ value }) => value);
  expect(secret).toHaveLength(43);
  await ada.evaluate(`location.href = '${other.url}'`);
  await onPage(ada, 'Other');
  await ada.goto(`${other.url}batches/1`, { waitUntil: 'networkidle' });
  expect(other.sent.length).toBeGreaterThan(2);
  expect(other.sent.join()).not.toContain(secret);
  // All that it learns is who came in.
  expect([...new Set(other.sent)].toSorted()).toEqual(['', `payfile-${new URL(served.origin).port}-is=ada`]);
});

it('stays whose it is, whatever cookies another port sets and wherever it leads', async () => {
  const served = await aServedConsole(browser());
  const other = await anotherProgram();
  const [ada, eve] = [await served.ada(), await served.ada()];
  const [cookie] = await eve.context().cookies(eve.url());
  const [ownOfAda, ownOfEve] = [addressIn(ada, '/'), addressIn(eve, '/')];
  const planted = `${cookie?.name}=${cookie?.value}; Path=`;
  other.does.cookies = [`${planted}/`, planted + cookie?.path];
  other.does.link = ownOfEve;
  await ada.goto(other.url);
  await follow(ada, 'Go');
  await onPage(ada, 'Not from here');
  other.does.link = served.origin;
  await ada.goto(other.url);
  await follow(ada, 'Go');
  await onPage(ada, 'Sign in first');
  const [answer] = await Promise.all([ada.waitForRequest(ownOfAda), ada.goto(ownOfAda)]);
  await onPage(ada, 'Batches');
  const sent = (await answer.allHeaders())['cookie'] ?? '';
  expect(sent.split('; ')).toHaveLength(2);
  expect(await ada.locator('a', { hasText: 'People' }).getAttribute('href')).toBe(
    `${new URL(ownOfAda).pathname}people`,
  );
});
