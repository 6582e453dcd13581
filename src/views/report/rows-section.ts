/**
 * Exceptions and all payments. What a person has to look at comes first, the gravest first, each with its reason and the
 * next command to type; then all payments in file order, each with a name that a link can point to.
 *
 * The outcome stands above them and is known only at the end, so rows wait in memory: at most 20,000, a page that a
 * browser still opens and prints, and 1,000 exceptions of a kind. Beyond that the page says how many more there are and
 * how to get them.
 */

import { commandText } from '../../domain/next-steps/command.ts';
import { commandsFor } from '../../domain/next-steps/next-step.ts';
import { Exceptions } from '../../domain/reporting/exceptions.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { lineLabel } from '../../domain/reporting/row-label.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import {
  badge,
  Html,
  html,
  instant,
  moneyText,
  NOTHING,
  type Piece,
  SECTION_END,
  section,
  sectionHead,
  smallPrint,
  stepPieces,
} from '../html.ts';
import { type Column, StackedTable, stackedTable, type WaitingRow } from '../table.ts';

const KIND_MAX = 1_000;

/** A line, and where else on the page it stands. */
interface Placed {
  readonly line: ReportLine;
  /** Among the rows below. */
  readonly isInRows: boolean;
  /** Among the exceptions, which say why. */
  readonly isException: boolean;
  /** The row's own page, where there is one. */
  readonly path?: string;
}

export const EXCEPTION_COLUMNS: readonly Column<Placed>[] = [
  {
    header: 'Row',
    width: 4,
    shown: ({ line, isInRows }) => (isInRows ? html`<a href="#row-${line.row}">${line.row}</a>` : line.row),
  },
  {
    header: 'Who',
    width: 15,
    shown: ({ line }) => [line.name === '' ? line.texts.account_name : line.name, smallPrint(line.reference)],
  },
  { header: 'Amount', width: 15, kind: 'money', shown: ({ line }) => moneyText(line.amount) },
  { header: 'Status', width: 11, shown: ({ line }) => badge(lineLabel(line), line.incident) },
  { header: 'Reason', width: 25, shown: reasonAndTag },
  { header: 'What to do', width: 30, shown: ({ line }) => stepPieces(line.steps) },
];

function reasonAndTag({ line }: Placed): Piece {
  const { reason, tag } = line.texts;
  return [reason, tag === '' || reason.includes(tag) ? NOTHING : smallPrint(`Tag ${tag}`)];
}

export class ExceptionRows {
  readonly #kept = new Exceptions<WaitingRow>(KIND_MAX);
  readonly #table = new StackedTable('look', EXCEPTION_COLUMNS);

  get count(): number {
    return this.#kept.count;
  }

