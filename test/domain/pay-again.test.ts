/** What a file of unpaid rows and its batch are called, and when there is one. */
import { describe, expect, it } from 'vitest';
import { commandText } from '../../src/domain/next-steps/command.ts';
import { correctedSteps, freeRedoName, unpaidCommand } from '../../src/domain/next-steps/pay-again.ts';
import type { Status } from '../../src/domain/payouts/payout.ts';
import { aBatch } from '../builders/report-rows.ts';

const named = (name: string) => aBatch({ name });
const free = (name: string, ...taken: string[]) =>
  freeRedoName(named(name), async (asked) => taken.includes(asked));

it('calls it after the batch whose rows it pays again, by a name that no batch has', async () => {
  expect(await free('may')).toBe('may-redo');
  expect(await free('may', 'may', 'may-redo', 'may-redo-2')).toBe('may-redo-3');
  expect(await free('may-redo', 'may', 'may-redo')).toBe('may-redo-2');
  expect(await free('may-redo-9')).toBe('may-redo-10');
});

it('never proposes a name that is too long for a batch', async () => {
  expect(await free('m'.repeat(100))).toBe('batch-b-7Q2K-redo');
  expect(await free('m'.repeat(90))).toBe(`${'m'.repeat(90)}-redo`);
});

it('writes the file by the name of the batch that it is to be, and never over that of another one', async () => {
  const written = async (name: string, ...taken: string[]) =>
    commandText(unpaidCommand(named(name), await free(name, ...taken)), {});
  expect(await written('may', 'may', 'may-redo')).toMatch(/ -o may-redo-2\.xlsx$/);
  expect(await written('may', 'may-redo', 'may-redo-2')).toMatch(/ -o may-redo-3\.xlsx$/);
  expect(await written('Löhne; rm', 'Löhne; rm-redo')).toMatch(/ -o batch-b-7Q2K-redo-2\.xlsx$/);
});

it('writes the file beside that of the batch, and in its format', () => {
  expect(commandText(unpaidCommand(named('may-redo')), {})).toBe(
    'payfile report may-redo --only unpaid --as-input -o may-redo-2.xlsx',
  );
  expect(commandText(unpaidCommand(named('Löhne; rm')), {})).toContain(' -o batch-b-7Q2K-redo.xlsx');
});

describe('the way on for rows that a newer file changes', () => {
  const way = (...rows: readonly (readonly [rowNumber: number, status: Status])[]) =>
    correctedSteps(
      named('may'),
      rows.map(([rowNumber, status]) => ({ rowNumber, status })),
      'may-redo',
    ).map((step) => step.command && commandText(step.command, {}));

  it('is to withdraw those that are approved and not sent', () => {
    expect(way([2, 'approved'], [5, 'approved'])).toEqual(['payfile cancel may 2 5 --reason TEXT']);
  });

  it('is a file of unpaid rows for those that failed or came back', () => {
    expect(way([2, 'failed'], [3, 'returned'])).toEqual([
      'payfile report may --only unpaid --as-input -o may-redo.xlsx',
      'payfile plan may-redo.xlsx --batch may-redo',
    ]);
    expect(way([2, 'failed'], [3, 'approved'])[0]).toBe('payfile cancel may 3 --reason TEXT');
  });

  it('is none for those that were paid, or may be', () => {
    expect(way([2, 'settled'], [3, 'accepted'], [4, 'in_doubt'], [5, 'sending'])).toEqual([]);
  });
});
