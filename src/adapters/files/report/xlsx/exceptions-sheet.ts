/**
 * The sheet Exceptions: what a person has to look at, the gravest first, with three empty columns to work in.
 *
 * At most 5,000 rows per status are listed, so that a broken file of a million rows does not have to be kept
 * in memory; the sheet says how many more there are and where.
 */

import type { Status } from '../../../../domain/payouts/payout.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { STATUS_WORDS, statusLabel } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { columnLetter, headerCells, moneyCell, overNumbers, textCell, wordsCell } from './cells.ts';
import { maskedWords } from './masked-text.ts';
import { PLAIN_STYLE, QUIET_STYLE, ROW_STYLE, statusStyle } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

const ORDER: readonly Status[] = ['in_doubt', 'sending', 'failed', 'returned', 'held', 'invalid'];
/** Of the columns Reason and What to do, in characters. */
const WORDS_WIDTH = 60;
const MAX_PER_STATUS = 5_000;

const NAMES = [
  overNumbers('Row'),
  'Reference',
  'Name',
  'Status',
  overNumbers('Amount'),
  'Currency',
  'Reason',
  'What to do',
  'Transfer id',
  'Tag',
  'Owner',
  'Due',
  'Note',
];

export const EXCEPTIONS = {
  name: 'Exceptions',
  widths: [7, 16, 24, 19, 16, 10, WORDS_WIDTH, WORDS_WIDTH, 26, 14, 14, 12, 24],
  lastLetter: columnLetter(NAMES.length),
} as const;

/** What is shown of a line, and no more of it. */
interface Kept {
  readonly cells: readonly Cell[];
  readonly lines: number;
}

/** Rows kept until the sheet is written. A payment that was called failed and is paid comes before all. */
export class Exceptions {
  readonly #incidents: Kept[] = [];
  readonly #differing: Kept[] = [];
  readonly #kept = new Map<Status, Kept[]>(ORDER.map((status) => [status, []]));
  readonly #more = new Map<Status, number>();

  add(line: ReportLine): void {
    const isDiffering = line.status === 'settled' && line.texts.reason !== '';
    const usual = isDiffering ? this.#differing : this.#kept.get(line.status);
    const list = line.incident ? this.#incidents : usual;
    if (list !== undefined) this.#keep(list, line);
  }

  writeTo(sheet: Sheet): void {
    sheet.addRow(headerCells(NAMES));
    const lists = [this.#incidents, ...ORDER.map((status) => this.#kept.get(status) ?? []), this.#differing];
    for (const { cells, lines } of lists.flat()) sheet.addRow(cells, lines);
    if (sheet.rowCount() === 1) {
      sheet.addRow([{ value: 'Nothing to look at.', style: QUIET_STYLE }]);
    } else {
      sheet.filter(`A1:${EXCEPTIONS.lastLetter}${sheet.rowCount()}`);
    }
    for (const [status, count] of this.#more) {
      const word = STATUS_WORDS[status].word;
      const text = `… and ${countText(count)} more “${word}”: filter the sheet Payments by Status.`;
      sheet.addRow([{ value: text, style: QUIET_STYLE }]);
    }
  }

  #keep(list: Kept[], line: ReportLine): void {
    if (list.length < MAX_PER_STATUS) list.push({ cells: cellsOf(line), lines: linesNeeded(line) });
    else this.#more.set(line.status, (this.#more.get(line.status) ?? 0) + 1);
  }
}

/** A streamed sheet cannot find the height of wrapped text by itself; counted a little generously. */
function linesNeeded(line: ReportLine): number {
  const longest = Math.max(line.texts.reason.length, line.texts.next_step.length);
  return Math.min(25, Math.max(1, Math.ceil(longest / (WORDS_WIDTH - 2))));
}

const empty: Cell = { value: undefined, style: PLAIN_STYLE };

function cellsOf(line: ReportLine): readonly Cell[] {
  return [
    { value: line.row, style: ROW_STYLE },
    textCell(line.reference),
    textCell(maskedWords(line.name === '' ? line.texts.account_name : line.name)),
    { value: statusLabel(line.status), style: statusStyle(line.status) },
    moneyCell(line.amount),
    textCell(line.amount?.currency ?? ''),
    wordsCell(line.texts.reason),
    wordsCell(line.texts.next_step),
    textCell(line.texts.transfer_id),
    textCell(line.texts.tag),
    empty,
    empty,
    empty,
  ];
}
