/**
 * A process that moves a ledger file to a server is killed at each step: one ledger is left at most, and the move can be
 * ended.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchOf, row } from '../builders/ledger-batches.ts';
import { aPostgres } from './a-postgres.ts';
import { type LedgerToMove, ledgerToMove, refusal } from './ledger-to-move.ts';

const CHILD = fileURLToPath(new URL('./move-child.ts', import.meta.url));
const server = aPostgres();

const BEFORE = [
  'recover',
  'verify',
  'copy',
  'copy payouts',
  'copy journal',
  'copy counters',
  'verify_copy',
  'leave',
];

let there: LedgerToMove;
beforeEach(async () => {
  there = ledgerToMove(server.place());
  await there.fill();
});
afterEach(() => there.end());

const wordsOf = (step: string) => [CHILD, JSON.stringify(there.settings), there.to, step];
const setting = () => ({ env: there.env(), cwd: there.folder });
const moveInChild = (step: string) =>
  spawnSync(process.execPath, wordsOf(step), { ...setting(), encoding: 'utf8' });

describe('a move that is killed', () => {
  it.each([...BEFORE, 'arrive', 'arrived'])(
    'at “%s” leaves one ledger at most, and can be ended',
    async (step) => {
      const child = moveInChild(step);
      expect(child.signal, child.stderr).toBe('SIGKILL');
      const [file, onServer] = [await refusal(there.openFile()), await refusal(there.openServer())];
      if (BEFORE.includes(step)) {
        expect(file).toBeUndefined();
        expect(['ledger_missing', 'ledger_moved']).toContain(onServer?.code);
      } else {
        expect(file?.code).toBe('ledger_moved');
        expect(onServer?.code).toBe(step === 'arrive' ? 'ledger_moved' : undefined);
        if (step === 'arrive') expect(onServer?.message).toContain('a move to this place did not end');
      }
      const result = await there.move();
      expect(result.wasLeft).toBe(!BEFORE.includes(step));
      expect(await there.onServer()).toEqual(await there.inFile());
      expect(await refusal(there.openServer())).toBeUndefined();
      expect(await refusal(there.openFile())).toMatchObject({ code: 'ledger_moved' });
    },
  );

  it('while the copy stands, a batch goes on in the file; the next move copies that too', async () => {
    moveInChild('leave');
    const ledger = await there.openFile();
    await batchOf(ledger, [row(60)], 'july');
    await ledger.close();
    expect(await there.move()).toMatchObject({ ledger: { batches: 3 } });
    expect(await there.onServer()).toEqual(await there.inFile());
  });

  it('of two processes that move the same file at once, one does', async () => {
    const both = [1, 2].map(() => spawn(process.execPath, wordsOf('-'), { ...setting(), stdio: 'ignore' }));
    const codes = await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toContain(0);
    expect(await there.onServer()).toEqual(await there.inFile());
  });
});
