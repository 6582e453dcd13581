/**
 * Keeps in the journal of a batch who shaped what it pays, where nothing else there tells: with which passkey a person came
 * in, who said how its file is read, and whose program named the maker. Four eyes ask for it (approve/four-eyes.ts).
 */
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Said } from '../../domain/reading/answer.ts';
import type { Notes } from '../../ports/ledger/notes.ts';
import type { Ports } from '../ports.ts';

interface Shaping {
  readonly by: string;
  /** undefined: no file was read. */
  readonly answers: readonly Said[] | undefined;
  /** Of the kept reading. */
  readonly readingName?: string | undefined;
}

/** Before what was shaped is there, so that no crash leaves it without. Each is kept once. */
export async function keepShapers(
  id: BatchId,
  { by, answers, readingName }: Shaping,
  ports: Pick<Ports, 'ledger' | 'clock' | 'cameWith' | 'namedBy'>,
): Promise<void> {
  const { ledger, clock, cameWith, namedBy } = ports;
  if (answers !== undefined) await keepAnswers(id, { answers, reading: readingName }, ports);
  const shapers = (answers ?? []).map((answer) => shaperOf(answer.by, answer.cameWith, 'reading'));
  if (cameWith !== undefined) shapers.push(shaperOf(by, cameWith));
  if (namedBy !== undefined && namedBy !== by) shapers.push(shaperOf(namedBy, undefined));
  if (shapers.length === 0) return;
  const keyOf = (shaper: Notes['shaped']) => JSON.stringify([shaper.by, shaper.passkey, shaper.how]);
  const known = new Set((await ledger.notes(id, 'shaped')).map(({ body }) => keyOf(body)));
  for (const shaper of shapers) {
    if (known.has(keyOf(shaper))) continue;
    known.add(keyOf(shaper));
    await ledger.note(id, 'shaped', shaper, clock.now());
  }
}

/** Kept once for as long as the same is said. */
async function keepAnswers(
  id: BatchId,
  { answers, reading }: { readonly answers: readonly Said[]; readonly reading: string | undefined },
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
): Promise<void> {
  const last = (await ledger.notes(id, 'answers_said')).at(-1)?.body.answers ?? [];
  if (JSON.stringify(last) === JSON.stringify(answers)) return;
  await ledger.note(
    id,
    'answers_said',
    { answers, ...(reading === undefined ? {} : { reading }) },
    clock.now(),
  );
}

function shaperOf(by: string, passkey: string | undefined, how?: 'reading'): Notes['shaped'] {
  return {
    by,
    ...(passkey === undefined ? {} : { passkey }),
    ...(how === undefined ? {} : { how }),
  };
}
