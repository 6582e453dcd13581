/**
 * What the answer to a transfer means: one table, read from the top; the first row that fits decides.
 *
 * A row may say that nothing was paid only where the answer proves it. Everything else is in doubt.
 * Source:  the assumptions in src/README.md; the interface of the service shows no error code but 1.
 */

import { NumberText, parseExactJson } from '../contract/exact-json.ts';
import { IdText, isFailureWord, isSuccessWord, isZeroCode } from '../contract/wire.ts';
import type { DoubtReason } from '../domain/payouts/payout.ts';

export type AnswerOutcome =
  | { readonly kind: 'accepted'; readonly id: string }
  /** `message` as the service wrote it: to be cleaned before it goes anywhere. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'turned_away'; readonly why: 'rate_limited' }
  /** Only the profile, asked with the same token, can tell. A refused token turned the transfer away. */
  | {
      readonly kind: 'ask_token';
      readonly thenIfGood: 'refused' | 'in_doubt';
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'in_doubt'; readonly reason: DoubtReason };

/** An answer that the configuration declares to mean "refused, nothing was executed". */
export interface RefusedAnswer {
  readonly httpStatus: number;
  readonly code: string;
}

/** The outcome and the facts it was read from. Pure. */
export function outcomeOfAnswer(
  answer: TransferAnswer,
  refusedList: readonly RefusedAnswer[],
): { readonly outcome: AnswerOutcome; readonly facts: AnswerFacts } {
  const facts = factsOf(answer);
  const row = TABLE.find((candidate) => candidate.when(facts, refusedList));
  return { outcome: row === undefined ? doubt('answer_inconclusive') : row.means(facts), facts };
}

interface TableRow {
  readonly when: (facts: AnswerFacts, refusedList: readonly RefusedAnswer[]) => boolean;
  readonly means: (facts: AnswerFacts) => AnswerOutcome;
}

const TABLE: readonly TableRow[] = [
  // An answer that is not whole, or began as JSON and is not, may have held anything.
  { when: (facts) => !facts.complete, means: () => doubt('answer_incomplete') },
  { when: (facts) => facts.document === 'damaged', means: () => doubt('answer_unreadable') },
  {
    when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,
    means: (facts) => ({ kind: 'accepted', id: facts.id ?? '' }),
  },
  // Success without an id we can look up, and every answer that says two things at once.
  {
    when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && !facts.mentionsId,
    means: () => doubt('answer_inconclusive'),
  },
  {
    when: (facts) => facts.word === 'success' || facts.mentionsId,
    means: () => doubt('answer_contradictory'),
  },
  {
    when: (facts) => facts.word === 'failed' && facts.codeIsZero,
    means: () => doubt('answer_contradictory'),
  },
  { when: (facts) => facts.httpStatus === 429, means: () => ({ kind: 'turned_away', why: 'rate_limited' }) },
  // An expired token and a plain refusal look alike here.
  { when: (facts) => facts.httpStatus === 401, means: (facts) => askToken(facts, 'in_doubt') },
  {
    when: (facts) => isConclusive(facts) && facts.word === 'failed' && isCodeOne(facts),
    means: (facts) => askToken(facts, facts.dataIsEmpty ? 'refused' : 'in_doubt'),
  },
  {
    when: (facts) =>
      isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero && facts.dataIsEmpty,
    means: refused,
  },
  { when: isListed, means: refused },
  // Empty bodies and pages of proxies: they may stand before or behind the service.
  { when: (facts) => facts.document === 'none', means: () => doubt('answer_unreadable') },
];

// Statuses by which a server or a proxy says that it did not, or not yet, do something; none of them proves
// that the service behind it did not.
const INCONCLUSIVE_4XX = [408, 409, 411, 421, 425, 431];

function is2xx(facts: AnswerFacts): boolean {
  return facts.httpStatus >= 200 && facts.httpStatus <= 299;
}

function isConclusive(facts: AnswerFacts): boolean {
  const is4xx = facts.httpStatus >= 400 && facts.httpStatus <= 499;
  return is2xx(facts) || (is4xx && !INCONCLUSIVE_4XX.includes(facts.httpStatus));
}

function isCodeOne(facts: AnswerFacts): boolean {
  return facts.code !== undefined && /^0*1$/.test(facts.code);
}

function isListed(facts: AnswerFacts, refusedList: readonly RefusedAnswer[]): boolean {
  return refusedList.some((listed) => listed.httpStatus === facts.httpStatus && listed.code === facts.code);
}

