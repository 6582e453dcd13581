/**
 * Exceptions and all payments. What a person has to look at comes first, the gravest first, each with its reason and the
 * next command to type; then all payments in file order, each with a name that a link can point to.
 *
 * The outcome stands above them and is known only at the end, so rows wait in memory: at most 20,000, a page that a
 * browser still opens and prints, and 1,000 exceptions of a kind. Beyond that the page says how many more there are and
 * how to get them.
 */

import { type Money, MoneySums } from '../../domain/money/money.ts';
import { commandsFor } from '../../domain/next-steps/next-step.ts';
import { Exceptions } from '../../domain/reporting/exceptions.ts';
import { lineCost, lineFee } from '../../domain/reporting/payment-costs.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { lineLabel } from '../../domain/reporting/row-label.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import type { WallClock } from '../../domain/time-zone.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import {
  amountText,
  badge,
  commandPiece,
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
  /** Set where the same is to do as for a row above. */
  readonly asFor?: Piece;
  /** The row's own page, where there is one. */
  readonly path?: string;
}

export const EXCEPTION_COLUMNS: readonly Column<Placed>[] = [
  {
    header: 'Row',
    shown: ({ line, isInRows }) => (isInRows ? html`<a href="#row-${line.row}">${line.row}</a>` : line.row),
  },
  {
    header: 'Who',
    shown: ({ line }) => [line.name === '' ? line.texts.account_name : line.name, smallPrint(line.reference)],
  },
  { header: 'Amount', kind: 'money', shown: ({ line }) => moneyText(line.amount) },
  { header: 'Status', kind: 'id', shown: ({ line }) => badge(lineLabel(line), line.incident) },
  { header: 'Reason', shown: reasonAndTag },
  { header: 'What to do', shown: ({ line, asFor }) => asFor ?? stepPieces(line.steps) },
];

function reasonAndTag({ line }: Placed): Piece {
  const { reason, tag } = line.texts;
  return [reason, tag === '' || reason.includes(tag) ? NOTHING : smallPrint(`Tag ${tag}`)];
}

