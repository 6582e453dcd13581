/**
 * Asks a person the questions that a file leaves open.
 *
 * Errors:  FileHasQuestions where nobody answers; RequestRefused for a name that is of other columns.
 */
import { basename } from 'node:path';
import { STANDARD_INPUT } from '../../domain/batches/batch.ts';
import type { Answer, Said } from '../../domain/reading/answer.ts';
import { askColumns } from '../../domain/reading/column-questions.ts';
import { textsOf } from '../../domain/reading/columns-for.ts';
import { askDecimal } from '../../domain/reading/decimal-question.ts';
import { askDoubts, type Doubt, doubtsOf } from '../../domain/reading/doubts.ts';
import type { Look } from '../../domain/reading/look.ts';
import type { Question } from '../../domain/reading/question.ts';
import { ASKS, questionsAbout } from '../../domain/reading/questions/all.ts';
import { headerFingerprint, NOTHING_SAID, type ReadingAsked } from '../../domain/reading/reading.ts';
import { asCountryWord, withSaidWords } from '../../domain/reading/said-words.ts';
import { askUnknown, askUnknownCountries } from '../../domain/reading/unknown-words.ts';
import type { Directory } from '../../domain/rows/directory.ts';
import type { Field } from '../../domain/rows/row.ts';
import { FileHasQuestions, type RowSource } from '../../ports/row-source.ts';
import type { Ask } from '../user-questions.ts';
import { type SaidUntilNow, withAnswers } from './keep-answers.ts';
import type { Questions, ReadOptions, RowsRead } from './read-pass.ts';
import { requireFreeName } from './save-reading.ts';
import type { FileWithReading } from './with-reading.ts';

/** A person who is asked round after round would stop to read. */
const MOST_ROUNDS = 8;

export interface Answerer {
  /** What was said until now. */
  said(): SaidUntilNow;
  /**
   * `answered`: read the file again. Else the questions that stop some rows alone. `readAs` reads it into nothing, as if
   * these answers were given; undefined: its columns are still not known.
   */
  answer(
    reading: FileWithReading,
    read: RowsRead,
    readAs: (answers: readonly Answer[]) => Promise<Supposed | undefined>,
  ): Promise<readonly Question[] | 'answered'>;
}

export interface Supposed {
  readonly reading: FileWithReading;
  readonly read: RowsRead;
}

/** `opened`: as it was opened, without answers. */
export function createAnswerer(
  opened: RowSource,
  { open, answering, memory, signal }: ReadOptions,
  directory: Directory,
  ports: Questions,
): Answerer {
  const file = open.path === '-' ? STANDARD_INPUT : basename(open.path);
  const given = withCountryWords(open.asked ?? NOTHING_SAID, directory);
  let said: SaidUntilNow = { asked: given, answered: [] };
  if (memory?.name !== undefined) requireFreeName(memory.name, opened.headers, given.kept);
  const leftOpen = new Set<string>();
  let doubts: readonly Doubt[] = [];
  const earlier: SaidUntilNow[] = [];
  return {
    said: () => said,
    async answer(reading, read, readAs) {
      const found = doubtsOf(reading.kept?.answers ?? [], read, directory);
      if (found.length > 0) {
        doubts = [...doubts, ...found];
        said = { ...said, asked: { ...said.asked, doubted: doubts.map(({ answer }) => answer) } };
        return 'answered';
      }
      if (reading.faults.length > 0) await addLists(read.look, reading.answers, { directory, ports, signal });
      const soFar = { directory, doubts, said: said.asked.answers, answering };
      const first = allQuestions(reading, read, soFar);
      const supposed =
        answering === undefined && reading.faults.length > 0 ? await readAs(likeliest(first)) : undefined;
      const more = supposed === undefined ? [] : allQuestions(supposed.reading, supposed.read, soFar);
      const all = [...first, ...more.filter((question) => !isAmong(first, question))];
      const offers = all.filter(({ isOffer }) => isOffer === true);
      const toAsk = all.filter(({ code, isOffer }) => isOffer !== true || !leftOpen.has(code));
      const unmapped = reading.faults.flatMap((fault) => (fault.kind === 'missing' ? [fault.field] : []));
      const { issues } = supposed?.read ?? read;
      const refused = () => new FileHasQuestions(all, { issues, sheet: reading.file.sheet, unmapped, file });
      if (toAsk.length === 0 || answering === undefined || earlier.length >= MOST_ROUNDS) {
        if (all.length > offers.length) throw refused();
        return offers;
      }
      const chosen = await askEach(toAsk, answering.ask, earlier.length > 0);
      if (chosen === undefined) throw refused();
      if (chosen === 'back') {
        said = earlier.pop() ?? said;
        return 'answered';
      }
      for (const { code } of chosen.leftOpen) leftOpen.add(code);
      if (chosen.said.length === 0) return offers;
      earlier.push(said);
      said = withAnswers(
        said,
        chosen.said.map((answer): Said => ({ ...answer, ...answering.saidBy })),
      );
      return 'answered';
    },
  };
}

