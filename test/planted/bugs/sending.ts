/** Bugs on the way from an approved row to a recorded outcome. */
import type { PlantedBug } from '../planted-bug.ts';

const PAYING_AGAIN = 'src/application/before-paying-again.ts';
const PAYING_AGAIN_TEST = 'test/application/before-paying-again.test.ts';
const SEND_PAYOUT = 'src/application/send-payout.ts';
const CANARY = 'test/application/canary.test.ts';
const SEND_BATCH = 'src/application/send-batch.ts';
const GATE = 'src/application/send-gate.ts';
const BREAKER = 'src/domain/breaker.ts';
const SENDING = 'test/application/sending.test.ts';
const TURNED_AWAY = 'src/application/turned-away.ts';
const AWAY_TEST = 'test/application/turned-away.test.ts';
const BREAKER_TEST = 'test/domain/breaker.test.ts';

export const SENDING_BUGS: readonly PlantedBug[] = [
  {
    id: 'names-not-counted',
    bug: 'Names that get no answer do not count towards stopping: each wave of them costs two minutes, and all are paid unnamed.',
    file: 'src/application/price-payouts.ts',
    find: '  return isDown(missed.names) && needsNames(world);',
    replace: '  return isDown(missed.quotes) && needsNames(world);',
    caughtBy: [
      {
        test: 'test/application/running.test.ts',
        title:
          'leaves rows planned when no name can be had, gives up after a few, and goes on in the next run',
      },
    ],
  },
  {
    id: 'silence-decides-rows',
    bug: 'Rows whose names the silence cut off are priced without a name, and paid by the next agreement.',
    file: 'src/application/price-payouts.ts',
    find: '  if (!isStopped(pricing)) await decideUnnamed(pricing);',
    replace: '  await decideUnnamed(pricing);',
    caughtBy: [
      {
        test: 'test/application/silence.test.ts',
        title: 'waits once for the length of the deadline when',
      },
    ],
  },
  {
    id: 'deadline-cuts-work',
    bug: 'The deadline counts from the first question, so that work which goes on is cut.',
    file: 'src/application/patience.ts',
    find: "      if (asked.kind !== 'unavailable') wait.answered();",
    replace: "      if (asked.kind === 'unavailable') wait.answered();",
    caughtBy: [{ test: 'test/application/silence.test.ts', title: 'does not cut work that goes on' }],
  },
  {
    id: 'intent-after-write',
    mustCatch: 'intent_after_write',
    bug: 'The request goes out first and the intent is written down when its answer is there.',
    file: SEND_PAYOUT,
    find: '  const begun = await beginAttempt(',
    replace:
      '  const early = await world.paymentService.send(order, prepared);\n  const begun = await beginAttempt(',
    also: [
      {
        file: SEND_PAYOUT,
        find: 'const outcome = await world.paymentService.send(order, prepared);',
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
    find: 'const outcome = await world.paymentService.send(order, prepared);',
    replace: [
      'let outcome = await world.paymentService.send(order, prepared);',
      "  if (outcome.kind === 'in_doubt' && outcome.reason === 'no_answer') {",
      '    const second = await world.paymentService.prepareSend(signal);',
      "    if (second.kind === 'prepared') outcome = await world.paymentService.send(order, second);",
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
    find: '    world.ledger.emergency(sending.id, sending.attempts, event);\n',
    replace: "    world.log.write('error', 'outcome_not_recorded', { row: sending.rowNumber });\n",
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
    id: 'connection-kept-after-failed-intent',
    bug: 'A connection that was prepared in vain stays open.',
    file: SEND_PAYOUT,
    find: '  } catch (error) {\n    prepared.discard();\n    throw error;',
    replace: '  } catch (error) {\n    throw error;',
    caughtBy: [{ test: SENDING, title: 'sends nothing when the intent cannot be written' }],
  },
  {
    id: 'guard-not-asked',
    bug: 'The memory of payments is not asked again in the commit of the intent.',
    file: SEND_PAYOUT,
    find: 'const guard = options.guard ? guardOf(at, options, world) : {};',
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
    find: "      return probing(next, 'a payment is in doubt');",
    replace: '      return next;',
    caughtBy: [
      { test: SENDING, title: 'lets nothing new start until those in flight have ended' },
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
    id: 'crash-doubts-not-counted',
    bug: 'Rows that crashes left in doubt do not count for the limit.',
    file: SEND_BATCH,
    find: '    past: { doubts, setAside },',
    replace: '    past: { doubts: 0, setAside },',
    caughtBy: [{ test: SENDING, title: 'does not begin at all when crashes have left more in doubt' }],
  },
  {
    id: 'probe-while-in-flight',
    bug: 'The probe is asked while transfers are still on the wire.',
    file: GATE,
    find: "if (breaker.gate === 'probe' && inFlight === 0) await probe();",
    replace: "if (breaker.gate === 'probe') await probe();",
    caughtBy: [{ test: SENDING, title: 'asks its question only when the last one in flight has ended' }],
  },
  {
    id: 'not-sent-never-opens-breaker',
    bug: 'Failures to connect never make the sending wait.',
    file: BREAKER,
    find: 'return notSentInRow >= NOT_SENT_MAX ? probing(next, result.reason) : next;',
    replace: 'return next;',
    caughtBy: [{ test: SENDING, title: 'opens after three failures in a row' }],
  },
  {
    id: 'fresh-token-refused-for-ever',
    bug: 'A service that refuses every fresh token is tried again without end.',
    file: BREAKER,
    find: 'return tokenRefusedInRow > 1',
    replace: 'return tokenRefusedInRow > 1_000',
    caughtBy: [{ test: SENDING, title: 'pauses when a fresh token is refused too' }],
  },
  {
    id: 'rate-limit-fails-row',
    bug: 'Being limited once puts a row in doubt.',
    file: TURNED_AWAY,
    find: 'export const TRIES_MAX = 3;',
    replace: 'export const TRIES_MAX = 1;',
    caughtBy: [{ test: AWAY_TEST, title: 'costs nothing but time where the limit is lifted in time' }],
  },
  {
    id: 'refused-token-without-end',
    bug: 'A row that is turned away for its token is sent again however often that was.',
    file: TURNED_AWAY,
    find: "filter(({ kind }) => kind === 'turn_away'));",
    replace: "filter(({ kind, body }) => kind === 'turn_away' && body['why'] !== 'token_refused'));",
    caughtBy: [
      { test: AWAY_TEST, title: 'pays and says that the session has ended' },
      { test: AWAY_TEST, title: 'has its tries counted together' },
    ],
  },
  {
    id: 'withdrawn-row-tried-anew',
    bug: 'A row that was turned away, withdrawn and paid again has three new tries.',
    file: TURNED_AWAY,
    find: 'for (const { id, attempts } of [...withdrawn, payout])',
    replace: 'for (const { id, attempts } of [...withdrawn, payout].slice(-1))',
    caughtBy: [{ test: AWAY_TEST, title: 'has no new tries when it was withdrawn and is paid again' }],
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
    id: 'tries-counted-anew',
    bug: 'A row that was approved anew has three new tries.',
    file: TURNED_AWAY,
    find: '  const [first] = tries;\n',
    replace:
      "  const approved = (await ledger.journalOf(payout.id)).findLast(({ kind }) => kind === 'approve')?.seq ?? 0;\n  const [first] = tries.filter(({ seq }) => seq > approved);\n",
    caughtBy: [{ test: AWAY_TEST, title: 'has its three tries counted in the ledger' }],
  },
  {
    id: 'limited-rows-together',
    bug: 'All rows that were turned away go again at once.',
    file: SEND_BATCH,
    find: '  if (retry.isBusy) return undefined;\n',
    replace: '',
    also: [
      {
        file: BREAKER,
        find: '      return { ...breaker, unansweredSinceDoubt: true, notSentInRow: 0 };\n',
        replace: '      return breaker;\n',
      },
    ],
    caughtBy: [{ test: AWAY_TEST, title: 'goes again one at a time' }],
  },
  {
    id: 'limit-forgotten',
    bug: 'The wait that a service asked for is forgotten when the run ends.',
    file: SEND_BATCH,
    find: '  if (kept !== undefined) gate.limit.set(kept);\n',
    replace: '  void kept;\n',
    caughtBy: [{ test: AWAY_TEST, title: 'binds every batch of the ledger' }],
  },
  {
    id: 'limit-beyond-deadline',
    bug: 'A wait that the service asks for goes on beyond the deadline.',
    file: GATE,
    find: 'patienceMs = Number.POSITIVE_INFINITY } = options;',
    replace: '} = options;\n  const patienceMs = Number.POSITIVE_INFINITY;',
    caughtBy: [{ test: AWAY_TEST, title: 'of more than the deadline stops the sending at once' }],
  },
  {
    id: 'limited-without-question',
    bug: 'A row that was turned away goes again although the service answers no question.',
    file: SEND_BATCH,
    find: "    if (asked.kind === 'unavailable') return { kind: 'not_sent', reason: asked.reason };\n",
    replace: '',
    caughtBy: [{ test: AWAY_TEST, title: 'does not go while no question is answered' }],
  },
  {
    id: 'first-refusals-go-on',
    bug: 'An account without money makes a whole payroll fail.',
    file: BREAKER,
    find: 'if (breaker.accepted === 0 && answers >= FIRST_ANSWERS) {',
    replace: 'if (answers < 0) {',
    caughtBy: [{ test: SENDING, title: 'pause the batch when the first three answers are all of them' }],
  },
  {
    id: 'alike-refusals-go-on',
    bug: 'A balance that runs out in the middle makes the rest of the payroll fail.',
    file: BREAKER,
    find: 'if (sameRefusals.count >= SAME_REFUSALS_MAX && institutions.length > 1) {',
    replace: 'if (sameRefusals.count < 0) {',
    caughtBy: [{ test: SENDING, title: 'pause the batch when three in a row are alike across institutions' }],
  },
  {
    id: 'pause-not-kept',
    bug: 'A pause that the sending decided on is forgotten when the run ends.',
    file: SEND_BATCH,
    find: "    if (stop?.kind === 'paused') await pauseBatch(batchId, stop.reason, world);\n",
    replace: '',
    caughtBy: [{ test: SENDING, title: 'pauses the batch for good even when someone stops the run' }],
  },
  {
    id: 'run-lifts-pause',
    bug: 'A run goes on with a batch that was paused.',
    file: SEND_BATCH,
    find: '  if (batch?.pause !== undefined) return {',
    replace: '  if (batch === undefined) return {',
    also: [
      {
        file: SEND_BATCH,
        find: "    if (batch?.pause !== undefined) gate.stop({ kind: 'paused', reason: batch.pause.reason });",
        replace: '    void batch;',
      },
    ],
    caughtBy: [
      { test: 'test/planted/guards.test.ts', title: 'is sent by no later run once a person paused it' },
    ],
  },
  {
    id: 'pause-from-elsewhere-unseen',
    bug: 'A pause from another terminal is not looked for between two sends.',
    file: SEND_BATCH,
    find: "    if (batch?.pause !== undefined) gate.stop({ kind: 'paused', reason: batch.pause.reason });",
    replace: '    void batch;',
    caughtBy: [{ test: SENDING, title: 'sees a pause from another terminal between two rows' }],
  },
  {
    id: 'sends-without-lease',
    bug: 'A process that lost its batch to another one goes on sending.',
    file: SEND_BATCH,
    find: "  if (options.leaseLost.aborted) gate.stop({ kind: 'lease_lost' });\n",
    replace: '',
    also: [
      {
        file: SEND_BATCH,
        find: "options.leaseLost.addEventListener('abort', () => gate.stop({ kind: 'lease_lost' }), { once: true });",
        replace: '',
      },
    ],
    caughtBy: [{ test: SENDING, title: 'sends nothing more once the lease is lost' }],
  },
  {
    id: 'old-approval-sent',
    bug: 'An approval never grows old.',
    file: SEND_BATCH,
    find: '  const isExpired = at - payout.state.approvedAt > hoursMs(world.policy.approvalHours);',
    replace: '  const isExpired = at < payout.state.approvedAt - hoursMs(world.policy.approvalHours);',
    caughtBy: [{ test: SENDING, title: 'older than a day goes back to quoted instead of out' }],
  },
  {
    id: 'interrupt-not-heeded',
    bug: 'A stop that was asked for does not keep new transfers from starting.',
    file: GATE,
    find: "    if (stop === undefined && options.signal?.aborted === true) stop = { kind: 'interrupted' };\n",
    replace: '',
    also: [
      {
        file: SEND_BATCH,
        find: 'return signal === undefined ? gate.ended : AbortSignal.any([signal, gate.ended]);',
        replace: 'void signal;\n  return gate.ended;',
      },
    ],
    caughtBy: [{ test: SENDING, title: 'waits for what is in flight and records it' }],
  },
  {
    id: 'replaced-payment-not-asked',
    bug: 'A replacement goes out without another look at the payment that it replaces.',
    file: PAYING_AGAIN,
    find: "if (isIn(payout, 'failed')) return lookAgain(payout, world, signal);",
    replace: "if (isIn(payout, 'failed')) return lookAgain === undefined ? 'unknown' : 'looked';",
    caughtBy: [
      { test: 'test/application/settling.test.ts', title: 'is found out just before its replacement' },
      { test: PAYING_AGAIN_TEST, title: 'is asked about all the same before its replacement goes out' },
    ],
  },
  {
    id: 'old-failure-not-asked',
    bug: 'A replacement goes out without a look at a payment that failed longer ago than failures are watched.',
    file: 'src/application/settle-batch.ts',
    find: 'failWatchMs: Number.POSITIVE_INFINITY }',
    replace: '...(Number.POSITIVE_INFINITY > 0 ? {} : { failWatchMs: 0 }) }',
    caughtBy: [
      { test: PAYING_AGAIN_TEST, title: 'is asked about all the same before its replacement goes out' },
    ],
  },
  {
    id: 'returned-payment-not-asked',
    bug: 'A replacement goes out without another look at a payment that came back.',
    file: PAYING_AGAIN,
    find: "isIn(payout, 'returned') ? lookAtReturned(payout, world, signal) : 'looked';",
    replace: "isIn(payout, 'returned') && lookAtReturned === undefined ? 'unknown' : 'looked';",
    caughtBy: [{ test: PAYING_AGAIN_TEST, title: 'again holds its replacement' }],
  },
  {
    id: 'other-replacement-not-asked',
    bug: 'A row that two files pay again is looked up along its own chain alone.',
    file: 'src/application/family.ts',
    find: '    for (const replacement of await ledger.replacementsOf(id)) family.set(replacement.id, replacement);',
    replace:
      '    for (const replacement of await ledger.replacementsOf(id))\n      if (seen.has(replacement.id)) family.set(replacement.id, replacement);',
    caughtBy: [
      { test: PAYING_AGAIN_TEST, title: 'is not sent when that other payment turns out Finished' },
      { test: PAYING_AGAIN_TEST, title: 'is not sent when that was noted by a process that died' },
    ],
  },
  {
    id: 'first-live-transfer-unproven',
    bug: 'The first live batch of a ledger sends everything at once.',
    file: SEND_BATCH,
    find: 'if (!isBad && (await needsProof(batchId, world)))',
    replace: 'if (!isBad && (await needsProof(batchId, world)) === undefined)',
    caughtBy: [{ test: SENDING, title: 'sends one row and looks it up before going on' }],
  },
  {
    id: 'canary-forgotten',
    bug: 'A run without the flag sends the rest of a batch whose canary is not settled.',
    file: 'src/application/canary.ts',
    find: '  if (rows === undefined || (rows === 0 && before.rows === 0)) return before;',
    replace: '  if (rows === undefined) return { ...before, rows: 0 };',
    caughtBy: [{ test: CANARY, title: 'the next run waits for the same rows' }],
  },
  {
    id: 'canary-not-awaited',
    bug: 'The rest goes out when the canary is accepted and not settled.',
    file: 'src/application/canary.ts',
    find: '    if (settled >= canary.rows || isStopped',
    replace: '    if (settled + accepted >= canary.rows || isStopped',
    caughtBy: [{ test: CANARY, title: 'the rest goes out when they are settled' }],
  },
  {
    id: 'bad-canary-passed',
    bug: 'A canary that is in doubt does not hold the rest back.',
    file: 'src/application/canary.ts',
    find: "  in_doubt: 'is in doubt',\n",
    replace: '',
    caughtBy: [{ test: CANARY, title: 'stops the batch with the rest approved' }],
  },
  {
    id: 'canary-of-earlier-rows',
    bug: 'Rows that were settled before a canary was asked for count as the canary.',
    file: 'src/application/canary.ts',
    find: 'ledger.begunSince(batchId, canary.since, canary.rows)',
    replace: 'ledger.begunSince(batchId, 0, canary.rows)',
    caughtBy: [{ test: CANARY, title: 'whatever was settled earlier' }],
  },
];
