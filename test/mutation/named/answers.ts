/** Mistakes in reading an answer to a transfer, an answer to a look-up, or a statement. Also mistakes in reports. */
import { argument, condition, inSql, literal, property, returning, returns, valued } from '../changes.ts';
import { andAlso, mutation, type NamedMutation } from '../named-mutation.ts';

const POST = 'src/service/post-transfer.ts';
const TABLE = 'src/service/outcome-of-answer.ts';
const SETTLE = 'src/use-cases/settle/settle-batch.ts';
const MOVES = 'src/ledger/moves.ts';
const MOVES_TEST = 'test/ledger/moves.test.ts';
const BATCH = 'src/domain/batches/batch.ts';
const WIRE = 'test/service/transfer-wire.test.ts';
const OUTCOME = 'test/service/outcome-of-answer.test.ts';
const SETTLING = 'test/use-cases/settling.test.ts';
const SOMEBODY_ELSES = 'test/use-cases/somebody-elses.test.ts';

export const ANSWER_MUTATIONS: readonly NamedMutation[] = [
  mutation(
    'cut-off-is-unsent',
    'A request without an answer counts as a request that never left.',
    [POST, 'postTransfer.noAnswer', condition('phase ready', 'true')],
    [WIRE, 'nothing, then a reset'],
    [WIRE, 'nothing for ever'],
  ),
  mutation(
    'cut-answer-is-whole',
    'An answer counts as whole although only the end of its connection ends it.',
    [POST, 'isFramed', returns('true')],
    [WIRE, 'a whole body that only the end closes'],
  ),
  mutation(
    'gateway-error-is-refused',
    'An answer with status 502 counts as a refusal by the service.',
    [TABLE, 'isConclusive', literal(499, 599)],
    ['test/service/every-answer.test.ts', 'means what the contract says'],
  ),
  mutation(
    'empty-code-is-zero',
    'An empty code counts as zero, and the transfer as accepted.',
    ['src/contract/wire.ts', 'isZeroCode', returns('Number(code) === 0')],
    ['test/contract/envelope.test.ts', 'the code'],
    [OUTCOME, 'a transfer is accepted only when the service says so and names it'],
  ),
  mutation(
    'long-id-rounded',
    'A long numeric transfer id loses its last digits.',
    [
      'src/contract/exact-json.ts',
      'withNumberTexts',
      returning('NumberText', 'new NumberText(String(Number(value)))'),
    ],
    ['test/contract/exact-json.test.ts', 'keeps every digit of every number'],
    ['test/service/every-answer.test.ts', 'keeps every digit of an id'],
  ),
  mutation(
    'day-read-as-month',
    'The day of a date of the service is read as its month.',
    ['src/contract/wire-date.ts', 'parseStamp', argument('UTC', 1, 'day - 1')],
    ['test/contract/wire-date.test.ts', 'of every day from 2024 to 2040 puts the day first'],
  ),
  mutation(
    'unpaid-by-somebody-elses',
    "A word about another person's transfer makes a payment payable again.",
    ['src/domain/payouts/shown.ts', 'unprovenBy', returning('unprovenFields', '[]')],
    [SOMEBODY_ELSES, 'a failure or a return does not count'],
  ),
  andAlso(
    andAlso(
      mutation(
        'second-id-not-defended',
        'One transfer stands for two rows, under its two ids.',
        ['src/ledger/begin.ts', 'apply', condition('known holderOf', 'false')],
        ['test/use-cases/other-ids.test.ts', 'is refused to a new transfer as well'],
        [MOVES_TEST, 'gives a transfer to one of two that name it in one statement, by either of its names'],
      ),
      [MOVES, 'NAMED', inSql('o.other_id = m.transfer', '1 = 2')],
    ),
    [MOVES, 'NAMED', inSql('o.transfer_id = m.other', '1 = 2')],
  ),
  mutation(
    'no-answer-is-failed',
    'A look-up without an answer makes a row failed.',
    [
      SETTLE,
      'lookOnce.event',
      valued(
        "asked.kind === 'answered' ? eventOf(payout, asked.answer, ports) : { kind: 'fail' as const, serviceStatus: 'error', discrepancies: [], at: ports.clock.now() }",
      ),
    ],
    [SETTLING, 'keeps its state when the service does not answer'],
  ),
  mutation(
    'one-failure-word-is-enough',
    'A single failure word of the service makes a row payable again.',
    [
      'src/domain/payouts/service-status.ts',
      'afterUnpaidWord',
      returning('suspect', "{ kind: 'fail', ...facts }"),
    ],
    [SETTLING, 'makes no failure until it has come twice, ten minutes apart'],
  ),
  mutation(
    'incident-not-named',
    'A run does not name a payment that failed first and was paid after all.',
    [SETTLE, 'lookOnce', literal('incident', 'looked')],
    [SETTLING, 'is an incident that the run names'],
  ),
  mutation(
    'failures-not-watched',
    'A payment that the service called failed is never looked up again.',
    [SETTLE, 'isWatched', returning('endedAt days', 'false')],
    [SETTLING, 'is an incident that the run names'],
  ),
  mutation(
    'doubt-is-an-ordinary-end',
    'A run with a row in doubt does not end with exit code 5.',
    [BATCH, 'verdict', condition('in_doubt sending', 'false')],
    ['test/domain/batch-outcome.test.ts', 'when the payouts stand like'],
  ),
  mutation(
    'totals-always-balanced',
    'A report calls its totals balanced although its lines differ.',
    ['src/domain/reporting/control-totals.ts', 'LineCounter.result', property('ties', 'true')],
    ['test/use-cases/report-batch.test.ts', 'names a difference of a batch that did not move'],
  ),
  mutation(
    'booked-the-same-day',
    'A statement that ends one day after a request proves that nothing was paid.',
    ['src/domain/statement/dates.ts', 'BOOKING_DAYS', valued('1')],
    ['test/domain/statement-judging.test.ts', 'is not called unpaid by a statement that ends on'],
  ),
  mutation(
    'paid-elsewhere-asked-about',
    'A month asks people to look at a failed row that another batch paid.',
    ['src/use-cases/report/report-period.ts', 'walkBatch.isReplaced', valued('false')],
    [
      'test/use-cases/paid-again-elsewhere.test.ts',
      'has a line for each of its payments in a report over days, and none is to look at',
    ],
  ),
];
