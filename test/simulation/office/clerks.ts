/**
 * People who bring files: the first time, again, corrected, under another name, or as the payments of a new period.
 */

import type { Payfile } from '../../../src/payfile.ts';
import type { OpenRedoSink } from '../../../src/ports/outputs.ts';
import { planFile as planIn } from '../../builders/library-calls.ts';
import { type FileRow, sha256Of } from '../../builders/payout-file.ts';
import type { Deed, ReleaseScope } from '../../simulated-world/money-judge.ts';
import { batchNumber, command, type Hand, type Office, type Sheet } from './office.ts';
import { aSheet, COPIES, corrected } from './sheets.ts';

export const deadline = ({ random }: Hand) => random.pick([0, 2_000, 20_000, 90_000]);

/** Puts the file on the disk. */
function putOnDisk(sheet: Sheet, rows: Sheet['rows'], { files, filesBySha }: Office): void {
  sheet.rows = rows;
  files.set(sheet.file, rows);
  filesBySha.set(sha256Of(rows), rows);
}

export function newSheet(batch: string, { random }: Hand, office: Office): Sheet {
  const { sheets, habits } = office;
  const sheet: Sheet = { batch, file: `${batch}.csv`, rows: [] };
  const other = sheets.length > 0 && random.chance(0.8) ? random.pick(sheets).rows : undefined;
  const rows = other === undefined ? aSheet(random, habits.rowsMax) : random.pick(COPIES)(other, random);
  putOnDisk(sheet, rows, office);
  sheets.push(sheet);
  return sheet;
}

/** A file of the rows that failed or came back, as it is written or corrected, for a batch of its own. */
export async function redoSheet(
  batch: string,
  of: Sheet,
  { user, random }: Hand,
  office: Office,
): Promise<Sheet | undefined> {
  const rows: FileRow[] = [];
  let columns: readonly string[] = [];
  const openRedoSink: OpenRedoSink = async () => ({
    begin: async (headers) => {
      columns = headers;
    },
    write: async (page) => {
      for (const { cells, replaces } of page)
        rows.push({ ...Object.fromEntries(columns.map((field, at) => [field, cells[at] ?? ''])), replaces });
    },
    end: async () => undefined,
    abort: async () => undefined,
  });
  const include = random.chance(0.3) ? 'canceled' : undefined;
  const asked = { batch: of.batch, output: 'redo.xlsx', only: 'unpaid', asInput: true, include } as const;
  const write = (payfile: Payfile) => payfile.report(asked);
  await command(office, user, write, openRedoSink);
  if (rows.length === 0) return undefined;
  const sheet: Sheet = { batch, file: `${batch}.csv`, rows: [] };
  putOnDisk(sheet, random.chance(0.6) ? rows : corrected(rows, random), office);
  office.sheets.push(sheet);
  return sheet;
}

export function correct(sheet: Sheet, { random }: Hand, office: Office): void {
  const earlier = [...office.filesBySha.values()];
  const isOldFile = random.chance(0.15);
  putOnDisk(sheet, isOldFile ? random.pick(earlier) : corrected(sheet.rows, random), office);
}

/** `payfile plan FILE`. */
export async function planFile(sheet: Sheet, hand: Hand, office: Office): Promise<void> {
  const { batch, file } = sheet;
  const repeats = repeatsOf(sheet, hand, office);
  await bring(sheet, { hand, office }, async (payfile, deed) => {
    deed.release = repeats?.release;
    return (await planIn(payfile, file, { batch, repeats: repeats?.of, skipInvalid: true })).end.kind;
  });
}

interface Bringing {
  readonly hand: Hand;
  readonly office: Office;
}

