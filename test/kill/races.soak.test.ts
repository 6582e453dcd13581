/** Two processes start at the same time, twenty times: on one batch, on two batches with equal rows, on two copies. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALLOWED_MS, aRace, KNOWN, RACES, WORDS } from './a-race.ts';
import { payoutFile } from './target.ts';
import { linesOf, violations } from './verdict.ts';

const race = aRace();

it(
  '[L25] of two copies of one ledger at the same instant, one works and the other is refused',
  async () => {
    for (let turn = 0; turn < RACES; turn += 1) {
      const own = race.openTarget();
      const accounts = race.newAccounts(6);
      writeFileSync(join(own.folder, 'may.csv'), payoutFile(accounts));
      await own.run(['plan', 'may.csv', '--batch', 'may', '--new-ledger']);
      const copy = join(own.folder, 'copy.db');
      copyFileSync(own.ledgerPath, copy);
      const ended = await Promise.all([own.run(KNOWN), own.run([...KNOWN, '--ledger', copy])]);
      expect(await race.timesExecuted(accounts)).toEqual([1, 1, 1, 1, 1, 0]);
      expect(ended.filter(({ code }) => code === 3)).toHaveLength(1);
      const refused = ended.find(({ code }) => code !== 3);
      expect([75, 78]).toContain(refused?.code);
      expect(refused?.stderr).toMatch(/is a copy of|is older than this machine remembers|is not known here/);
      own.close();
    }
  },
  ALLOWED_MS,
);

it.each([
  ['on a ledger that is there', false],
  ['that also make the ledger', true],
])(
  '[L20][L21] of two processes on one batch %s, exactly one sends each row',
  async (_where, isNew) => {
    for (let turn = 0; turn < RACES; turn += 1) {
      const own = race.openTarget();
      const accounts = race.newAccounts(6);
      writeFileSync(join(own.folder, 'may.csv'), payoutFile(accounts));
      if (!isNew) await own.run(['init']);
      const words = isNew ? WORDS : KNOWN;
      const ended = await Promise.all([own.run(words), own.run(words)]);
      const codes = ended.map(({ code }) => code);
      for (const { code, stderr } of ended) expect([0, 3, 75], stderr).toContain(code);
      expect(codes.some((code) => code === 0 || code === 3)).toBe(true);
      expect((await own.run([...KNOWN, '--report', 'may.json'])).code).toBe(3);
      const seen = await race.seen(accounts);
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
    for (let turn = 0; turn < RACES; turn += 1) {
      const own = race.openTarget();
      const accounts = race.newAccounts(9);
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
      for (const [at, { code, stderr }] of ended.entries()) {
        // Rows that are held meanwhile change the plan: nothing of it is approved then, and it is run again.
        const again = code === 10 ? await own.run(words(at === 0 ? 'a' : 'b')) : { code, stderr };
        expect([0, 3], again.stderr).toContain(again.code);
      }
      expect(await race.timesExecuted(accounts)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0]);
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
