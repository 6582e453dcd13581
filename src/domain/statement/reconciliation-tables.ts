/**
 * A reconciliation as tables that can be filed: the statement, the amounts of each currency, every payment and its lines,
 * every line and what it was matched to, and what is open.
 */
import type { CurrencyCode } from '../money/currency.ts';
import { formatDecimal, type Money } from '../money/money.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import { compareByCurrency, type RowComparison } from './comparison.ts';
import {
  balanceName,
  FINDING_WORDS,
  findingText,
  type StatementCompared,
  statementNotes,
} from './finding-words.ts';
import type { Finding } from './findings.ts';
import type { StatementLine } from './line.ts';

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
  readonly batch: string;
  readonly environment: 'live' | 'sandbox';
  readonly by: string;
  readonly madeAt: Timestamp;
}

export function reconciliationFile(
  compared: Reconciliation,
  { batch, environment, by, madeAt }: ReconciliationFacts,
): ReconciliationFile {
  const { span, completeness, sha256, fileName, findings, kept } = compared;
  const balances = completeness.kind === 'proven' ? completeness.balances : [];
  return {
    title: `Reconciliation of ${batch} with ${fileName}`,
    ...{ environment, madeAt, notes: statementNotes(compared) },
    facts: [
      ['Statement', fileName],
      ['SHA-256', sha256],
      ['Period', span.first === undefined ? '' : `${span.first} to ${span.last ?? span.first}`],
      ...balances.flatMap((balance) => {
        const name = balanceName(balance);
        return [
          [`Opening balance ${name}`.trim(), balance.opening],
          [`Closing balance ${name}`.trim(), balance.closing],
        ] as const;
      }),
      ['Complete by its balances', completeness.kind === 'proven' ? 'yes' : 'not proven'],
      ['Batch', batch],
      ['Compared by', by],
      ['Compared at', `${formatTimestamp(madeAt).slice(0, 19).replace('T', ' ')} UTC`],
    ],
    tables: [amountTable(findings), paymentTable(findings), lineTable(findings, kept), openTable(findings)],
  };
}

function amountTable(findings: readonly Finding[]): ReconciliationTable {
  return {
    name: 'Amounts',
    heads: ['Currency', 'Payments', 'Statement', 'Charges', 'Booked', 'Difference', 'Not explained'],
    rows: compareByCurrency(findings).map(({ currency, rows, ...sums }) => {
      const money = moneyIn(currency);
      const { lines, charges, booked, difference, open } = sums;
      return [currency, rows.length, ...[lines, charges, booked, difference, open].map(money)];
    }),
  };
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
        ...[entry.rowNumber, entry.tag, entry.amount, entry.amount.currency, entry.status],
        ...[FINDING_WORDS[kind][0], numbersOf(lines), by ?? '', row?.currency ?? ''],
        ...(amounts ?? [undefined, undefined, undefined, undefined]),
        row === undefined ? '' : (row.explanation ?? 'not explained'),
      ],
    ];
  });
  return {
    name: 'Payments',
    heads: [
      ...['Row', 'Tag', 'Amount', 'Currency', 'Status', 'Result', 'Lines', 'Found by', 'Compared in'],
      ...['Statement', 'Charges', 'Booked', 'Difference', 'Explanation'],
    ],
    rows,
  };
}

const numbersOf = (lines: readonly StatementLine[]) => lines.map(({ rowNumber }) => rowNumber).join(', ');

function lineTable(findings: readonly Finding[], kept: readonly KeptLine[]): ReconciliationTable {
  const matched = new Map<number, { readonly rows: string[]; readonly accounts: string[] }>();
  for (const { kind, entry, lines } of findings)
    for (const { rowNumber } of lines) {
      const of = matched.get(rowNumber) ?? { rows: [], accounts: [] };
      const row = entry === undefined ? 'a tag of no payment' : `row ${entry.rowNumber}`;
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
        ...[line.rowNumber, line.dateTexts.join(', '), line.amountText, line.currency ?? ''],
        ...[directions[line.direction], hidden(line), line.ids.join(', '), line.bankReference],
        ...[line.isPending ? 'no' : 'yes', whose(each)],
      ];
    }),
  };
}

const QUIET: readonly Finding['kind'][] = ['matched', 'not_expected'];

function openTable(findings: readonly Finding[]): ReconciliationTable {
  const open = findings.filter(({ kind }) => !QUIET.includes(kind));
  return {
    name: 'Open items',
    heads: ['Row', 'Amount', 'Currency', 'Result', 'Lines', 'What to look at'],
    rows: open.map((finding) => {
      const { entry, kind, lines } = finding;
      const amount = entry?.amount;
      const what = FINDING_WORDS[kind][0];
      return [entry?.rowNumber, amount, amount?.currency ?? '', what, numbersOf(lines), findingText(finding)];
    }),
  };
}

/** For JSON and for pages. */
export function cellText(cell: TableCell): string {
  if (cell === undefined) return '';
  return typeof cell === 'object' ? formatDecimal(cell) : String(cell);
}
