/** What a page does instead of a command: its link, and the words for files that the console makes. */
import { expect, it } from 'vitest';
import { commandInWords, commandOnPage } from '../../src/console/page/words.ts';
import { command } from '../../src/domain/next-steps/command.ts';

it('leads to the batch and the row that a command names, whatever they are called', () => {
  const onRow = command('resolve', ['ROW & "1"', 7]);
  expect(commandOnPage(onRow).text).toBe('<a href="/batches/ROW%20%26%20%221%22/rows/7#do">Decide row 7</a>');
  expect(commandInWords(onRow)).toBe('decide row 7 of batch ROW & "1" in the console');
  expect(commandInWords(command('release', ['may']))).toBe(
    'release rows of batch may in the console (“Held rows”)',
  );
  expect(commandInWords(command('cancel', ['may', 4]))).toBe('withdraw row 4 of batch may in the console');
});

it('shows a command as it is typed where no page does all of it', () => {
  for (const typed of [
    command('status'),
    command('explain', ['may']),
    command('approve', [{ fillIn: 'BATCH' }]),
    command('verify', [], [['--accept', 'moved']]),
    command('backup', ['copy.db']),
  ]) {
    expect(commandInWords(typed)).toBeUndefined();
    expect(commandOnPage(typed).text).toMatch(/^<code>payfile /);
  }
  const unpaid = command('report', ['may'], [['--only', 'unpaid']]);
  expect(commandInWords(unpaid)).toContain('“Rows that were not paid”');
});
