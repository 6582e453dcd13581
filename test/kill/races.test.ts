/**
 * Two processes at the same instant: on one batch, on a ledger that is being made, on two batches that share rows,
 * and on two copies of one ledger. Each once; with SOAK=1 twenty times.
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { commandPath } from '../builders/command.ts';
import { type Compiled, compile } from './compiled.ts';
import { RUN } from './round.ts';
import { type Service, startService } from './service.ts';
import { openTarget, payoutFile, type Target } from './target.ts';
import { linesOf, violations } from './verdict.ts';

const RACES = process.env['SOAK'] === '1' ? 20 : 1;
const ALLOWED_MS = 30_000 + RACES * 20_000;
const WORDS = [...RUN, '--deadline', '20s'];
const known = WORDS.filter((word) => word !== '--new-ledger');

let compiled: Compiled;
let service: Service;
let target: Target;
let number = 0;
beforeAll(async () => {
  compiled = compile(commandPath());
  service = await startService({ latencyMs: 5 });
});
afterAll(() => {
  service?.close();
  compiled?.remove();
});
beforeEach(() => {
  target = openTarget(compiled, service, { PAYFILE_CONCURRENCY: '4' });
});
afterEach(() => target.close());

function newAccounts(rows: number): readonly string[] {
  number += 1;
  return Array.from(
    { length: rows },
    (_, row) => `1${String(number).padStart(10, '0')}${String(row).padStart(2, '0')}`,
  );
}

async function timesExecuted(accounts: readonly string[]): Promise<readonly number[]> {
  const seen = await service.seen(accounts);
  return accounts.map(
    (account) => seen.filter((request) => request.account === account && request.executed).length,
  );
}

it.each([
  ['on a ledger that is there', false],
  ['that also make the ledger', true],
])(
  '[L20][L21] of two processes on one batch %s, exactly one sends each row',
  async (_where, isNew) => {
    for (let race = 0; race < RACES; race += 1) {
      const own = openTarget(compiled, service, { PAYFILE_CONCURRENCY: '4' });
      const accounts = newAccounts(6);
      writeFileSync(join(own.folder, 'may.csv'), payoutFile(accounts));
      if (!isNew) await own.run(['init']);
      const words = isNew ? WORDS : known;
      const ended = await Promise.all([own.run(words), own.run(words)]);
      const codes = ended.map(({ code }) => code);
      for (const { code, stderr } of ended) expect([0, 3, 75], stderr).toContain(code);
      expect(codes.some((code) => code === 0 || code === 3)).toBe(true);
      expect((await own.run([...known, '--report', 'may.json'])).code).toBe(3);
      const seen = await service.seen(accounts);
      expect(await violations(own, { accounts, seen, doubtsMax: 0, report: 'may.json' })).toEqual([]);
      expect(seen).toHaveLength(5);
      own.close();
    }
  },
  ALLOWED_MS,
);

it(
  '[L22] a row that two batches share at the same instant goes out once and is held in the other',
  async () => {
    for (let race = 0; race < RACES; race += 1) {
      const own = openTarget(compiled, service, { PAYFILE_CONCURRENCY: '4' });
      const accounts = newAccounts(9);
      const shared = accounts.slice(3, 6);
      // Each row keeps its amount in both files; the last row of a file is held for its name.
      const lines = payoutFile(accounts).split('\n');
      writeFileSync(join(own.folder, 'a.csv'), [...lines.slice(0, 7), ''].join('\n'));
      writeFileSync(join(own.folder, 'b.csv'), [lines[0], ...lines.slice(4)].join('\n'));
      await own.run(['init']);
      const words = (batch: string) => [
        'run',
        `${batch}.csv`,
        '--batch',
        batch,
        '--max-total',
        'GHS=9999',
        '--report',
        `${batch}.json`,
      ];
      const ended = await Promise.all([own.run(words('a')), own.run(words('b'))]);
      for (const { code, stderr } of ended) expect([0, 3], stderr).toContain(code);
      expect(await timesExecuted(accounts)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0]);
      const both = [...linesOf(own, 'a.json'), ...linesOf(own, 'b.json')];
      for (const account of shared) {
        const found = both.filter(({ original }) => original.Account === account).map(({ status }) => status);
        expect(found.sort()).toEqual(['held', 'settled']);
      }
      own.close();
    }
  },
  ALLOWED_MS,
);

it(
  '[L25] of two copies of one ledger at the same instant, one works and the other is refused',
  async () => {
    for (let race = 0; race < RACES; race += 1) {
      const own = openTarget(compiled, service, { PAYFILE_CONCURRENCY: '2' });
      const accounts = newAccounts(6);
      writeFileSync(join(own.folder, 'may.csv'), payoutFile(accounts));
      await own.run(['plan', 'may.csv', '--batch', 'may', '--new-ledger']);
      const copy = join(own.folder, 'copy.db');
      copyFileSync(own.ledgerPath, copy);
      const ended = await Promise.all([own.run(known), own.run([...known, '--ledger', copy])]);
      expect(await timesExecuted(accounts)).toEqual([1, 1, 1, 1, 1, 0]);
      expect(ended.filter(({ code }) => code === 3)).toHaveLength(1);
      const refused = ended.find(({ code }) => code !== 3);
      expect([75, 78]).toContain(refused?.code);
      expect(refused?.stderr).toMatch(/is a copy of|is older than this machine remembers|is not known here/);
      own.close();
    }
  },
  ALLOWED_MS,
);
