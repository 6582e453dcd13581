/**
 * All questions on a terminal. Asks nothing if nobody can answer: without a terminal, with --json or --quiet, or if CI
 * is set.
 */

import {
  BATCH_NAME_RULE,
  batchLabel,
  isBatchName,
  knownBatchText,
  repeatsText,
} from '../../domain/batches/batch.ts';
import { formatMoney, type Money } from '../../domain/money/money.ts';
import { differencesOf } from '../../domain/payouts/difference.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { isSameTotal } from '../../domain/plan/typed-totals.ts';
import type { Answer } from '../../domain/reading/answer.ts';
import { type Question as FileQuestion, withText } from '../../domain/reading/question.ts';
import { type SignsSeen, signsText } from '../../domain/statement/direction.ts';
import { wordedIn } from '../../domain/text/message.ts';
import { printable, rowsText } from '../../domain/text/printable.ts';
import { type Ask, askWith } from '../../payfile.ts';
import { type Call, mayAsk, placeOf } from '../call.ts';
import { wordingIn } from '../show/blocks.ts';

/** undefined if nobody can answer. */
export function askerFor(call: Call): Ask | undefined {
  if (!mayAsk(call)) return undefined;
  const ask = askWith({
    new_ledger: ({ problem }) => {
      call.terminal.talk(wordedIn(problem, wordingIn(placeOf(call))));
      return askNewLedger(call);
    },
    name_of_batch: ({ proposed }) =>
      askText(
        call,
        'Name of the batch: which period or purpose does it pay?',
        (text) => (isBatchName(text.trim().normalize('NFC')) ? undefined : `Write ${BATCH_NAME_RULE}.`),
        proposed,
      ),
    newer_version: ({ known: { batch, rows, sums } }) => {
      call.terminal.talk(`${knownBatchText(batch, rows, sums)}.`);
      return askChoice(call, `Batch ${batchLabel(batch)} already exists. What is this file?`, [
        { value: 'newer', label: 'A newer version of that batch' },
        { value: 'other_name', label: 'Another batch: give it another name' },
      ]);
    },
    same_file: ({ known: { batch, rows, sums }, tooEarly }) => {
      call.terminal.talk(`${knownBatchText(batch, rows, sums)}.`);
      return askChoice(call, `Batch ${batchLabel(batch)} has the same file. What is this file?`, [
        { value: 'same', label: 'The same payments: continue that batch' },
        ...newPeriod(call, tooEarly),
        { value: 'stop', label: 'Stop here' },
      ]);
    },
    repeats: ({ repeats, tooEarly }) =>
      askChoice(call, `${repeatsText(repeats)} What is this file?`, [
        { value: 'report', label: 'The same payments: show their result' },
        ...newPeriod(call, tooEarly),
        { value: 'stop', label: 'Stop here' },
      ]),
    ruling: ({ ruling, payout }) => {
      const wanted = String(payout.rowNumber);
      const question =
        ruling === 'difference'
          ? `${differenceText(payout)}. Type the row number to accept that`
          : `Row ${rulingText(payout, ruling)}. Type the row number to confirm`;
      return askText(call, question, (text) =>
        text.trim() === wanted ? undefined : `Type ${wanted}, or press Ctrl-C to stop.`,
      );
    },
    erase: (asked) => askToErase(call, asked),
    payments: (question) => askPayments(call, question),
    about_file: ({ question, mayGoBack }) => askAboutFile(call, question, mayGoBack),
    date_order: (question) => askDateOrder(call, question),
    totals: ({ verb, rows, totals }) =>
      askTotals(call, `Type the total to ${verb} ${rowsText(rows)}`, totals),
  });
  return (question) => {
    call.terminal.line('');
    return ask(question);
  };
}

/** Explains why a new period is not among the choices. */
function newPeriod(call: Call, tooEarly: string | undefined): readonly Choice<'again'>[] {
  if (tooEarly === undefined) return [{ value: 'again', label: 'A new period: pay all rows again' }];
  call.terminal.talk(tooEarly);
  return [];
}

function askToErase(call: Call, { rows, before }: { rows: number; before: string }) {
  const message = `Type ${rows} to erase names and accounts of ${rowsText(rows)} that ended before ${before}`;
  const problemOf = (text: string) =>
    text.trim() === String(rows) ? undefined : `Type ${rows}, or press Ctrl-C to stop.`;
  return askText(call, message, problemOf);
}

function askPayments(call: Call, { fileName, signs }: { fileName: string; signs: SignsSeen }) {
  return askChoice(call, printable(`${fileName}: ${signsText(signs)}. Which of them are payments?`), [
    { value: 'minus', label: 'Amounts with a minus; the others are incoming' },
    { value: 'plus', label: 'Amounts without a minus; the others are returns' },
  ]);
}

function askDateOrder(call: Call, { fileName, example }: { fileName: string; example: string }) {
  return askChoice(call, printable(`${fileName}: which comes first in ${example}?`), [
    { value: 'day', label: 'The day' },
    { value: 'month', label: 'The month' },
  ]);
}

function differenceText({ rowNumber, state }: Payout): string {
  return printable(`Row ${rowNumber} differs from what was asked: ${differencesOf(state).join('; ')}`);
}

/** `4 (GHS 1,200.00) was NOT paid` */
function rulingText({ rowNumber, instruction }: Payout, ruling: 'paid' | 'not_paid'): string {
  const amount = instruction === undefined ? '' : ` (${formatMoney(instruction.amount)})`;
  return `${rowNumber}${amount} ${ruling === 'paid' ? 'was paid' : 'was NOT paid'}`;
}

