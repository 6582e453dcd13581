/** Bugs in what people decide: approvals, repeats, holds, rulings on a doubt, paying a row again. */
import type { PlantedBug } from '../planted-bug.ts';

const PLACE = 'src/use-cases/intake/place-import.ts';
const PLACING = 'test/use-cases/placing.test.ts';
const CHANGED_AGAIN = 'test/use-cases/paid-again-changes.test.ts';
const CHANGES = 'test/use-cases/account-changes.test.ts';
const AGAIN = 'test/stories/paying-again.test.ts';
const APPROVE = 'src/use-cases/approve/approve-batch.ts';
const PEOPLE = 'test/use-cases/people.test.ts';
const RUNNING = 'test/use-cases/running.test.ts';
const APPROVING = 'test/use-cases/approving.test.ts';
const RUN = 'src/use-cases/run-batch.ts';
const RESOLVE = 'src/use-cases/decide/resolve-doubt.ts';
const RULED_NOT_PAID = 'test/use-cases/ruled-not-paid.test.ts';
const REISSUE = 'src/use-cases/decide/reissue.ts';
const MACHINE = 'src/domain/payouts/payout-machine.ts';
const MACHINE_TEST = 'test/domain/payout-machine.test.ts';
const PRICE = 'src/domain/payouts/price-decision.ts';
const PRICE_TEST = 'test/domain/price-decision.test.ts';
const MAKERS = 'src/use-cases/approve/four-eyes.ts';
const SAME_ROW = 'test/use-cases/same-row.test.ts';
const AS_SEEN = 'test/use-cases/approved-as-seen.test.ts';
const HALF_READ = {
  test: 'test/adapters/ledger/half-read.test.ts',
  title: 'approves and sends nothing of a batch that has rows of two files',
};

const REVISED = 'test/use-cases/paid-again-revised.test.ts';

