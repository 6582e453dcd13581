/**
 * What goes wrong with one transfer request: whether it executes is decided apart from whether, and how far, it
 * is answered. A fault is told by a word (for plans in JSON) or put together byte by byte (for sweeps).
 */
import { json } from '../scripted-service.ts';

/** How a connection ends: RST, FIN, or not at all. */
export type Ending = 'reset' | 'end' | 'stall';

export interface Break {
  readonly atByte: number;
  readonly by: Ending;
}

export interface Fault {
  readonly executes: boolean;
  /** Breaks off when so many bytes of the request were taken in, before any answer. 0: none was. */
  readonly breakRequest?: Break;
  /** The bytes of the answer; an acceptance when undefined, nothing when empty. */
  readonly answer?: (transferId: string) => string;
  /** Breaks off when so many bytes of the answer were written. */
  readonly breakAnswer?: Break;
  /** Before the answer. */
  readonly delayMs?: number;
  /** The rest of the answer comes so much later than its beginning. */
  readonly rest?: { readonly fromByte: number; readonly afterMs: number };
  /** The answer comes byte by byte, with this pause between two. */
  readonly dripMs?: number;
}

export const FAULT_WORDS = [
  'accept',
  'refuse',
  'no_money',
  'code_1',
  'lose_end',
  'lose_reset',
  'drop_end',
  'drop_reset',
  'hang_executed',
  'hang',
  'late',
  'cut',
  'error_500_executed',
  'error_500',
  'gateway_502_executed',
  'gateway_502',
  'limited',
  'firewall',
] as const;
export type FaultWord = (typeof FAULT_WORDS)[number];

export interface FaultTimes {
  /** Before every answer to a transfer. */
  readonly latencyMs: number;
  /** Before the answer of `late`. */
  readonly lateMs: number;
}

/** The fault behind a word. */
export function faultOf(word: FaultWord, { latencyMs, lateMs }: FaultTimes): Fault {
  const { delayMs = latencyMs, ...fault } =
    word === 'late' ? { executes: true, delayMs: lateMs } : WORDS[word];
  return delayMs === 0 ? fault : { ...fault, delayMs };
}

const no = (code: number, message: string) => () =>
  json(400, JSON.stringify({ status: 'failed', data: {}, message, code }));
const page =
  (httpStatus: number, headers: Record<string, string> = {}) =>
  () =>
    json(httpStatus, '<html><body>Not here</body></html>', { 'Content-Type': 'text/html', ...headers });
const nothing = () => '';
const at = (by: Ending, atByte = 0): Break => ({ atByte, by });

const WORDS: Readonly<Record<Exclude<FaultWord, 'late'>, Fault>> = {
  accept: { executes: true },
  refuse: { executes: false, answer: no(7, 'the account cannot be credited') },
  no_money: { executes: false, answer: no(51, 'insufficient balance') },
  code_1: { executes: false, answer: no(1, 'not possible') },
  lose_end: { executes: true, answer: nothing, breakAnswer: at('end') },
  lose_reset: { executes: true, answer: nothing, breakAnswer: at('reset') },
  drop_end: { executes: false, answer: nothing, breakAnswer: at('end') },
  drop_reset: { executes: false, answer: nothing, breakAnswer: at('reset') },
  hang_executed: { executes: true, answer: nothing, breakAnswer: at('stall') },
  hang: { executes: false, answer: nothing, breakAnswer: at('stall') },
  cut: { executes: true, breakAnswer: at('end', 120) },
  error_500_executed: { executes: true, answer: page(500) },
  error_500: { executes: false, answer: page(500) },
  gateway_502_executed: { executes: true, answer: page(502) },
  gateway_502: { executes: false, answer: page(502) },
  limited: { executes: false, answer: page(429, { 'Retry-After': '1' }) },
  firewall: { executes: false, answer: page(403) },
};
