/** Bugs in what becomes of accepted transfers, and in what the reports say of them. */
import type { PlantedBug } from '../planted-bug.ts';

const SOMEBODY_ELSES = 'test/application/somebody-elses.test.ts';
const SETTLE = 'src/application/settle-batch.ts';
const POLL = 'src/domain/poll-answer.ts';
const REPORT = 'src/application/report-batch.ts';
const TOTALS = 'src/domain/control-totals.ts';
const DEBITS = 'src/domain/report-debits.ts';
const DIFFERENCES = 'src/domain/discrepancies.ts';
const RATES = 'src/application/check-rates.ts';
const WRITE = 'src/adapters/files/write-report-file.ts';
const HARMLESS = 'src/adapters/files/harmless-text.ts';
const SETTLING = 'test/application/settling.test.ts';
const WORDS = 'test/domain/settling-words.test.ts';
const TOTALS_TEST = 'test/domain/control-totals.test.ts';
const DEBITS_TEST = 'test/domain/report-debits.test.ts';
const WRITE_TEST = 'test/adapters/files/report/write-report-file.test.ts';
const GUARDS = 'test/planted/guards.test.ts';

export const SETTLING_BUGS: readonly PlantedBug[] = [
  {
    id: 'somebody-elses-settles',
    bug: 'A row is settled by a transaction of which amount, receiver and institution are somebody else’s.',
    file: 'src/application/foreign-answer.ts',
    find: '  if (isAnotherPayment(payout.instruction, payout.state.pricing, seen))',
    replace:
      '  if (isAnotherPayment(payout.instruction, payout.state.pricing, seen) && seen.id === undefined)',
    caughtBy: [{ test: SOMEBODY_ELSES, title: 'settles nothing: the row stays on its way' }],
  },
  {
    id: 'somebody-elses-proves',
    bug: 'Somebody else’s transaction proves the first transfer of a ledger.',
    file: 'src/application/first-transfer.ts',
    find: '(await foreignTo(payout, asked.answer, world)) === undefined',
    replace: 'foreignTo !== undefined',
    caughtBy: [{ test: SOMEBODY_ELSES, title: 'does not prove the first transfer' }],
  },
  {
    id: 'second-name-not-defended',
    bug: 'A transfer that one row has under its second name is taken for another row, too.',
    file: 'src/adapters/ledger/moves-sql.ts',
    find: "  if (names.some((name) => holderOf(sql, name, id) !== undefined)) return 'transfer_id';\n",
    replace: '  void names;\n',
    caughtBy: [{ test: SOMEBODY_ELSES, title: 'is refused to a new transfer as well' }],
  },
  {
    id: 'poll-error-is-failed',
    mustCatch: 'poll_error_is_failed',
    bug: 'A question about a status that got no answer ends the row as failed.',
    file: SETTLE,
    find: "asked.kind === 'answered' ? eventOf(payout, asked.answer, world) : undefined;",
    replace:
      "asked.kind === 'answered' ? eventOf(payout, asked.answer, world) : ({ kind: 'fail', serviceStatus: 'error', discrepancies: [], at: world.clock.now() } as const);",
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
    id: 'failure-confirmed-at-once',
    bug: 'Two failure words a second apart are enough.',
    file: POLL,
    find: '  return facts.at - state.suspicion.firstAt >= words.failConfirmMs ?',
    replace: '  return facts.at - state.suspicion.firstAt >= 0 ?',
    caughtBy: [{ test: WORDS, title: 'counts only when it comes again ten minutes later' }],
  },
  {
    id: 'unknown-word-is-failed',
    bug: 'A status word that nobody knows is a failure.',
    file: POLL,
    find: "  return 'pending';",
    replace: "  return 'failed';",
    caughtBy: [{ test: WORDS, title: 'a transfer that is on its way' }],
  },
  {
    id: 'settled-goes-back',
    bug: 'A settled row follows any word that comes later.',
    file: POLL,
    find: "  if (state.status === 'settled') return undefined;\n",
    replace: '',
    caughtBy: [{ test: WORDS, title: 'sees a settled payment come back, and nothing else' }],
  },
  {
    id: 'returned-not-seen',
    bug: 'A payment that came back stays on its way.',
    file: POLL,
    find: "  if (word === 'returned') return { kind: 'return', ...facts };\n",
    replace: '',
    caughtBy: [{ test: SETTLING, title: 'ends as returned when the service says that it came back' }],
  },
  {
    id: 'deadline-is-a-failure',
    bug: 'A row that is not final at the deadline is called failed.',
    file: SETTLE,
    find: '    if (clock.monotonicMs() >= endMs) break;',
    replace: [
      '    if (clock.monotonicMs() >= endMs) {',
      "      for await (const page of ledger.payouts(batchId, { statuses: ['accepted'] }))",
      "        for (const payout of page) await recordEvent(payout, { kind: 'fail', serviceStatus: 'too late', discrepancies: [], at: clock.now() }, world);",
      '      break;',
      '    }',
    ].join('\n'),
    caughtBy: [{ test: SETTLING, title: 'stays on its way at the deadline, which is no failure' }],
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
    id: 'unanswered-watch-waits',
    bug: 'A settled row that could not be asked is not looked at again for up to a day.',
    file: SETTLE,
    find: "  if (state.status === 'settled' && asked.kind !== 'answered')",
    replace: "  if (state.status === 'settled' && asked.kind !== 'answered' && policy.pollMaxMs < 0)",
    caughtBy: [{ test: SETTLING, title: '[E10] is due again in minutes: a service that was away' }],
  },
  {
    id: 'unseen-rows-uncounted',
    bug: 'A watch that asked nobody says that nothing changed.',
    file: SETTLE,
    find: '    else if (isFinal && signal?.aborted !== true) unanswered += 1;',
    replace: '    else if (isFinal && signal?.aborted !== true) answered += 1;',
    caughtBy: [{ test: SETTLING, title: '[E10] is due again in minutes: a service that was away' }],
  },
  {
    id: 'difference-overlooked',
    bug: 'A transaction over another amount is no discrepancy.',
    file: SETTLE,
    find: 'const discrepancies = discrepanciesOf(payout.instruction, payout.state.pricing, seen);',
    replace: 'const discrepancies: string[] = [];\n  void discrepanciesOf;',
    caughtBy: [{ test: SETTLING, title: 'carries differences into the report and settles all the same' }],
  },
  {
    id: 'moved-rate-sent',
    bug: 'A rate that moved against the payer is paid without another approval.',
    file: RATES,
    find: '    if (rise > policy.driftPercent) {',
    replace: '    if (rise > policy.driftPercent + 1_000_000) {',
    caughtBy: [
      { test: 'test/application/sending.test.ts', title: 'is asked for once more when the rate moved' },
    ],
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
    id: 'debits-always-tie',
    bug: 'Debits that a report lost do not keep its control totals from tying.',
    file: DEBITS,
    find: '  if (parts.length === 0) return totals;',
    replace: '  if (parts.length >= 0) return totals;',
    caughtBy: [
      { test: DEBITS_TEST, title: 'says where ledger and report part, and then nothing ties any more' },
    ],
  },
  {
    id: 'totals-always-tie',
    bug: 'The control totals tie whatever the lines say.',
    file: REPORT,
    find: '    const { linesOut: lines, ties, parts } = totals;',
    replace:
      '    const { linesOut: lines } = totals;\n    const [ties, parts]: [boolean, string[]] = [true, []];',
    caughtBy: [
      { test: 'test/application/report-batch.test.ts', title: 'tells that the batch was being worked on' },
    ],
  },
  {
    id: 'sending-is-unsent',
    bug: 'A row on the wire counts as not yet sent.',
    file: TOTALS,
    find: "  sending: 'in_doubt',",
    replace: "  sending: 'not_yet_sent',",
    caughtBy: [{ test: TOTALS_TEST, title: 'puts every status into exactly one group' }],
  },
  {
    id: 'any-amount-fits',
    bug: 'Any amount of a transaction is taken for the right one.',
    file: DIFFERENCES,
    find: '  if (isEqual) return [];',
    replace: '  if (isEqual || seen.length > 0) return [];',
    caughtBy: [{ test: 'test/domain/differences.test.ts', title: 'a transaction' }],
  },
  {
    id: 'fee-cut-off',
    bug: 'A fee is cut off instead of rounded.',
    file: 'src/domain/decimal.ts',
    find: 'value.toFixed(decimals, Big.roundHalfUp)',
    replace: 'value.toFixed(decimals, Big.roundDown)',
    caughtBy: [{ test: 'test/domain/debit.test.ts', title: '[E16]' }],
  },
  {
    id: 'report-says-when',
    bug: 'A report says of each row when it was written.',
    file: 'src/adapters/files/csv-report.ts',
    find: 'record.push(line.texts[column]);',
    replace: "record.push(line.texts[column] + (column === 'reason' ? performance.now() : ''));",
    caughtBy: [{ test: 'test/adapters/files/report/csv-report.test.ts', title: '[L38]' }],
  },
  {
    id: 'doubt-ends-with-three',
    bug: 'A row in doubt ends a run like any other exception.',
    file: 'src/domain/batch-outcome.ts',
    find: "  if (any('in_doubt', 'sending')) return [5, 'in_doubt'];",
    replace: "  if (any('in_doubt', 'sending')) return [3, 'in_doubt'];",
    caughtBy: [{ test: 'test/journeys/exit-codes.test.ts', title: '[B10]' }],
  },
  {
    id: 'extra-line-overlooked',
    bug: 'A second line of a statement for one payment is overlooked.',
    file: 'src/domain/statement-match.ts',
    find: 'LINES_KEPT = 10',
    replace: 'LINES_KEPT = 1',
    caughtBy: [{ test: 'test/application/reconciling.test.ts', title: '[N21]' }],
  },
  {
    id: 'second-payment-called-fee',
    bug: 'Any smaller line that names a payment passes for a fee, a second payment at a lower rate too.',
    file: 'src/domain/statement-entry.ts',
    find: 'return seen * 2n <= whole;',
    replace: 'return seen < whole;',
    caughtBy: [{ test: 'test/domain/statement-judging.test.ts', title: 'a debit at a lower rate: twice' }],
  },
  {
    id: 'fee-of-return-overlooked',
    bug: 'A fee for a return beside a payment does not keep --accept from ruling that it was paid.',
    file: 'src/domain/statement-judge.ts',
    find: 'finding.weakness !== undefined || speaking === undefined',
    replace: 'finding.weakness === undefined || speaking === undefined',
    caughtBy: [
      {
        test: 'test/domain/statement-judging.test.ts',
        title: 'lets a person rule where it speaks of a return',
      },
    ],
  },
  {
    id: 'booked-next-day',
    bug: 'A statement that ends a day after a request proves that it was not paid.',
    file: 'src/domain/attempt-window.ts',
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
    id: 'report-seen-half',
    bug: 'A report is written under its own name from the first byte.',
    file: WRITE,
    find: '  const temporary = join(dirname(target), ',
    replace: '  const temporary = ((_folder: string, _name: string) => target)(dirname(target), ',
    also: [
      { file: WRITE, find: "open(temporary, 'wx', OWNER_ONLY)", replace: "open(temporary, 'w', OWNER_ONLY)" },
    ],
    caughtBy: [
      { test: WRITE_TEST, title: 'shows nothing under the name until the report is whole' },
      { test: WRITE_TEST, title: 'leaves what stood there, and nothing else, when it is given up' },
    ],
  },
  {
    id: 'formula-in-report',
    bug: 'Text that a spreadsheet takes for a formula is written as it is.',
    file: HARMLESS,
    find: '(FORMULA_LIKE.test(text) && !PLAIN_NUMBER.test(text))',
    replace: '(FORMULA_LIKE.test(text) && PLAIN_NUMBER.test(text) && text.length < 0)',
    caughtBy: [
      { test: 'test/adapters/files/report/csv-report.test.ts', title: 'starts no formula in a spreadsheet' },
    ],
  },
];
