/**
 * The sheet Decisions and audit: who decided what, when and why, and what was told aloud, from the journal; then
 * where the journal stood, so that the sheet can be proved later.
 */
import type { Batch } from '../../../../domain/batches/batch.ts';
import type { BatchDecision, Decisions } from '../../../../domain/batches/decisions.ts';
import { countText, printable } from '../../../../domain/text/printable.ts';
import { columnLetter, headerCells, textCell, timeCell, wordsCell } from './cells.ts';
import { BOLD_STYLE, PLAIN_STYLE, QUIET_STYLE } from './styles.ts';
import type { Cell, Rule, Sheet } from './xlsx-workbook.ts';

const NAMES = ['When (UTC)', 'What', 'Rows', 'Who', 'Why'];
const ROWS_WIDTH = 30;
const WHY_WIDTH = 90;

export const DECISIONS = {
  name: 'Decisions and audit',
  widths: [21, 26, ROWS_WIDTH, 18, WHY_WIDTH],
  lastLetter: columnLetter(NAMES.length),
} as const;

const ROWS_NAMED = 50;

const LOUD: readonly Rule[] = [
  { formula: '$B2="Incident"', style: { font: { bold: true, color: { argb: 'FF7F1D1D' } } } },
  { formula: 'LEFT($B2,5)="Ruled"', style: { font: { bold: true } } },
];

/** undefined: the ledger was not asked. */
export function writeDecisions(sheet: Sheet, decisions: Decisions | undefined): void {
  sheet.addRow(headerCells(NAMES));
  if (decisions === undefined) {
    quiet(sheet, 'The report of each batch tells its decisions: payfile report BATCH -o FILE.xlsx');
    return;
  }
  const { list, head } = decisions;
  addDecisions(sheet, decisions);
  if (list.length === 0) quiet(sheet, 'Nothing was decided yet.');
  endDecisions(sheet);
  if (head === '') return;
  sheet.addRow([]);
  quiet(
    sheet,
    `The journal of this batch ends with ${head}; payfile verify proves that nothing before it was changed.`,
  );
}

/** Over days: each batch with its file and where its journal stands, then what was decided about it. */
export async function writeDecisionsOf(
  sheet: Sheet,
  batches: AsyncIterable<{ readonly batch: Batch; readonly decisions: Decisions }>,
): Promise<void> {
  sheet.addRow(headerCells(NAMES));
  for await (const { batch, decisions } of batches) {
    const { file, name, id, maker, createdAt } = batch;
    const why = `${file.name}, SHA-256 ${file.sha256}. Its journal ends with ${decisions.head}.`;
    sheet.addRow(
      [
        timeCell(createdAt),
        { value: printable(`Batch ${name ?? id}`), style: BOLD_STYLE },
        textCell(`batch ${id}`),
        textCell(maker),
        wordsCell(printable(why)),
      ],
      3,
    );
    addDecisions(sheet, decisions);
    await sheet.drained();
  }
  if (sheet.rowCount() === 1) quiet(sheet, 'No batch has a payment in these days.');
  endDecisions(sheet);
}

function addDecisions(sheet: Sheet, { list, more }: Decisions): void {
  for (const decision of list) sheet.addRow(cellsOf(decision), linesNeeded(decision));
  if (more > 0) quiet(sheet, `… and ${countText(more)} later entries of the journal.`);
}

function endDecisions(sheet: Sheet): void {
  const last = sheet.rowCount();
  sheet.filter(`A1:${DECISIONS.lastLetter}${last}`);
  sheet.rule(`A2:${DECISIONS.lastLetter}${last}`, LOUD);
}

function quiet(sheet: Sheet, value: string): void {
  sheet.addRow([{ value, style: QUIET_STYLE }]);
}

function cellsOf(decision: BatchDecision): readonly Cell[] {
  return [
    timeCell(decision.at),
    { value: decision.what, style: PLAIN_STYLE },
    wordsCell(rowsText(decision.rows)),
    textCell(decision.by === '' ? 'payfile' : decision.by),
    wordsCell(decision.why),
  ];
}

function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const left = rows.length - ROWS_NAMED;
  return left > 0 ? `${named} … and ${countText(left)} more` : named || 'whole batch';
}

function linesNeeded(decision: BatchDecision): number {
  const rows = rowsText(decision.rows).length / (ROWS_WIDTH - 4);
  return Math.min(25, Math.max(1, Math.ceil(rows), Math.ceil(decision.why.length / (WHY_WIDTH - 8))));
}
