/**
 * All payments, in file order, each with a name that a link can point to.
 *
 * The outcome stands above them and is known only at the end, so rows wait in memory: at most 20,000, a page
 * that a browser still opens and prints. Beyond that the page says how many more there are and how to get them.
 */

import type { ReportHeader } from '../../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { countText, rowsText } from '../../../../domain/text/printable.ts';
import { maskOf } from '../../../../domain/text/sensitive.ts';
import { type Html, html, NOTHING, type Piece } from './html.ts';
import { type Column, STACKED_END, stackedHead, stackedRow } from './table.ts';
import { badge, instant, moneyText, SECTION_END, sectionHead, under } from './words.ts';
import { csvCommand } from './write-elsewhere.ts';

export const ROWS_MAX = 20_000;
/** Rows in one table: a browser lays out what is in sight, and opens a long page six times as fast. */
const SLICE = 500;

export const ROW_COLUMNS: readonly Column[] = [
  { name: 'Row' },
  { name: 'Beneficiary' },
  { name: 'Institution' },
  { name: 'Reference' },
  { name: 'Amount', kind: 'money' },
  { name: 'Status' },
  { name: 'Debit as quoted', kind: 'money' },
  { name: 'Transfer' },
  { name: 'Settled (UTC)' },
];

export interface RowPlace {
  readonly fullAccounts: boolean;
  /** It stands among the exceptions, which say why. */
  readonly isException: boolean;
}

export class Rows {
  #count = 0;
  readonly #slices: string[] = [];
  #slice = '';

  /** Whether the next row still has a place on the page. */
  hasRoom(): boolean {
    return this.#count < ROWS_MAX;
  }

  add(line: ReportLine, place: RowPlace): void {
    this.#count += 1;
    if (this.#count > ROWS_MAX) return;
    this.#slice += paymentRow(line, place).text;
    if (this.#count % SLICE === 0) this.#cut();
  }

  /** In pieces that can be written one after the other. */
  *pieces(header: ReportHeader): Generator<string> {
    this.#cut();
    const shown = Math.min(this.#count, ROWS_MAX);
    const left = this.#count - shown;
    const note =
      left === 0
        ? NOTHING
        : html`<p class="note">The first ${rowsText(shown)} of ${countText(this.#count)} are listed, ${countText(left)} are not: <code>${csvCommand(header)}</code> writes them all. Every sum on this page counts all rows.</p>\n`;
    yield html`${sectionHead('rows', 'All payments')}${note}`.text;
    if (shown === 0) yield '<p>The file has no rows.</p>\n';
    for (const [at, slice] of this.#slices.entries()) {
      const isOnly = this.#slices.length === 1;
      const [from, to] = [at * SLICE + 1, Math.min((at + 1) * SLICE, shown)].map(countText);
      const caption = isOnly
        ? `${rowsText(shown)}, in file order`
        : `Payments ${from} to ${to} of ${countText(this.#count)}`;
      yield html`<div${isOnly ? NOTHING : html` class="slice"`}>\n${stackedHead('rows', caption, ROW_COLUMNS)}`
        .text;
      yield slice;
      yield html`${STACKED_END}</div>\n`.text;
    }
    yield SECTION_END.text;
  }

  #cut(): void {
    if (this.#slice !== '') this.#slices.push(this.#slice);
    this.#slice = '';
  }
}

function paymentRow(line: ReportLine, { fullAccounts, isException }: RowPlace): Html {
  const { texts } = line;
  const account = line.account.reveal();
  const isTagged = texts.tag !== '';
  const cells = [
    line.row,
    [line.name, under(fullAccounts ? account : masked(account)), nameCheck(line)],
    [line.institution, under(line.country)],
    line.reference,
    moneyText(line.amount),
    statusCell(line, isException),
    [moneyText(line.debit), line.fee === undefined ? NOTHING : under(`fee ${moneyText(line.fee)}`)],
    [texts.transfer_id, isTagged ? under(`Tag ${texts.tag}`) : NOTHING],
    instant(line.settledAt),
  ];
  return stackedRow(`row-${line.row}`, cells, ROW_COLUMNS);
}

function masked(account: string): string {
  return account === '' ? '' : maskOf(account);
}

/** Both names wherever they differ in more than capitals. */
function nameCheck({ texts, name }: ReportLine): Html {
  const { account_name: resolved, name_check: result } = texts;
  if (result === '' || (result === 'match' && resolved.toLowerCase() === name.toLowerCase())) return NOTHING;
  const word = result.replaceAll('_', ' ');
  return under(resolved === '' ? `Name check: ${word}` : `On the account: ${resolved} (${word})`);
}

const TOLD: ReadonlySet<string> = new Set(['accepted', 'canceled']);

function statusCell(line: ReportLine, isException: boolean): readonly Piece[] {
  const { reason, service_status: word } = line.texts;
  const said = word === '' || line.status === 'settled' ? NOTHING : under(`Service: ${word}`);
  if (isException) {
    const why = html`<a class="under" href="#look-${line.row}">what to do</a>`;
    return [badge(line.status, line.incident), said, why];
  }
  return [badge(line.status), TOLD.has(line.status) ? under(reason) : said];
}
