/**
 * The sandbox's book as people read it: a table for the terminal, and a statement as a dashboard exports one.
 */
import { formatStamp } from '../contract/wire-date.ts';
import { type Book, type BookEntry, statusAt } from './book.ts';
import { countryById, institutionById } from './directory.ts';
import { decimalText, scaled } from './rates.ts';

interface ListingOptions {
  /** Milliseconds since 1970: statuses are those of this moment. */
  readonly now: number;
  readonly zoneOffsetMinutes: number;
  /** Otherwise only the last four characters of an account are shown. */
  readonly fullAccounts: boolean;
}

const headingsIn = (zone: string) => [
  `executed, ${zone}`,
  'transfer',
  'status',
  'amount',
  '',
  'country',
  'institution',
  'account',
  'name',
  'note',
];
const RIGHT_ALIGNED = headingsIn('').indexOf('amount');

/** One line per executed transfer, then one per currency with count and sum. Ends with a newline. */
export function formatBook(book: Book, options: ListingOptions): string {
  const entries = book.entries();
  if (entries.length === 0) return 'The sandbox has not executed any transfer.\n';
  const headings = headingsIn(zoneText(options.zoneOffsetMinutes));
  const rows = [headings, ...entries.map((entry) => cellsOf(entry, options))];
  const widths = headings.map((_, column) => widest(rows, column));
  const lines = rows.map((cells) =>
    cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  '),
  );
  return `${[...lines.map((line) => line.trimEnd()), '', ...totalsOf(entries, options.now)].join('\n')}\n`;
}

/**
 * A CSV of everything executed, with whole account numbers: what `reconcile` is given. Its last line, `closing`, says
 * until when the book is whole.
 */
export function bookStatement(
  book: Book,
  { now, closing }: Pick<ListingOptions, 'now'> & { readonly closing: string },
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

function cellsOf(entry: BookEntry, options: ListingOptions): string[] {
  return [
    formatStamp(entry.at, options.zoneOffsetMinutes),
    entry.id,
    statusAt(entry, options.now),
    entry.amount,
    entry.currency,
    countryById(entry.destination)?.name ?? entry.destination,
    institutionById(entry.institution)?.name ?? entry.institution,
    options.fullAccounts ? entry.account : `…${entry.account.slice(-4)}`,
    entry.name,
    entry.note,
  ].map(printable);
}

/** Text of a request is printed on a terminal here, so control characters are escaped. */
function printable(text: string): string {
  const harmless = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·');
  return harmless.length > 48 ? `${harmless.slice(0, 47)}…` : harmless;
}

function widest(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((width, cells) => Math.max(width, (cells[column] ?? '').length), 0);
}

function pad(cell: string, width: number, column: number): string {
  return column === RIGHT_ALIGNED ? cell.padStart(width) : cell.padEnd(width);
}

/** What failed or came back is no money that went out: it has a sum of its own. */
function totalsOf(entries: readonly BookEntry[], now: number): string[] {
  const isBack = (entry: BookEntry) => ['Failed', 'Reversed'].includes(statusAt(entry, now));
  const sums = sumsOf(entries.filter((entry) => !isBack(entry)));
  return [...sums, ...sumsOf(entries.filter(isBack)).map((sum) => `Failed or came back: ${sum}`)];
}

function sumsOf(entries: readonly BookEntry[]): string[] {
  const totals = new Map<string, { count: number; minor: bigint; decimals: number }>();
  for (const entry of entries) {
    const decimals = countryById(entry.destination)?.decimals ?? 2;
    const total = totals.get(entry.currency) ?? { count: 0, minor: 0n, decimals };
    const minor = total.minor + scaled(entry.amount, total.decimals);
    totals.set(entry.currency, { ...total, count: total.count + 1, minor });
  }
  return [...totals].map(([currency, { count, minor, decimals }]) => {
    const transfers = count === 1 ? 'transfer' : 'transfers';
    return `${currency} ${decimalText(minor, decimals)} in ${count} ${transfers}`;
  });
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** `UTC+1`, for a clock so many minutes east of UTC. */
function zoneText(offsetMinutes: number): string {
  const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}${rest}`;
}