/** Brings a file, and compares what becomes of its batch with what was there before. */
export async function bring(
  sheet: Sheet,
  { hand, office }: Bringing,
  work: Parameters<typeof command>[2],
): Promise<void> {
  const { scene } = office;
  const sha = sha256Of(sheet.rows);
  // Beginnings and ends are counted: an odd number means that somebody is at it.
  const isFirst = office.brought % 2 === 0 && office.paidAgain % 2 === 0;
  office.brought += 1;
  const { paidAgain, brought } = office;
  let said: Deed | undefined;
  const [before, twins] = standOf(sheet, sha, office);
  const own = hadFilesOf(sheet.batch, office);
  await command(office, hand.user, async (payfile, deed) => {
    said = deed;
    return work(payfile, deed);
  });
  const isAlone = isFirst && paidAgain === office.paidAgain && brought === office.brought;
  office.brought += 1;
  const [after, twinsAfter] = standOf(sheet, sha, office);
  if (after?.sha !== sha) return;
  const known = twins.filter((twin) => twinsAfter.includes(twin));
  if (!own.has(sha) && isAlone && known.length > 0 && said?.release === undefined)
    scene.judge.violation(
      `money: ${sheet.batch} has the same bytes as ${known.join()}, and nobody was asked`,
    );
  if (!isAlone || before === undefined) return;
  const [stood, stands] = [liveOf(before, office), liveOf(after, office)];
  if (stood === undefined || stands === undefined) return;
  const withdrawn = withdrawnOf(sheet.batch, stood, office);
  for (const [row, { live, canceled }] of stands) {
    const most = Math.max(live + canceled - (withdrawn.get(row) ?? 0), stood.get(row)?.live ?? 0);
    if (live > most)
      scene.judge.violation(
        `money: a row of ${sheet.batch} was canceled, and a file brought it back: ${row}`,
      );
  }
}

/** Files that the batch was ever made of, also one that a colleague replaced at once. */
function hadFilesOf(batch: string, office: Office): ReadonlySet<unknown> {
  const entries = office.scene.eyes
    .prepare(`SELECT body ->> '$.set.file.corrected.receivedSha256' AS received, body ->> '$.set.file.sha256' AS sha
      FROM journal WHERE batch = ? AND payout IS NULL AND kind IN ('sealed','revised')`)
    .all(batchNumber(batch, office) ?? null);
  return new Set(entries.flatMap(({ received, sha }) => [received, sha]));
}

type Counted = ReadonlyMap<string, { readonly live: number; readonly canceled: number }>;

/** How many of each row of the batch's file may be paid, and how many are canceled. */
function liveOf({ sha, isHalfRead, statuses }: Stand, { filesBySha }: Office): Counted | undefined {
  const rows = filesBySha.get(sha);
  if (rows === undefined || isHalfRead || rows.length !== statuses.length) return undefined;
  const counted = new Map<string, { live: number; canceled: number }>();
  for (const [at, row] of rows.entries()) {
    // One more space makes no other row.
    const text = JSON.stringify(row).replace(/ +/g, ' ');
    const count = counted.get(text) ?? { live: 0, canceled: 0 };
    counted.set(text, count);
    if (statuses[at] === 'canceled') count.canceled += 1;
    else if (statuses[at] !== 'invalid') count.live += 1;
  }
  return counted;
}

/** How many of each row somebody withdrew, of which nobody paid one again since. */
function withdrawnOf(batch: string, stood: Counted, office: Office): ReadonlyMap<string, number> {
  const { withdrawn, paidAgain } = office;
  const known = withdrawn.get(batch);
  const counts = known?.paidAgain === paidAgain ? known.counts : new Map<string, number>();
  for (const [row, { canceled }] of stood) counts.set(row, Math.max(canceled, counts.get(row) ?? 0));
  withdrawn.set(batch, { paidAgain, counts });
  return counts;
}

/** How the batch stands, and which other batches are of a file with these bytes and may pay a row of it. */
function standOf(
  { batch }: Sheet,
  sha: string,
  { onlooker, scene }: Office,
): readonly [Stand | undefined, readonly string[]] {
  const batches = onlooker.batches();
  const own = batches.find(({ name }) => name === batch);
  const mayPay = (number: number) =>
    onlooker.statuses(number).some((status) => status !== 'canceled' && status !== 'invalid');
  const twins = batches.filter(
    ({ name, number, sha256 }) => name !== batch && sha256 === sha && mayPay(number),
  );
  const stand = own && {
    sha: own.sha256,
    isHalfRead: scene.watch.isHalfRead(own.number),
    statuses: onlooker.statuses(own.number),
  };
  return [stand, twins.map(({ name }) => name)];
}

interface Stand {
  readonly sha: string;
  readonly isHalfRead: boolean;
  readonly statuses: readonly string[];
}

interface Repeated {
  readonly of: string;
  readonly release: ReleaseScope;
}

/** The batch that somebody says is paid once more; mostly none. */
export function repeatsOf({ batch }: Sheet, { random }: Hand, office: Office): Repeated | undefined {
  const others = office.sheets.filter((other) => other.batch !== batch);
  if (others.length === 0 || !random.chance(office.habits.hasPeriods ? 0.8 : 0.25)) return undefined;
  const of = random.pick(others).batch;
  const number = batchNumber(of, office);
  return number === undefined ? undefined : { of, release: { kind: 'repeats_of', batch: number } };
}
