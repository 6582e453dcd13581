/**
 * Asks a person the questions that a file leaves open, and keeps the answers for the next file with the same headers.
 *
 * Errors:  FileHasQuestions where nobody answers; RequestRefused for a name that is of other columns.
 */
import { basename } from 'node:path';
import { STANDARD_INPUT } from '../../domain/batches/batch.ts';
import { type Answer, type Said, withNewer } from '../../domain/reading/answer.ts';
import { askColumns } from '../../domain/reading/column-questions.ts';
import { textsOf } from '../../domain/reading/columns-for.ts';
import type { Look } from '../../domain/reading/look.ts';
import { plainlyMeant } from '../../domain/reading/plainly-meant.ts';
import type { Question } from '../../domain/reading/question.ts';
import { ASKS, questionsAbout } from '../../domain/reading/questions/all.ts';
import {
  headerFingerprint,
  isByLetter,
  NOTHING_SAID,
  type Reading,
  type ReadingAsked,
} from '../../domain/reading/reading.ts';
import { asCountryWord, withNamesForIds, withSaidWords } from '../../domain/reading/said-words.ts';
import { askUnknown, askUnknownCountries } from '../../domain/reading/unknown-words.ts';
import type { Directory } from '../../domain/rows/directory.ts';
import type { Field } from '../../domain/rows/row.ts';
import { FileHasQuestions, type RowSource } from '../../ports/row-source.ts';
import type { Questions, ReadOptions, RowsRead } from './read-pass.ts';
import { keep, requireFreeName } from './save-reading.ts';
import type { FileWithReading } from './with-reading.ts';

/** A person who is asked round after round would stop to read. */
const MOST_ROUNDS = 8;

export interface Answerer {
  /** What was said until now. */
  asked(): ReadingAsked;
  /** Columns that nobody has to say, because no other one can be it. */
  taken(): ReadonlyMap<Field, number> | undefined;
  /** `answered`: read the file again. Else the questions that stop some rows alone. */
  answer(reading: FileWithReading, read: RowsRead): Promise<readonly Question[] | 'answered'>;
  /** After the last round; what was kept, for the person. */
  remember(): Promise<readonly string[]>;
}

/** `opened`: as it was opened, without answers. */
export function createAnswerer(
  opened: RowSource,
  { open, answering, memory, signal }: ReadOptions,
  directory: Directory,
  ports: Questions,
): Answerer {
  const file = open.path === '-' ? STANDARD_INPUT : basename(open.path);
  let asked = open.asked ?? NOTHING_SAID;
  asked = { ...asked, answers: asked.answers.map((answer) => asCountryWord(answer, directory)) };
  const name = memory?.name;
  if (name !== undefined) requireFreeName(name, opened.headers, asked.kept);
  const leftOpen = new Set<string>();
  let rounds = 0;
  let taken: ReadonlyMap<Field, number> | undefined;
  return {
    asked: () => asked,
    taken: () => taken,
    async answer(reading, read) {
      if (reading.faults.length > 0) await addLists(read.look, reading.answers, { directory, ports, signal });
      const plain = taken === undefined ? plainlyMeant(reading.faults, read.look, directory) : undefined;
      if (plain !== undefined) {
        taken = plain;
        return 'answered';
      }
      const known = withSaidWords(directory, reading.answers);
      const all = [
        ...questionsOf(reading, read, directory),
        ...askUnknownCountries(read.look, known),
        ...askUnknown(read.unknown, known),
      ];
      const offers = all.filter(({ isOffer }) => isOffer === true);
      const toAsk = all.filter(({ code, isOffer }) => isOffer !== true || !leftOpen.has(code));
      const unmapped = reading.faults.flatMap((fault) => (fault.kind === 'missing' ? [fault.field] : []));
      const { sheet } = reading.file;
      const refused = () => new FileHasQuestions(all, { issues: read.issues, sheet, unmapped, file });
      if (toAsk.length === 0 || answering === undefined || rounds >= MOST_ROUNDS) {
        if (all.length > offers.length) throw refused();
        return offers;
      }
      rounds += 1;
      const said: Answer[] = [];
      for (const question of toAsk) {
        const chosen = await answering.ask({ kind: 'about_file', question });
        if (chosen === undefined) throw refused();
        if (chosen.length > 0) said.push(...chosen);
        else if (question.isOffer === true) leftOpen.add(question.code);
        else throw refused();
      }
      if (said.length === 0) return offers;
      const answers = said.map((answer): Said => ({ ...answer, ...answering.saidBy }));
      asked = { ...asked, answers: withNewer(asked.answers, answers) };
      return 'answered';
    },
    async remember() {
      if (memory === undefined || (name === undefined && (rounds === 0 || isByLetter(opened.headers))))
        return [];
      const said = withNamesForIds(asked.answers, directory);
      if (said.length === 0) return [];
      const { reading } = opened;
      const under = name ?? reading?.name ?? freeName(open.path, asked.kept);
      await keep(opened, { name: under, answers: said, store: memory.store });
      return [`kept as the reading “${under}”, for files with these columns`];
    },
  };
}

/**
 * Lists of institutions, by which columns of institutions are known: of the countries that the file names, else of all.
 * Without one the person chooses with less to go by.
 */
async function addLists(
  look: Look,
  answers: readonly Answer[],
  { directory, ports, signal }: Asking,
): Promise<void> {
  const set = answers.flatMap((answer) =>
    answer.kind === 'set' && answer.field === 'country' ? [answer.text] : [],
  );
  const held = look.columns.flatMap((column) => (column.field === 'country' ? textsOf(column) : []));
  const named = [...set, ...held].flatMap((text) => {
    const found = directory.findCountry(text);
    return found.kind === 'found' ? [found.item] : [];
  });
  const missing = (named.length > 0 ? [...new Set(named)] : directory.countries).filter(
    ({ id }) => !directory.hasInstitutionsOf(id),
  );
  for (const { id } of missing) {
    const asked = await ports.paymentService.institutions(id, signal);
    if (asked.kind === 'answered' && asked.answer.length > 0) directory.addInstitutions(id, asked.answer);
    else if (asked.kind === 'unavailable') return;
  }
}

interface Asking {
  readonly directory: Directory;
  readonly ports: Questions;
  readonly signal: AbortSignal | undefined;
}

function questionsOf(
  { faults, answers, proposed }: FileWithReading,
  { look }: RowsRead,
  directory: Directory,
): readonly Question[] {
  const asks = [...ASKS, () => askColumns(faults, look, directory)];
  return questionsAbout(look, answers, asks).map((question) => withProposal(question, proposed));
}

/** What was chosen the last time comes first. */
function withProposal(question: Question, proposed: readonly Answer[]): Question {
  const isProposed = ({ answers }: Question['choices'][number]) =>
    answers.some((answer) =>
      proposed.some(
        (before) =>
          before.kind === answer.kind &&
          'header' in before &&
          'header' in answer &&
          headerFingerprint([before.header]) === headerFingerprint([answer.header]),
      ),
    );
  const first = question.choices.filter(isProposed);
  return first.length === 0
    ? question
    : { ...question, choices: [...new Set([...first, ...question.choices])] };
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
