/**
 * The sheet Fees and FX: per corridor what was paid out, what it cost, which rates were quoted. A corridor is the
 * currency that pays, the country that is paid, and the currency it is paid in.
 *
 * All of it is as quoted: the service shows no account of what it took.
 */

import { type CurrencyCode, decimalsOf } from '../../../../domain/money/currency.ts';
import type { Money } from '../../../../domain/money/money.ts';
import { BOOKED_GROUPS } from '../../../../domain/reporting/booking.ts';
import { GROUP_OF, GROUP_WORDS, type Group } from '../../../../domain/reporting/control-totals.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { counted } from '../../../../domain/text/printable.ts';
import {
  columnLetter,
  decimalCell,
  headerCells,
  isExactNumber,
  moneyCell,
  numberOf,
  overNumbers,
  textCell,
} from './cells.ts';
import { PAYMENTS, paymentsRange } from './payments-sheet.ts';
import { amountStyle, BOLD_STYLE, COUNT_STYLE, PERCENT_STYLE, QUIET_STYLE, RATE_STYLE } from './styles.ts';
import type { Cell, Sheet } from './xlsx-workbook.ts';

const NAMES = [
  'Paid from',
  'Country',
  'Currency',
  ...['Payments', 'Paid out', 'Without fees', 'Fees', 'Debit'].map(overNumbers),
  ...['Fees in %', 'Lowest rate', 'Highest rate', 'Overall rate'].map(overNumbers),
  ...['Debit, sent', 'At the rate of sending', 'Rate moved', 'Rate moved, in %'].map(overNumbers),
];

export const FEES = {
  name: 'Fees and FX',
  widths: [12, 19, 10, 10, 16, 15, 12, 15, 10, 12, 12, 12, 15, 16, 12, 12],
  lastLetter: columnLetter(NAMES.length),
} as const;

const NOTES = [
  'As quoted before sending: settled, on its way, in doubt and returned payments.',
  'From “Debit, sent” on: without those in doubt. Why planned and actual debit differ stands on the sheet Control totals.',
];

/** More corridors than countries times currencies are a broken file, not a business. */
const CORRIDORS_MAX = 2_000;
/** As rows of a constant that formulas compare with. */
const inFormula = (groups: readonly Group[]) =>
  `{${groups.map((group) => `"${GROUP_WORDS[group].word}"`).join(';')}}`;
const GROUPS_IN_FORMULA = inFormula(BOOKED_GROUPS);
const SENT_IN_FORMULA = inFormula(['settled', 'on_its_way', 'returned']);

interface Corridor {
  readonly source: CurrencyCode;
  readonly country: string;
  readonly currency: CurrencyCode;
  count: number;
  amountMinor: bigint;
  feeMinor: bigint;
  debitMinor: bigint;
  sentMinor: bigint;
  atSendMinor: bigint;
  lowest: string;
  highest: string;
}

export class Fees {
  readonly #corridors = new Map<string, Corridor>();
  #left = 0;

  add({ status, amount, fee, debit, debitAtSend, country, texts }: ReportLine): void {
    const group = GROUP_OF[status];
    const isSent = BOOKED_GROUPS.some((booked) => booked === group);
    if (!isSent || amount === undefined || debit === undefined) return;
    const key = `${debit.currency} ${amount.currency} ${country}`;
    const corridor =
      this.#corridors.get(key) ?? this.#begun(key, { debit, amount, country, rate: texts.rate });
    if (corridor === undefined) return;
    corridor.count += 1;
    corridor.amountMinor += amount.minor;
    corridor.feeMinor += fee?.minor ?? 0n;
    corridor.debitMinor += debit.minor;
    if (debitAtSend !== undefined) {
      corridor.sentMinor += debit.minor;
      corridor.atSendMinor += debitAtSend.minor;
    }
    if (Number(texts.rate) < Number(corridor.lowest)) corridor.lowest = texts.rate;
    if (Number(texts.rate) > Number(corridor.highest)) corridor.highest = texts.rate;
  }

