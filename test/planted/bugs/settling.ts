/** Bugs in what becomes of a payment, and in what reports, statements and books say of it. */
import type { PlantedBug } from '../planted-bug.ts';

const SOMEBODY_ELSES = 'test/use-cases/somebody-elses.test.ts';
const SETTLE = 'src/use-cases/settle/settle-batch.ts';
const SETTLING = 'test/use-cases/settling.test.ts';
const POLL = 'src/domain/payouts/service-status.ts';
const WORDS = 'test/domain/settling-words.test.ts';
const REPORT = 'src/use-cases/report/report-batch.ts';
const GUARDS = 'test/guards.test.ts';
const SENT = 'src/adapters/ledger/reports/sent-payouts.ts';
const MONTHS = 'test/use-cases/months.test.ts';

export const SETTLING_BUGS: readonly PlantedBug[] = [
  {
    id: 'somebody-elses-settles',
    bug: 'A row is settled by a transaction of which amount, receiver and institution are somebody else’s.',
    file: 'src/use-cases/settle/raise-incident.ts',
    find: '  if (isAnotherPayment(payout.instruction, payout.state.pricing, seen))',
    replace:
      '  if (isAnotherPayment(payout.instruction, payout.state.pricing, seen) && seen.id === undefined)',
    caughtBy: [{ test: SOMEBODY_ELSES, title: 'settles nothing: the row stays on its way' }],
  },
  {
    id: 'second-name-not-defended',
    bug: 'A transfer that one row has under its second name is taken for another row, too.',
    file: 'src/adapters/ledger/payouts/moves.ts',
    find: "  if (names.some((name) => holderOf(sql, name, id) !== undefined)) return 'transfer_id';\n",
    replace: '  void names;\n',
    caughtBy: [{ test: SOMEBODY_ELSES, title: 'is refused to a new transfer as well' }],
  },
  {
    id: 'poll-error-is-failed',
    mustCatch: 'poll_error_is_failed',
    bug: 'A question about a status that got no answer ends the row as failed.',
    file: SETTLE,
    find: "asked.kind === 'answered' ? eventOf(payout, asked.answer, ports) : undefined;",
    replace:
      "asked.kind === 'answered' ? eventOf(payout, asked.answer, ports) : ({ kind: 'fail', serviceStatus: 'error', discrepancies: [], at: ports.clock.now() } as const);",
    caughtBy: [{ test: SETTLING, title: 'keeps its state when the service does not answer' }],
  },
  {
    id: 'one-failure-word-is-enough',
    bug: 'A failure word that comes once ends the row.',
    file: POLL,
    find: "  if (!isSame || state.suspicion === undefined) return { kind: 'suspect', ...facts };",
    replace: "  if (!isSame || state.suspicion === undefined) return { kind: 'fail', ...facts };",
    caughtBy: [
      { test: SETTLING, title: 'makes no failure until it has come twice, ten minutes apart' },
      { test: WORDS, title: 'starts anew when another failure word comes' },
    ],
  },
  {
    id: 'incident-unsaid',
    bug: 'A payment that failed and then finished is recorded and mentioned nowhere.',
    file: SETTLE,
    find: "  return { kind: 'incident', status: state.status };",
    replace: "  return { kind: 'looked', status: state.status };",
    caughtBy: [{ test: SETTLING, title: 'is an incident that the run names' }],
  },
  {
    id: 'failures-not-watched',
    bug: 'A payment that the service called failed is not looked at any more.',
    file: SETTLE,
    find: '  failWatchMs = daysMs(policy.failWatchDays),',
    replace: '  failWatchMs = daysMs(Math.min(0, policy.failWatchDays)),',
    caughtBy: [{ test: SETTLING, title: 'is an incident that the run names' }],
  },
  {
    id: 'report-from-memory',
    mustCatch: 'report_from_memory',
    bug: 'A report repeats what this process read the first time instead of asking the ledger.',
    file: REPORT,
    find: '  return writeReport(\n    ledger.reportRows(id),',
    replace: [
      '  const known = REMEMBERED.get(header.batch.id) ?? [];',
      '  if (known.length === 0) for await (const page of ledger.reportRows(header.batch.id)) known.push(page);',
      '  REMEMBERED.set(header.batch.id, known);',
      '  const rows = (async function* () {',
      '    yield* known;',
      '  })();',
      '  return writeReport(',
      '    rows,',
    ].join('\n'),
    also: [
      {
        file: REPORT,
        find: '/** Opens the target and writes the batch',
        replace:
          'const REMEMBERED = new Map<string, (readonly ReportRow[])[]>();\n\n/** Opens the target and writes the batch',
      },
    ],
    caughtBy: [{ test: GUARDS, title: 'reports what the ledger holds now, not what it held before' }],
  },
  {
    id: 'totals-always-tie',
    bug: 'The control totals tie whatever the lines say.',
    file: REPORT,
    find: '    const { linesOut: lines, ties, parts } = totals;',
    replace:
      '    const { linesOut: lines } = totals;\n    const [ties, parts]: [boolean, string[]] = [true, []];',
    caughtBy: [
      {
        test: 'test/use-cases/report-batch.test.ts',
        title: 'names a difference of a batch that did not move',
      },
    ],
  },
  {
    id: 'doubt-ends-with-three',
    bug: 'A row in doubt ends a run like any other exception.',
    file: 'src/domain/batches/batch.ts',
    find: "  if (any('in_doubt', 'sending')) return [5, 'in_doubt'];",
    replace: "  if (any('in_doubt', 'sending')) return [3, 'in_doubt'];",
    caughtBy: [{ test: 'test/journeys/exit-codes.test.ts', title: '[B10]' }],
  },
  {
    id: 'extra-line-overlooked',
    bug: 'A second line of a statement for one payment is overlooked.',
    file: 'src/domain/statement/match.ts',
    find: 'LINES_KEPT = 10',
    replace: 'LINES_KEPT = 1',
    caughtBy: [{ test: 'test/domain/statement-judging.test.ts', title: '[N21]' }],
  },
  {
    id: 'id-in-capitals-alone',
    bug: 'A line with an id in capitals is another row’s, whatever amount it shows: the row in doubt is called unpaid.',
    file: 'src/domain/statement/match.ts',
    find: '(id.length >= NUMBER_ID_MIN && amountFits(entry, line))',
    replace: '(id.length >= NUMBER_ID_MIN && (/\\D/.test(id) || amountFits(entry, line)))',
    caughtBy: [
      {
        test: 'test/domain/statement-beside.test.ts',
        title: 'in capitals takes no line away from a row in doubt',
      },
    ],
  },
  {
    id: 'booked-next-day',
    bug: 'A statement that ends a day after a request proves that it was not paid.',
    file: 'src/domain/statement/dates.ts',
    find: 'BOOKING_DAYS = 4',
    replace: 'BOOKING_DAYS = 1',
    caughtBy: [
      {
        test: 'test/domain/statement-judging.test.ts',
        title: 'is not called unpaid by a statement that ends on',
      },
    ],
  },
  {
    id: 'sandbox-book-believed-live',
    bug: 'A line as the sandbox’s book ends with makes any statement whole.',
    file: 'src/use-cases/reconcile/read-statement.ts',
    find: 'line.bookEnd !== undefined && line.bookEnd === ownBookEnd',
    replace: 'line.bookEnd !== undefined && line.bookEnd.length > (ownBookEnd ?? "").length - 99',
    caughtBy: [
      {
        test: 'test/use-cases/reconciling-lines.test.ts',
        title: 'the last line of the sandbox’s book is believed in its own ledger alone',
      },
    ],
  },
  {
    id: 'replaced-payment-unbooked',
    bug: 'A payment that came back and was paid again is in no Journal any more.',
    file: SENT,
    find: '    yield withEvents(sql, payoutsOf(rows, routes), false);',
    replace: '    yield [];',
    caughtBy: [
      { test: MONTHS, title: 'books what happened in May, the same in June and in July' },
      { test: MONTHS, title: 'ties whenever it is made' },
    ],
  },
  {
    id: 'day-credits-misplaced',
    bug: 'The journal by day books credits to the account of the debits.',
    file: 'src/domain/reporting/journal.ts',
    find: '    const role = roles[side];',
    replace: '    const role = roles.debit;',
    caughtBy: [
      {
        test: 'test/adapters/files/report/journal-report.test.ts',
        title: 'comes to the same as the entries, day by day',
      },
    ],
  },
];
