/** Bugs that only a process that dies, sleeps or is stopped brings to light. */
import type { PlantedBug } from '../planted-bug.ts';

const RECOVER = 'src/application/recover-batch.ts';
const RUN = 'src/application/run-batch.ts';
const PRICE = 'src/application/price-payouts.ts';
const APPROVE = 'src/application/approve-batch.ts';
const PLACE = 'src/application/place-import.ts';
const SEND_PAYOUT = 'src/application/send-payout.ts';
const CRASHING = 'test/application/crashing.test.ts';
const SIGNALS = 'test/kill/signals.test.ts';

const FORGETFUL = {
  file: RECOVER,
  find: "event: { kind: 'recover', at } as const",
  replace: "event: { kind: 'not_sent', phase: 'connect', reason: 'crash', at } as const",
} as const;

export const CRASHING_BUGS: readonly PlantedBug[] = [
  {
    id: 'late-answer-dropped-on-failure',
    bug: 'When the ledger fails, late answers that have arrived are not recorded any more.',
    file: 'src/application/send-batch.ts',
    find: '    await late.finish();\n',
    replace: '',
    caughtBy: [
      {
        test: 'test/application/late-answers.test.ts',
        title: 'is kept also when the ledger fails for another row',
      },
    ],
  },
  {
    id: 'recovery-requeues',
    mustCatch: 'recovery_requeues',
    bug: 'A row that was on the wire when the process died is sent again.',
    ...FORGETFUL,
    caughtBy: [
      { test: CRASHING, title: '[L6]' },
      { test: 'test/kill/kill.test.ts', title: '[L6]' },
    ],
  },
  {
    id: 'no-recovery',
    bug: 'Rows on the wire when the process died are left as they were.',
    file: RUN,
    find: '  const recovered = await recoverBatch(batchId, world);',
    replace: '  const recovered = 0;\n  void recoverBatch;',
    caughtBy: [
      { test: CRASHING, title: '[L11]' },
      { test: SIGNALS, title: '[L14]' },
    ],
  },
  {
    id: 'half-an-import-counts',
    bug: 'A file that was read half-way before the process died is taken for the batch.',
    file: PLACE,
    find: '    const named = (await world.ledger.batches()).find((batch) => batch.name === name);',
    replace:
      '    const named = (await world.ledger.batches()).find((batch) => batch.isImporting || batch.name === name);',
    caughtBy: [{ test: CRASHING, title: '[L1]' }],
  },
  {
    id: 'priced-half-way',
    bug: 'A batch of which pricing had begun when the process died is taken for priced.',
    file: PRICE,
    find: '  const questions = await createQuestions(world, options.signal);',
    replace: [
      "  if ((await world.ledger.notes(batchId, 'priced')).length > 0) return { unpriced: 0, reason: undefined };",
      "  await world.ledger.note(batchId, 'priced', {}, world.clock.now());",
      '  const questions = await createQuestions(world, options.signal);',
    ].join('\n'),
    caughtBy: [
      { test: CRASHING, title: '[L2]' },
      { test: CRASHING, title: '[L3]' },
    ],
  },
  {
    id: 'approved-half-way',
    bug: 'An approval that was written down when the process died counts, although not every row has it.',
    file: APPROVE,
    find: '  if (count === 0 && withdraw === undefined)',
    replace: '  if (count === 0 || (await ledger.batch(batchId))?.approval?.digest === plan.digest)',
    caughtBy: [{ test: CRASHING, title: '[L4]' }],
  },
  {
    id: 'intent-written-late',
    bug: 'The intent is written down while the request is on its way already.',
    file: SEND_PAYOUT,
    find: '  const begun = await beginAttempt(',
    replace:
      '  const early = world.paymentService.send(order, prepared);\n  const begun = await beginAttempt(',
    also: [
      {
        file: SEND_PAYOUT,
        find: 'const outcome = await world.paymentService.send(order, prepared);',
        replace: 'const outcome = await early;',
      },
    ],
    caughtBy: [{ test: CRASHING, title: '[L5]' }],
  },
  {
    id: 'settles-what-it-sent',
    bug: 'A run looks up only the transfers that it sent itself.',
    file: RUN,
    find: '  const looked = await settleBatch(batchId, world, {',
    replace: [
      '  const none = { incidents: [], changes: [], isInterrupted: false };',
      '  const hasSent = (plan.counts.quoted ?? 0) + (plan.counts.approved ?? 0) > 0;',
      '  const looked = !hasSent ? none : await settleBatch(batchId, world, {',
    ].join('\n'),
    caughtBy: [{ test: CRASHING, title: '[L9]' }],
  },
  {
    id: 'bug-ends-at-once',
    bug: 'An error that nobody caught ends the process while transfers are in flight.',
    file: 'src/cli/stopping.ts',
    find: "  process.on('uncaughtException', onBug);\n",
    replace: '  void onBug;\n',
    also: [
      { file: 'src/cli/stopping.ts', find: "      process.off('uncaughtException', onBug);\n", replace: '' },
    ],
    caughtBy: [{ test: SIGNALS, title: '[L13]' }],
  },
  {
    id: 'woken-writes',
    bug: 'A process that was stopped between intent and bytes writes them when it is woken.',
    file: 'src/adapters/payment-service/prepared-send.ts',
    find: 'const isFresh = clock.monotonicMs() - this.#sinceMs <= PREPARED_MS_MAX;',
    replace: 'const isFresh = clock.monotonicMs() > 0;',
    caughtBy: [{ test: SIGNALS, title: '[L15]' }],
  },
  {
    id: 'second-signal-waits',
    bug: 'A second interrupt waits like the first one.',
    file: 'src/cli/stopping.ts',
    find: '    process.exit(CODES[name]);',
    replace: '    void CODES[name];',
    caughtBy: [{ test: SIGNALS, title: '[L12] a second SIGINT ends at once' }],
  },
];
