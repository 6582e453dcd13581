/**
 * A reconciliation as tables that can be filed: the statement, the amounts of each currency, every payment and its lines,
 * every line and what it was matched to, and what is open.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { roundedMoney } from '../money/decimal.ts';
import { formatDecimal, formatMoney, type Money } from '../money/money.ts';
import { counted } from '../text/printable.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import { type DateOrder, readDate } from '../text/written-date.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import { compareByCurrency, type RowComparison } from './comparison.ts';
import { rowText, type StatementEntry } from './entry.ts';
import { findingSums, type RowSum, rowTotals } from './finding-sums.ts';
import {
  balanceName,
  FINDING_WORDS,
  findingText,
  OTHER_WORDS,
  type StatementCompared,
  statementNotes,
  sumLines,
} from './finding-words.ts';
import type { Finding } from './findings.ts';
import type { StatementLine } from './line.ts';
import type { MatchedBy } from './matched-line.ts';

/** undefined: the file name says no format. */
export function reconciliationFormat(path: string): 'xlsx' | 'html' | 'json' | undefined {
  const [, ending = ''] = /\.(xlsx|html|json)$/i.exec(path) ?? [];
  return (['xlsx', 'html', 'json'] as const).find((format) => format === ending.toLowerCase());
}

export type TableCell = string | number | Money | undefined;

