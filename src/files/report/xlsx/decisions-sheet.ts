/**
 * The sheet Decisions and audit: who decided what, when and why, and incidents, from the journal; then
 * the head of the journal, so that the sheet can be verified later.
 */
import type { Decisions } from '../../../domain/batches/decisions.ts';
import type { ReportSummary } from '../../../domain/reporting/report.ts';
import { countText, printable } from '../../../domain/text/printable.ts';
import { DECISION_COLUMNS, type DecisionLine, decisionLine } from '../../../views/decision-columns.ts';
import { addRows, BLANK, remarks, TableSheet, widthsOf } from './sheet.ts';
import type { Rule, Sheet } from './xlsx-workbook.ts';

export const DECISIONS = { name: 'Decisions and audit', widths: widthsOf(DECISION_COLUMNS) };

const LOUD: readonly Rule[] = [
  { formula: '$B2="Incident"', style: { font: { bold: true, color: { argb: 'FF7F1D1D' } } } },
  { formula: 'LEFT($B2,5)="Ruled"', style: { font: { bold: true } } },
];

export async function writeDecisions(sheet: Sheet, told: ReportSummary): Promise<void> {
  const table = new TableSheet<DecisionLine>(sheet, DECISION_COLUMNS);
  if (told.batches !== undefined) await addBatches(sheet, table, told.batches());
  else await addBatch(sheet, table, await told.decisions?.());
}

/** undefined: the ledger was not asked. */
async function addBatch(sheet: Sheet, table: TableSheet<DecisionLine>, decisions: Decisions | undefined) {
  if (decisions === undefined)
    return table.end('The report of each batch shows its decisions: payfile report BATCH -o FILE.xlsx');
  addDecisions(sheet, table, decisions);
  table.end('Nothing was decided yet.', () => LOUD);
  const { head } = decisions;
  if (head === '') return;
  const proof = `The journal of this batch ends with ${head}; payfile verify proves that nothing before it was changed.`;
  addRows(sheet, [...BLANK, ...remarks([proof])]);
}

type Batches = ReturnType<NonNullable<ReportSummary['batches']>>;

/** Over days: each batch with its file and where its journal stands, then what was decided about it. */
async function addBatches(sheet: Sheet, table: TableSheet<DecisionLine>, batches: Batches) {
  for await (const { batch, decisions } of batches) {
    const { file, name, id, maker, createdAt } = batch;
    const why = `${file.name}, SHA-256 ${file.sha256}. Its journal ends with ${decisions.head}.`;
    const what = printable(`Batch ${name}`);
    table.add({ at: createdAt, what, rows: `batch ${id}`, by: maker, why: printable(why), isBatch: true });
    addDecisions(sheet, table, decisions);
    await sheet.drained();
  }
  table.end('No batch has a payment in these days.', () => LOUD);
}

function addDecisions(sheet: Sheet, table: TableSheet<DecisionLine>, { list, more }: Decisions): void {
  for (const decision of list) table.add(decisionLine(decision));
  if (more > 0) addRows(sheet, remarks([`… and ${countText(more)} later entries of the journal.`]));
}
