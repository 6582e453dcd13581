/**
 * Planned and actual debit, per currency paid and debited: what was agreed to, what became of it, and by how much the
 * rates of sending moved it. What was agreed to is the ledger's word, its parts are what this report counts.
 */

import { formatMoney } from '../../../../domain/money/money.ts';
import {
  agreedOf,
  atSendOf,
  DEBIT_WORDS,
  type DebitPair,
  type DebitReport,
  debitGap,
  debitSumText,
  debitTexts,
  hasNoDebits,
  movedBy,
} from '../../../../domain/reporting/debit-report.ts';
import type { PlannedSum } from '../../../../domain/reporting/debits.ts';
import { groupLabel } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING, type Piece } from './html.ts';
import { type Cell, plainTable, tying } from './table.ts';
import { moneyText } from './words.ts';

export interface DebitCheck {
  readonly name: string;
  readonly ledger: string;
  readonly report: string;
}

/** For the table of control checks. */
export function debitChecks(debits: DebitReport | undefined): readonly DebitCheck[] {
  return (debits?.pairs ?? []).flatMap(({ name, ledger, report }) => {
    const [agreed, theirs] = [ledger, report].map((side) => debitSumText(agreedOf(side)));
    const [sent, sentTheirs] = [ledger, report].map((side) => debitSumText(atSendOf(side)));
    return [
      { name: `${name}, debit agreed to`, ledger: agreed ?? '', report: theirs ?? '' },
      { name: `${name}, debit at the rate of sending`, ledger: sent ?? '', report: sentTheirs ?? '' },
    ];
  });
}

export function debitTable(debits: DebitReport | undefined): Html {
  if (debits === undefined || hasNoDebits(debits)) return NOTHING;
  const table = plainTable({
    caption: `${DEBIT_WORDS.title}, with fees`,
    columns: [
      { name: 'Corridor' },
      { name: 'Group' },
      { name: 'Payments', kind: 'count' },
      { name: 'Debit', kind: 'money' },
      { name: 'Result' },
    ],
    groups: debits.pairs.map(pairRows),
  });
  const notes = debitTexts(debits).map((text) => html`<li>${text}</li>\n`);
  const shown = debits.pairs.length === 0 ? NOTHING : table;
  return html`${shown}<ul class="note">\n${notes}</ul>\n`;
}

function pairRows(pair: DebitPair): readonly (readonly Cell[])[] {
  const { name, ledger, report } = pair;
  const { failed, inDoubt, unsent, sent } = report;
  const agreed = agreedOf(ledger);
  const row = (what: Piece, sum: PlannedSum, result: Cell = { shown: '' }): readonly Cell[] => [
    { shown: name, isHead: true },
    { shown: what },
    { shown: countText(sum.count) },
    { shown: moneyText(sum.planned) },
    result,
  ];
  const present = (what: Piece, sum: PlannedSum) => (sum.count === 0 ? [] : [row(what, sum)]);
  const moved: readonly Cell[] = [
    { shown: name, isHead: true },
    { shown: DEBIT_WORDS.moved },
    { shown: '' },
    { shown: moneyText(movedBy(report)) },
    { shown: report.driftPercent === undefined ? '' : `${report.driftPercent} %` },
  ];
  return [
    row(html`<strong>${DEBIT_WORDS.agreed}</strong>`, agreed),
    ...present(groupLabel('failed'), failed),
    ...present(groupLabel('in_doubt'), inDoubt),
    ...present(groupLabel('not_yet_sent'), unsent),
    row(DEBIT_WORDS.sent, sent, partsTying(agreed, agreedOf(report))),
    moved,
    row(
      html`<strong>${DEBIT_WORDS.atSend}</strong>`,
      atSendOf(report),
      partsTying(atSendOf(ledger), atSendOf(report)),
    ),
  ];
}

/** As in the workbook: the sum first, and where only the number differs, the number. */
function partsTying(ledger: PlannedSum, report: PlannedSum): Cell {
  const { count, minor } = debitGap(ledger, report);
  const gap = count === 0 ? formatMoney({ ...ledger.planned, minor }) : `${count} payments`;
  return tying(count === 0 && minor === 0n, `differs by ${gap}`);
}
