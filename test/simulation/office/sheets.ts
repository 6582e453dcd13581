/**
 * Payout files of an office, and how people correct them: cells that are paid, marks alone, rows that come, go, or stand
 * there twice.
 */
import { aRow, type FileRow } from '../../builders/payout-file.ts';
import type { Random } from '../../builders/random.ts';

/** The same account in two ways of writing. A wallet is a number; a bank has others, too. */
const WRITINGS: readonly ((number: number) => readonly [string, string])[] = [
  (number) => [`0244123${digits(number)}`, `233244123${digits(number)}`],
  (number) => [`john.doe${number}`, `johndoe${number}`],
  (number) => [`Ama_K${number}`, `AMA_K${number}`],
  (number) => [`K-12-567${digits(number)}`, `K12567${digits(number)}`],
];
const digits = (number: number) => String(number).padStart(3, '0');

export function aSheet(random: Random, rowsMax: number): FileRow[] {
  const count = random.between(2, rowsMax);
  const rows = Array.from({ length: count }, (_, index) => aSheetRow(index + 1, random));
  return random.chance(0.3) ? withTwin(rows, random) : rows;
}

function aSheetRow(number: number, random: Random): FileRow {
  const [account] = random.pick(WRITINGS)(number);
  return aRow(number, {
    account,
    institution: /^\d+$/.test(account) ? random.pick(['MTN Mobile Money', 'GCB Bank']) : 'GCB Bank',
    amount: `${random.between(2, 20)}00.${random.pick(['00', '50'])}`,
    phone: random.chance(0.3) ? `+23324412${String(number).padStart(4, '0')}` : '',
    ...(random.chance(0.4) ? { reference: '' } : {}),
  });
}

/** The money of one row once more, with another reference or with none. */
function withTwin(rows: readonly FileRow[], random: Random): FileRow[] {
  const row = random.pick(rows);
  const twin = { ...row, reference: random.chance(0.35) ? '' : `TW-${random.below(90)}` };
  return rows.toSpliced(random.between(0, rows.length), 0, twin);
}

/** Makes another file of the rows of one. */
type Correction = (rows: readonly FileRow[], random: Random) => FileRow[];

const cell =
  (change: (row: FileRow, random: Random) => FileRow): Correction =>
  (rows, random) => {
    const index = random.below(rows.length);
    return rows.map((row, at) => (at === index ? change(row, random) : row));
  };

const CORRECTIONS: readonly Correction[] = [
  cell((row, random) => ({ ...row, amount: `${random.between(2, 20)}00.75` })),
  cell((row, random) => ({ ...row, account: `0244777${digits(random.below(900))}` })),
  cell((row) => ({ ...row, account: otherMarks(row.account ?? '') })),
  cell((row) => ({ ...row, account: otherMarks(row.account ?? '') })),
  cell((row, random) => ({ ...row, phone: `+23320999${digits(random.below(900))}0` })),
  cell((row, random) => ({ ...row, name: random.pick(['Ama  Mensah', 'MENSAH Ama', 'Kofi Boateng']) })),
  cell((row, random) => ({ ...row, note: random.pick(['Bonus', 'Salary', '']) })),
  cell((row, random) => ({ ...row, reference: random.pick(['', `NR-${random.below(90)}`]) })),
  cell((row, random) => ({ ...row, institution: random.pick(['MTN Mobile Money', 'GCB Bank']) })),
  (rows) => rows.toReversed(),
  (rows, random) => (rows.length === 1 ? [...rows] : rows.toSpliced(random.below(rows.length), 1)),
  (rows, random) => [...rows, { ...random.pick(rows) }],
  withTwin,
  (rows, random) => [...rows, aSheetRow(100 + random.below(800), random)],
];

/** The file with one thing corrected, or two. */
export function corrected(rows: readonly FileRow[], random: Random): FileRow[] {
  const once = random.pick(CORRECTIONS)(rows, random);
  return random.chance(0.25) ? random.pick(CORRECTIONS)(once, random) : once;
}

/** The payments of another batch once more: the same bytes, other references, or corrected. */
export const COPIES: readonly Correction[] = [
  (rows) => [...rows],
  (rows) => [...rows],
  (rows) => rows.map((row, index) => (row.reference === '' ? row : { ...row, reference: `NM-${index + 1}` })),
  corrected,
];

/** Another writing of the account, which banks may keep apart. */
function otherMarks(account: string): string {
  if (/^0\d+$/.test(account)) return `233${account.slice(1)}`;
  if (account.startsWith('233')) return `0${account.slice(3)}`;
  if (/[.-]/.test(account)) return account.replace(/[.-]/g, '');
  return account === account.toUpperCase() ? account.toLowerCase() : account.toUpperCase();
}
