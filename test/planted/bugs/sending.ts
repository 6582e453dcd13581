/** Bugs in sending: the intent, the outcome, repeats at the last moment, doubts, pauses, leases, crashes. */
import type { PlantedBug } from '../planted-bug.ts';

const SEND_PAYOUT = 'src/use-cases/send/send-payout.ts';
const SENDING = 'test/use-cases/sending.test.ts';
const BREAKER = 'src/domain/payouts/circuit-breaker.ts';
const BREAKER_TEST = 'test/domain/breaker.test.ts';
const TURNED_AWAY = 'src/use-cases/send/turned-away.ts';
const AWAY_TEST = 'test/use-cases/turned-away.test.ts';
const SEND_BATCH = 'src/use-cases/send/send-batch.ts';
const SEND_ROWS = 'src/use-cases/send/send-rows.ts';
const PAYING_AGAIN = 'src/use-cases/send/before-paying-again.ts';
const PAYING_AGAIN_TEST = 'test/use-cases/before-paying-again.test.ts';
const CRASHING = 'test/use-cases/crashing.test.ts';
const RECOVER = 'src/use-cases/send/recover-batch.ts';
const FORGETFUL = {
  file: RECOVER,
  find: "event: { kind: 'recover', at } as const",
  replace: "event: { kind: 'not_sent', phase: 'connect', reason: 'crash', at } as const",
} as const;
const PLACE = 'src/use-cases/intake/place-import.ts';
const APPROVE = 'src/use-cases/approve/approve-batch.ts';
const SIGNALS = 'test/kill/signals.soak.test.ts';

