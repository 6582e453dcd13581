/**
 * A plan as somebody is to see it before agreeing: with what is left out of it, what changed since the last batch of the
 * kind, and what looks like payments of other batches. That it was shown is kept in the journal.
 */
import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchChanges } from '../../domain/batches/batch-changes.ts';
import type { StyleRead } from '../../domain/money/amount-style.ts';
import type { Money } from '../../domain/money/money.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { daysMs } from '../../domain/policy.ts';
import { plusMs } from '../../domain/timestamp.ts';
import type { AlikePayments } from '../../ports/ledger/imports.ts';
import type { Ports } from '../ports.ts';
import { reportHeader, writeReport } from '../report/report-batch.ts';
import { changesSinceLast } from './changes-since-last.ts';
import { rememberPlanSeen } from './plan.ts';

type Asking = Pick<Ports, 'ledger' | 'clock' | 'policy'>;

export interface PlanToSee {
  readonly plan: Plan;
  readonly batch: Batch;
  readonly environment: 'live' | 'sandbox';
  /** How the amounts of the file were read just now; undefined where no file was read. */
  readonly amountStyle: StyleRead | undefined;
  /** The money of rows that are left out as invalid, where it can be read for certain; undefined: there are none. */
  readonly invalidSums: readonly Money[] | undefined;
  /** Since the last batch of the same kind; undefined when there is none. */
  readonly changes: BatchChanges | undefined;
  readonly alike: readonly AlikePayments[];
  /** Rows of this batch that pay the same account the same amount under different references. */
  readonly twins: readonly string[];
  /** Rows that leave the plan with this approval. */
  readonly leaving: readonly number[];
}

interface PlanContext {
  readonly amountStyle?: StyleRead | undefined;
  readonly leaving?: readonly number[];
}

/** Notes that the plan is shown. */
export async function planToSee(
  plan: Plan,
  batch: Batch,
  ports: Asking,
  { amountStyle, leaving = [] }: PlanContext = {},
): Promise<PlanToSee> {
  await rememberPlanSeen(batch.id, plan, ports);
  const invalidSums = await invalidSumsOf(plan, batch, ports);
  const { quoted = 0, held = 0 } = plan.counts;
  // Asked only where somebody is to agree to something.
  const waits = quoted + held > 0;
  const changes = waits ? await changesSinceLast(batch, ports) : undefined;
  const alike = waits ? await alikeOf(batch, ports) : [];
  const twins = waits ? await ports.ledger.twins(batch.id) : [];
  const { environment } = ports.ledger.identity;
  return { plan, batch, environment, amountStyle, invalidSums, changes, alike, twins, leaving };
}

function alikeOf({ id }: Batch, { ledger, clock, policy }: Asking): Promise<readonly AlikePayments[]> {
  return ledger.alike(id, plusMs(clock.now(), -daysMs(policy.duplicateWindowDays)));
}

async function invalidSumsOf(plan: Plan, batch: Batch, ports: Asking): Promise<readonly Money[] | undefined> {
  if ((plan.counts.invalid ?? 0) === 0) return undefined;
  const { ledger } = ports;
  const { totals } = await writeReport(ledger.reportRows(batch.id), reportHeader(batch, ports), {
    sink: undefined,
    ledgerTotals: () => ledger.totals(batch.id),
  });
  return totals.currencies
    .filter(({ groups }) => groups.invalid.count > 0)
    .map(({ currency, groups }) => ({ currency, minor: groups.invalid.minor }));
}