export const DECISION_BUGS: readonly PlantedBug[] = [
  {
    id: 'quotes-that-a-report-breaks',
    bug: 'A command has text in it that a report escapes: the name of a file runs a program when the command is pasted.',
    file: 'src/domain/next-steps/command.ts',
    find: "const OUTSIDE_QUOTES = new RegExp(`'|",
    replace: "const OUTSIDE_QUOTES = new RegExp(`'|never",
    caughtBy: [
      {
        test: 'test/adapters/files/report/commands-in-reports.test.ts',
        title: 'names what is meant in each kind of report',
      },
    ],
  },
  {
    id: 'paid-again-left-out',
    bug: 'A newer file takes the place of a row that is paid again: the first payment of it is never asked about.',
    file: 'src/adapters/ledger/batches/match-rows.ts',
    find: 'WHERE replaces IS NOT NULL AND batch = ',
    replace: 'WHERE 0 AND replaces IS NOT NULL AND batch = ',
    caughtBy: [{ test: REVISED, title: 'keeps the row that stands for a payment, of two equal ones' }],
  },
  {
    id: 'noted-incident-begun',
    bug: 'A replacement is begun although a statement has just shown the first payment as paid.',
    file: 'src/adapters/ledger/payouts/payment-memory.ts',
    find: "  return relative(sql, 'incident_root', id) ?? notedRelative(sql, id);",
    replace: "  return relative(sql, 'incident_root', id) ?? (id < 0 ? notedRelative(sql, id) : undefined);",
    caughtBy: [
      { test: REVISED, title: 'keeps the replacement from being begun, although nobody looked again' },
    ],
  },
  {
    id: 'reissued-beside-redo',
    bug: 'A row that its redo file paid is planned again: only the first payments of a row are looked at, not the newer ones.',
    file: REISSUE,
    find: '  const other = standsInstead(id, family);',
    replace:
      '  const other = standsInstead(id, family.slice(0, family.findIndex((one) => one.payoutId === id) + 1));',
    caughtBy: [
      {
        test: 'test/use-cases/paid-again-elsewhere.test.ts',
        title: 'is said to wait there while the other one waits, and is free again when that is withdrawn',
      },
    ],
  },
  {
    id: 'replaced-beside-living',
    bug: 'A row is planned again while another batch has just begun to pay it.',
    file: 'src/adapters/ledger/payouts/moves.ts',
    find: '    if (relativeOf(sql, old) !== undefined)\n',
    replace: '    if (relativeOf(sql, old) !== undefined && old < 0)\n',
    caughtBy: [
      {
        test: 'test/use-cases/paid-again-elsewhere.test.ts',
        title: 'is refused to whoever wants to pay it once more; of all failed rows it is passed over',
      },
    ],
  },
  {
    id: 'paid-twice-counted',
    bug: 'A month counts a row twice that failed in one batch and was paid by another.',
    file: 'src/use-cases/report/report-period.ts',
    find: 'const isElsewhere = one.elsewhere.has(row.payout.id);',
    replace: 'const isElsewhere = one.elsewhere.size < 0;',
    caughtBy: [
      {
        test: 'test/use-cases/paid-again-elsewhere.test.ts',
        title: 'is one line of a report over days, with what was tried first, and the sums count it once',
      },
    ],
  },
  {
    id: 'elsewhere-fee-untied',
    bug: 'The fee of a payment that came back is in no sum of a month in which another batch paid its row again.',
    file: 'src/use-cases/report/report-period.ts',
    find: 'elsewhere.has(sent.payout.id) ?',
    replace: 'elsewhere.has(sent.payout.id) && elsewhere.size < 0 ?',
    caughtBy: [
      {
        test: 'test/use-cases/months.test.ts',
        title: 'is one line of June, beside which the journal ties to the fee that was paid twice',
      },
    ],
  },
  {
    id: 'redo-of-withdrawn',
    bug: 'A file of rows to pay again holds what a person withdrew on purpose.',
    file: 'src/domain/reporting/redo.ts',
    find: 'context.withCanceled ? undefined',
    replace: "context.withCanceled || state.by !== ''\n        ? undefined",
    caughtBy: [
      {
        test: 'test/domain/redo.test.ts',
        title: 'holds what a person withdrew only when that is asked for, as the same row',
      },
    ],
  },
  {
    id: 'half-read-approved',
    bug: 'A batch is approved while it holds a row and its correction, so that both are paid.',
    file: APPROVE,
    find: '  requireWholeFile(batch);\n',
    replace: '',
    caughtBy: [HALF_READ],
  },
  {
    id: 'half-read-reissued',
    bug: 'A row is paid again while its file is read, and is then in neither file.',
    file: 'src/adapters/ledger/payouts/moves.ts',
    find: 'batches.facts(batch).merging !== undefined',
    replace: 'batches.facts(batch).merging === null',
    caughtBy: [{ ...HALF_READ, title: 'pays no row again that would then be in neither file' }],
  },
  {
    id: 'half-read-sent',
    bug: 'A batch is sent while it holds a row and its correction, so that both are paid.',
    file: 'src/use-cases/send/send-batch.ts',
    find: '  requireWholeFile(batch);\n',
    replace: '',
    caughtBy: [HALF_READ],
  },
  {
    id: 'consent-pasted',
    bug: 'A command that is shown names the batch that it repeats: whoever pastes it pays everyone twice.',
    file: 'src/use-cases/run-end.ts',
    find: "['--repeats', { fillIn: 'BATCH' }]",
    replace: "['--repeats', 'a' as never]",
    caughtBy: [
      { test: 'test/journeys/typed-commands.test.ts', title: 'pays nobody again whatever is pasted' },
    ],
  },
  {
    id: 'dedupe-on-bytes',
    mustCatch: 'dedupe_on_bytes',
    bug: 'A file is known again by its bytes alone, so a copy that was saved anew is another batch.',
    file: PLACE,
    find: '  const sameRows = await ports.ledger.findByDigest(imported.digest);',
    replace:
      '  const sameRows = (await ports.ledger.findByDigest(imported.digest)).filter(\n    (batch) => batch.file.sha256 === imported.fileSha256,\n  );',
    caughtBy: [{ test: PLACING, title: 'are a batch that is finished, and nothing is sent' }],
  },
  {
    id: 'added-rows-approved',
    bug: 'Rows that are added to an approved batch count as approved.',
    file: 'src/use-cases/price/price-payouts.ts',
    find: '  const left = (await ports.ledger.counts(batchId)).planned;',
    replace: [
      '  const batch = await ports.ledger.batch(batchId);',
      '  if (batch?.approval !== undefined)',
      "    await approveBatch(batchId, { by: 'payfile', how: 'library', digest: undefined }, ports);",
      '  const left = (await ports.ledger.counts(batchId)).planned;',
    ].join('\n'),
    also: [
      {
        file: 'src/use-cases/price/price-payouts.ts',
        find: "import type { Ports } from '../ports.ts';",
        replace:
          "import { approveBatch } from '../approve/approve-batch.ts';\nimport type { Ports } from '../ports.ts';",
      },
    ],
    caughtBy: [{ test: PLACING, title: '[B4]' }],
  },
  {
    id: 'finished-batch-again',
    bug: 'The rows of a finished batch are a new batch when they come again.',
    file: PLACE,
    find: '  if (isSame && (await isFinished(target, ports))) {',
    replace: '  if (isSame && !(await isFinished(target, ports)) && false) {',
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
    id: 'failed-reference-unseen',
    bug: 'A failed row that is copied into another file with another account is paid although nobody looked.',
    file: 'src/use-cases/approve/changes-since-last.ts',
    find: '    paymentsTried(failed),\n',
    replace: '',
    caughtBy: [
      {
        test: 'test/use-cases/failed-references.test.ts',
        title: 'is held where nobody looks, and shown, to another account',
      },
    ],
  },
  {
    id: 'second-row-for-a-payment-unseen',
    bug: 'Of two rows that pay the same failed payment again, only the first is compared with it.',
    file: 'src/adapters/ledger/reports/differences.ts',
    find: '  WHERE n.account <> b.account`;',
    replace: '  WHERE n.account <> b.account GROUP BY b.id`;',
    caughtBy: [{ test: CHANGED_AGAIN, title: 'holds every row that names the payment' }],
  },
  {
    id: 'changed-account-paid-unseen',
    bug: 'Somebody with another account than last month is paid although nobody looked.',
    file: 'src/domain/payouts/price-decision.ts',
    find: '    ...(findings.accountChange === undefined ? [] : [findings.accountChange]),\n',
    replace: '',
    caughtBy: [{ test: CHANGES, title: 'is held and the others are paid: known by' }],
  },
  {
    id: 'doubt-let-go-as-a-repeat',
    bug: 'To say that a file is a new period pays again what is in doubt in the last one.',
    file: 'src/use-cases/decide/repeats.ts',
    find: 'if (of === undefined || isUnknown({ status })) return false;',
    replace: 'if (of === undefined || !isUnknown({ status: status && "in_doubt" })) return false;',
    caughtBy: [{ test: AGAIN, title: 'a new period does not pay again what is in doubt' }],
  },
  {
    id: 'every-repeat-let-go',
    bug: 'To say that a file is a new period of one batch lets repeats of any other batch go.',
    file: 'src/use-cases/decide/repeats.ts',
    find: '(await ledger.batchesPaidBy(payoutId)).includes(of)',
    replace: '(await ledger.batchesPaidBy(payoutId)).length > 0',
    also: [
      {
        file: 'src/adapters/ledger/payouts/payment-memory.ts',
        find: 'this.batchesPaidBy(numberOf(row.id)).includes(released)',
        replace: 'this.batchesPaidBy(numberOf(row.id)).length > 0',
      },
    ],
    caughtBy: [{ test: 'test/use-cases/new-period.test.ts', title: 'pays no row of this one again' }],
  },
  {
    id: 'same-file-other-banks-is-new',
    bug: 'The same file, whose banks a mapping reads otherwise by now, is a new batch beside the one that was paid.',
    file: PLACE,
    find: ' || digest !== imported.digest,',
    replace: ' || digest === undefined,',
    caughtBy: [
      { test: 'test/payfile/edits.test.ts', title: 'never takes a file whose banks are read otherwise' },
    ],
  },
  {
    id: 'link-corrected-away',
    bug: 'A correction of a cell takes away which payment a row pays again, and the row is a payment of its own.',
    file: 'src/use-cases/intake/edited-rows.ts',
    find: '    if (cut === undefined) return edited(file, edits);',
    replace: '    if (cut === undefined || cut !== undefined) return edited(file, edits);',
    caughtBy: [{ test: 'test/payfile/edits.test.ts', title: 'never cuts the link of a row' }],
  },
  {
    id: 'edited-copy-is-new',
    bug: 'An edited copy of a finished batch without its name is a new batch.',
    file: PLACE,
    find: '    (await overlappingBatch(placing, ports))\n',
    replace: '    (imported.rows < 0 ? await overlappingBatch(placing, ports) : undefined)\n',
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
    id: 'day-limit-forgets-approved',
    bug: 'The limit for a day forgets what is approved and not sent yet.',
    file: 'src/adapters/ledger/reports/payout-sums.ts',
    find: "(status = 'approved' OR memory_at >= ?3)",
    replace: '(memory_at >= ?3)',
    caughtBy: [{ test: APPROVING, title: 'counts all batches: what was sent today' }],
  },
  {
    id: 'ceiling-ignored',
    bug: 'A batch above its ceiling is sent.',
    file: RUN,
    find: '    if (!isAtMost(total, ceiling))',
    replace: '    if (ceiling === undefined)',
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
    find: '  if (ports.clock.now() < quiet)',
    replace: '  if (ports.clock.now() < 0)',
    caughtBy: [{ test: PEOPLE, title: 'that it was not paid waits until no answer can come any more' }],
  },
  {
    id: 'ruled-while-the-sender-sleeps',
    bug: '“Not paid” is ruled while the process that may still send the request only sleeps.',
    file: RESOLVE,
    find: '  if (attempt === undefined || attempt.isClosed || !attempt.isRunning) return undefined;',
    replace: '  if (attempt === undefined || attempt.startedAt > 0) return undefined;',
    caughtBy: [{ test: RULED_NOT_PAID, title: 'waits while the process that sent the request only sleeps' }],
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
    id: 'yes-rules-on-real-money',
    bug: '--yes confirms a ruling on real money.',
    file: 'src/faces/cli/commands/resolve.ts',
    find: '  if (yes === true && sandbox !== true)',
    replace: '  if (yes === true && sandbox === false)',
    caughtBy: [{ test: 'test/journeys/live-service.test.ts', title: 'is not confirmed by --yes' }],
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
    file: 'src/adapters/ledger/payouts/moves.ts',
    find: "const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled'];",
    replace: "const REPLACEABLE: readonly string[] = ['failed', 'returned', 'canceled', 'in_doubt'];",
    also: [
      {
        file: REISSUE,
        find: "  if (state.status === 'in_doubt') return 'in doubt: rule on it first';",
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
    id: 'payment-without-reference-forgotten',
    bug: 'A payment without a reference is not compared with those that were made.',
    file: 'src/adapters/ledger/payouts/payment-memory.ts',
    find: 'const SAME_WITHOUT_REFERENCE = `(me.reference_key IS NULL OR',
    replace: 'const SAME_WITHOUT_REFERENCE = `(me.payment_key IS NULL OR',
    caughtBy: [{ test: 'test/guards.test.ts', title: '[B6]' }],
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
    id: 'maker-approves',
    bug: 'With four eyes asked for, the maker may approve.',
    file: MAKERS,
    find: '  if (maker === by) return true;\n',
    replace: '',
    caughtBy: [{ test: PEOPLE, title: 'needs another person where four eyes are asked for' }],
  },
  {
    id: 'let-go-beside-a-living-one',
    bug: 'A person may let a row go while another instruction of it is still to be sent.',
    file: 'src/use-cases/decide/same-row.ts',
    find: '  if (other === undefined) return undefined;',
    replace: "  if (other === undefined || other.status === 'approved') return undefined;",
    caughtBy: [{ test: SAME_ROW, title: 'is not let go beside the other one' }],
  },
  {
    id: 'approved-unseen',
    bug: 'A row that joined the plan after the person saw it is approved with it.',
    file: 'src/use-cases/approve/approve-batch.ts',
    find: 'recordEvents(changes, ports, { unchangedSince })',
    replace: 'recordEvents(changes, ports, {})',
    caughtBy: [{ test: AS_SEEN, title: 'that another process brings and prices' }],
  },
];
