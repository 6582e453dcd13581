/** Commands about the file of a batch: run it again, read it again, write its report. */
import { type Batch, batchLabel, delimiterWord, STANDARD_INPUT } from '../batches/batch.ts';
import { answerFlags } from './answer-flags.ts';
import { type Command, command, type Flag, flagsOf, plainPath } from './command.ts';
import { plainNameOf } from './pay-again.ts';

/**
 * The batch's own file once more, as it was read: from its folder, and with what was said of it (`--map 'source=Paid from'`). What came from standard input has to be saved first.
 */
export function runAgain({ name, file }: Pick<Batch, 'name' | 'file'>): Command {
  const { folder, reading: { sheet, headerRow, source, delimiter, encoding, answers = [] } = {} } = file;
  const path = folder === undefined ? plainPath(file.name) : `${folder}/${file.name}`;
  const word = file.name === STANDARD_INPUT && folder === undefined ? ({ fillIn: 'FILE' } as const) : path;
  const read = { '--source': source, ...textFlags({ delimiter, encoding }) };
  const table = flagsOf({ '--sheet': sheet, '--header-row': headerRow });
  return command(
    'run',
    [word],
    [...table, ...answerFlags(answers), ...flagsOf({ ...read, '--batch': name })],
  );
}

interface TextReading {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}

/** How a CSV file is written. */
export const textFlags = ({ delimiter, encoding }: TextReading) => ({
  '--delimiter': delimiter && delimiterWord(delimiter),
  '--encoding': encoding,
});

/** A file that was read only in part, once more; nothing is sent by it. Which of the two files it is, a person says. */
export function readAgain({ name, halfRead }: Pick<Batch, 'name' | 'halfRead'>): Command | undefined {
  return halfRead === undefined ? undefined : command('plan', [{ fillIn: 'FILE' }], batchFlag(name));
}

/** Each batch has a file of its own: a report takes the place of an older one of the same name. */
export function reportCommand(batch: Pick<Batch, 'id' | 'name'>): Command {
  return command('report', [batchLabel(batch)], [['-o', `${plainNameOf(batch)}.xlsx`]]);
}

export function batchFlag(name: string): readonly Flag[] {
  return [['--batch', name]];
}
