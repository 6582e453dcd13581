/** What is asked about a small table: lines of cells between semicolons, the header first. */
import type { Answer } from '../../../src/domain/reading/answer.ts';
import { bindColumns } from '../../../src/domain/reading/bind-columns.ts';
import { type Look, Looker } from '../../../src/domain/reading/look.ts';
import type { Question } from '../../../src/domain/reading/question.ts';
import { questionsAbout } from '../../../src/domain/reading/questions/all.ts';
import { asCountryId, createDirectory } from '../../../src/domain/rows/directory.ts';
import { IN_A_PROGRAM, textOf } from '../../../src/domain/text/message.ts';
import { COUNTRIES } from '../../../src/sandbox/directory.ts';

interface Beside {
  readonly said?: readonly Answer[];
  readonly above?: readonly string[];
  readonly sheet?: string;
  readonly file?: string;
  /** What a kept reading left out. */
  readonly proposed?: readonly Answer[];
  /** What each row pays in; undefined: nobody validated them. */
  readonly currency?: string;
}

export function lookAt(lines: readonly string[], { said = [], currency, ...beside }: Beside = {}): Look {
  const [headers = [], ...rows] = lines.map((line) => line.split(';'));
  const binding = bindColumns(headers, said);
  const looker = new Looker(binding, {
    ...{ isSaid: (field) => binding.said.has(field), ignored: binding.ignored },
    ...{ ...beside, today: '2026-11-27' },
  });
  for (const [at, cells] of rows.entries()) looker.see({ rowNumber: at + 2, cells }, currency);
  return looker.look();
}

/** Of the sandbox. */
export const DIRECTORY = createDirectory(
  COUNTRIES.map(({ id, name, iso, callingCode }) => ({ id: asCountryId(id), name, iso, callingCode })),
);

export function asked(lines: readonly string[], beside: Beside = {}): readonly Question[] {
  return questionsAbout(lookAt(lines, beside), beside.said ?? [], DIRECTORY);
}

export const codes = (questions: readonly Question[]) => questions.map(({ code }) => code);
export const words = (questions: readonly Question[]) =>
  questions.map(({ text }) => textOf(text.pieces, IN_A_PROGRAM)).join('\n');
export const answers = ([question]: readonly Question[]) => question?.choices.map((choice) => choice.answers);