  /** `lastRow`: of the sheet Payments. */
  writeTo(sheet: Sheet, lastRow: number): void {
    sheet.addRow(headerCells(NAMES), 2);
    const corridors = [...this.#corridors].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, corridor] of corridors)
      sheet.addRow(corridorCells(corridor, sheet.rowCount() + 1, lastRow));
    if (corridors.length === 0) {
      sheet.addRow([{ value: 'Nothing was sent with a known debit.', style: QUIET_STYLE }]);
      return;
    }
    const last = sheet.rowCount();
    sheet.filter(`A1:${FEES.lastLetter}${last}`);
    if (this.#left > 0) {
      const text = `… and ${counted(this.#left, 'payment')} of further corridors, on the sheet Payments.`;
      sheet.addRow([{ value: text, style: QUIET_STYLE }]);
    }
    sheet.addRow([]);
    for (const source of new Set(corridors.map(([, each]) => each.source))) {
      const mine = corridors.flatMap(([, each]) => (each.source === source ? [each] : []));
      sheet.addRow(totalCells(source, mine, last));
    }
    sheet.addRow([]);
    for (const value of NOTES) sheet.addRow([{ value, style: QUIET_STYLE }]);
  }

  #begun(
    key: string,
    first: { readonly debit: Money; readonly amount: Money; readonly country: string; readonly rate: string },
  ): Corridor | undefined {
    if (this.#corridors.size >= CORRIDORS_MAX) {
      this.#left += 1;
      return undefined;
    }
    const { country, rate } = first;
    const [source, currency] = [first.debit.currency, first.amount.currency];
    const nothing = {
      count: 0,
      amountMinor: 0n,
      feeMinor: 0n,
      debitMinor: 0n,
      sentMinor: 0n,
      atSendMinor: 0n,
    };
    const corridor = { source, country, currency, ...nothing, lowest: rate, highest: rate };
    this.#corridors.set(key, corridor);
    return corridor;
  }
}

function corridorCells(corridor: Corridor, at: number, lastRow: number): readonly Cell[] {
  const { source, country, currency, count, amountMinor, feeMinor, debitMinor, lowest, highest } = corridor;
  const { letters } = PAYMENTS;
  const criteria = criteriaOf(GROUPS_IN_FORMULA, at, lastRow);
  const isPlain = isPlainName(country);
  const live = (letter: string, money: Money): Cell =>
    isPlain && isExactNumber(money.minor)
      ? calculated(`SUMPRODUCT(SUMIFS(${paymentsRange(letter, lastRow)},${criteria}))`, money)
      : moneyCell(money);
  const counted = { formula: `SUMPRODUCT(COUNTIFS(${criteria}))`, result: count };
  const principal = { minor: debitMinor - feeMinor, currency: source };
  const debit = { minor: debitMinor, currency: source };
  const amount = { minor: amountMinor, currency };
  const isExact = isExactNumber(debitMinor) && isExactNumber(amountMinor);
  return [
    textCell(source),
    textCell(country),
    textCell(currency),
    { value: isPlain ? counted : count, style: COUNT_STYLE },
    live(letters.amount, amount),
    isExact ? calculated(`H${at}-G${at}`, principal) : moneyCell(principal),
    moneyCell({ minor: feeMinor, currency: source }),
    live(letters.debit, debit),
    isExact ? shareCell(at, feeMinor, debitMinor) : textCell(''),
    decimalCell(lowest),
    decimalCell(highest),
    isExact ? wholeRateCell(at, amount, principal) : textCell(''),
    ...sentCells(corridor, at, lastRow),
  ];
}

