/** The console's process killed in the middle of sending, and opened again: nothing twice, nothing lost, doubts shown. */
import { expect, it, onTestFinished } from 'vitest';
import { browse } from '../builders/browser.ts';
import { openOffice, payrollCsv, type Running, startLiveService } from '../builders/office.ts';

const ROWS = 40;
/** Each begins when so many transfers were executed. */
const KILLS = [1, 4, 12];

async function opened(running: Running) {
  let said = '';
  for await (const chunk of running.child.stdout) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  const { origin, pathname } = new URL(said.trim());
  const browser = browse(origin);
  expect((await browser.get(pathname)).status).toBe(200);
  return browser;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It never came to it');
}

it('pays no row twice and loses none, and shows what is in doubt when it is opened again', async () => {
  const live = await startLiveService({ latencyMs: 150 });
  const office = openOffice(live.env);
  onTestFinished(async () => {
    await live.sandbox.close();
    office.close();
  });
  const rows = Array.from({ length: ROWS }, (_, at) => [`10111300${24501 + at}`, `${10 + at}.00`] as const);
  office.file('may.csv', payrollCsv(rows));
  await office.payfile('init');
  const planned = (await office.payfile('plan', 'may.csv', '--batch', 'may', '--json')).json();
  const { digest } = planned['plan'] as { readonly digest: string };
  await office.payfile('approve', 'may', '--digest', digest);
  const executed = () => live.sandbox.book.entries().length;
  for (const most of KILLS) {
    const running = office.start(['console', '--no-open']);
    const browser = await opened(running);
    await browser.post('/batches/1/send');
    // Doubts of the last time may stop the sending before that.
    const isOver = async () => !/, started by/.test((await browser.get('/batches/1')).text);
    await until(async () => executed() >= most || (await isOver()));
    running.child.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');
  }
  const last = office.start(['console', '--no-open']);
  const browser = await opened(last);
  const first = await browser.get('/');
  expect(first.text).toContain('It is not known whether these were paid');
  await browser.post('/batches/1/send');
  await until(async () => !/, started by/.test((await browser.get('/batches/1')).text));
  const page = (await browser.get('/batches/1')).text;
  last.child.kill('SIGINT');
  expect((await last.ended).code).toBe(0);

  const notes = live.sandbox.book.entries().map(({ note }) => note);
  expect(new Set(notes).size).toBe(notes.length);
  const stands = (await office.payfile('status', 'may', '--json')).json();
  const counts = stands['counts'] as Readonly<Record<string, number>>;
  const { settled = 0, accepted = 0, approved = 0, held = 0, in_doubt: inDoubt = 0 } = counts;
  expect(settled + accepted + approved + held + inDoubt).toBe(ROWS);
  expect(inDoubt).toBeGreaterThan(0);
  expect(page).toContain(`<b>${inDoubt}</b> <span>? In doubt</span>`);
  // Whatever was executed is paid or in doubt here, and nothing else is called paid.
  expect(notes.length).toBeGreaterThanOrEqual(settled + accepted);
  expect(notes.length).toBeLessThanOrEqual(settled + accepted + inDoubt);
  expect((await office.payfile('verify')).code).toBe(0);
}, 180_000);
