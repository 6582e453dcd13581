/**
 * Payout files of a history, and how people edit them between two runs.
 */
import { aRow, type FileRow } from '../builders/payout-file.ts';
import type { Random } from '../builders/random.ts';

/** Mostly 9 to 16 rows; some of one row, some of thirty. Now and then a bad row or an equal one. */
export function aFile(random: Random): FileRow[] {
  const count = random.pick([
    random.between(1, 5),
    random.between(9, 13),
    random.between(12, 14),
    random.between(12, 16),
    random.between(15, 30),
  ]);
  const badShare = random.pick([0, 0, 0.05]);
  const equalShare = random.pick([0, 0, 0.08]);
  const rows: FileRow[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = rows.at(-1);
    if (before !== undefined && random.chance(equalShare)) {
      rows.push({ ...before, reference: '' });
      rows[rows.length - 2] = { ...before, reference: '' };
    } else rows.push(aFileRow(number, random, badShare));
  }
  return rows;
}

function aFileRow(number: number, random: Random, badShare: number): FileRow {
  return aRow(number, {
    institution: random.chance(0.6) ? 'MTN Mobile Money' : 'GCB Bank',
    amount: `${random.between(50, 4_000)}.${random.pick(['00', '50', '25'])}`,
    ...(random.chance(badShare) ? { amount: 'twelve' } : {}),
    ...(random.chance(0.05) ? { reference: '' } : {}),
    ...(random.chance(0.08) ? namelessOf(number, random) : {}),
  });
}

/** Nobody wrote the name; of some of these accounts the service does not know it either (oracle-questions.ts). */
function namelessOf(number: number, random: Random): FileRow {
  return random.chance(0.5)
    ? { name: '' }
    : { name: '', account: `0244000${String(number).padStart(3, '0')}` };
}

/** Adds rows, and changes rows that were never agreed to; row numbers as in the file. */
export function withAllowedEdits(
  rows: readonly FileRow[],
  mayChange: ReadonlySet<number>,
  random: Random,
): FileRow[] {
  const edited = rows.flatMap((row, index) => {
    if (!mayChange.has(index + 2) || random.chance(0.5)) return [row];
    if (random.chance(0.3) && rows.length > 1) return [];
    return [{ ...row, amount: `${random.between(50, 900)}.75` }];
  });
  const added = random.below(3);
  for (let more = 0; more < added; more += 1) edited.push(aFileRow(100 + random.below(800), random, 0));
  return edited.length === 0 ? [...rows] : edited;
}

/** Changes or leaves out one row that was agreed to. */
export function withForbiddenEdit(rows: readonly FileRow[], rowNumber: number, random: Random): FileRow[] {
  const index = rowNumber - 2;
  const row = rows[index];
  if (row === undefined) return [...rows];
  const isLeftOut = rows.length > 1 && random.chance(0.4);
  const changed = { ...row, amount: '7777.77' };
  return isLeftOut ? rows.toSpliced(index, 1) : rows.with(index, changed);
}
