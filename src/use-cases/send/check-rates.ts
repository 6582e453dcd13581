/**
 * Before sending: quotes that have grown old are compared with the service's rate of today, per corridor.
 * Where a debit would rise beyond the budget, that corridor's rows go back for one more approval, by a person: a ceiling
 * bounds the amounts that beneficiaries get, not the debit that the rate moves.
 * The institutions are compared with the live list first.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import { risePercent } from '../../domain/money/decimal.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import type { RateAtSend } from '../../domain/reporting/debits.ts';
import type { QuotedRate } from '../../ports/ledger/reports.ts';
import type { Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';
import { checkInstitutions } from './check-institutions.ts';

export interface MovedRate {
  readonly currency: string;
  readonly quoted: string;
  readonly now: string;
  readonly risePercent: number;
  readonly rows: number;
}

type RatesChecked =
  | { readonly kind: 'fine' }
  | { readonly kind: 'moved'; readonly rates: readonly MovedRate[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

export async function checkRates(
  batchId: BatchId,
  ports: Ports,
  signal?: AbortSignal,
): Promise<RatesChecked> {
  const { ledger, clock, policy } = ports;
  const institutions = await checkInstitutions(batchId, ports, signal);
  if (institutions.kind === 'unavailable') return institutions;
  const oldAt = clock.now() - policy.quoteMinutes * 60_000;
  const old = (await ledger.quotedRates(batchId, 'approved')).filter((rate) => rate.quotedAtOldest < oldAt);
  const moved: MovedRate[] = [];
  const answers = new Map<string, string>();
  for (const quoted of old) {
    const corridor = `${quoted.sourceId}\n${quoted.destinationId}`;
    const known = answers.get(corridor);
    if (known === undefined) {
      const answer = await ports.paymentService.rate(quoted.sourceId, quoted.destinationId, signal);
      if (answer.kind === 'unavailable') return { kind: 'unavailable', reason: answer.reason };
      // If the service declines the question, the quote that was agreed to stays valid.
      answers.set(corridor, answer.kind === 'answered' ? answer.answer : quoted.rate);
    }
    const now = answers.get(corridor) ?? quoted.rate;
    const rise = risePercent(quoted.rate, now);
    if (rise > policy.driftPercent) {
      // First, so that no crash can lose why these rows wait: a ceiling alone must not agree to the new rate.
      const { currency, rate } = quoted;
      await ledger.note(batchId, RATE_MOVED, { currency, quoted: rate, now }, clock.now());
      const rows = await takeBack(batchId, quoted, now, ports);
      moved.push({ currency: quoted.currency, quoted: quoted.rate, now, risePercent: rise, rows });
    } else await rememberRate(batchId, quoted, now, ports);
  }
  return moved.length > 0 ? { kind: 'moved', rates: moved } : { kind: 'fine' };
}

const RATE_MOVED = 'rate_moved';

/** Whether a rate moved since the last approval of the batch: a ceiling that was set before does not cover that. */
export async function isRateMoved(
  batch: Pick<Batch, 'id' | 'approval'>,
  { ledger }: Pick<Ports, 'ledger'>,
): Promise<boolean> {
  const moved = (await ledger.notes(batch.id, RATE_MOVED)).at(-1);
  return moved !== undefined && (batch.approval === undefined || moved.at > batch.approval.at);
}

const RATE_AT_SEND = 'rate_at_send';

/** Within the budget the rows go on; what they cost by this rate is told in the report. */
async function rememberRate(batchId: BatchId, quoted: QuotedRate, now: string, ports: Ports): Promise<void> {
  const { sourceId, destinationId, currency, rate } = quoted;
  const last = (await ratesAtSend(batchId, ports)).findLast(
    (known) =>
      known.sourceId === sourceId &&
      known.destinationId === destinationId &&
      known.currency === currency &&
      known.quoted === rate,
  );
  if ((last?.now ?? rate) === now) return;
  const body = { sourceId, destinationId, currency, quoted: rate, now };
  await ports.ledger.note(batchId, RATE_AT_SEND, body, ports.clock.now());
}

/** Rates at which old quotes were sent, oldest first; where there is none it was the quoted one. */
export async function ratesAtSend(
  batchId: BatchId,
  { ledger }: { readonly ledger: Pick<Ports['ledger'], 'notes'> },
): Promise<readonly RateAtSend[]> {
  const notes = await ledger.notes(batchId, RATE_AT_SEND);
  return notes.map(({ at, body }) => ({ at, ...body }));
}

async function takeBack(batchId: BatchId, quoted: QuotedRate, now: string, ports: Ports): Promise<number> {
  let rows = 0;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['approved'] })) {
    const at = ports.clock.now();
    const reason = `the rate moved from ${quoted.rate} to ${now}`;
    const mine = page.filter((payout) => isOf(payout, quoted));
    const events = mine.map((payout) => ({ payout, event: { kind: 'unapprove', reason, at } as const }));
    const results = await recordEvents(events, ports);
    rows += results.filter((result) => result.kind === 'recorded').length;
  }
  return rows;
}

function isOf(payout: Payout, quoted: QuotedRate): boolean {
  if (!isIn(payout, 'approved')) return false;
  const { instruction, state } = payout;
  return (
    instruction.sourceId === quoted.sourceId &&
    instruction.destinationId === quoted.destinationId &&
    instruction.amount.currency === quoted.currency &&
    state.pricing.quote?.rate === quoted.rate
  );
}
