/**
 * Before sending: the institutions that approved rows go to are compared with the service's live list, once per run.
 * An amount that was approved in one currency must not go to an account that is now kept in another.
 */

import type { BatchId } from '../../domain/payouts/instruction.ts';
import { isIn, type Payout } from '../../domain/payouts/payout.ts';
import type { CountryId, Institution } from '../../domain/rows/directory.ts';
import type { PaidInstitution } from '../../ports/ledger/reports.ts';
import type { Ports } from '../ports.ts';
import { recordEvents } from '../record-event.ts';

type InstitutionsChecked =
  /** Rows that were held because their institution is not what they were approved for. */
  | { readonly kind: 'checked'; readonly held: number }
  | { readonly kind: 'unavailable'; readonly reason: string };

export async function checkInstitutions(
  batchId: BatchId,
  ports: Ports,
  signal?: AbortSignal,
): Promise<InstitutionsChecked> {
  const paid = await ports.ledger.institutionsOf(batchId, 'approved');
  const lists = new Map<CountryId, readonly Institution[] | undefined>();
  const changed = new Map<string, string>();
  for (const institution of paid) {
    const { destinationId } = institution;
    if (!lists.has(destinationId)) {
      const asked = await ports.paymentService.institutions(destinationId, signal);
      if (asked.kind === 'unavailable') return { kind: 'unavailable', reason: asked.reason };
      // When the service declines the question, or lists no institutions at all, nothing follows from it.
      const list = asked.kind === 'answered' && asked.answer.length > 0 ? asked.answer : undefined;
      lists.set(destinationId, list);
    }
    const reason = whyChanged(institution, lists.get(destinationId));
    if (reason !== undefined) changed.set(keyOf(institution), reason);
  }
  return { kind: 'checked', held: changed.size === 0 ? 0 : await holdRows(batchId, changed, ports) };
}

function whyChanged(paid: PaidInstitution, list: readonly Institution[] | undefined): string | undefined {
  if (list === undefined) return undefined;
  const now = list.find(({ id }) => id === paid.institutionId);
  if (now === undefined) return `The service no longer lists ${paid.institutionName}`;
  if (now.currency === paid.currency) return undefined;
  return `${paid.institutionName} is now paid in ${now.currency}; the row was approved in ${paid.currency}`;
}

type Place = Pick<PaidInstitution, 'destinationId' | 'institutionId' | 'currency'>;
const keyOf = ({ destinationId, institutionId, currency }: Place) =>
  [destinationId, institutionId, currency].join('\n');

async function holdRows(
  batchId: BatchId,
  changed: ReadonlyMap<string, string>,
  ports: Ports,
): Promise<number> {
  let held = 0;
  for await (const page of ports.ledger.payouts(batchId, { statuses: ['approved'] })) {
    const at = ports.clock.now();
    const changes = page.flatMap((payout) => {
      const text = reasonFor(payout, changed);
      if (text === undefined || !isIn(payout, 'approved')) return [];
      const reasons = [{ kind: 'institution_changed', text } as const];
      return [{ payout, event: { kind: 'hold', reasons, pricing: payout.state.pricing, at } as const }];
    });
    const results = await recordEvents(changes, ports);
    held += results.filter((result) => result.kind === 'recorded').length;
  }
  if (held > 0) ports.log.write('warn', 'institutions_changed', { batch: batchId, count: held });
  return held;
}

function reasonFor(payout: Payout, changed: ReadonlyMap<string, string>): string | undefined {
  if (!isIn(payout, 'approved')) return undefined;
  const { destinationId, institutionId, amount } = payout.instruction;
  return changed.get(keyOf({ destinationId, institutionId, currency: amount.currency }));
}
