/**
 * What one answer to a transfer says, member by member: nothing is required, nothing is guessed.
 *
 * An answer whose envelope is half broken can still carry a transfer id, so every fact is read on its own.
 * Source:  service interface, section 2.1.
 */
import { IdText, isFailureWord, isSuccessWord, isZeroCode } from '../../contract/envelope.ts';
import { NumberText, parseExactJson } from '../../contract/exact-json.ts';

export interface TransferAnswer {
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
