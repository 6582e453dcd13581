/**
 * Reads a payout file into validated rows, and asks what only its owner knows. Used by check (which only looks) and by
 * import (which stages).
 *
 * Errors:  FileRefused for a file that cannot be used as a whole, FileHasQuestions where nobody answers what has to be
 *          known; ServiceUnavailable when a list cannot be had.
 */
import type { StyleRead } from '../../domain/money/amount-style.ts';
import { type Answer, type Said, withNewer } from '../../domain/reading/answer.ts';
import type { Question } from '../../domain/reading/question.ts';
import type { Reading } from '../../domain/reading/reading.ts';
import type { UnknownInstitution } from '../../domain/reading/unknown-words.ts';
import { unusedNotes, usedNotes } from '../../domain/reading/unused-columns.ts';
import type { LinesLeftOut } from '../../domain/rows/lines-left-out.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { FileRefused, type OpenRows, type RowSource } from '../../ports/row-source.ts';
import { createAnswerer } from './answer-questions.ts';
import { loadDirectory } from './directory-lists.ts';
import { answersToRepeat, rememberAnswers } from './keep-answers.ts';
import { lookAlone, type Questions, type ReadOptions, type RowSink, readValid } from './read-pass.ts';
import { withReading } from './with-reading.ts';

export interface ReadFile {
  /** With the columns that answers add. Its hash and counts are known now. */
  readonly file: RowSource;
  readonly amountStyle: StyleRead;
  readonly leftOut: LinesLeftOut;
  /** All that was said of the file and counts. */
  readonly answers: readonly Said[];
  /** The kept reading that some of them are from. */
  readonly reading: Reading | undefined;
  /** What nobody answered, and what stops some rows alone. */
  readonly questions: readonly Question[];
  /** Names of institutions that the service does not list. */
  readonly unknown: readonly UnknownInstitution[];
}

/** Reads all rows into the sink, and asks what only the owner of the file knows. Errors: FileHasQuestions. */
export async function readRows(
  openRows: OpenRows,
  options: ReadOptions,
  sink: RowSink,
  ports: Questions,
): Promise<ReadFile> {
  let opened = await openRows(options.open);
  try {
    const directory = await loadDirectory(ports, options.signal);
    const answerer = createAnswerer(opened, options, directory, ports);
    for (;;) {
      const { asked } = answerer.said();
      const reading = withReading(opened, asked);
      const toRepeat = answersToRepeat(reading, answerer.said(), options);
      const pass = { reading, toRepeat, directory, options, sink, ports };
      const read = reading.faults.length > 0 ? await lookAlone(pass) : await readValid(pass);
      if (opened.nameColumns?.() === true) {
        await sink.restart();
        continue;
      }
      const readAs = async (answers: readonly Answer[]) => {
        const said = answers.map((answer) => ({ ...answer, by: '', at: timestampOf(0) }));
        const supposed = withReading(opened, { ...asked, answers: withNewer(asked.answers, said) });
        if (supposed.faults.length > 0) return undefined;
        return { reading: supposed, read: await readValid({ ...pass, reading: supposed, sink: NOWHERE }) };
      };
      const questions = await answerer.answer(reading, read, readAs);
      if (questions === 'answered') {
        await sink.restart();
        if (opened.question === undefined) continue;
        await opened.close();
        opened = await openRows({ ...options.open, asked: answerer.said().asked });
        continue;
      }
      if (read.totalFaults.length > 0) throw totalsDiffer(read.totalFaults, opened);
      if (read.rows === 0 || read.amountStyle === undefined) throw nothingToPay(opened);
      const { file, answers, kept } = reading;
      const remembered = await rememberAnswers(opened, answerer.said(), options, directory);
      const { look } = read;
      const { used } = reading;
      for (const note of [...read.notes, ...usedNotes(file), ...unusedNotes(look, used), ...remembered])
        sink.note?.(note);
      const { amountStyle, leftOut, unknown } = read;
      return { file, amountStyle, leftOut, answers, reading: kept?.reading, questions, unknown };
    }
  } finally {
    await opened.close();
  }
}

const NOWHERE: RowSink = {
  salt: '',
  begin: async () => undefined,
  take: async () => undefined,
  restart: async () => undefined,
};

function totalsDiffer(faults: readonly string[], { sheet }: RowSource): FileRefused {
  const where = sheet === undefined ? 'In the file' : `In the sheet “${sheet}”`;
  return new FileRefused(
    `${where}, ${faults.join('; ')}. A row may be missing or changed, so nothing was taken. Correct the amounts or the ` +
      'totals, or take the rows with the totals out.',
  );
}

function nothingToPay({ sheet }: RowSource): FileRefused {
  return new FileRefused(
    `${sheet === undefined ? '' : `Sheet “${sheet}”: `}no row below the header has an account or an institution: there is nothing to pay.`,
  );
}
