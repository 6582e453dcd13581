/**
 * Keeps in the journal of a batch who shaped what it pays, where nothing else there tells: with which passkey a person came
 * in, whose mapping a file is read by, and whose program named the maker. Four eyes ask for it (approve/four-eyes.ts).
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Mapping } from '../../domain/rows/mapping.ts';
import type { Notes } from '../../ports/ledger/notes.ts';
import type { Ports } from '../ports.ts';

/** Before what was shaped is there, so that no crash leaves it without. Each is kept once. */
export async function keepShapers(
  id: BatchId,
  { by, mapping }: { readonly by: string; readonly mapping?: Mapping | undefined },
  ports: Pick<Ports, 'ledger' | 'clock' | 'cameWith' | 'namedBy'>,
): Promise<void> {
  const { ledger, clock, cameWith, namedBy } = ports;
  if (mapping !== undefined) await keepBanksSaid(id, mapping, ports);
  const shapers = (mapping?.savedBy ?? []).map((saver) => shaperOf(saver.by, saver.cameWith, mapping?.name));
  if (cameWith !== undefined) shapers.push(shaperOf(by, cameWith));
  if (namedBy !== undefined && namedBy !== by) shapers.push(shaperOf(namedBy, undefined));
  if (shapers.length === 0) return;
  const keyOf = (shaper: Notes['shaped']) => JSON.stringify([shaper.by, shaper.passkey, shaper.mapping]);
  const known = new Set((await ledger.notes(id, 'shaped')).map(({ body }) => keyOf(body)));
  for (const shaper of shapers)
    if (!known.has(keyOf(shaper))) await ledger.note(id, 'shaped', shaper, clock.now());
}

/** Kept once for as long as the same is meant. */
async function keepBanksSaid(
  id: BatchId,
  { name, savedAt, savedBy, values: all }: Mapping,
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  const values = all
    .filter(({ environment }) => environment === ledger.identity.environment)
    .map(({ country, written, institutionName }) => ({ country, written, institutionName }));
  if (values.length === 0) return;
  const last = (await ledger.notes(id, 'banks_said')).at(-1)?.body.values;
  if (JSON.stringify(last) === JSON.stringify(values)) return;
  const by = [...new Set(savedBy.map((saver) => saver.by))].join(', ');
  await ledger.note(id, 'banks_said', { by, mapping: name, savedAt, values }, clock.now());
}

function shaperOf(by: string, passkey: string | undefined, mapping?: string): Notes['shaped'] {
  return {
    by,
    ...(passkey === undefined ? {} : { passkey }),
    ...(mapping === undefined ? {} : { mapping }),
  };
}