/** What was sent for certain, as planned and at the rate of sending. */
function sentCells(corridor: Corridor, at: number, lastRow: number): readonly Cell[] {
  const { source, country, sentMinor, atSendMinor } = corridor;
  const money = (minor: bigint): Money => ({ minor, currency: source });
  const share = sentMinor === 0n ? 0 : Number(atSendMinor - sentMinor) / Number(sentMinor);
  if (!isPlainName(country) || !isExactNumber(sentMinor) || !isExactNumber(atSendMinor)) {
    const sums = [sentMinor, atSendMinor, atSendMinor - sentMinor];
    return [...sums.map((minor) => moneyCell(money(minor))), { value: share, style: PERCENT_STYLE }];
  }
  const criteria = criteriaOf(SENT_IN_FORMULA, at, lastRow);
  const live = (letter: string, minor: bigint): Cell =>
    calculated(`SUMPRODUCT(SUMIFS(${paymentsRange(letter, lastRow)},${criteria}))`, money(minor));
  return [
    live(PAYMENTS.letters.debit, sentMinor),
    live(PAYMENTS.letters.debitAtSend, atSendMinor),
    calculated(`ROUND(N${at}-M${at},${decimalsOf(source)})`, money(atSendMinor - sentMinor)),
    { value: { formula: `IF(M${at}=0,0,O${at}/M${at})`, result: share }, style: PERCENT_STYLE },
  ];
}

function criteriaOf(groups: string, at: number, lastRow: number): string {
  const { letters } = PAYMENTS;
  return [
    `${paymentsRange(letters.source, lastRow)},$A${at}`,
    `${paymentsRange(letters.country, lastRow)},$B${at}`,
    `${paymentsRange(letters.currency, lastRow)},$C${at}`,
    `${paymentsRange(letters.group, lastRow)},${groups}`,
  ].join(',');
}

/** A name that a formula would read as a pattern is counted by us alone. */
function isPlainName(country: string): boolean {
  return /^[\p{L}\p{M}\p{N} .,'’()-]+$/u.test(country) && !/^[-.]/.test(country);
}

function shareCell(at: number, feeMinor: bigint, debitMinor: bigint): Cell {
  const result = debitMinor === 0n ? 0 : Number(feeMinor) / Number(debitMinor);
  return { value: { formula: `IF(H${at}=0,0,G${at}/H${at})`, result }, style: PERCENT_STYLE };
}

function wholeRateCell(at: number, amount: Money, principal: Money): Cell {
  const below = numberOf(principal.minor, principal.currency);
  const result = below === 0 ? 0 : numberOf(amount.minor, amount.currency) / below;
  return { value: { formula: `IF(F${at}=0,0,E${at}/F${at})`, result }, style: RATE_STYLE };
}

function totalCells(source: CurrencyCode, corridors: readonly Corridor[], last: number): readonly Cell[] {
  const total = (pick: (corridor: Corridor) => bigint) => ({
    minor: corridors.reduce((sum, corridor) => sum + pick(corridor), 0n),
    currency: source,
  });
  const summed = (letter: string, money: Money): Cell =>
    isExactNumber(money.minor)
      ? calculated(`SUMIFS($${letter}$2:$${letter}$${last},$A$2:$A$${last},"${source}")`, money)
      : moneyCell(money);
  const count = corridors.reduce((sum, corridor) => sum + corridor.count, 0);
  const counted = { formula: `SUMIFS($D$2:$D$${last},$A$2:$A$${last},"${source}")`, result: count };
  return [
    { value: `All from ${source}`, style: BOLD_STYLE },
    textCell(''),
    textCell(''),
    { value: counted, style: COUNT_STYLE },
    textCell(''),
    summed(
      'F',
      total(({ debitMinor, feeMinor }) => debitMinor - feeMinor),
    ),
    summed(
      'G',
      total(({ feeMinor }) => feeMinor),
    ),
    summed(
      'H',
      total(({ debitMinor }) => debitMinor),
    ),
    ...['', '', '', ''].map(textCell),
    summed(
      'M',
      total(({ sentMinor }) => sentMinor),
    ),
    summed(
      'N',
      total(({ atSendMinor }) => atSendMinor),
    ),
    summed(
      'O',
      total(({ sentMinor, atSendMinor }) => atSendMinor - sentMinor),
    ),
  ];
}

function calculated(formula: string, { minor, currency }: Money): Cell {
  return { value: { formula, result: numberOf(minor, currency) }, style: amountStyle(decimalsOf(currency)) };
}