/** For a program, which is asked once: the first choice of each question; none where nothing is plainly meant. */
function likeliest(questions: readonly Question[]): readonly Answer[] {
  return questions.flatMap(({ isOffer, isGuess, choices: [choice] }) =>
    isOffer === true || isGuess === true || choice?.asksFor !== undefined ? [] : (choice?.answers ?? []),
  );
}

const isAmong = (questions: readonly Question[], { code, headers }: Question): boolean =>
  questions.some((each) => each.code === code && each.headers.join() === headers.join());

const withCountryWords = (asked: ReadingAsked, directory: Directory): ReadingAsked => ({
  ...asked,
  answers: asked.answers.map((answer) => asCountryWord(answer, directory)),
});

interface Chosen {
  readonly said: readonly Answer[];
  readonly leftOpen: readonly Question[];
}

/** One after the other; a person may go back to the one before. undefined: nobody is there, or the file is to be changed. */
async function askEach(
  questions: readonly Question[],
  ask: Ask,
  isLater: boolean,
): Promise<Chosen | 'back' | undefined> {
  const chosen: (readonly Answer[])[] = [];
  for (let at = 0; at < questions.length; at = chosen.length) {
    const question = questions[at] as Question;
    const answer = await ask({ kind: 'about_file', question, mayGoBack: at > 0 || isLater });
    if (answer === undefined) return undefined;
    if (answer === 'back' && at === 0) return 'back';
    if (answer === 'back') chosen.pop();
    else if (answer.length === 0 && question.isOffer !== true) return undefined;
    else chosen.push(answer);
  }
  return { said: chosen.flat(), leftOpen: questions.filter((_, at) => chosen[at]?.length === 0) };
}

interface SaidSoFar {
  readonly directory: Directory;
  readonly doubts: readonly Doubt[];
  readonly said: readonly Answer[];
  /** undefined: nobody answers round by round. */
  readonly answering: ReadOptions['answering'];
}

/**
 * Names of banks are asked about in a country that is certain, and a person is not asked about those of rows that perhaps
 * stay out.
 */
function allQuestions(
  reading: FileWithReading,
  read: RowsRead,
  { directory, doubts, said, answering }: SaidSoFar,
): readonly Question[] {
  const open = doubts.filter(({ answer }) => !isSaidOf(answer.field, said));
  const first = askDoubts(open, questionsOf(reading, read, directory));
  const waits = open.length > 0 || (answering !== undefined && first.some(leavesRowsOut));
  const known = withSaidWords(directory, reading.answers);
  const countries = askUnknownCountries(read.look, known);
  const decimal = askDecimal(read.amountStyle, read.issues);
  return waits ? first : [...first, ...countries, ...decimal, ...askUnknown(read.unknown, known)];
}

const leavesRowsOut = ({ choices }: Question) =>
  choices.some(({ answers }) => answers.some(({ kind }) => kind === 'leave_out' || kind === 'skip_zero'));

function isSaidOf(field: Field, answers: readonly Answer[]): boolean {
  return answers.some((answer) => 'field' in answer && answer.kind !== 'value' && answer.field === field);
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
  { file, faults, answers, proposed }: FileWithReading,
  { look }: RowsRead,
  directory: Directory,
): readonly Question[] {
  const asks = [...ASKS, () => askColumns(faults, look, directory)];
  const { question: text } = file;
  const asked = questionsAbout(look, answers, directory, asks);
  return [...(text === undefined ? [] : [text]), ...asked.map((each) => withProposal(each, proposed))];
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
