/**
 * The sheet Summary: live or sandbox, the outcome in one sentence, whether the totals tie, one table per kind
 * of money, and where all this comes from.
 */

import { styleText } from '../../../../domain/money/amount-style.ts';
import { GROUP_WORDS, GROUPS } from '../../../../domain/reporting/control-totals.ts';
import type { ReportHeader, ReportSummary } from '../../../../domain/reporting/report.ts';
import { printable } from '../../../../domain/text/printable.ts';
import { formatTimestamp } from '../../../../domain/timestamp.ts';
import { headerCells, moneyCell, overNumbers, textCell } from './cells.ts';
import { CONTROL } from './control-sheet.ts';
import { checkRules } from './rules.ts';
import {
  CHECK_STYLE,
  COUNT_STYLE,
  LIVE_STYLE,
  PLAIN_STYLE,
  QUIET_STYLE,
  SANDBOX_STYLE,
  TITLE_STYLE,
} from './styles.ts';
import { addCosts, type CostFacts } from './summary-costs.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const SUMMARY = { name: 'Summary', widths: [26, 16, 16, 17, 15, 15, 15, 15, 15, 15, 15, 15] } as const;

/** With what was booked. */
export type Summed = ReportSummary & Pick<CostFacts, 'booked' | 'sums'>;

export function writeSummary(sheet: Sheet, header: ReportHeader, summary: Summed): void {
  const { outcome, totals } = summary;
  const isLive = header.environment === 'live';
  sheet.addRow([{ value: isLive ? 'LIVE' : 'SANDBOX', style: isLive ? LIVE_STYLE : SANDBOX_STYLE }]);
  sheet.addRow([{ value: outcome.sentence, style: TITLE_STYLE }]);
  sheet.addRow([
    { value: 'Control totals', style: PLAIN_STYLE },
    {
      value: { formula: CONTROL.overall, result: totals.ties ? 'ties' : 'differs' },
      style: CHECK_STYLE,
    },
  ]);
  for (const part of totals.parts) sheet.addRow([{ value: part, style: PLAIN_STYLE }]);
  sheet.addRow([]);
  addCurrencies(sheet, summary);
  const { booked, sums, sent } = summary;
  const isOverDays = header.period !== undefined;
  const checks = addCosts(sheet, {
    costs: totals.costs,
    booked,
    sums,
    isOverDays,
    isBooked: sent !== undefined,
  });
  addFacts(sheet, header);
  for (const range of ['B3:B3', ...checks]) sheet.rule(range, checkRules(range.split(':')[0] ?? ''));
}

function addCurrencies(sheet: Sheet, { totals }: ReportSummary): void {
  const words = GROUPS.map((group) => GROUP_WORDS[group].word);
  sheet.addRow(headerCells(['Currency', ...['Payments', 'Requested', ...words].map(overNumbers)]));
  for (const { currency, requested, groups } of totals.currencies) {
    sheet.addRow([
      textCell(currency),
      { value: requested.count, style: COUNT_STYLE },
      moneyCell({ minor: requested.minor, currency }),
      ...GROUPS.map((group) => moneyCell({ minor: groups[group].minor, currency })),
    ]);
  }
  if (totals.amountUnreadable > 0) {
    sheet.addRow([
      { value: 'Amount unreadable', style: QUIET_STYLE },
      { value: totals.amountUnreadable, style: COUNT_STYLE },
    ]);
  }
  sheet.addRow([]);
}

function addFacts(sheet: Sheet, header: ReportHeader): void {
  const { batch } = header;
  const { approval } = batch;
  const ofBatch: readonly (readonly [string, string])[] = [
    ['Batch', batch.name ?? ''],
    ['Batch id', batch.id],
    ['Revision of the file', batch.revision.toString()],
    [
      'File',
      batch.file.sheet === undefined ? batch.file.name : `${batch.file.name}, sheet “${batch.file.sheet}”`,
    ],
    ['How amounts were read', batch.file.amountStyle === undefined ? '' : styleText(batch.file.amountStyle)],
    ['File SHA-256', batch.file.sha256],
    ['Digest of the payments', batch.digest ?? ''],
    ['Prepared by', `${batch.maker}, ${formatTimestamp(batch.createdAt)}`],
    [
      'Approved by',
      approval === undefined ? 'nobody yet' : `${approval.by}, ${formatTimestamp(approval.at)}`,
    ],
    ['Approved digest', approval?.digest ?? ''],
    ['Made at (UTC)', formatTimestamp(header.madeAt)],
  ];
  const ofPeriod: typeof ofBatch = [
    ['Days (UTC, both included)', batch.name ?? ''],
    ['Read from', batch.file.name],
    ['Made at (UTC)', formatTimestamp(header.madeAt)],
  ];
  for (const [name, text] of header.period === undefined ? ofBatch : ofPeriod) {
    if (text !== '') sheet.addRow([{ value: name, style: QUIET_STYLE }, textCell(printable(text))]);
  }
  sheet.addRow([]);
}
