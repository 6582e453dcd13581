/**
 * The connection breaks at every byte of the request and of the answer: by RST, by FIN, by silence; plain and over
 * TLS. Every time the class is right (G8), one request was on the wire, and a doubt brings its evidence (G11).
 *
 * A prime step and the edges run every day; SOAK=1 runs every offset.
 */
import { describe, expect, it } from 'vitest';
import type { SendOutcome } from '../../src/ports/payment-service.ts';
import type { Posted } from '../fakes/fault-server/book.ts';
import type { Ending, Fault } from '../fakes/fault-server/fault.ts';
import { inLanes, type Lane } from './lane.ts';

const SOAK = process.env['SOAK'] === '1';
const BODY = '{"status":"success","data":{"id":"tr-9"},"message":"transfer posted","code":0}';
const WITH_LENGTH = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const IN_CHUNKS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The ways to write the same acceptance, and where its body lies. */
const ANSWERS = {
  length: WITH_LENGTH + BODY,
  chunks: IN_CHUNKS + chunk(BODY.slice(0, 30)) + chunk(BODY.slice(30)) + chunk(''),
} as const;
type Written = keyof typeof ANSWERS;

type Case =
  | { readonly part: 'request'; readonly at: number; readonly by: Ending; readonly executes: boolean }
  | { readonly part: 'answer'; readonly at: number; readonly by: Ending; readonly written: Written };

interface Sent {
  readonly outcome: SendOutcome;
  readonly posts: readonly Posted[];
}

/** The request of a-client's order, in bytes; checked against the book below. */
const REQUEST_BYTES = 434;

const requestCase = (at: number, by: Ending): Case => ({ part: 'request', at, by, executes: at % 2 === 0 });
const everyByte = (length: number) => Array.from({ length: length + 1 }, (_, at) => at);

/** A prime step, so that no structure of the message is stepped over twice, and both edges. */
function withStep(length: number, step: number): number[] {
  const edges = [0, 1, length - 1, length];
  return [...new Set([...everyByte(length).filter((at) => SOAK || at % step === 0), ...edges])];
}

function requests(offsets: readonly number[], endings: readonly Ending[]): Case[] {
  return endings.flatMap((by) => offsets.map((at) => requestCase(at, by)));
}

function answers(step: number, endings: readonly Ending[]): Case[] {
  const written = ['length', 'chunks'] as const;
  return endings.flatMap((by) =>
    written.flatMap((how) =>
      withStep(ANSWERS[how].length, step).map((at) => ({ part: 'answer', at, by, written: how }) as const),
    ),
  );
}

function faultOf(one: Case): Fault {
  const { at: atByte, by } = one;
  if (one.part === 'request') return { executes: one.executes, breakRequest: { atByte, by } };
  return { executes: true, answer: () => ANSWERS[one.written], breakAnswer: { atByte, by } };
}

async function judge(one: Case, lane: Lane): Promise<string | undefined> {
  const sent = await lane.send(faultOf(one));
  if (sent.posts.length !== 1) return `${sent.posts.length} requests on the wire`;
  const isAnswered = one.part === 'answer' && one.at === ANSWERS[one.written].length;
  if (isAnswered) return sent.outcome.kind === 'accepted' ? undefined : `${sent.outcome.kind}, not accepted`;
  return wrongDoubt(one, sent);
}

/** What is wrong with the doubt, if anything: its class, or what it tells the person who has to rule on it. */
function wrongDoubt(one: Case, { outcome, posts: [post] }: Sent): string | undefined {
  if (outcome.kind !== 'in_doubt') return `${outcome.kind}, not in doubt`;
  const { startedAt, endedAt, phase, bytesWritten, fragment = '', attempt } = outcome.evidence;
  if (attempt !== 1 || startedAt > endedAt || startedAt < Date.now() - 60_000) return 'no time window';
  if (!['write', 'wait', 'answer'].includes(phase)) return `phase ${phase}`;
  if (bytesWritten < REQUEST_BYTES) return `${bytesWritten} bytes written`;
  if (post?.note.startsWith('PF-ABCDEFGH ') !== true) return 'no tag in the note of the request';
  const expected = one.part === 'request' ? '' : bodyBefore(one);
  // The patience may end while bytes are still on their way; a break comes after them.
  const isKept = one.by === 'stall' ? expected.startsWith(fragment) : fragment === expected;
  if (!isKept) return `fragment ${fragment}`;
  return fragment !== '' && phase !== 'answer' ? `phase ${phase} with a fragment` : undefined;
}

/** The part of the body that lies before the break. */
function bodyBefore({ at, written }: Extract<Case, { part: 'answer' }>): string {
  if (written === 'length') return BODY.slice(0, Math.max(0, at - WITH_LENGTH.length));
  const first = IN_CHUNKS.length + '1e\r\n'.length;
  const second = first + 30 + '\r\n30\r\n'.length;
  return BODY.slice(0, Math.min(30, Math.max(0, at - first))) + BODY.slice(30, 30 + Math.max(0, at - second));
}

describe(
  'a connection that breaks',
  () => {
    it('[N10][N11][N12] at any byte of the request leaves the payment in doubt: one request, whole evidence', async () => {
      const cases = requests(withStep(REQUEST_BYTES, 3), ['reset', 'end']);
      expect(await inLanes(cases, 24, { secure: false, postTimeoutMs: 10_000 }, judge)).toEqual([]);
    });

    it('[N14][N15][N17] at any byte of the answer leaves it in doubt, until the answer is whole', async () => {
      const cases = answers(3, ['reset', 'end']);
      expect(await inLanes(cases, 24, { secure: false, postTimeoutMs: 10_000 }, judge)).toEqual([]);
    });

    it('[N13][N14] by silence leaves it in doubt when the patience ends', async () => {
      const cases = [...requests(withStep(REQUEST_BYTES, 41), ['stall']), ...answers(23, ['stall'])];
      expect(await inLanes(cases, 24, { secure: false, postTimeoutMs: 1_000 }, judge)).toEqual([]);
    });

    it('[N10][N11][N12][N15] over TLS is no different', async () => {
      const cases = [
        ...requests(withStep(REQUEST_BYTES, 37), ['reset', 'end']),
        ...answers(11, ['reset', 'end']),
      ];
      expect(await inLanes(cases, 8, { secure: true, postTimeoutMs: 10_000 }, judge)).toEqual([]);
      const silent = [...requests(withStep(REQUEST_BYTES, 197), ['stall']), ...answers(97, ['stall'])];
      expect(await inLanes(silent, 12, { secure: true, postTimeoutMs: 1_000 }, judge)).toEqual([]);
    });
  },
  SOAK ? 600_000 : 60_000,
);

it('sweeps over the request as it really is', async () => {
  const cases = [{}];
  const lengths = await inLanes(cases, 1, { secure: false, postTimeoutMs: 10_000 }, async (_one, lane) => {
    const { posts } = await lane.send({ executes: true });
    return posts.map(({ bytes }) => bytes).join();
  });
  expect(lengths).toEqual([`{}: ${REQUEST_BYTES}`]);
});
