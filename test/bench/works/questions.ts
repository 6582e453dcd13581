/**
 * Ours: what the service is asked in payrolls of one kind, on a clock of its own. Last month,
 * this month, and the same people once more on that day. Transfers finish as they do in reality: most of them a little
 * later than promised, a few much later.
 * Arguments: ledger path, rows, `equal` or `different` amounts. Prints the questions of each payroll by kind, and when its
 * last row was known to be settled.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { asTransferId } from '../../../src/domain/payouts/instruction.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import { openRows } from '../../../src/files/payout-file.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Asked, PaymentService } from '../../../src/ports/payment-service.ts';
import { COUNTRIES, countryById } from '../../../src/sandbox/directory.ts';
import { runFile } from '../../../src/use-cases/run.ts';
import { benchLedger, benchWorld, listsOnly } from '../bench-world.ts';
import { HEADERS, rowOf } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

const [ledgerPath = '', rowsText = '3000', amounts = 'equal'] = process.argv.slice(2);
const rows = Number(rowsText);
const START_MS = Date.UTC(2026, 4, 25, 6);
const QUIET_TURNS = 8;
const LATENCY_MS = 50;
const DAY_MS = 86_400_000;
const HOLDER = { pid: process.pid, host: 'bench', user: 'bench', command: 'bench' };

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}
let nowMs = 0;
let isOver = false;
const sleepers = new Set<Sleeper>();
const clock: Clock = {
  now: () => timestampOf(Math.round(START_MS + nowMs)),
  monotonicMs: () => nowMs,
  random: Math.random,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const sleeper = { untilMs: nowMs + milliseconds, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => sleepers.delete(sleeper) && reject(signal.reason), {
        once: true,
      });
    }),
};

/** Time goes on only when nothing else is left to do: what this machine needs for its work takes no time. */
async function passTime(): Promise<void> {
  while (!isOver) {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) await setImmediate();
    const next = Math.min(...[...sleepers].map(({ untilMs }) => untilMs));
    if (sleepers.size > 0) nowMs = Math.max(nowMs, next);
    for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs && sleepers.delete(sleeper)) sleeper.wake();
  }
}

const counts = new Map<string, number>();
const answered = <Answer>(answer: Answer): Asked<Answer> => ({ kind: 'answered', answer });
/** Every question takes the latency of the service. */
async function asked<Answer>(kind: string, answer: () => Answer): Promise<Answer> {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  await clock.sleep(LATENCY_MS);
  return answer();
}

/** A number in [0, 1) that is always the same for one text. */
const chanceOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;

/** In milliseconds: a fifth later than promised in the middle; one in a hundred takes four times as long. */
function takesMs(account: string, speedSeconds: number): number {
  const normal =
    Math.sqrt(-2 * Math.log(1 - chanceOf(account))) * Math.cos(2 * Math.PI * chanceOf(`${account} `));
  const slow = chanceOf(`slow ${account}`) < 0.01 ? 4 : 1;
  return speedSeconds * 1_000 * Math.exp(0.2 + 0.4 * normal) * slow;
}

interface Sent {
  readonly finishedAt: number;
  readonly amount: string;
  readonly receiver: string;
  readonly institution: string | undefined;
}
const sent: Sent[] = [];
const names = new Map(Array.from({ length: rows }, (_, index) => [rowOf(index)[3], rowOf(index)[4]]));
const institutions = COUNTRIES.flatMap((country) => country.institutions);

const service: PaymentService = {
  ...listsOnly(),
  profile: () => asked('profile', () => answered('{}')),
  accountName: ({ account }) => asked('name', () => answered(names.get(account.reveal()) ?? '')),
  estimate: ({ destinationId }) =>
    asked('quote', () =>
      answered({ rate: '15.5', fee: '0.10', speedSeconds: countryById(destinationId)?.speed ?? 0 }),
    ),
  transaction: (id) =>
    asked('look', () => {
      const entry = sent[Number(id.split('-')[1])];
      const { finishedAt = 0, amount = '', receiver = '', institution } = entry ?? {};
      const status = clock.now() < finishedAt ? 'Processing' : 'Finished';
      return answered({ id, status, amount, receiver, institution, destination: undefined, date: undefined });
    }),
  prepareSend: async () => ({ kind: 'prepared', discard: () => undefined }),
  send: ({ account, amount, attempt, destinationId, institutionId, name: receiver }) =>
    asked('send', () => {
      const now = clock.now();
      const finishedAt = now + takesMs(account.reveal(), countryById(destinationId)?.speed ?? 0);
      const institution = institutions.find(({ id }) => id === institutionId)?.name;
      sent.push({ finishedAt, amount, receiver, institution });
      const evidence = { attempt, phase: 'answer', startedAt: now, endedAt: now, bytesWritten: 512 } as const;
      return { kind: 'accepted', transferId: asTransferId(`t-${sent.length - 1}`), at: now, evidence };
    }),
};

const opened = await benchWorld(ledgerPath, service, await benchLedger(ledgerPath, { clock }));
const holdNone = {
  match: 'ok',
  close_match: 'ok',
  no_match: 'ok',
  not_found: 'ok',
  unavailable: 'ok',
} as const;
const policy = { ...defaultPolicy(), names: holdNone, feePercentMax: 100 };
let settledMs = 0;
const world = {
  ...opened,
  clock,
  policy,
  tell: (event: { readonly kind: string }) => {
    if (event.kind === 'moved') settledMs = nowMs;
  },
};

function fileOf(name: string): string {
  const path = `${ledgerPath}-${name}.csv`;
  const lines = Array.from({ length: rows }, (_, index) => {
    const [reference = '', country, institution, account, holder, amount, note] = rowOf(index);
    const paid = amounts === 'equal' ? '250.00' : amount;
    return [`${name}-${reference}`, country, institution, account, holder, paid, note];
  });
  writeFileSync(path, [HEADERS, ...lines].map((cells) => cells.join(',')).join('\n'));
  return path;
}

/** Pays the people once. Counts only what was asked for it. */
async function payroll(name: string) {
  counts.clear();
  const before = sent.length;
  const started = nowMs;
  const read = { open: { path: fileOf(name) }, source: 'GB' };
  const request = { read, name, holder: HOLDER, skipInvalid: false, yes: true, deadlineMs: DAY_MS };
  const { batch } = await runFile(openRows, request, world);
  const settled = (await world.ledger.counts(batch.id)).settled;
  const lastFinished = sent.slice(before).reduce((last, { finishedAt }) => Math.max(last, finishedAt), 0);
  const finishedMs = lastFinished - START_MS - started;
  return {
    payroll: name,
    settled,
    ...Object.fromEntries(counts),
    settledMs: settledMs - started,
    finishedMs,
  };
}

const began = performance.now();
void passTime();
const payrolls = [await payroll('may')];
nowMs += 31 * DAY_MS;
payrolls.push(await payroll('june'));
nowMs += DAY_MS / 12;
payrolls.push(await payroll('bonus'));
await world.ledger.close();
isOver = true;
printResult({ ms: performance.now() - began, rows, note: JSON.stringify(payrolls) });
