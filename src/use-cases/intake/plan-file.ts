/**
 * From a file to a plan in the ledger: read, place, price. Nothing is approved and no money moves.
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { LeaseHolder } from '../../ports/ledger/leases.ts';
import type { OpenRows } from '../../ports/row-source.ts';
import { planOf, rememberPlanSeen } from '../approve/plan.ts';
import { type Priced, pricePayouts } from '../price/price-payouts.ts';
import type { World } from '../world.ts';
import { type Imported, type ImportOptions, importFile } from './import-file.ts';
import { type Placed, placeImport } from './place-import.ts';

export interface PlanFileOptions extends ImportOptions {
  readonly name: string | undefined;
  /** Holds the batch that the file belongs to while it is revised. */
  readonly holder: LeaseHolder;
  /** Looks at what was read before anything is kept; throws to refuse it. */
  readonly inspect?: (imported: Imported) => Promise<void>;
}

export interface PlacedFile {
  readonly imported: Imported;
  readonly placed: Placed;
}

/** Reads a file and decides what it is; the import is forgotten when `inspect` refuses it. */
export async function placeFile(
  openRows: OpenRows,
  options: PlanFileOptions,
  world: World,
): Promise<PlacedFile> {
  const imported = await importFile(openRows, options, world);
  try {
    await options.inspect?.(imported);
  } catch (error) {
    await world.ledger.dropImport(imported.importId);
    throw error;
  }
  const placed = await placeImport({ imported, name: options.name, holder: options.holder }, world);
  return { imported, placed };
}

export interface PlannedBatch {
  readonly batchId: BatchId;
  readonly plan: Plan;
  readonly priced: Priced;
}

/** Prices what is planned in a batch and gives its plan; under the batch's lease. */
export async function planBatch(
  batchId: BatchId,
  world: World,
  options: { readonly signal?: AbortSignal | undefined; readonly repeatsReleased?: BatchId | undefined },
): Promise<PlannedBatch> {
  const priced = await pricePayouts(batchId, world, options);
  const plan = await planOf(batchId, world);
  await rememberPlanSeen(batchId, plan, world);
  return { batchId, priced, plan };
}
