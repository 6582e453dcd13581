/** A run loses the server of its ledger, or the connection to it. It pays nothing twice. */
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CuttingProxy, startProxy } from '../builders/cutting-proxy.ts';
import { openOffice, payrollCsv, type Row, startLiveService } from '../builders/office.ts';
import { TestServer } from '../builders/servers.ts';

let server: TestServer;
let proxy: CuttingProxy;
beforeAll(async () => {
  server = await TestServer.made();
  await server.start();
  proxy = await startProxy(server.port);
});
afterAll(async () => {
  await proxy.close();
  await server.remove();
});
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

let offices = 0;

async function anOffice(rows: number, scenario = {}) {
  const service = await startLiveService(scenario);
  offices += 1;
  const { user, host, database, password = '' } = server.place();
  // One name for the server, with the line in between: a ledger is known by its address and its tables.
  const ledger = `postgres://${user}@${host}:${proxy.port}/${database}?schema=office_${offices}`;
  const office = openOffice({
    ...service.env,
    PAYFILE_LEDGER: ledger,
    PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
  });
  open.push(office, service.sandbox);
  writeFileSync(office.at('ledger-password'), `${password}\n`, { mode: 0o600 });
  office.file(
    'may.csv',
    payrollCsv(Array.from({ length: rows }, (_, n): Row => [`10111300${24_500 + n}`, `${100 + n}.00`])),
  );
  const words = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=99999'];
  const executed = () => service.sandbox.book.entries().map(({ account }) => account);
  return { ...office, words, executed };
}

describe('a run with its ledger on a server', () => {
  it('sends no byte when the answer to an intent is lost, says so, and the next run asks a person about that row', async () => {
    const { payfile, words, executed, start } = await anOffice(1);
    await payfile('init');
    await proxy.swallowAnswerTo('COMMIT', 'begin_attempt');
    // A process of its own: the batch stays its own as long as it lives.
    const lost = await start(words).ended;
    expect(await proxy.cuts()).toBe(1);
    expect(lost.code, lost.stderr).toBe(5);
    expect(lost.stderr).toContain('1 row may have been paid. The ledger has no outcome for it yet');
    expect(lost.stderr).toContain('What it wrote last is not known here');
    expect(lost.stdout + lost.stderr).not.toContain('secret');
    expect(executed()).toEqual([]);
    const next = await payfile(...words);
    expect(next.code, next.stderr).toBe(5);
    expect(executed()).toEqual([]);
  });

  it('survives the end of the server: nothing is paid twice, and what was on the wire is settled or in doubt', async () => {
    const { payfile, words, executed, start } = await anOffice(60, { latencyMs: 100 });
    await payfile('init');
    const run = start(words);
    while (executed().length < 8) await new Promise((resolve) => setTimeout(resolve, 20));
    await server.kill();
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(69);
    expect(ended.stderr).toMatch(
      /\d+ transfers were started before that\. The ledger knows the state of each\./,
    );
    expect(ended.stderr).toMatch(/gave no answer|cannot be reached/);
    const away = await payfile(...words);
    expect(away.code, away.stderr).toBe(69);
    // What a cut line gives depends on how much of the greeting had come over it.
    expect(away.stderr).toMatch(/cannot be (reached|opened)/);
    await server.start();
    const again = await payfile(...words);
    expect([0, 4, 5], again.stderr).toContain(again.code);
    const accounts = executed();
    expect(new Set(accounts).size).toBe(accounts.length);
    const counts = (await payfile('status', 'may', '--json')).json().counts ?? {};
    expect((counts['settled'] ?? 0) + (counts['in_doubt'] ?? 0), JSON.stringify(counts)).toBe(60);
    expect((await payfile('verify')).code).toBe(0);
  });
});