export class ExceptionRows {
  readonly #kept = new Exceptions<WaitingRow>(KIND_MAX);
  readonly #table = new StackedTable('look', EXCEPTION_COLUMNS);
  /** The first row that asks for these steps. */
  readonly #asked = new Map<string, number>();

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
    return this.#kept.add(line, () => {
      // Told once, with the row's own number in its commands.
      const same = new RegExp(` ${line.row}(?= |$)(?!.* ${line.row}(?= |$))`);
      const steps = line.steps.map(({ text, command = '', note = '' }) =>
        [text, command.replace(same, ' ROW'), note].join('\n'),
      );
      const first = this.#asked.get(steps.join('\n'));
      if (first === undefined) this.#asked.set(steps.join('\n'), line.row);
      const asFor =
        first === undefined ? {} : { asFor: html`As for row <a href="#look-${first}">${first}</a>.` };
      return this.#table.row({ line, isInRows, isException: true, ...asFor }, `look-${line.row}`);
    });
  }

  section(header: ReportHeader): Html {
    const rows = this.#kept.kept();
    const caption = 'Rows that a person has to look at, the gravest first';
    const more = this.#kept
      .more()
      .map(
        ([word, count]) =>
          html`<p class="note">… and ${countText(count)} more “${word}”. For all of them: ${csvCommand(header)}.</p>\n`,
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

/** Without their zone: the caption names it. */
export const ROW_COLUMNS = rowColumns(instant);

function rowColumns(sentText: (at: Timestamp) => Piece): readonly Column<Placed>[] {
  return [
    {
      header: 'Row',
      shown: ({ line, path }) => (path === undefined ? line.row : html`<a href="${path}">${line.row}</a>`),
    },
    { header: 'Beneficiary', shown: ({ line }) => nameShown(line) },
    {
      header: 'Institution',
      // Many banks have the country in their name.
      shown: ({ line: { institution, country } }) =>
        institution.endsWith(country) ? institution : `${institution}, ${country}`,
    },
    { header: 'Account', kind: 'id', shown: ({ line }) => line.account.reveal() },
    { header: 'Reference', kind: 'id', shown: ({ line }) => line.reference },
    { header: 'Amount', kind: 'money', shown: ({ line }) => moneyText(line.amount) },
    { header: 'Status', shown: statusPieces },
    { header: 'Cost', kind: 'money', shown: ({ line }) => moneyText(lineCost(line)) },
    {
      header: 'Fee in it',
      kind: 'money',
      shown: ({ line }) => {
        const fee = lineFee(line);
        return fee === undefined ? '' : amountText(fee);
      },
    },

    {
      header: 'Sent',
      kind: 'id',
      shown: ({ line: { sentAt } }) => (sentAt === undefined ? '' : sentText(sentAt)),
    },
    { header: 'Transfer', kind: 'id', shown: ({ line: { texts } }) => texts.transfer_id || texts.tag },
  ];
}

/** More would be a table of their own, and that stands above. */
const SUMS_MAX = 2;

/** What a column shows in all, by currency. */
function sumsShown(sums: MoneySums, text: (money: Money) => string): Piece {
  const all = sums.all();
  if (all.length > SUMS_MAX) return 'see Money';
  return all.map((money, at) => [at === 0 ? NOTHING : html`<br>`, text(money)]);
}

export class Rows {
  readonly #table: StackedTable<Placed>;
  readonly #clock: WallClock;
  readonly #sums = { amount: new MoneySums(), debit: new MoneySums(), fee: new MoneySums() };
  readonly #kept: WaitingRow[] = [];
  #count = 0;

  constructor(clock: WallClock) {
    this.#clock = clock;
    this.#table = new StackedTable(
      'rows',
      rowColumns((at) => clock.minute(at)),
    );
  }

  /** Whether the next row still has a place on the page. */
  hasRoom(): boolean {
    return this.#count < ROWS_MAX;
  }

  add(line: ReportLine, isException: boolean): void {
    this.#count += 1;
    const shown = { amount: line.amount, debit: lineCost(line), fee: lineFee(line) };
    for (const [column, money] of Object.entries(shown) as [keyof typeof shown, Money | undefined][])
      if (money !== undefined) this.#sums[column].add(money);
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
        : html`<p class="note">The first ${rowsText(shown)} of ${countText(this.#count)} are listed, ${countText(left)} are not. For all of them: ${csvCommand(header)}. Every sum on this page counts all rows.</p>\n`;
    yield html`${sectionHead('rows', 'All payments')}${note}`.text;
    if (shown === 0) yield '<p>The file has no rows.</p>\n';
    const isOnly = shown <= SLICE;
    for (let at = 0; at < shown; at += SLICE) {
      const slice = this.#kept.slice(at, at + SLICE);
      const [from, to] = [at + 1, at + slice.length].map(countText);
      const which = isOnly
        ? `${rowsText(shown)}, in file order`
        : `Payments ${from} to ${to} of ${countText(this.#count)}`;
      const caption = `${which}; times in ${this.#clock.zone}`;
      yield html`<div${isOnly ? NOTHING : html` class="slice"`}>\n`.text;
      yield* this.#table.pieces(caption, slice, at + SLICE < shown ? undefined : this.#total());
      yield '</div>\n';
    }
    yield SECTION_END.text;
  }

  /** Below the last row; it counts all rows, also those that are not listed. */
  #total(): Readonly<Record<string, Piece>> {
    const { amount, debit, fee } = this.#sums;
    return {
      Row: 'Total',
      Beneficiary: rowsText(this.#count),
      Amount: sumsShown(amount, moneyText),
      Cost: sumsShown(debit, moneyText),
      'Fee in it': sumsShown(fee, amountText),
    };
  }
}

/** The page of a row has the id of its transfer. */
const PAGE_COLUMNS = ROW_COLUMNS.filter(({ header }) => header !== 'Transfer');

/** Some of the rows, on a page where each has one of its own. */
export function rowsTable(
  lines: readonly ReportLine[],
  caption: string,
  pathOf: (line: ReportLine) => string,
): Html {
  const placed = lines.map((line) => ({ line, isInRows: true, isException: false, path: pathOf(line) }));
  return stackedTable('rows', caption, PAGE_COLUMNS, placed);
}

/** Both names wherever they differ in more than capitals. */
function nameShown({ texts, name }: ReportLine): Piece {
  const { account_name: resolved, name_check: result } = texts;
  if (name === '')
    return resolved === '' ? '' : [resolved, html` <span class="quiet">(on the account)</span>`];
  if (result === '' || (result === 'match' && resolved.toLowerCase() === name.toLowerCase())) return name;
  const word = result.replaceAll('_', ' ');
  return [
    name,
    smallPrint(resolved === '' ? `Name check: ${word}` : `On the account: ${resolved} (${word})`),
  ];
}

/** What became of it is not told anywhere else. */
const TOLD: ReadonlySet<string> = new Set(['canceled', 'failed', 'returned']);

function statusPieces({ line, isException }: Placed): Piece {
  const shown = badge(lineLabel(line), line.incident);
  if (isException) return html`<a href="#look-${line.row}">${shown}</a>`;
  const { reason, service_status: word } = line.texts;
  if (TOLD.has(line.status) || line.isLaterTry) return [shown, smallPrint(reason)];
  return [shown, word === '' || line.status === 'settled' ? NOTHING : smallPrint(`Service: ${word}`)];
}

function csvCommand(header: ReportHeader): Piece {
  const { forBatch, place } = commandsFor(header);
  return commandPiece(forBatch('report', ['-o', 'report.csv']), place);
}