async function askNewLedger(call: Call): Promise<'create' | undefined> {
  const answer = await askText(
    call,
    'If you never paid with another ledger, type “yes” to create this one',
    (text) => (text.trim().toLowerCase() === 'yes' ? undefined : 'Type yes, or press Ctrl-C to stop.'),
  );
  return answer === undefined ? undefined : 'create';
}

/** Undefined: the user pressed Ctrl-C. Empty: the user changes the file, or leaves the rows as they are. */
async function askAboutFile(
  call: Call,
  { text, choices, isGuess }: FileQuestion,
  mayGoBack: boolean,
): Promise<readonly Answer[] | 'back' | undefined> {
  const wording = wordingIn(placeOf(call));
  const listed = choices.map(({ label }, at) => ({ value: String(at), label: wordedIn(label, wording) }));
  const hasWayOut = choices.some(({ answers }) => answers.length === 0);
  const all = hasWayOut ? listed : [...listed, { value: 'stop', label: 'None of these: stop here' }];
  // Nobody presses Enter into a guess.
  const first = isGuess === true ? all.at(-1)?.value : undefined;
  const back = mayGoBack ? [{ value: 'back', label: 'Back to the question before' }] : [];
  const chosen = await askChoice(call, wordedIn(text, wording), [...all, ...back], first);
  if (chosen === 'back') return 'back';
  const choice = choices[Number(chosen)];
  if (chosen === undefined || choice === undefined) return chosen === undefined ? undefined : [];
  if (choice.asksFor === undefined) return choice.answers;
  const typed = await askText(call, `Which ${choice.asksFor}?`, (written) =>
    written.trim() === '' ? 'Type a text, or press Ctrl-C to stop.' : undefined,
  );
  return typed === undefined ? undefined : withText(choice, typed);
}

/** Asks for each total, and repeats the question after a wrong one. */
async function askTotals(
  call: Call,
  question: string,
  totals: readonly Money[],
): Promise<readonly string[] | undefined> {
  const typed: string[] = [];
  for (const [index, total] of totals.entries()) {
    const shown = formatMoney(total);
    const which = totals.length === 1 ? '' : ` (${index + 1} of ${totals.length} totals)`;
    const answer = await askText(call, `${question}: ${shown}${which}`, (text) =>
      isSameTotal(text, total) ? undefined : `That is not ${shown}. Type the total, or press Ctrl-C to stop.`,
    );
    if (answer === undefined || call.stopping.signal.aborted) return undefined;
    typed.push(answer);
  }
  return typed;
}

/** Prompts. The answer undefined means that the user pressed Ctrl-C. Then payfile does nothing. */

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/**
 * `problemOf` returns what is wrong with the text, or undefined. After a wrong text, asks again in an empty field, so
 * that new text does not follow the old.
 */
async function askText(
  call: Pick<Call, 'context' | 'stopping' | 'terminal'>,
  message: string,
  problemOf: (text: string) => string | undefined,
  /** Default for an empty answer. The field shows it. */
  proposed?: string,
): Promise<string | undefined> {
  const { text, isCancel } = await import('@clack/prompts');
  const { stdin: input, stderr: output } = call.context;
  const empty = proposed === undefined ? {} : { placeholder: proposed, defaultValue: proposed };
  while (!call.stopping.signal.aborted) {
    const answer = await whileAnswerable(call, (signal) =>
      text({ message, ...empty, input, output, signal }),
    );
    if (isCancel(answer)) return undefined;
    const problem = problemOf(String(answer ?? ''));
    if (problem === undefined) return String(answer);
    call.terminal.talk(problem);
  }
  return undefined;
}

async function askChoice<Value extends string>(
  call: Pick<Call, 'context' | 'stopping' | 'terminal'>,
  message: string,
  choices: readonly Choice<Value>[],
  initialValue?: string,
): Promise<Value | undefined> {
  const { select, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, label }) => ({ value: value as string, label }));
  const { stdin: input, stderr: output } = call.context;
  const answer = await whileAnswerable(call, (signal) =>
    select({
      message,
      options,
      input,
      output,
      signal,
      ...(initialValue === undefined ? {} : { initialValue }),
    }),
  );
  return isCancel(answer) ? undefined : choices.find(({ value }) => value === answer)?.value;
}

const LOOK_MS = 1_000;
const INPUT_END_EVENTS = ['end', 'close', 'error'] as const;

/**
 * A question ends when its input closes or the parent process ends. No answer can arrive then, and the batch would stay
 * locked. Checks this only during a question, because sending needs no person.
 */
async function whileAnswerable<Answer>(
  { context, stopping, terminal }: Pick<Call, 'context' | 'stopping' | 'terminal'>,
  prompt: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const closed = new AbortController();
  const abandon = (cause?: unknown) => {
    if (closed.signal.aborted) return;
    closed.abort();
    terminal.talk('\nNobody can answer anymore. Nothing was agreed to.');
    stopping.abandon(cause);
  };
  const look = setInterval(() => {
    if (context.isAbandoned?.() === true) abandon();
  }, LOOK_MS);
  for (const end of INPUT_END_EVENTS) context.stdin.on(end, abandon);
  try {
    return await prompt(closed.signal);
  } finally {
    clearInterval(look);
    for (const end of INPUT_END_EVENTS) context.stdin.off(end, abandon);
  }
}
