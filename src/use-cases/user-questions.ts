/**
 * The questions that a person has to answer. Every face asks the same questions in its own way: on a terminal, on a web
 * page, or by a program that knows the answers.
 *
 * An answer of undefined means that nobody is there, or that the person went away: what needed the answer is not done.
 */
import type { Batch } from '../domain/batches/batch.ts';
import type { Money } from '../domain/money/money.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import type { Answer as FileAnswer } from '../domain/reading/answer.ts';
import type { Question as FileQuestion } from '../domain/reading/question.ts';
import type { SignsSeen } from '../domain/statement/direction.ts';
import type { Message } from '../domain/text/message.ts';
import type { KnownBatch } from './find-batch.ts';

/** A question that a person has to answer before work goes on. */
export type Question =
  /** There is no ledger. A lost ledger forgets every payment, so a new one is created only when a person agrees. */
  | { readonly kind: 'new_ledger'; readonly problem: string | Message }
  /** What the file's batch is called; `proposed`: a name that no batch has. */
  | { readonly kind: 'name_of_batch'; readonly proposed: string }
  /** A batch is called so already, or almost so: the file is a newer version of it, or has another name. */
  | { readonly kind: 'newer_version'; readonly known: KnownBatch }
  /** A batch of another name has the same file. */
  | ({ readonly kind: 'same_file'; readonly known: KnownBatch } & NewPeriod)
  /** Most rows of a batch repeat payments of one earlier batch. */
  | ({ readonly kind: 'repeats'; readonly repeats: Repeats } & NewPeriod)
  /** Names and accounts of so many rows, which ended before that day, are about to be erased. */
  | { readonly kind: 'erase'; readonly rows: number; readonly before: string }
  /** A person is about to rule on a row in doubt. */
  | { readonly kind: 'ruling'; readonly ruling: 'paid' | 'not_paid' | 'difference'; readonly payout: Payout }
  /** The plan was shown; each total is typed by whoever agrees to it. */
  | {
      readonly kind: 'totals';
      readonly verb: 'pay' | 'approve';
      readonly rows: number;
      readonly totals: readonly Money[];
    }
  /** Only the owner of a file knows what it means. */
  | { readonly kind: 'about_file'; readonly question: FileQuestion; readonly mayGoBack: boolean }
  /** A statement has amounts with both signs: one of them are payments, the others came in. */
  | PaymentsQuestion
  /** All dates of a statement may be read in two ways. `example`: one of them. */
  | { readonly kind: 'date_order'; readonly fileName: string; readonly example: string };

/** Whether the rows of the other batch can be paid for a new period. */
interface NewPeriod {
  /** Why not yet, in sentences: the answer `again` is refused. undefined: they can. */
  readonly tooEarly: string | undefined;
}

export interface PaymentsQuestion {
  readonly kind: 'payments';
  readonly fileName: string;
  readonly signs: SignsSeen;
}

export interface Repeats {
  readonly batch: Batch;
  /** The earlier one. */
  readonly of: Batch;
  /** How many of the rows repeat a payment of it, or one by which another batch paid a row of it again. */
  readonly repeated: number;
  /** How many of these another batch paid again. */
  readonly again: number;
  readonly rows: number;
}

/** The answer to each kind of question. */
export interface Answers {
  readonly new_ledger: 'create';
  readonly name_of_batch: string;
  readonly newer_version: 'newer' | 'other_name';
  /** The same payments: go on with that batch. Or pay all of it once more, as a batch of its own. */
  readonly same_file: 'same' | 'again' | 'stop';
  readonly repeats: 'report' | 'again' | 'stop';
  /** The row number, as it was typed. */
  readonly ruling: string;
  /** As they were typed, in the order of the totals. */
  readonly totals: readonly string[];
  /** The number of rows, as it was typed. */
  readonly erase: string;
  readonly payments: 'minus' | 'plus';
  /** Those of the chosen choice; empty: the person changes the file, or leaves the rows as they are. `back`: to the question before. */
  readonly about_file: readonly FileAnswer[] | 'back';
  readonly date_order: 'day' | 'month';
}

type QuestionOf<Kind extends Question['kind']> = Extract<Question, { readonly kind: Kind }>;

/** Answers a question; undefined: nobody is there, and nothing is done. */
export type Ask = <Kind extends Question['kind']>(
  question: QuestionOf<Kind>,
) => Promise<Answers[Kind] | undefined>;

/** The same questions, which nobody has to answer any more once the work is stopped. */
export function untilStopped(ask: Ask | undefined, signal: AbortSignal | undefined): Ask | undefined {
  return ask && ((question) => unlessStopped(ask(question), signal));
}

/** Undefined when the work is stopped before the answer comes. */
export async function unlessStopped<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  if (signal === undefined) return answer;
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([answer, stopped]).finally(() => signal.removeEventListener('abort', stop));
}

/** One function for each kind of question; a kind without one has nobody to answer it. */
export type AskEach = {
  readonly [Kind in Question['kind']]?: (question: QuestionOf<Kind>) => Promise<Answers[Kind] | undefined>;
};

export function askWith(each: AskEach): Ask {
  return async (question) => each[question.kind]?.(question);
}