function refused(facts: AnswerFacts): AnswerOutcome {
  return { kind: 'refused', code: facts.code ?? '', message: facts.message ?? '' };
}

function askToken(facts: AnswerFacts, thenIfGood: 'refused' | 'in_doubt'): AnswerOutcome {
  return { kind: 'ask_token', thenIfGood, code: facts.code ?? '', message: facts.message ?? '' };
}

function doubt(reason: DoubtReason): AnswerOutcome {
  return { kind: 'in_doubt', reason };
}

/**
 * What one answer to a transfer says, member by member: nothing is required, nothing is guessed.
 *
 * An answer whose envelope is half broken can still carry a transfer id, so every fact is read on its own.
 * Source:  service interface, section 2.1.
 */

interface TransferAnswer {
  /** The whole body arrived, proven by its Content-Length or by the end of its chunks. */
  readonly complete: boolean;
  readonly httpStatus: number;
  /** undefined when the bytes are not UTF-8. */
  readonly body: string | undefined;
}

export interface AnswerFacts {
  readonly complete: boolean;
  readonly httpStatus: number;
  /** `none`: no body, or one that was never JSON (a page of a proxy). `damaged`: it began as JSON and is none. */
  readonly document: 'object' | 'none' | 'damaged';
  readonly word: 'success' | 'failed' | 'other';
  /** The code as text when it is an integer or an integer in a string. */
  readonly code: string | undefined;
  /** Exactly `0` or `"0"`. */
  readonly codeIsZero: boolean;
  /** An integer that is not zero in any spelling. */
  readonly codeIsNonZero: boolean;
  /** `data.id`, when it can be an identifier. */
  readonly id: string | undefined;
  /** Something in `data`, or an id anywhere beside it, may name a transfer, usable or not. */
  readonly mentionsId: boolean;
  readonly dataIsEmpty: boolean;
  readonly message: string | undefined;
}

export function factsOf(answer: TransferAnswer): AnswerFacts {
  const document = documentOf(answer.body);
  const envelope = isObject(document) ? document : NOTHING;
  const { status, code, data, message } = envelope;
  const codeText = code instanceof NumberText ? code.text : typeof code === 'string' ? code : '';
  const isInteger = /^-?\d{1,18}$/.test(codeText);
  const id = isObject(data) ? IdText.safeParse(data.id) : undefined;
  return {
    complete: answer.complete,
    httpStatus: answer.httpStatus,
    document: isObject(document) ? 'object' : document,
    word: wordOf(status),
    code: isInteger ? codeText : undefined,
    codeIsZero: isZeroCode(codeText),
    codeIsNonZero: isInteger && !/^-?0+$/.test(codeText),
    id: id?.success === true ? id.data : undefined,
    mentionsId: mentionsId(data) || namesId(envelope),
    dataIsEmpty: data === undefined || (isObject(data) && Object.keys(data).length === 0),
    message: typeof message === 'string' ? message : undefined,
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

function documentOf(body: string | undefined): JsonObject | 'none' | 'damaged' {
  if (body === undefined) return 'damaged';
  try {
    const document = parseExactJson(body);
    return isObject(document) ? document : Array.isArray(document) ? 'damaged' : 'none';
  } catch {
    // Half a JSON document may have held an id; a page of HTML or an empty body did not.
    return /^[\s\uFEFF]*[{[]/.test(body) ? 'damaged' : 'none';
  }
}

function isObject(value: unknown): value is JsonObject {
  const isRecord = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isRecord && !(value instanceof NumberText);
}

function wordOf(status: unknown): AnswerFacts['word'] {
  if (typeof status !== 'string') return 'other';
  return isSuccessWord(status) ? 'success' : isFailureWord(status) ? 'failed' : 'other';
}

const ID_KEY = /^(_?id|(transfer|transaction)_?id)$/i;

/** Whether anything in `data` could be a transfer's id: text or a number in its place, or under an id's name. */
function mentionsId(data: unknown): boolean {
  if (data instanceof NumberText) return true;
  if (typeof data === 'string') return data.trim() !== '';
  if (Array.isArray(data)) return data.some(mentionsId);
  if (!isObject(data)) return false;
  return Object.entries(data).some(([key, member]) =>
    ID_KEY.test(key) ? isId([key, member]) : typeof member === 'object' && mentionsId(member),
  );
}

/** An id's name with something behind it, anywhere in the envelope. */
function namesId(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesId);
  return isObject(value) && Object.entries(value).some((entry) => isId(entry) || namesId(entry[1]));
}

function isId([key, member]: readonly [string, unknown]): boolean {
  return ID_KEY.test(key) && member !== null && member !== '';
}
