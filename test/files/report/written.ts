/** Writes reports into a fresh folder and reads them back; the folder is gone when the tests are done. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import unzipper from 'unzipper';
import { afterAll, inject } from 'vitest';
import { AccountsOverDays } from '../../../src/domain/reporting/accounts-over-days.ts';
import { bookingsOf, standingAt } from '../../../src/domain/reporting/booking.ts';
import type { LedgerTotal } from '../../../src/domain/reporting/currency-totals.ts';
import type { Period } from '../../../src/domain/reporting/period.ts';
import type { JournalProfile, ReportFormat, ReportHeader } from '../../../src/domain/reporting/report.ts';
import { openRedoSink, openReportSink } from '../../../src/files/report/open-report-sink.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import type { BesideStatus } from '../../../src/use-cases/report/batch-standing.ts';
import { type Reported, writeRedo, writeReport } from '../../../src/use-cases/report/report-batch.ts';
import { aHeader, inPages, ledgerTotalsOf, NOTHING_KEPT, sentOf } from '../../builders/report-rows.ts';

const shared = inject('sharedFolder');
export const folder = mkdtempSync(join(shared ?? tmpdir(), 'payfile-report-'));
// Files that share a process share this folder too, so it goes with what all tests share.
if (shared === undefined) afterAll(() => rmSync(folder, { recursive: true, force: true }));

export interface Wish {
  readonly header?: ReportHeader;
  readonly ledger?: readonly LedgerTotal[];
  /** What the ledger says of rows that differ. */
  readonly beside?: Pick<BesideStatus, 'differing' | 'moves'>;
  readonly fullAccounts?: boolean;
  readonly format?: ReportFormat;
  /** The payouts that the ledger holds, when they are not those of the rows. */
  readonly held?: readonly ReportRow[];
  readonly journalProfile?: JournalProfile;
  /** What each row holds in the kept columns. */
  readonly withCells?: readonly string[];
}

export async function report(name: string, rows: readonly ReportRow[], wish: Wish = {}): Promise<Reported> {
  const {
    header = aHeader(),
    ledger = ledgerTotalsOf(rows),
    fullAccounts = false,
    held = rows,
    format,
    beside,
    journalProfile,
    withCells: cells,
  } = wish;
  const sink = await openReportSink({ path: join(folder, name), format, fullAccounts, journalProfile });
  const accounts = header.period && accountsOver(header.period, held);
  const end: typeof sink.end = (told) => sink.end({ ...told, totals: { ...told.totals, accounts } });
  const sent = () => inPages(sentOf(held).map((each) => ({ ...each, cells, batch: header.batch })));
  return writeReport(inPages(rows), header, {
    ...{ sink: { ...sink, end }, sent },
    ledgerTotals: async () => ledger,
    beside: beside && (async () => beside),
  });
}

/** As a report over days counts them. */
function accountsOver(period: Period, held: readonly ReportRow[]) {
  const accounts = new AccountsOverDays(period);
  for (const sent of sentOf(held)) {
    const standing = standingAt(sent, period);
    if (standing !== undefined) accounts.add(sent, bookingsOf(sent), standing);
  }
  return accounts.movements();
}

export async function redo(name: string, rows: readonly ReportRow[], header = aHeader()) {
  const ledger = { ...NOTHING_KEPT, reportRows: () => inPages(rows), batch: async () => header.batch };
  const target = { path: join(folder, name), format: undefined };
  return writeRedo(header, { ledger, openSink: openRedoSink }, { target, withCanceled: false });
}

export function bytes(name: string): Buffer {
  return readFileSync(join(folder, name));
}

export function text(name: string): string {
  return bytes(name).toString('utf8');
}

export function names(): string[] {
  return readdirSync(folder);
}

export async function workbook(name: string): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(folder, name));
  return book;
}

export function sheetOf(book: ExcelJS.Workbook, name: string): ExcelJS.Worksheet {
  const sheet = book.getWorksheet(name);
  if (sheet === undefined) throw new Error(`There is no sheet ${name}`);
  return sheet;
}

/** The cell of a data sheet, by its header. */
export function cellOf(sheet: ExcelJS.Worksheet, row: number, header: string): ExcelJS.Cell {
  const headers = sheet.getRow(1).values as unknown[];
  const column = headers.indexOf(header);
  if (column < 1) throw new Error(`There is no column ${header}`);
  return sheet.getRow(row).getCell(column);
}

export function rowWith(sheet: ExcelJS.Worksheet, text: string): number {
  for (let row = 1; row <= sheet.rowCount; row += 1) if (sheet.getCell(`A${row}`).value === text) return row;
  throw new Error(`No row begins with ${text}`);
}

/** Of a workbook, as they are written. */
export async function partsOf(name: string): Promise<{ name: string; xml: string }[]> {
  const zip = await unzipper.Open.file(join(folder, name));
  const files = zip.files.filter(({ type }) => type === 'File');
  return Promise.all(
    files.map(async (file) => ({ name: file.path, xml: (await file.buffer()).toString('utf8') })),
  );
}
