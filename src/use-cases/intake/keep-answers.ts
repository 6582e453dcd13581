/** What a person said of a file until now, and keeping it for the next file with the same headers. */
import { basename } from 'node:path';
import { isAskedEachTime, type Said, withNewer } from '../../domain/reading/answer.ts';
import { isByLetter, type Reading, type ReadingAsked } from '../../domain/reading/reading.ts';
import { withNamesForIds } from '../../domain/reading/said-words.ts';
import type { Directory } from '../../domain/rows/directory.ts';
import type { RowSource } from '../../ports/row-source.ts';
import type { ReadOptions } from './read-pass.ts';
import { keep } from './save-reading.ts';
import type { FileWithReading } from './with-reading.ts';

export interface SaidUntilNow {
  readonly asked: ReadingAsked;
  /** To a question; flags are of this call alone. */
  readonly answered: readonly Said[];
}

export const withAnswers = ({ asked, answered }: SaidUntilNow, answers: readonly Said[]): SaidUntilNow => ({
  asked: { ...asked, answers: withNewer(asked.answers, answers) },
  answered: withNewer(answered, answers),
});

type Memory = Pick<ReadOptions, 'memory' | 'open'>;

function answersToKeep({ asked, answered }: SaidUntilNow, { headers }: RowSource, { memory }: Memory) {
  if (memory === undefined || (memory.name === undefined && isByLetter(headers))) return [];
  return memory.name === undefined ? answered : asked.answers;
}

/** Of what counts: all that is not kept, so that another reading of the file needs it again. */
export function answersToRepeat(
  { answers, kept, file }: FileWithReading,
  said: SaidUntilNow,
  options: Memory,
): readonly Said[] {
  const before = said.asked.use === undefined ? (kept?.answers ?? []) : [];
  const known = [...before, ...answersToKeep(said, file, options)];
  return answers.filter((answer) => isAskedEachTime(answer) || !known.includes(answer));
}

/** After the last round; what was kept, for the person. `opened`: without the columns that answers add. */
export async function rememberAnswers(
  opened: RowSource,
  said: SaidUntilNow,
  options: Memory,
  directory: Directory,
): Promise<readonly string[]> {
  const answers = withNamesForIds(answersToKeep(said, opened, options), directory);
  const { memory, open } = options;
  if (memory === undefined || answers.length === 0) return [];
  const name = memory.name ?? opened.reading?.name ?? freeName(open.path, said.asked.kept);
  await keep(opened, { name, answers, store: memory.store });
  return [`kept as the reading “${name}”, for files with these columns`];
}

const LONGEST_NAME = 50;

/** `salaries`, or `salaries 2` if that is taken. */
function freeName(path: string, kept: readonly Reading[]): string {
  const stem = basename(path)
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const first = stem === '' ? 'file' : stem;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? first : `${first} ${number}`;
    if (!kept.some((reading) => reading.name === name)) return name;
  }
}
