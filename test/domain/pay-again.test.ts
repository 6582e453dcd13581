/** What a file of unpaid rows and its batch are called. */
import { expect, it } from 'vitest';
import { commandText } from '../../src/domain/next-steps/command.ts';
import { freeRedoName, unpaidCommand } from '../../src/domain/next-steps/pay-again.ts';
import { aBatch } from '../builders/report-rows.ts';

const named = (name: string | undefined) => aBatch({ name });
const free = (name: string | undefined, ...taken: string[]) =>
  freeRedoName(named(name), async (asked) => taken.includes(asked));

it('calls it after the batch whose rows it pays again, by a name that no batch has', async () => {
  expect(await free('may')).toBe('may-redo');
  expect(await free('may', 'may', 'may-redo', 'may-redo-2')).toBe('may-redo-3');
  expect(await free('may-redo', 'may', 'may-redo')).toBe('may-redo-2');
  expect(await free('may-redo-9')).toBe('may-redo-10');
  expect(await free(undefined, 'may')).toBe('batch-b-7Q2K-redo');
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