export interface ReconciliationTable {
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface ReconciliationFile {
  readonly title: string;
  readonly environment: 'live' | 'sandbox';
  readonly madeAt: Timestamp;
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly notes: readonly string[];
  readonly tables: readonly ReconciliationTable[];
}

/** A line of the statement, whatever it is. */
export interface KeptLine {
  readonly line: StatementLine;
  readonly kind: 'read' | 'repeated' | 'of_other_batch';
}

interface Reconciliation extends StatementCompared {
  readonly fileName: string;
  readonly sha256: string;
  readonly kept: readonly KeptLine[];
}

interface ReconciliationFacts {
  readonly batches: readonly string[];
  readonly environment: 'live' | 'sandbox';
  readonly organization: string;
  readonly by: string;
  readonly madeAt: Timestamp;
}

export function reconciliationFile(
  compared: Reconciliation,
  { batches, environment, organization, by, madeAt }: ReconciliationFacts,
): ReconciliationFile {
  const { span, completeness, sha256, fileName, findings, kept } = compared;
  const [only = '', ...others] = batches;
  const dayOf = (written: string) => isoDay(written, span.order);
  const period = span.first === undefined ? [] : [span.first, span.last ?? span.first].map(dayOf);
  return {
    title: `Reconciliation of ${others.length === 0 ? only : `${batches.length} batches`} with ${fileName}`,
    ...{ environment, madeAt, notes: statementNotes(compared) },
    facts: [
      ...(organization === '' ? [] : [['Organization', organization] as const]),
      ['Result', resultText(compared)],
      ['Statement', fileName],
      ['Period', period.join(' to ')],
      ['Complete by its balances', completeness.kind === 'proven' ? 'yes' : 'not proven'],
      [others.length === 0 ? 'Batch' : 'Batches', batches.join(', ')],
      ['Compared by', by],
      ['Compared at', `${formatTimestamp(madeAt).slice(0, 19).replace('T', ' ')} UTC`],
      ['SHA-256', sha256],
    ],
    tables: [
      sumTable(compared),
      amountTable(findings),
      ...(completeness.kind === 'proven' ? [accountTable(compared)] : []),
      paymentTable(findings),
      lineTable(findings, kept, dayOf),
      openTable(findings),
    ],
  };
}

/** `24 of 26 rows agree with the statement. 2 are open: KES 60,000.00.` */
function resultText({ findings, neverSent }: StatementCompared): string {
  const sums = findingSums(findings, neverSent);
  const abroad = sums.filter(({ kind }) => kind === 'other_currency');
  const open = sums.filter(({ kind }) => !QUIET.includes(kind) && kind !== 'other_currency');
  const count = (some: readonly RowSum[]) => some.reduce((total, { rows }) => total + rows, 0);
  const said = (some: readonly RowSum[], what: string) => {
    const money = rowTotals(some).flatMap(({ sum }) => (sum === undefined ? [] : formatMoney(sum)));
    return count(some) === 0 ? [] : [`${count(some)} ${what}: ${money.join(', ')}.`];
  };
  const agree = count(sums) - count(open) - count(abroad);
  return [
    `${agree} of ${counted(count(sums), 'row')} agree with the statement.`,
    ...said(open, 'to look at or to wait for'),
    ...said(abroad, 'for the statement of another account'),
  ].join(' ');
}

function isoDay(written: string, order: DateOrder): string {
  const date = readDate(written, order);
  return date === undefined ? written : new Date(date.from).toISOString().slice(0, 10);
}

function sumTable(compared: StatementCompared): ReconciliationTable {
  const { parts, totals } = sumLines(compared);
  return {
    name: 'Result',
    heads: ['What', 'Rows', 'Sum', 'Currency', 'Lines'],
    rows: [...parts, ...totals].map(({ what, rows, sum, lines }) => [what, rows, sum, sum?.currency, lines]),
  };
}

function amountTable(findings: readonly Finding[]): ReconciliationTable {
  return {
    name: 'Amounts',
    heads: [
      ...['Currency', 'Payments', 'Statement', 'Charges', 'Booked', 'Difference'],
      ...['Later or on its way', 'Not explained'],
    ],
    rows: compareByCurrency(findings).map(({ currency, rows, ...sums }) => {
      const money = moneyIn(currency);
      const { lines, charges, booked, difference, later, open } = sums;
      return [currency, rows.length, ...[lines, charges, booked, difference, later, open].map(money)];
    }),
  };
}

/** From the opening to the closing balance, for each balance that the statement has. */
function accountTable({ completeness, findings, otherSums }: StatementCompared): ReconciliationTable {
  const compared = compareByCurrency(findings);
  const balances = completeness.kind === 'proven' ? completeness.balances : [];
  const rows = balances.flatMap((balance): (readonly TableCell[])[] => {
    const currency = (balance.currency || compared[0]?.currency) as CurrencyCode | undefined;
    if (currency === undefined) return [];
    const money = (text: string) => roundedMoney(text, currency) ?? { minor: 0n, currency };
    const shown = compared.find((each) => each.currency === currency);
    const others = otherSums.filter((each) => each.currency === '' || each.currency === currency);
    const parts: readonly (readonly [string, bigint])[] = [
      ['Payments of payfile', -(shown?.lines ?? 0n)],
      ['Charges for them', -(shown?.charges ?? 0n)],
      ...others.map(({ what, sum }) => {
        const { minor } = money(sum);
        return [`No payment of payfile: ${OTHER_WORDS[what]}`, what === 'in' ? minor : -minor] as const;
      }),
    ];
    const [opening, closing] = [money(balance.opening).minor, money(balance.closing).minor];
    const rest = closing - opening - parts.reduce((sum, [, minor]) => sum + minor, 0n);
    const steps = [
      ['Opening balance', opening],
      ...parts.filter(([, minor]) => minor !== 0n),
      // Of other batches, or of no amount or direction that is known.
      ...(rest === 0n ? [] : [['All other lines', rest]]),
      ['Closing balance', closing],
    ] as const;
    const account = balanceName({ ...balance, currency: '' as CurrencyCode });
    return steps.map(
      ([what, minor]) =>
        [account, what, { minor: minor as bigint, currency }, currency] as readonly TableCell[],
    );
  });
  return { name: 'Account', heads: ['Account', 'What', 'Amount', 'Currency'], rows };
}

const moneyIn =
  (currency: CurrencyCode) =>
  (minor: bigint): Money => ({ minor, currency });

function paymentTable(findings: readonly Finding[]): ReconciliationTable {
  const compared = new Map<string, RowComparison>();
  for (const { rows } of compareByCurrency(findings))
    for (const row of rows) compared.set(row.entry.payoutId, row);
  const rows = findings.flatMap((finding) => {
    const { entry, kind, lines, by } = finding;
    if (entry === undefined) return [];
    const row = compared.get(entry.payoutId);
    const money = row && moneyIn(row.currency);
    const amounts = row && money && [row.lines, row.charges, row.booked, row.difference].map(money);
    return [
      [
        ...payeeCells(entry),
        ...[entry.tag, entry.amount, entry.amount.currency, entry.status.replace('_', ' ')],
        ...[
          FINDING_WORDS[kind][0],
          numbersOf(lines),
          by === undefined ? '' : BY_WORDS[by],
          row?.currency ?? '',
        ],
        ...(amounts ?? [undefined, undefined, undefined, undefined]),
        row === undefined ? (finding.whyAbsent ?? '') : (row.explanation ?? 'not explained'),
      ],
    ];
  });
  return {
    name: 'Payments',
    heads: [
      ...PAYEE_HEADS,
      ...['Tag', 'Amount', 'Currency', 'Status', 'Result', 'Lines', 'Found by', 'Compared in'],
      ...['Statement', 'Charges', 'Booked', 'Difference', 'Explanation'],
    ],
    rows,
  };
}

const BY_WORDS: Readonly<Record<MatchedBy, string>> = {
  tag: 'tag',
  transfer_id: 'transfer id',
  account: 'account',
  masked_account: 'end of account',
  total: 'total',
};

const PAYEE_HEADS = ['Batch', 'Row', 'Reference', 'Name'];

function payeeCells(entry: StatementEntry | undefined): readonly TableCell[] {
  if (entry === undefined) return [undefined, undefined, undefined, undefined];
  return [entry.batchName, entry.rowNumber, entry.payee?.reference, entry.payee?.name];
}

const numbersOf = (lines: readonly StatementLine[]) => lines.map(({ rowNumber }) => rowNumber).join(', ');

function lineTable(
  findings: readonly Finding[],
  kept: readonly KeptLine[],
  dayOf: (written: string) => string,
): ReconciliationTable {
  const currencies = new Set(compareByCurrency(findings).map(({ currency }) => currency));
  // Lines that name no currency were compared in the only one.
  const [common] = currencies.size === 1 ? currencies : [];
  const matched = new Map<number, { readonly rows: string[]; readonly accounts: string[] }>();
  for (const { kind, entry, lines } of findings)
    for (const { rowNumber } of lines) {
      const of = matched.get(rowNumber) ?? { rows: [], accounts: [] };
      const row = entry === undefined ? 'a tag of no payment' : rowText(entry);
      of.rows.push(`${row}: ${FINDING_WORDS[kind][0]}`);
      if (entry !== undefined) of.accounts.push(entry.account);
      matched.set(rowNumber, of);
    }
  const whose = ({ line, kind }: KeptLine) => {
    if (kind === 'repeated') return 'Repeats an earlier line';
    const of = matched.get(line.rowNumber);
    if (of !== undefined) return of.rows.join('; ');
    return kind === 'of_other_batch' ? 'Another batch' : 'No payment of payfile';
  };
  /** A bank repeats the beneficiary's account in its text. */
  const hidden = ({ rowNumber, account, narration }: StatementLine) => {
    const shown = [
      ...(account === undefined ? [] : [account.text]),
      ...(matched.get(rowNumber)?.accounts ?? []),
    ];
    return withoutEchoes(narration.join(' '), shown.flatMap(echoesOfAccount));
  };
  const directions = { in: 'in', out: 'out', open: 'not known' } as const;
  return {
    name: 'Lines',
    heads: [
      ...['Line', 'Dates', 'Amount', 'Currency', 'Direction', 'Narration', 'Ids', 'Bank reference'],
      ...['Booked', 'Matched to'],
    ],
    rows: kept.map((each) => {
      const { line } = each;
      return [
        ...[line.rowNumber, [...new Set(line.dateTexts.map(dayOf))].join(', ')],
        ...[amountCell(line, common), line.currency ?? ''],
        ...[directions[line.direction], hidden(line), line.ids.join(', '), line.bankReference],
        ...[line.isPending ? 'no' : 'yes', whose(each)],
      ];
    }),
  };
}

/** An amount that was read exactly is a number. */
function amountCell(
  { amounts: [text], amountText, currency }: StatementLine,
  common: CurrencyCode | undefined,
): TableCell {
  const known = (currency as CurrencyCode | undefined) ?? common;
  return (text !== undefined && known !== undefined ? roundedMoney(text, known) : undefined) ?? amountText;
}

const QUIET: readonly Finding['kind'][] = ['matched', 'not_expected'];

function openTable(findings: readonly Finding[]): ReconciliationTable {
  const open = findings.filter(({ kind }) => !QUIET.includes(kind));
  return {
    name: 'Open items',
    heads: [...PAYEE_HEADS, 'Amount', 'Currency', 'Result', 'Lines', 'What to look at'],
    rows: open.map((finding) => {
      const { entry, kind, lines } = finding;
      const amount = entry?.amount;
      const what = FINDING_WORDS[kind][0];
      const result = [amount, amount?.currency ?? '', what, numbersOf(lines), findingText(finding)];
      return [...payeeCells(entry), ...result];
    }),
  };
}

/** For JSON and for pages. */
export function cellText(cell: TableCell): string {
  if (cell === undefined) return '';
  return typeof cell === 'object' ? formatDecimal(cell) : String(cell);
}
