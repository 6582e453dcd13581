/** A console beside workers: what a person begins on a page is done by others, and the page shows how far they are. */

import { expect, it } from 'vitest';
import { systemClock } from '../../src/outside/system-clock.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { planShown } from '../builders/library-calls.ts';
import { payrollOf, someMachines, until } from '../builders/machines.ts';
import { aConsole } from './a-console.ts';

const machines = someMachines();

it('sends at the workers, shows how far they are, and a pause ends it there', async () => {
  const { office, service, place, worker } = await machines(60);
  const path = office.at(office.file('may.csv', payrollOf(80)));
  const planned = await office.payfile('plan', path, '--batch', 'may');
  expect(planned.code, planned.stderr).toBe(0);
  const paying = await worker('--concurrency', '2', '--lanes', '2');
  const { baseUrl, authUrl, credentials } = service.sandbox;
  const ledger = { ledger: office.env['PAYFILE_LEDGER'] ?? '', ledgerPassword: place.password ?? '' };
  const settings = { sandbox: false, ...ledger, service: { baseUrl, authUrl, ...credentials } };
  const open = aConsole(settings, { env: office.env, time: systemClock });
  const ada = open.visitor();
  const [batch] = await batchesOf(open.payfile);
  const page = `/batches/${batch?.id}`;
  const { digest } = (await planShown(open.payfile, 'may')).plan;
  const approved = await office.payfile('approve', 'may', '--digest', digest);
  expect(approved.code, approved.stderr).toBe(0);

  expect((await ada.post(`${page}/send`)).status).toBe(303);
  const live = async () => /Sent: .*?(\d+) of 80 rows/.exec(await ada.page(page))?.[1];
  await until(async () => Number(await live()) > 2);
  expect((await ada.post(`${page}/pause`, { reason: 'ask the bank' })).status).toBe(303);
  await open.idle();
  const sent = service.sandbox.book.size;
  expect(sent).toBeLessThan(80);
  const stopped = await ada.page(page);
  expect(stopped).toContain('ask the bank');
  expect((await stateOf(open.payfile, 'may')).totals.counts).toMatchObject({ sending: 0, in_doubt: 0 });

  expect((await ada.post(`${page}/resume`)).status).toBe(303);
  expect((await ada.post(`${page}/send`)).status).toBe(303);
  await open.idle();
  expect(await ada.page(page)).toContain('<p>80 settled.</p>');
  expect(service.sandbox.book.size).toBe(80);
  paying.child.kill('SIGTERM');
  expect((await paying.ended).stderr).toMatch(/Sending .*, part \d of 4: taken/);
}, 90_000);
