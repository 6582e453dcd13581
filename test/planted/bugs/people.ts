/** Bugs in what people decide: which file it is, what was agreed to, what is ruled, what is paid again. */
import type { PlantedBug } from '../planted-bug.ts';

const PLACE = 'src/application/place-import.ts';
const APPROVING = 'test/application/approving.test.ts';
const APPROVE = 'src/application/approve-batch.ts';
const RESOLVE = 'src/application/resolve-doubt.ts';
const REISSUE = 'src/application/reissue.ts';
const RUN = 'src/application/run-batch.ts';
const PRICE = 'src/domain/price-decision.ts';
const MACHINE = 'src/domain/payout-machine.ts';
const PLACING = 'test/application/placing.test.ts';
const PEOPLE = 'test/application/people.test.ts';
const RULED_NOT_PAID = 'test/application/ruled-not-paid.test.ts';
const RUNNING = 'test/application/running.test.ts';
const MACHINE_TEST = 'test/domain/payout-machine.test.ts';
const CHANGES = 'test/application/account-changes.test.ts';
const AGAIN = 'test/stories/paying-again.test.ts';
const MOVED = 'src/adapters/ledger/moved-accounts-sql.ts';
const PRICE_TEST = 'test/domain/price-decision.test.ts';

export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    id: 'consent-pasted',
    bug: 'A command that is shown names the batch that it repeats: whoever pastes it pays everyone twice.',
    file: 'src/domain/shell-word.ts',
    find: "['--yes', '--repeats', '--release', '--digest', '--max-total']",
    replace: "['--yes', '--release', '--digest', '--max-total']",
    also: [
      {
        file: 'src/cli/ask-repeats.ts',
        find: '--repeats BATCH`',
        replace: '--repeats a`',
      },
    ],
    caughtBy: [
      { test: 'test/domain/next-step.test.ts', title: 'shows a command without what only a person may say' },
      { test: 'test/journeys/typed-commands.test.ts', title: 'pays nobody again whatever is pasted' },
    ],
  },
  {
    id: 'four-eyes-forgotten',
    bug: 'A batch that was planned under four eyes is approved alone under another configuration.',
    file: 'src/application/makers.ts',
    find: '  return policy.fourEyes || (await ledger.notes(id, NOTE_KIND)).length > 0;',
    replace: '  return policy.fourEyes || (await ledger.notes(id, NOTE_KIND)).length < 0;',
    caughtBy: [
      {
        test: 'test/application/four-eyes.test.ts',
        title: 'stay with a batch that was planned under them, whatever a later configuration says',
      },
    ],
  },
  {
    id: 'dedupe-on-bytes',
    mustCatch: 'dedupe_on_bytes',
    bug: 'A file is known again by its bytes alone, so a copy that was saved anew is another batch.',
    file: PLACE,
    find: '  const sameRows = await world.ledger.findByDigest(imported.digest);',
    replace:
      '  const sameRows = (await world.ledger.findByDigest(imported.digest)).filter(\n    (batch) => batch.file.sha256 === imported.fileSha256,\n  );',
    caughtBy: [{ test: PLACING, title: 'are a batch that is finished, and nothing is sent' }],
  },
  {
    id: 'added-rows-approved',
    bug: 'Rows that are added to an approved batch count as approved.',
    file: 'src/application/price-payouts.ts',
    find: '  const left = (await world.ledger.counts(batchId)).planned;',
    replace: [
      '  const batch = await world.ledger.batch(batchId);',
      '  if (batch?.approval !== undefined)',
      "    await approveBatch(batchId, { by: 'payfile', how: 'library', digest: undefined }, world);",
      '  const left = (await world.ledger.counts(batchId)).planned;',
    ].join('\n'),
    also: [
      {
        file: 'src/application/price-payouts.ts',
        find: "import type { World } from './world.ts';",
        replace:
          "import { approveBatch } from './approve-batch.ts';\nimport type { World } from './world.ts';",
      },
    ],
    caughtBy: [{ test: PLACING, title: '[B4]' }],
  },
  {
    id: 'finished-batch-again',
    bug: 'The rows of a finished batch are a new batch when they come again.',
    file: PLACE,
    find: '  if (isSame && (await isFinished(target, world))) {',
    replace: '  if (isSame && !(await isFinished(target, world)) && false) {',
    caughtBy: [{ test: PLACING, title: 'the same rows again' }],
  },
  {
    id: 'changed-paid-row-taken',
    bug: 'A file that changes a row which was paid is taken.',
    file: PLACE,
    find: '  if (comparison.conflictCount > 0) {',
    replace: '  if (comparison.conflictCount < 0) {',
    caughtBy: [{ test: PLACING, title: 'refuses the file and names both amounts' }],
  },
  {
    id: 'changed-account-paid-unseen',
    bug: 'Somebody with another account than last month is paid although nobody looked.',
    file: 'src/domain/price-decision.ts',
    find: '    ...(findings.accountChange === undefined ? [] : [findings.accountChange]),\n',
    replace: '',
    caughtBy: [{ test: CHANGES, title: 'is held and the others are paid: known by' }],
  },
  {
    id: 'changed-account-only-warned-of',
    bug: 'A changed account is only warned of where nobody reads the warning.',
    file: 'src/config.ts',
    find: "      (flags.isAttended === true ? 'warn' : base.accountChanges),",
    replace: "      (flags.isAttended === undefined ? base.accountChanges : 'warn'),",
    caughtBy: [{ test: 'test/config-limits.test.ts', title: 'changed accounts, where' }],
  },
  {
    id: 'changed-account-forgotten',
    bug: 'A changed account that was withdrawn is no change any more the month after.',
    file: 'src/application/changes-since-last.ts',
    find: '  const ids = [previous, ...others].map(({ id }) => id);',
    replace: '  const ids = [previous, ...others].slice(0, 1).map(({ id }) => id);',
    caughtBy: [{ test: CHANGES, title: 'is held the month after, too' }],
  },
  {
    id: 'changed-account-beside-the-old-one',
    bug: 'A new account of somebody whose old account is still paid a little is no change.',
    file: MOVED,
    find: '    for (const [now, before] of namesakes) if (unknown.has(now)) found.set(now, before);\n',
    replace: '',
    caughtBy: [
      { test: CHANGES, title: 'the name stands there twice' },
      { test: CHANGES, title: 'the old one gets a little still' },
    ],
  },
  {
    id: 'changed-account-under-a-new-reference',
    bug: 'In a file without names, an old account that goes on under a new reference hides the new account.',
    file: MOVED,
    find: 'AND reference IN (SELECT reference FROM',
    replace: 'AND EXISTS (SELECT reference FROM',
    caughtBy: [{ test: CHANGES, title: 'in a file without names' }],
  },
  {
    id: 'changed-account-with-an-initial',
    bug: 'An initial put into the name makes a changed account that of a new person.',
    file: 'src/adapters/ledger/difference-sql.ts',
    find: "if (result === 'no_match') drop.run",
    replace: 'if (result.length > 0) drop.run',
    caughtBy: [
      { test: CHANGES, title: 'an initial was put into the name' },
      { test: CHANGES, title: 'it is in another country' },
    ],
  },
  {
    id: 'changed-account-let-go-as-a-repeat',
    bug: 'To say that a file is a new period lets a changed account go as well.',
    file: 'src/cli/ask-repeats.ts',
    find: ' || !REPEATS.includes(kind)) return false;',
    replace: ' || REPEATS.includes(undefined as never)) return false;',
    caughtBy: [{ test: AGAIN, title: 'a new period does not let a changed account go' }],
  },
  {
    id: 'doubt-let-go-as-a-repeat',
    bug: 'To say that a file is a new period pays again what is in doubt in the last one.',
    file: 'src/cli/ask-repeats.ts',
    find: 'if (repeated === undefined || isUnknown(repeated.state)) return false;',
    replace: 'if (repeated === undefined) return isUnknown({ status: "in_doubt" });',
    also: [
      {
        file: 'src/application/price-payouts.ts',
        find: '!== options.repeatsReleased || isUnknown(pointer),',
        replace: '!== options.repeatsReleased || !isUnknown({ ...pointer, status: "sending" }),',
      },
    ],
    caughtBy: [{ test: AGAIN, title: 'a new period does not pay again what is in doubt' }],
  },
  {
    id: 'changed-account-priced-before',
    bug: 'A changed account that was priced while somebody looked is paid when nobody does.',
    file: 'src/application/price-payouts.ts',
    find: '  if (quoted > 0) await holdChanged(changes, world);\n',
    replace: '',
    caughtBy: [{ test: CHANGES, title: 'that was priced while somebody looked is held when nobody does' }],
  },
  {
    id: 'edited-copy-is-new',
    bug: 'An edited copy of a finished batch without its name is a new batch.',
    file: PLACE,
    find: '    (await overlappingBatch(placing, world))\n',
    replace: '    (imported.rows < 0 ? await overlappingBatch(placing, world) : undefined)\n',
    caughtBy: [{ test: PLACING, title: 'refuses an unnamed edited copy of a batch that was paid' }],
  },
  {
    id: 'approval-without-digest',
    bug: 'An approval counts although the plan is another one than the person saw.',
    file: APPROVE,
    find: '(digest !== undefined && !isSameDigest(plan.digest, digest))',
    replace: '(digest === undefined && !isSameDigest(plan.digest, plan.digest))',
    caughtBy: [
      { test: PEOPLE, title: 'is approved only under the digest that the person saw' },
      { test: RUNNING, title: 'does not send what changed while the person was reading the plan' },
    ],
  },
  {
    id: 'short-digest-approves',
    bug: 'A few letters of a digest are enough.',
    file: 'src/application/plan-seen.ts',
    find: '  return text.length >= DIGEST_LETTERS_MIN && digest.startsWith(text);',
    replace: '  return digest.startsWith(text);',
    caughtBy: [{ test: PEOPLE, title: 'is not approved by a few letters of a digest' }],
  },
  {
    id: 'day-limit-forgets-approved',
    bug: 'The limit for a day forgets what is approved and not sent yet.',
    file: 'src/adapters/ledger/payout-sums.ts',
    find: "(status = 'approved' OR memory_at >= ?3)",
    replace: '(memory_at >= ?3)',
    caughtBy: [{ test: APPROVING, title: 'counts all batches: what was sent today' }],
  },
  {
    id: 'batch-limit-per-run',
    bug: 'The limit for a batch counts what is to be approved alone.',
    file: 'src/domain/limits.ts',
    find: '{ max: limits.batchMax, before: plan.committed }',
    replace: '{ max: limits.batchMax, before: [] }',
    caughtBy: [{ test: APPROVING, title: 'refuses the approval with both numbers' }],
  },
  {
    id: 'ceiling-ignored',
    bug: 'A batch above its ceiling is sent.',
    file: RUN,
    find: '    if (ceiling === undefined || minor > ceiling.minor)',
    replace: '    if (ceiling === undefined)',
    caughtBy: [{ test: RUNNING, title: 'counts what was paid in earlier runs towards the ceiling' }],
  },
  {
    id: 'ceiling-of-one-run',
    bug: 'What earlier runs agreed to does not count for the ceiling.',
    file: RUN,
    find: '  const totals = new Map(plan.committed.map(({ currency, minor }) => [currency, minor]));',
    replace: '  const totals = new Map(plan.committed.map(({ currency }) => [currency, 0n]));',
    caughtBy: [{ test: RUNNING, title: 'counts what was paid in earlier runs towards the ceiling' }],
  },
  {
    id: 'invalid-rows-pass',
    bug: 'The rest of a file with a bad row is sent without asking.',
    file: RUN,
    find: '  if (invalid > 0 && !options.skipInvalid) {\n    const stopped',
    replace: '  if (invalid < 0 && !options.skipInvalid) {\n    const stopped',
    also: [
      {
        file: RUN,
        find: "  if (invalid > 0 && !options.skipInvalid) return { kind: 'invalid_rows', count: invalid };",
        replace: '  void invalid;',
      },
    ],
    caughtBy: [{ test: RUNNING, title: 'sends nothing at all while one row is invalid' }],
  },
  {
    id: 'not-paid-while-alive',
    mustCatch: 'not_paid_while_alive',
    bug: '“Not paid” may be ruled while an answer can still come.',
    file: RESOLVE,
    find: '  if (clock.now() < quiet)',
    replace: '  if (clock.now() < 0)',
    caughtBy: [{ test: PEOPLE, title: 'that it was not paid waits until no answer can come any more' }],
  },
  {
    id: 'quiet-time-of-the-ruler',
    bug: 'How long a ruling waits is taken from the settings of whoever rules.',
    file: 'src/domain/attempt-window.ts',
    find: '  const patience = sender?.patienceMs ?? patienceMs;',
    replace: '  const patience = patienceMs;',
    caughtBy: [{ test: RULED_NOT_PAID, title: 'waits as long as the sender was patient' }],
  },
  {
    id: 'ruled-while-the-sender-sleeps',
    bug: '“Not paid” is ruled while the process that may still send the request only sleeps.',
    file: RESOLVE,
    find: '  if (attempt?.sender === undefined || attempt.isClosed || !attempt.isRunning) return undefined;',
    replace: '  if (attempt?.sender === undefined || attempt.startedAt > 0) return undefined;',
    caughtBy: [{ test: RULED_NOT_PAID, title: 'waits while the process that sent the request only sleeps' }],
  },
  {
    id: 'not-paid-without-evidence',
    bug: '“Not paid” needs no evidence.',
    file: RESOLVE,
    find: "  if (request.evidence.trim() === '') return refused(",
    replace: "  if (request.evidence === 'none') return refused(",
    caughtBy: [{ test: PEOPLE, title: 'that it was not paid waits until no answer can come any more' }],
  },
  {
    id: 'paid-without-look',
    bug: 'A ruling “paid” takes another amount without a word.',
    file: RESOLVE,
    find: '  if (differences.length > 0 && request.evidence === undefined) {',
    replace: '  if (differences.length < 0 && request.evidence === undefined) {',
    caughtBy: [{ test: PEOPLE, title: 'that names a transfer with another amount needs a word of evidence' }],
  },
  {
    id: 'paid-by-anothers-transfer',
    bug: 'A ruling takes the transfer of another row under its other id.',
    file: RESOLVE,
    find: '  if (takenToo !== undefined) return takenToo;\n',
    replace: '  void takenToo;\n',
    caughtBy: [{ test: PEOPLE, title: 'that names another row’s transfer by its other id is refused' }],
  },
  {
    id: 'reissue-at-once',
    bug: 'What the service just called failed may be paid again at once.',
    file: REISSUE,
    find: '  if (moment.at >= from) return undefined;',
    replace: '  if (moment.at >= 0) return undefined;\n  void from;',
    caughtBy: [{ test: PEOPLE, title: 'waits a day after the service called it failed, or needs evidence' }],
  },
  {
    id: 'doubt-reissued',
    bug: 'A row in doubt may be paid again without a ruling.',
    file: 'src/adapters/ledger/moves-sql.ts',
    find: "const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled'];",
    replace: "const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled', 'in_doubt'];",
    also: [
      {
        file: REISSUE,
        find: "  if (state.status === 'in_doubt') return 'in doubt: rule on it first (payfile resolve)';",
        replace: "  if (state.status === 'in_doubt') return undefined;",
      },
    ],
    caughtBy: [{ test: PEOPLE, title: 'paying again' }],
  },
  {
    id: 'doubt-goes-back',
    bug: 'The machine lets a row in doubt be sent again.',
    file: MACHINE,
    find: "  in_doubt: { accept: 'accepted',",
    replace: "  in_doubt: { not_sent: 'approved', accept: 'accepted',",
    caughtBy: [{ test: MACHINE_TEST, title: 'as the table says' }],
  },
  {
    id: 'refused-becomes-settled',
    bug: 'The machine lets a refused payment become settled.',
    file: MACHINE,
    find: "  if (state.status !== 'failed') return true;\n",
    replace: '  if (state.status !== undefined) return true;\n',
    caughtBy: [{ test: 'test/domain/payout-states.test.ts', title: 'cannot settle when it was refused' }],
  },
  {
    id: 'incident-unmarked',
    bug: 'A payment that failed and then finished looks like any other.',
    file: MACHINE,
    find: "incident: state.status === 'failed' };",
    replace: 'incident: false };',
    caughtBy: [{ test: MACHINE_TEST, title: 'marks a payment that failed and then finished as an incident' }],
  },
  {
    id: 'payment-without-reference-forgotten',
    bug: 'A payment without a reference is not compared with those that were made.',
    file: 'src/adapters/ledger/memory-sql.ts',
    find: 'const SAME_WITHOUT_REFERENCE = `(me.reference_key IS NULL OR',
    replace: 'const SAME_WITHOUT_REFERENCE = `(me.payment_key IS NULL OR',
    caughtBy: [{ test: 'test/planted/guards.test.ts', title: '[B6]' }],
  },
  {
    id: 'repeat-not-held',
    bug: 'A payment that was made a week ago is quoted again.',
    file: PRICE,
    find: '    if (pointer.at < since) {',
    replace: '    if (pointer.at > since) {',
    caughtBy: [{ test: PRICE_TEST, title: 'repeats' }],
  },
  {
    id: 'other-name-paid',
    bug: 'An account that belongs to somebody else is paid without asking.',
    file: PRICE,
    find: "  if (verdict.word !== 'hold' || (",
    replace: "  if (verdict.word === 'hold' || (",
    caughtBy: [{ test: PRICE_TEST, title: 'the name' }],
  },
  {
    id: 'released-name-for-ever',
    bug: 'A name that was let go once is let go whatever holder the account has now.',
    file: PRICE,
    find: '  if (check.resolved !== undefined && payout.instruction.name !== undefined) return false;\n',
    replace: '',
    caughtBy: [{ test: PRICE_TEST, title: 'is asked again when the account has another holder' }],
  },
  {
    id: 'any-fee-paid',
    bug: 'A fee of any size is paid.',
    file: PRICE,
    find: '  if (percent <= policy.feePercentMax) return [];',
    replace: '  if (percent >= 0) return [];',
    caughtBy: [{ test: PRICE_TEST, title: 'the fee' }],
  },
];