export const SENDING_BUGS: readonly PlantedBug[] = [
  {
    id: 'next-row-before-the-last-is-written',
    bug: 'Where one transfer at a time was asked for, the next one begins before the last one stands in the ledger.',
    file: BREAKER,
    find: 'return isCalm && concurrency > 1 &&',
    replace: 'return isCalm &&',
    caughtBy: [
      {
        test: 'test/use-cases/next-row-early.test.ts',
        title: 'sees each row through where one at a time was',
      },
    ],
  },
  {
    id: 'intent-after-write',
    mustCatch: 'intent_after_write',
    bug: 'The request goes out first and the intent is written down when its answer is there.',
    file: SEND_PAYOUT,
    find: '  const begun = await beginAttempt(',
    replace:
      '  const early = await ports.paymentService.send(order, prepared);\n  const begun = await beginAttempt(',
    also: [
      {
        file: SEND_PAYOUT,
        find: 'const outcome = await ports.paymentService.send(order, prepared);',
        replace: 'const outcome = early;',
      },
    ],
    caughtBy: [{ test: SENDING, title: 'is durable before the request leaves' }],
  },
  {
    id: 'post-retried-by-the-application',
    mustCatch: 'post_retried',
    bug: 'An answer that was lost is a reason to send the same payment once more.',
    file: SEND_PAYOUT,
    find: 'const outcome = await ports.paymentService.send(order, prepared);',
    replace: [
      'let outcome = await ports.paymentService.send(order, prepared);',
      "  if (outcome.kind === 'in_doubt' && outcome.reason === 'no_answer') {",
      '    const second = await ports.paymentService.prepareSend(signal);',
      "    if (second.kind === 'prepared') outcome = await ports.paymentService.send(order, second);",
      '  }',
    ].join('\n'),
    caughtBy: [
      { test: SENDING, title: 'leaves the row in doubt, and no later run sends it again' },
      { test: 'test/simulation/simulation.test.ts', title: 'whatever fails, dies, lies or is ruled' },
    ],
  },
  {
    id: 'id-only-logged',
    mustCatch: 'id_only_logged',
    bug: 'An outcome that the ledger cannot take is written to the log and nowhere else.',
    file: SEND_PAYOUT,
    find: '    ports.ledger.emergency(sending.id, sending.attempts, event);\n',
    replace: "    ports.log.write('error', 'outcome_not_recorded', { row: sending.rowNumber });\n",
    caughtBy: [{ test: SENDING, title: 'puts an outcome that cannot be written into the emergency file' }],
  },
  {
    id: 'disk-full-at-outcome-ignored',
    mustCatch: 'disk_full_ignored',
    bug: 'A ledger that is full when an outcome is recorded does not stop the sending.',
    file: SEND_PAYOUT,
    find: '    });\n    throw error;\n  }\n}',
    replace:
      "    });\n    return { kind: 'outcome', outcome, payout: sending, idSeenBefore: false };\n  }\n}",
    caughtBy: [{ test: SENDING, title: 'puts an outcome that cannot be written into the emergency file' }],
  },
  {
    id: 'intent-failure-ignored',
    bug: 'The request goes out although its intent could not be written down.',
    file: SEND_PAYOUT,
    find: '  } catch (error) {\n    prepared.discard();\n    throw error;\n  }',
    replace: "  } catch {\n    return { kind: 'recorded', payout };\n  }",
    caughtBy: [{ test: SENDING, title: 'sends nothing when the intent cannot be written' }],
  },
  {
    id: 'guard-not-asked',
    bug: 'The memory of payments is not asked again in the commit of the intent.',
    file: SEND_PAYOUT,
    find: 'const guard = options.guard ? guardOf(at, options, ports) : {};',
    replace: 'const guard = {};',
    caughtBy: [{ test: SENDING, title: 'goes out once: the second is held at the last moment' }],
  },
  {
    id: 'late-acceptance-dropped',
    bug: 'An acceptance that arrives after another process put the row in doubt is thrown away.',
    file: SEND_PAYOUT,
    find: "if (!isSameAttempt || outcome.kind !== 'accepted') return { kind: 'stale' };",
    replace: "return { kind: 'stale' };",
    caughtBy: [
      { test: SENDING, title: 'keeps a late acceptance of a row that another process had put in doubt' },
    ],
  },
  {
    id: 'seen-id-does-not-pause',
    bug: 'A transfer id that another row has does not pause the batch.',
    file: BREAKER,
    find: "    case 'id_seen_before':\n      return pausedFor(",
    replace: "    case 'id_seen_before':\n      return probing(",
    caughtBy: [{ test: SENDING, title: 'leaves the row in doubt and pauses the batch' }],
  },
  {
    id: 'breaker-ignores-doubt',
    mustCatch: 'breaker_ignores_doubt',
    bug: 'The breaker counts failures to connect and refusals, and takes a doubt for an ordinary answer.',
    file: BREAKER,
    find: "      return probing(next, 'a payment got no answer; the next one goes out when the service answers again');",
    replace: '      return next;',
    caughtBy: [
      { test: SENDING, title: 'asks its question only when the last one in flight has ended' },
      {
        test: BREAKER_TEST,
        title: 'lets nothing more start after one, until a harmless question is answered',
      },
    ],
  },
  {
    id: 'doubts-without-limit',
    bug: 'However many rows are in doubt, the batch goes on.',
    file: BREAKER,
    find: '      if (doubts > limits.doubtsMax) return pausedFor(next, tooManyDoubts(doubts));\n',
    replace: '',
    caughtBy: [{ test: SENDING, title: 'pauses the batch when doubts are more than the limit' }],
  },
  {
    id: 'limited-without-end',
    bug: 'A row that is answered with 429 is sent again however often that was.',
    file: TURNED_AWAY,
    find: 'tries + 1 >= TRIES_MAX;',
    replace: 'tries + 1 >= 1_000;',
    caughtBy: [
      { test: AWAY_TEST, title: 'is sent three times at the most to a service that pays and says 429' },
    ],
  },
  {
    id: 'run-lifts-pause',
    bug: 'A run goes on with a batch that was paused.',
    file: SEND_BATCH,
    find: '  if (batch?.pause !== undefined) return {',
    replace: '  if (batch === undefined) return {',
    also: [
      {
        file: SEND_ROWS,
        find: "    if (batch?.pause !== undefined) gate.stop({ kind: 'paused', reason: batch.pause.reason });",
        replace: '    void batch;',
      },
    ],
    caughtBy: [{ test: 'test/guards.test.ts', title: 'is sent by no later run once a person paused it' }],
  },
  {
    id: 'sends-without-lease',
    bug: 'A process that lost its batch to another one goes on sending.',
    file: SEND_ROWS,
    find: '  if (options.leaseLost.aborted) onLost();\n',
    replace: '',
    also: [
      {
        file: SEND_ROWS,
        find: "options.leaseLost.addEventListener('abort', onLost, { signal: options.over });",
        replace: '',
      },
    ],
    caughtBy: [{ test: SENDING, title: 'sends nothing more once the lease is lost' }],
  },
  {
    id: 'old-approval-sent',
    bug: 'An approval never grows old.',
    file: SEND_ROWS,
    find: 'if (at - payout.state.approvedAt <= hoursMs(ports.policy.approvalHours)) return false;',
    replace: 'if (at >= payout.state.approvedAt - hoursMs(ports.policy.approvalHours)) return false;',
    caughtBy: [{ test: SENDING, title: 'older than a day goes back to quoted instead of out' }],
  },
  {
    id: 'replaced-payment-not-asked',
    bug: 'A replacement goes out without another look at the payment that it replaces.',
    file: PAYING_AGAIN,
    find: "if (isIn(payout, 'failed')) return pollAgain(payout, ports, signal);",
    replace: "if (isIn(payout, 'failed')) return pollAgain === undefined ? 'unknown' : 'looked';",
    caughtBy: [
      { test: 'test/use-cases/settling.test.ts', title: 'is found out just before its replacement' },
      { test: PAYING_AGAIN_TEST, title: 'is asked about all the same before its replacement goes out' },
    ],
  },
  {
    id: 'other-replacement-not-asked',
    bug: 'A row that two files pay again is looked up along its own chain alone.',
    file: 'src/use-cases/decide/same-row.ts',
    find: '    for (const replacement of await ledger.replacementsOf(id)) family.set(replacement.id, replacement);',
    replace:
      '    for (const replacement of await ledger.replacementsOf(id))\n      if (seen.has(replacement.id)) family.set(replacement.id, replacement);',
    caughtBy: [
      { test: PAYING_AGAIN_TEST, title: 'is not sent when that other payment turns out Finished' },
      { test: PAYING_AGAIN_TEST, title: 'is not sent when that was noted by a process that died' },
    ],
  },
  {
    id: 'late-answer-dropped-on-failure',
    bug: 'When the ledger fails, late answers that have arrived are not recorded any more.',
    file: SEND_ROWS,
    find: '  await late.finish();\n',
    replace: '',
    caughtBy: [
      {
        test: 'test/use-cases/late-answers.test.ts',
        title: 'is kept also when the ledger fails for another row',
      },
    ],
  },
  {
    id: 'listens-after-the-end',
    bug: 'A run that was stopped still listens for a late answer when it has ended; nobody records what comes.',
    file: 'src/use-cases/send/late-answers.ts',
    find: '    for (const { stop } of waits) stop();\n    await allOver();\n',
    replace: '',
    caughtBy: [{ test: 'test/use-cases/late-answers.test.ts', title: 'comes to no run that has ended' }],
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
    id: 'half-an-import-counts',
    bug: 'A file that was read half-way before the process died is taken for the batch.',
    file: PLACE,
    find: '    const named = await ports.ledger.batchNamed(name);',
    replace:
      '    const named = (await ports.ledger.batches()).find((batch) => batch.isImporting || batch.name === name);',
    caughtBy: [{ test: CRASHING, title: '[L1]' }],
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
    id: 'woken-writes',
    bug: 'A process that was stopped between intent and bytes writes them when it is woken.',
    file: 'src/adapters/payment-service/send-transfer.ts',
    find: 'const isFresh = ageMs <= PREPARED_MS_MAX;',
    replace: 'const isFresh = clock.monotonicMs() > 0;',
    caughtBy: [{ test: SIGNALS, title: '[L15]' }],
  },
];
