/** Two processes start at the same time on two copies of one ledger, twenty times. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALLOWED_MS, aRace, KNOWN, RACES } from './a-race.ts';
import { payoutFile } from './target.ts';

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
