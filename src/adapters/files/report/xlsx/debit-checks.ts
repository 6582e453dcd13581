/**
 * Planned and actual debit on the sheet Control totals, per currency paid and debited: what was agreed to, by the
 * ledger, beside what became of it on the sheet Payments; and what was sent at the rates of sending, by both.
 *
 * The checks prove that the two sides agree. That a rate moved is no fault: it stands in a column of its own.
 */
import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import { GROUP_WORDS } from '../../../../domain/reporting/control-totals.ts';
import {
  agreedOf,
  atSendOf,
  DEBIT_WORDS,
  type DebitGap,
  type DebitPair,
  type DebitReport,
  type DebitTotal,
  debitGap,
  debitTexts,
  hasNoDebits,
  movedBy,
} from '../../../../domain/reporting/debits.ts';
import { statusLabel } from '../../../../domain/reporting/status-words.ts';
import { headerCells, isExactNumber, moneyCell, numberOf, overNumbers, textCell } from './cells.ts';
import { checkCell, differsText, equalMoney } from './check-cells.ts';
import { PAYMENTS, paymentsRange } from './payments-sheet.ts';
import { amountStyle, BOLD_STYLE, PERCENT_STYLE, QUIET_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

/** Groups that were sent for certain, as rows of a constant that formulas compare with. */
const SENT = (['settled', 'on_its_way', 'returned'] as const).map((group) => GROUP_WORDS[group].word);
const SENT_IN_FORMULA = `{${SENT.map((word) => `"${word}"`).join(';')}}`;

/** Rows above the first corridor: the title and the headings. */
const HEAD_ROWS = 2;

export interface DebitFacts {
  readonly debits: DebitReport | undefined;
  readonly paymentsLastRow: number;
}

/** Rows that the part takes. */
export function debitRowCount({ debits }: DebitFacts): number {
  if (debits === undefined || hasNoDebits(debits)) return 0;
  return HEAD_ROWS + debits.pairs.length + debitTexts(debits).length + 1;
}

/** The ranges of its checks when it begins on that row. */
export function debitChecks({ debits }: DebitFacts, firstRow: number): readonly string[] {
  if (debits === undefined || debits.pairs.length === 0) return [];
  const from = firstRow + HEAD_ROWS;
  const to = from + debits.pairs.length - 1;
  return [`H${from}:H${to}`, `L${from}:L${to}`];
}

export function writeDebits(sheet: Sheet, facts: DebitFacts): void {
  const { debits } = facts;
  if (debits === undefined || hasNoDebits(debits)) return;
  sheet.addRow([{ value: DEBIT_WORDS.title, style: BOLD_STYLE }]);
  const { agreed, failed, inDoubt, unsent, sent, moved, atSend } = DEBIT_WORDS;
  sheet.addRow(
    headerCells([
      'Paid in',
      'Debited in',
      ...[`${agreed}, ledger`, failed, inDoubt, unsent, sent].map(overNumbers),
      'Check',
      ...[moved, atSend, 'The same, ledger'].map(overNumbers),
      'Check',
      overNumbers(`${moved}, in %`),
    ]),
    2,
  );
  for (const pair of debits.pairs) sheet.addRow(pairCells(pair, sheet.rowCount() + 1, facts));
  for (const value of debitTexts(debits)) sheet.addRow([{ value, style: QUIET_STYLE }]);
  sheet.addRow([]);
}

function pairCells(pair: DebitPair, at: number, { paymentsLastRow }: DebitFacts): readonly Cell[] {
  const { currency, from, ledger, report } = pair;
  const found = differencesOf(pair);
  if (!isExact(pair)) return plainCells(pair, found);
  const range = (letter: string) => paymentsRange(letter, paymentsLastRow);
  const { letters } = PAYMENTS;
  const mine = `${range(letters.currency)},$A${at},${range(letters.source)},$B${at}`;
  const sum = (letter: string, of: string, is: string) =>
    `SUMIFS(${range(letter)},${mine},${range(of)},${is})`;
  const inGroup = (word: string) => sum(letters.debit, letters.group, `"${word}"`);
  const sent = (letter: string) => `SUMPRODUCT(${sum(letter, letters.group, SENT_IN_FORMULA)})`;
  const live = (formula: string, minor: bigint): Cell => calculated(formula, minor, from);
  const moved = movedBy(report);
  return [
    textCell(currency),
    textCell(from),
    moneyCell(agreedOf(ledger).planned),
    live(inGroup(DEBIT_WORDS.failed), report.failed.planned.minor),
    live(inGroup(DEBIT_WORDS.inDoubt), report.inDoubt.planned.minor),
    // What was only quoted counts as not yet sent, too; it was never agreed to.
    live(sum(letters.debit, letters.status, `"${statusLabel('approved')}"`), report.unsent.planned.minor),
    live(sent(letters.debit), report.sent.planned.minor),
    found.agreed.count === 0
      ? equalMoney(`C${at}`, `SUM(D${at}:G${at})`, { currency: from, difference: found.agreed.minor })
      : lostCell(found.agreed.count),
    live(`ROUND(J${at}-G${at},${decimalsOf(from)})`, moved.minor),
    live(sent(letters.debitAtSend), report.sent.atSend.minor),
    moneyCell(ledger.sent.atSend),
    found.sent.count === 0
      ? equalMoney(`K${at}`, `J${at}`, { currency: from, difference: found.sent.minor })
      : lostCell(found.sent.count),
    { value: { formula: `IF(G${at}=0,0,I${at}/G${at})`, result: shareOf(report) }, style: PERCENT_STYLE },
  ];
}

/** Beyond what a double holds: texts, and checks made by us. */
function plainCells({ currency, from, ledger, report }: DebitPair, found: Found): readonly Cell[] {
  const check = ({ count, minor }: DebitGap): Cell =>
    count === 0 ? verdictCell(differsText({ currency: from, difference: minor })) : lostCell(count);
  const { failed, inDoubt, unsent, sent } = report;
  return [
    textCell(currency),
    textCell(from),
    moneyCell(agreedOf(ledger).planned),
    ...[failed, inDoubt, unsent, sent].map(({ planned }) => moneyCell(planned)),
    check(found.agreed),
    moneyCell(movedBy(report)),
    moneyCell(sent.atSend),
    moneyCell(ledger.sent.atSend),
    check(found.sent),
    { value: shareOf(report), style: PERCENT_STYLE },
  ];
}

interface Found {
  readonly agreed: DebitGap;
  readonly sent: DebitGap;
}

/** By how much the report is more than the ledger. */
function differencesOf({ ledger, report }: DebitPair): Found {
  return {
    agreed: debitGap(agreedOf(ledger), agreedOf(report)),
    sent: debitGap(atSendOf(ledger), atSendOf(report)),
  };
}

/** Payments are missing or too many, whatever their sums come to. */
function lostCell(count: number): Cell {
  return verdictCell(`differs by ${count} payments`);
}

function verdictCell(text: string): Cell {
  return checkCell(`"${text}"`, text);
}

function isExact({ ledger, report }: DebitPair): boolean {
  return [ledger, report]
    .flatMap((side) => [agreedOf(side).planned, side.sent.atSend])
    .every(({ minor }) => isExactNumber(minor));
}

function shareOf({ sent }: DebitTotal): number {
  if (sent.planned.minor === 0n) return 0;
  return Number(sent.atSend.minor - sent.planned.minor) / Number(sent.planned.minor);
}

function calculated(formula: string, minor: bigint, currency: CurrencyCode): Cell {
  return { value: { formula, result: numberOf(minor, currency) }, style: amountStyle(decimalsOf(currency)) };
}
