/**
 * The sheet Read me: what each sheet is, what each status means, how to check that nothing is missing, and how the
 * numbers are written.
 */
import { STATE_SENTENCE, STATUSES, type Status } from '../../../domain/payouts/payout.ts';
import type { ReportHeader } from '../../../domain/reporting/report.ts';
import { rowLabel } from '../../../domain/reporting/row-label.ts';
import { type Column, column } from '../../../views/table-columns.ts';
import { CONTROL } from './control-sheet.ts';
import { DECISIONS } from './decisions-sheet.ts';
import { CORRECTED_INPUT_NAME, INPUT_NAME } from './input-sheet.ts';
import { ACCOUNTS, JOURNAL } from './journal-sheet.ts';
import { EXCEPTIONS_NAME, PAYMENTS_NAME } from './payments-sheet.ts';
import { addRows, BLANK, rows, table } from './sheet.ts';
import { HEADING_STYLE } from './styles.ts';
import { SUMMARY } from './summary-sheet.ts';
import type { Sheet } from './xlsx-workbook.ts';

export const READ_ME = { name: 'Read me', widths: [26, 100] } as const;

const SHEETS: ReadonlyMap<string, string> = new Map([
  [
    SUMMARY.name,
    'The outcome in one sentence, what to look at, the money by currency and by corridor, and the sources.',
  ],
  [PAYMENTS_NAME, 'Every row of the file exactly once, in its order. Filter by Status or Counted as.'],
  [
    EXCEPTIONS_NAME,
    'What a person has to look at, the gravest first, each with what to do. Owner, Due and Note are yours.',
  ],
  [
    CONTROL.name,
    'Proof that nothing is missing. It compares the ledger, this report and the Journal, and the agreed debit with the debit sent. Every check says “ties”, or “differs by” and the difference.',
  ],
  [
    JOURNAL.name,
    'Double entry for your accounting program: one debit and one credit line for each event of a payment (sent, its fee, finished, doubt ended, failed, returned), on its own day, also of payments that were paid again since. In a report over days: of what is dated in them, and nothing else.',
  ],
  [
    ACCOUNTS.name,
    'Your account codes and names. Write them there once; every line of the Journal uses them.',
  ],
  [
    DECISIONS.name,
    'Who read, approved, released, withdrew, ruled or paid again, when and why; pauses and incidents.',
  ],
  [INPUT_NAME, 'Your own rows and columns, as they were read.'],
  [
    CORRECTED_INPUT_NAME,
    'Your own rows and columns, as they were read: with the cells that people corrected. “Decisions and audit” says what stood there in the file.',
  ],
]);

const CHECKS: readonly (readonly [string, string])[] = [
  ['Is everything here?', `${CONTROL.name}, cell B2, says “ties”.`],
  [
    'Is it this file?',
    'Summary shows the SHA-256 of the file that was read; compare it with your own copy’s. The digest of the rows is the same for the same rows in another format or order.',
  ],
  [
    'Is it what was approved?',
    `${DECISIONS.name} names each approved plan by its digest. Compare it with the digest of the plan that the approver saw. It is never the digest of the rows: it covers what was to be sent, names, costs and releases.`,
  ],
  [
    'Was anything changed later?',
    'payfile verify proves the ledger; Decisions and audit shows where it stood.',
  ],
];

/** Where a report is about days instead of a file. */
const SHEETS_OF_DAYS: ReadonlyMap<string, string> = new Map([
  [
    PAYMENTS_NAME,
    'Every row that was paid or tried in these days, exactly once, batch by batch. Filter by Batch, Status or Counted as.',
  ],
]);

const CHECKS_OF_DAYS: readonly (readonly [string, string])[] = [
  ...CHECKS.slice(0, 1),
  [
    'Which rows are not here?',
    `${SUMMARY.name} names the rows of these batches that are not in this report, and why; ${CONTROL.name} counts them per batch.`,
  ],
  [
    'Are these the right files?',
    'A report of one batch shows the SHA-256 of its file and the digests of its approved plans: payfile report BATCH -o FILE.',
  ],
  ...CHECKS.slice(3),
];

const RULES: readonly (readonly [string, string])[] = [
  [
    'In doubt',
    'The request went out and its outcome is not known. It is not sent again by anyone but you: look at your dashboard or bank statement first, then rule on the row. The Journal books it against suspense, and the day of the ruling books it out.',
  ],
  [
    'Incident',
    'A payment that was called failed, or ruled not paid, and turned out to be paid. The Journal books it on the day that this was found, as “Paid after all”; where the row was paid again meanwhile, both payments stand there.',
  ],
  [
    'Amounts',
    'Numbers, in their currency’s decimals; the currency is in its own column. Very large ones are text.',
  ],
  [
    'Rate and debit',
    'As quoted. The rate is units of the currency paid out per unit of the currency that pays; debit = amount ÷ rate + fee, rounded half up.',
  ],
  [
    'Debit when sent',
    'The same at the rate of sending, which differs only where a quote had become old. Only your account’s statement shows what was really debited: the service does not report it.',
  ],
  [
    'Voucher',
    'Identifies a pair of the Journal: the tag of the payment and the number of the pair. A later report gives the same day, amounts and voucher; later events add pairs.',
  ],
  ['Times', 'UTC everywhere.'],
  ['Accounts', 'Masked to the last four characters unless the report was made with --full-accounts.'],
  [
    'Odd characters',
    'Text is never a formula here. A control character is shown by its name, such as \\u001b.',
  ],
];

interface Explained {
  readonly name: string;
  readonly text: string;
}

function meaning<Line>(value: (line: Line) => string): Column<Line> {
  return column.words('What it means', value, { width: READ_ME.widths[1] });
}

export function writeReadMe(
  sheet: Sheet,
  order: readonly string[],
  { period }: Pick<ReportHeader, 'period'>,
): void {
  const sheets = period === undefined ? SHEETS : new Map([...SHEETS, ...SHEETS_OF_DAYS]);
  const part = (header: string, explained: readonly (readonly [string, string])[]) => {
    const name: Column<Explained> = column.plain(header, (line) => line.name);
    const lines = explained.map(([name, text]) => ({ name, text }));
    return [BLANK, table({ columns: [name, meaning<Explained>(({ text }) => text)], lines })];
  };
  const status: Column<Status> = column.status('Status', (line) => rowLabel(line, {}));
  const blocks = [
    rows([{ value: 'What this workbook is', style: HEADING_STYLE }]),
    ...part(
      'Sheet',
      order.filter((name) => sheets.has(name)).map((name) => [name, sheets.get(name) ?? '']),
    ),
    BLANK,
    table({ columns: [status, meaning<Status>((line) => STATE_SENTENCE[line])], lines: STATUSES }),
    ...part('How to check', period === undefined ? CHECKS : CHECKS_OF_DAYS),
    ...part('Good to know', RULES),
  ];
  addRows(sheet, blocks.flat());
}
