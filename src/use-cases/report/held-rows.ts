/**
 * The rows that wait for a person, a page of them: both names, every reason as of now, and whether a release has to be meant
 * twice. Accounts are masked.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { Money } from '../../domain/money/money.ts';
import { type NameTold, nameTold } from '../../domain/names/name-check.ts';
import { type ConcernKind, gravestFirst } from '../../domain/payouts/concern.ts';
import type { PayoutId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import { echoesOfAccount, maskOf, withoutEchoes } from '../../domain/text/sensitive.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { blockedBy, markOf, mayBePaidAlready, withReasonsNow } from '../decide/held-now.ts';

export interface HeldPage {
  /** The `next` of the page before. */
  readonly after?: number | undefined;
  /** Fifty, unless told; at most 200. */
  readonly limit?: number | undefined;
}

export interface HeldRow {
  /** What a decision names: a newer file gives the row number to another. */
  readonly payout: PayoutId;
  readonly row: number;
  readonly amount: Money;
  /** Masked. */
  readonly account: string;
  readonly institution: string;
  readonly reference: string | undefined;
  /** In the file. */
  readonly name: string | undefined;
  /** As the service named it; undefined: it gave none. */
  readonly holder: string | undefined;
  /** undefined: it was not asked about. */
  readonly nameCheck: NameTold | undefined;
  readonly reasons: readonly string[];
  /** Of these reasons. Those that are decided alone come first. */
  readonly kinds: readonly ConcernKind[];
  /** Names these reasons, for a release of exactly these. */
  readonly shown: string;
  /** Why it cannot be released now, or only by whoever says that it may be paid already. */
  readonly objection: string | undefined;
}

export interface HeldRows {
  readonly batch: Batch;
  /** In file order. */
  readonly rows: readonly HeldRow[];
  /** `after` of the next page; undefined at the end. */
  readonly next: number | undefined;
  /** How many there are in all. */
  readonly count: number;
}

const ROWS_SHOWN = 50;
const ROWS_MAX = 200;

export async function heldRows(
  batch: Batch,
  ports: { readonly ledger: Ledger },
  { after, limit = ROWS_SHOWN }: HeldPage = {},
): Promise<HeldRows> {
  const { ledger } = ports;
  const most = Math.min(limit, ROWS_MAX);
  const found = await ledger.reportPage(batch.id, { statuses: ['held'], after, limit: most });
  const rows: HeldRow[] = [];
  for (const { payout } of found.rows) rows.push(...(await heldRowOf(payout, ports)));
  return { batch, rows, next: found.next, count: (await ledger.counts(batch.id)).held };
}

async function heldRowOf(payout: Payout, ports: { readonly ledger: Ledger }): Promise<readonly HeldRow[]> {
  const now = await withReasonsNow(payout, ports);
  if (!isIn(now, 'held')) return [];
  const { instruction, state } = now;
  const whole = instruction.account.reveal();
  const check = state.pricing?.nameCheck;
  return [
    {
      ...{ payout: payout.id, row: payout.rowNumber, amount: instruction.amount, account: maskOf(whole) },
      ...{ institution: instruction.institutionName, reference: instruction.reference },
      ...{ name: instruction.name, holder: check?.resolved },
      nameCheck: check && nameTold(check, instruction.name),
      // The service may have repeated the account in its words.
      reasons: state.reasons.map(({ text }) => withoutEchoes(text, echoesOfAccount(whole))),
      kinds: gravestFirst(state.reasons),
      shown: markOf(now),
      objection: (await blockedBy(now, ports)) ?? mayBePaidAlready(state.reasons),
    },
  ];
}
