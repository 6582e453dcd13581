/** Bugs in who may agree, how much a day may pay, and what it means that one row is in two batches. */
import type { PlantedBug } from '../planted-bug.ts';

const MAKERS = 'src/application/makers.ts';
const APPROVING = 'test/application/approving.test.ts';
const AS_SEEN = 'test/application/approved-as-seen.test.ts';
const FOUR_EYES = 'test/application/four-eyes.test.ts';
const PEOPLE = 'test/application/people.test.ts';
const SAME_ROW = 'test/application/same-row.test.ts';

export const APPROVAL_BUGS: readonly PlantedBug[] = [
  {
    id: 'maker-approves',
    bug: 'With four eyes asked for, the maker may approve.',
    file: MAKERS,
    find: '  if (maker === by) return true;\n',
    replace: '',
    caughtBy: [{ test: PEOPLE, title: 'needs another person where four eyes are asked for' }],
  },
  {
    id: 'reviser-approves',
    bug: 'With four eyes asked for, whoever revised the file may approve it.',
    file: MAKERS,
    find: "filter(({ body }) => body['by'] === by);",
    replace: "filter(({ body }) => body['by'] === maker && maker === by);",
    caughtBy: [{ test: FOUR_EYES, title: 'keep whoever revised the file from approving it' }],
  },
  {
    id: 'reissuer-approves',
    bug: 'With four eyes asked for, whoever asked to pay a row again may approve it.',
    file: MAKERS,
    find: "(kind === 'replacement' && body['by'] === by) ||",
    replace: '',
    caughtBy: [{ test: FOUR_EYES, title: 'keep whoever asked to pay a row again from approving it' }],
  },
  {
    id: 'reviser-approves-what-waited',
    bug: 'With four eyes asked for, whoever revised the file may approve a row of it once others are approved.',
    file: MAKERS,
    find: "(kind === 'joined' && imports.has(body['import']))",
    replace: 'false',
    caughtBy: [{ test: FOUR_EYES, title: 'keep whoever revised the file from approving a row that waited' }],
  },
  {
    id: 'day-limit-out-of-turn',
    bug: 'Two approvals in the same instant both pass the limit for a day.',
    file: 'src/application/in-turn.ts',
    find: 'if (policy.limits.dayMax.length === 0) return',
    replace: 'if (policy.limits.dayMax.length >= 0) return',
    caughtBy: [{ test: APPROVING, title: 'lets one of two approvals pass that two processes make' }],
  },
  {
    id: 'let-go-beside-a-living-one',
    bug: 'A person may let a row go while another instruction of it is still to be sent.',
    file: 'src/application/same-row.ts',
    find: '  if (other === undefined) return undefined;',
    replace: "  if (other === undefined || other.status === 'approved') return undefined;",
    caughtBy: [{ test: SAME_ROW, title: 'is not let go beside the other one' }],
  },
  {
    id: 'approved-unseen',
    bug: 'A row that joined the plan after the person saw it is approved with it.',
    file: 'src/application/approve-rows.ts',
    find: 'recordEvents(changes, world, { unchangedSince })',
    replace: 'recordEvents(changes, world, {})',
    caughtBy: [{ test: AS_SEEN, title: 'that another process brings and prices' }],
  },
  {
    id: 'approved-after-take-over',
    bug: 'A process that lost its batch goes on approving in it.',
    file: 'src/adapters/ledger/moves-sql.ts',
    find: "      if (!mayBegin(batch)) return { kind: 'stale' };",
    replace: "      if (event.kind === 'begin_attempt' && !mayBegin(batch)) return { kind: 'stale' };",
    caughtBy: [{ test: AS_SEEN, title: 'in a batch that another process took over' }],
  },
  {
    id: 'withdrawn-whatever-comes',
    bug: 'Rows that leave with an approval are withdrawn although the plan is another one.',
    file: 'src/application/approve-batch.ts',
    find: '  const plan = await planOf(batchId, world, new Set(leaving?.map(({ id }) => id)));',
    replace:
      "  await withdrawRows(leaving ?? [], { by, reason: '' }, world);\n  const plan = await planOf(batchId, world);",
    caughtBy: [{ test: AS_SEEN, title: 'stay when the plan is another one by then' }],
  },
];
