/**
 * Two processes approve and send the same payment in two batches at the same time, a thousand times on each kind of ledger.
 * Exactly one of the two pays.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/outside/system-clock.ts';
import { createPayfile, type PayfileOptions } from '../../src/payfile.ts';
import { planFile } from '../builders/library-calls.ts';
import { ownDatabase } from '../builders/postgres.ts';
import { type ChangingService, startChangingService } from '../fakes/changing-service.ts';
import type { Payer } from './a-payer.ts';

/** A long ledger makes each round slower, and no other. */
const LEDGERS = 10;
const ROUNDS = 100;
const LIMIT_MS = 3_600_000;
const PAYER = fileURLToPath(new URL('a-payer.ts', import.meta.url));
const LETTERS = 'abcdefghij';

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (kind) => {
  it(
    'exactly one of two batches with the same payment is sent',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'payfile-once-'));
      const service = await startChangingService(systemClock);
      // Each account has a holder of its own: nobody is paid to two of them.
      service.holder = (account) => `Ama ${[...account].map((digit) => LETTERS[Number(digit)]).join('')}`;
      onTestFinished(async () => {
        await service.close();
        rmSync(folder, { recursive: true, force: true });
      });
      const ledgers = await ledgersOf(kind, folder);
      for (let number = 0; number < LEDGERS; number += 1) {
        const options = { ...optionsOf(service), ...ledgers(number) };
        await createLedger(options, folder);
        await payRounds({ options, folder }, number * ROUNDS, service);
      }
    },
    LIMIT_MS,
  );
});

async function payRounds(payer: Payer, first: number, { book }: ChangingService): Promise<void> {
  const payers = [startPayer(payer), startPayer(payer)];
  const both = (verbs: string, names: readonly string[]) =>
    Promise.all(payers.map((one, at) => one.ask(`${verbs} ${names[at]}`)));
  for (let round = first; round < first + ROUNDS; round += 1) {
    const account = `0244${String(round).padStart(6, '0')}`;
    const names = [`one-${round}`, `other-${round}`];
    for (const name of names) writeFileSync(join(payer.folder, `${name}.csv`), csvOf(account, round, name));
    await both('plan', names);
    for (const verbs of round % 4 < 2 ? ['approve+send'] : ['approve', 'send']) await both(verbs, names);
    expect(book.filter((paid) => paid.account === account)).toHaveLength(1);
  }
  await Promise.all(payers.map((one) => one.end()));
}

/** Every other payment has a reference, the same in both files; the notes make their bytes differ. */
const csvOf = (account: string, round: number, note: string) =>
  `Reference,Country,Institution,Account,Amount,Note\n${round % 2 === 0 ? `R-${round}` : ''},Ghana,GCB Bank,${account},50.00,${note}\n`;

function optionsOf({ env }: ChangingService) {
  const { PAYFILE_BASE_URL: baseUrl = '', PAYFILE_AUTH_URL: authUrl = '' } = env;
  const { PAYFILE_ID: id = '', PAYFILE_PASSWORD: password = '' } = env;
  return { service: { baseUrl, authUrl, id, password }, source: 'ZA', actor: 'ada' };
}

async function ledgersOf(kind: 'SQLite' | 'PostgreSQL', folder: string) {
  if (kind === 'SQLite') return (number: number) => ({ ledger: join(folder, `ledger-${number}.db`) });
  const { place, stop } = await ownDatabase();
  onTestFinished(stop);
  const { host, port, database, user, password: ledgerPassword = '' } = place;
  const ledger = `postgres://${user}@${host}:${port}/${database}`;
  return (number: number) => ({ ledger: `${ledger}?schema=once_${number}`, ledgerPassword });
}

async function createLedger(options: PayfileOptions, folder: string): Promise<void> {
  const env = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const payfile = createPayfile({ ...options, createLedger: true }, { env, cwd: folder });
  writeFileSync(join(folder, 'first.csv'), csvOf('0245000000', 1, 'first'));
  await planFile(payfile, 'first.csv', { batch: 'first' });
  await payfile.close();
}

function startPayer(payer: Payer) {
  const child = spawn(process.execPath, [PAYER, JSON.stringify(payer)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request: string): Promise<void> {
      child.stdin.write(`${request}\n`);
      const { done } = await lines.next();
      if (done === true) throw new Error(`The payer ended at ${request}`);
    },
    async end(): Promise<void> {
      child.stdin.end();
      await lines.next();
    },
  };
}