  /** Rows that ask nothing of anyone, by what became of them. */
  stories(): ReadonlyMap<string, number> {
    const told = new Map<string, number>();
    for (const { word, count, isStory } of this.#kept.sums())
      if (isStory) told.set(word, (told.get(word) ?? 0) + count);
    return told;
  }

  /** Whether the row has a place of its own here. */
  add(line: ReportLine, isInRows: boolean): boolean {
    const placed = { line, isInRows, isException: true };
    return this.#kept.add(line, () => this.#table.row(placed, `look-${line.row}`));
  }

  section(header: ReportHeader): Html {
    const rows = this.#kept.kept();
    const caption = 'Rows that a person has to look at, the gravest first';
    const more = this.#kept
      .more()
      .map(
        ([word, count]) =>
          html`<p class="note">… and ${countText(count)} more “${word}”: <code>${csvCommand(header)}</code> lists them all.</p>\n`,
      );
    const body =
      rows.length === 0
        ? html`<p>Nothing to look at.</p>\n`
        : new Html([...this.#table.pieces(caption, rows)].join(''));
    return section('exceptions', 'What to look at', [body, more]);
  }
}

const ROWS_MAX = 20_000;
/** Rows in one table: a browser lays out what is in sight, and opens a long page six times as fast. */
const SLICE = 500;

export const ROW_COLUMNS: readonly Column<Placed>[] = [
  {
    header: 'Row',
    width: 4,
    shown: ({ line, path }) => (path === undefined ? line.row : html`<a href="${path}">${line.row}</a>`),
  },
  {
    header: 'Beneficiary',
    width: 16,
    shown: ({ line }) => [line.name, smallPrint(line.account.reveal()), nameCheck(line)],
  },
  { header: 'Institution', width: 13, shown: ({ line }) => [line.institution, smallPrint(line.country)] },
  { header: 'Reference', width: 11, shown: ({ line }) => line.reference },
  { header: 'Amount', width: 11, kind: 'money', shown: ({ line }) => moneyText(line.amount) },
  { header: 'Status', width: 12, shown: statusPieces },
  {
    header: 'Debit as quoted',
    width: 11,
    kind: 'money',
    shown: ({ line: { debit, fee } }) => [
      moneyText(debit),
      fee === undefined ? NOTHING : smallPrint(`fee ${moneyText(fee)}`),
    ],
  },
  {
    header: 'Transfer',
    width: 13,
    shown: ({ line: { texts } }) => [
      texts.transfer_id,
      texts.tag === '' ? NOTHING : smallPrint(`Tag ${texts.tag}`),
    ],
  },
  { header: 'Settled (UTC)', width: 9, shown: ({ line }) => instant(line.settledAt) },
];

export class Rows {
  readonly #table = new StackedTable('rows', ROW_COLUMNS);
  readonly #kept: WaitingRow[] = [];
  #count = 0;

  /** Whether the next row still has a place on the page. */
  hasRoom(): boolean {
    return this.#count < ROWS_MAX;
  }

  add(line: ReportLine, isException: boolean): void {
    this.#count += 1;
    if (this.#count > ROWS_MAX) return;
    this.#kept.push(this.#table.row({ line, isInRows: true, isException }, `row-${line.row}`));
  }

  /** In pieces that can be written one after the other. */
  *pieces(header: ReportHeader): Generator<string> {
    const shown = this.#kept.length;
    const left = this.#count - shown;
    const note =
      left === 0
        ? NOTHING
        : html`<p class="note">The first ${rowsText(shown)} of ${countText(this.#count)} are listed, ${countText(left)} are not: <code>${csvCommand(header)}</code> writes them all. Every sum on this page counts all rows.</p>\n`;
    yield html`${sectionHead('rows', 'All payments')}${note}`.text;
    if (shown === 0) yield '<p>The file has no rows.</p>\n';
    const isOnly = shown <= SLICE;
    for (let at = 0; at < shown; at += SLICE) {
      const slice = this.#kept.slice(at, at + SLICE);
      const [from, to] = [at + 1, at + slice.length].map(countText);
      const caption = isOnly
        ? `${rowsText(shown)}, in file order`
        : `Payments ${from} to ${to} of ${countText(this.#count)}`;
      yield html`<div${isOnly ? NOTHING : html` class="slice"`}>\n`.text;
      yield* this.#table.pieces(caption, slice);
      yield '</div>\n';
    }
    yield SECTION_END.text;
  }
}

/** Some of the rows, on a page where each has one of its own. */
export function rowsTable(
  lines: readonly ReportLine[],
  caption: string,
  pathOf: (line: ReportLine) => string,
): Html {
  const placed = lines.map((line) => ({ line, isInRows: true, isException: false, path: pathOf(line) }));
  return stackedTable('rows', { caption, columns: ROW_COLUMNS, groups: [placed] });
}

/** Both names wherever they differ in more than capitals. */
function nameCheck({ texts, name }: ReportLine): Html {
  const { account_name: resolved, name_check: result } = texts;
  if (result === '' || (result === 'match' && resolved.toLowerCase() === name.toLowerCase())) return NOTHING;
  if (result === 'no_name') return smallPrint(`No name in the file. The account belongs to ${resolved}`);
  const word = result.replaceAll('_', ' ');
  return smallPrint(resolved === '' ? `Name check: ${word}` : `On the account: ${resolved} (${word})`);
}

/** Of an exception its own line says it. */
const TOLD: ReadonlySet<string> = new Set(['accepted', 'canceled', 'failed', 'returned']);

function statusPieces({ line, isException }: Placed): Piece {
  const { reason, service_status: word } = line.texts;
  const said = word === '' || line.status === 'settled' ? NOTHING : smallPrint(`Service: ${word}`);
  if (isException) {
    const why = html`<a class="under" href="#look-${line.row}">what to do</a>`;
    return [badge(lineLabel(line), line.incident), said, why];
  }
  const isTold = TOLD.has(line.status) || line.isLaterTry;
  return [badge(lineLabel(line)), isTold ? smallPrint(reason) : said];
}

function csvCommand(header: ReportHeader): string {
  const { forBatch, place } = commandsFor(header);
  return commandText(forBatch('report', ['-o', 'report.csv']), place);
}
