/**
 * The lines of a bank's statement as rows of a table, so that one reader of lines serves all formats. A line is numbered by
 * its place in the file, from 1.
 */
import type { WrittenRow } from '../../domain/rows/row.ts';
import type { StatementPart } from '../../domain/statement/balances.ts';
import type { RowSource, StatementFile } from '../../ports/row-source.ts';
import type { PayoutFile } from '../opened-file.ts';

const STATEMENT_HEADERS = [
  'Booking date',
  'Value date',
  'Amount',
  'Debit/credit',
  'Currency',
  'Beneficiary account',
  'Beneficiary',
  'Narration',
  'Details',
  'End to end id',
  'Bank reference',
  'Status',
  'Number of payments',
] as const;

/** Texts as the bank wrote them. Amounts have a decimal point. */
export interface BankEntry {
  readonly bookedOn: string;
  readonly valueOn: string;
  readonly amount: string;
  /** `D` went out, `C` came in; empty where the bank does not say it. */
  readonly side: 'D' | 'C' | '';
  readonly currency: string;
  readonly account: string;
  readonly name: string;
  readonly narration: string;
  readonly details: string;
  readonly endToEndId: string;
  readonly bankReference: string;
  /** Empty for an entry that is booked. */
  readonly status: string;
  /** How many payments it holds; empty where the bank does not say it. */
  readonly count: string;
}

/** A statement while it is read. */
export type Part = { -readonly [Key in keyof StatementPart]: StatementPart[Key] };

const AMOUNT_AT = STATEMENT_HEADERS.indexOf('Amount');
/** The point is a decimal mark, whatever stands behind it. */
const AS_NUMBER = [{ column: AMOUNT_AT, kind: 'number' as const }];
/** What a bank writes where it knows no id. */
const NO_ID = /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|NOREF)$/i;

/** Empty where the bank knows none. */
export function idOf(written: string): string {
  const id = written.trim();
  return NO_ID.test(id) ? '' : id;
}

export function rowOf(rowNumber: number, entry: BankEntry): WrittenRow {
  const { bookedOn, valueOn, amount, side, currency, account, name, narration, details } = entry;
  const { endToEndId, bankReference, status, count } = entry;
  const cells = [
    ...[bookedOn, valueOn, amount, side, currency, account, name, narration],
    ...[details === narration ? '' : details, idOf(endToEndId), idOf(bankReference), status, count],
  ];
  return { rowNumber, cells, marks: AS_NUMBER };
}

interface Reading {
  readonly format: StatementFile['format'];
  /** Begins anew with each call, and fills `parts` as it goes. */
  readonly read: (parts: StatementPart[], signal: AbortSignal | undefined) => AsyncGenerator<WrittenRow[]>;
  readonly fileSha256: () => string;
}

export function statementSource(file: PayoutFile, { format, read, fileSha256 }: Reading): RowSource {
  let parts: StatementPart[] = [];
  return {
    format: 'csv',
    statement: { format, parts: () => parts },
    fileSha256,
    headers: STATEMENT_HEADERS,
    columns: new Map(),
    notes: [],
    sheet: undefined,
    headerRow: 0,
    async *rows(signal) {
      parts = [];
      for await (const rows of read(parts, signal)) {
        if (signal?.aborted === true) return;
        if (rows.length > 0) yield rows;
      }
      await file.assertUnchanged();
    },
    blankRows: () => 0,
    close: () => file.close(),
  };
}
