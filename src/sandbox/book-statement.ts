/**
 * The transfers that the sandbox executed: a statement like the export of a dashboard, and sums for the terminal.
 */
import { type Book, statusAt, type TransferStatus } from './book.ts';
import { countryById, institutionById } from './directory.ts';
import { decimalText, scaled } from './rates.ts';

/**
 * A CSV of all executed transfers with full account numbers, for `reconcile`. Its last line, `closing`, says until when
 * the book is complete.
 */
export function bookStatement(
  book: Book,
  { now, closing }: { readonly now: number; readonly closing: string },
): string {
  const lines = book.entries().map((entry) => {
    const institution = institutionById(entry.institution);
    return [
      new Date(entry.at).toISOString(),
      entry.id,
      statusAt(entry, now),
      entry.amount,
      entry.currency,
      countryById(entry.destination)?.name ?? entry.destination,
      institution?.name ?? entry.institution,
      entry.account,
      entry.name,
      entry.note,
    ];
  });
  const header = 'Date,Id,Status,Amount,Currency,Country,Institution,Account,Name,Narration'.split(',');
  const last = [new Date(now).toISOString(), '', '', '0.00', '', '', '', '', '', closing];
  return [header, ...lines, last].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

export interface BookSum {
  readonly status: TransferStatus;
  readonly currency: string;
  readonly count: number;
  /** A decimal number. */
  readonly amount: string;
}

/** Sums per currency and status at the time `now`, in the order of the first transfer. */
export function bookSums(book: Book, now: number): readonly BookSum[] {
  const sums = new Map<string, Omit<BookSum, 'amount'> & { minor: bigint; decimals: number }>();
  for (const entry of book.entries()) {
    const [status, { currency }] = [statusAt(entry, now), entry];
    const decimals = countryById(entry.destination)?.decimals ?? 2;
    const key = `${status} ${currency}`;
    const sum = sums.get(key) ?? { status, currency, count: 0, minor: 0n, decimals };
    const minor = sum.minor + scaled(entry.amount, sum.decimals);
    sums.set(key, { ...sum, count: sum.count + 1, minor });
  }
  return [...sums.values()].map(({ minor, decimals, ...sum }) => ({
    ...sum,
    amount: decimalText(minor, decimals),
  }));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
