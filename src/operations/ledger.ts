/** The ledger as a whole: create it, prove it, back it up, restore a backup, move it to a server. */
import { z } from 'zod';
import { type Batch, batchLabel, isPausedForStatement } from '../domain/batches/batch.ts';
import { isServerPlace, wayToJoin } from '../domain/batches/ledger-trust.ts';
import { stepsAfterError } from '../domain/next-steps/after-error.ts';
import { command, guideOn, type NextSteps, nextSteps, plainPath } from '../domain/next-steps/command.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { piecesOf, saidBy } from '../domain/text/message.ts';
import { counted, printable, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { minuteOf, timestampOf } from '../domain/timestamp.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger, VerifyResult } from '../ports/ledger/ledger.ts';
import type { LedgerCopy, RestoredCopy } from '../ports/ledger/store.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { aside, type Block, line, when } from './block.ts';
import type { Context } from './context.ts';
import { choice, filled, text, wordIfAny } from './fields.ts';
import { acceptWholeLedger, addressMissing, outputMissing } from './messages.ts';
import { field, operation } from './operation.ts';

/** Never creates a live ledger silently: a lost ledger forgets every payment that was made. */
export const init = operation({
  name: 'init',
  needs: ['administer'],
  acts: true,
  input: z.strictObject({}),
  async run(_input, context) {
    context.requireService();
    const isNew = !(await context.store.hasLedger());
    const { identity } = await context.ledger({ create: true });
    await context.store.prepareWorkers();
    return { identity, isNew };
  },
  view: ({ identity: { path, environment, id }, isNew }) => [
    isNew
      ? line(
          `Created the ledger ${path} (${environment}, ${id}). Keep it and back it up: it prevents double payments.`,
        )
      : line(`The ledger exists already: ${path} (${environment}, ${id}).`),
  ],
  json: ({ identity: { path, id, environment }, isNew }) => ({
    environment,
    created: isNew,
    ledger: { path, id, environment },
  }),
  next: () =>
    nextSteps(command('doctor'), command('run', [{ fillIn: 'FILE' }], [['--batch', { fillIn: 'NAME' }]])),
});

/** A person who accepts goes on with a ledger that is refused otherwise. Batches that could send are paused. */
export const verify = operation({
  name: 'verify',
  needs: (given) => (isAccepting(given) ? ['administer'] : ['look']),
  input: z.strictObject({
    batch: wordIfAny('batch'),
    acceptRollback: choice('go on with a ledger that is older than it once was'),
    acceptLedger: choice('go on with a ledger that is not known here: a copy, a restored backup'),
    acceptAuthUrl: choice('agree that the service has another login address now'),
  }),
  async run({ batch: named, ...accepts }, context): Promise<LedgerProof> {
    if (isAccepting(accepts) && named !== undefined) throw new RequestRefused(acceptWholeLedger);
    const ledger = await context.ledger(
      isAccepting(accepts) ? { ...accepts, by: context.user } : { readOnly: true },
    );
    const batch = named === undefined ? undefined : await findBatch(named, ledger);
    const result = await ledger.verify(batch?.id);
    const problems = [...result.problems, ...(await approvalProblemsOf(batch, ledger, context))];
    const { environment, path } = ledger.identity;
    const isAccepted = result.accepted !== undefined;
    return {
      result: { ...result, problems },
      environment,
      path,
      paused: isAccepted ? (await ledger.batches()).filter(isPausedForStatement) : [],
      authUrl: accepts.acceptAuthUrl ? context.authUrl : undefined,
      neededNoAccepting: !isAccepted && (accepts.acceptRollback || accepts.acceptLedger),
    };
  },
  view: (proof) => [...proofBlocks(proof), ...acceptanceBlocks(proof)],
  json: ({ environment, result }) => ({ environment, ...result }),
  next: stepsAfterVerify,
  exit: ({ result }) => (result.problems.length === 0 ? EXIT.done : EXIT.config),
});

/** A copy of one moment, also during a run. It is checked before it gets its name. */
export const backup = operation({
  name: 'backup',
  needs: ['administer'],
  acts: true,
  input: z.strictObject({
    output: field(text.optional(), { help: 'where it goes', value: 'file', letter: 'o' }),
  }),
  async run({ output }, context) {
    if (output === undefined || output === '' || output === '-')
      throw new RequestRefused(outputMissing, command('backup', [], [['-o', 'ledger-backup.db']]));
    const { environment, ledgerPath } = context;
    return { copy: await context.store.backup(output), environment, ledgerPath };
  },
  view: ({ copy, ledgerPath }) => [
    line(`Backup of ${ledgerPath}: ${copy.path}, ${contentOf(copy)}. The backup was checked.`),
    ...when(copy.emergencyPath, (path) => [
      aside(`Keep ${path} with it. It has outcomes of payments that the ledger could not write yet.`),
    ]),
    ...when(copy.sending > 0, () => [
      aside(`${rowsText(copy.sending)} on the wire at that moment: in doubt in this backup.`),
    ]),
    aside(
      'To go back to it: ',
      command('restore', [plainPath(copy.path)]),
      '. It does not know later payments.',
    ),
  ],
  json: ({ copy, environment, ledgerPath }) => ({
    environment,
    ledger: { id: copy.id, path: ledgerPath },
    backup: copyJson(copy),
  }),
});

/** Nothing is sent with a restored ledger until a person accepts it. */
export const restore = operation({
  name: 'restore',
  needs: ['administer'],
  acts: true,
  input: z.strictObject({
    file: field(filled, { value: 'file', isWord: true }),
    replace: choice('keep a ledger that is there under another name'),
  }),
  async run({ file, replace }, context) {
    context.requireService();
    const copy = await context.store.restore(file, { replace });
    const refusal = await context.ledger().then(
      () => undefined,
      (error: unknown) => error,
    );
    return { copy, environment: context.environment, refusal };
  },
  view: ({ copy, refusal }) => [
    line(`Restored ${copy.path}: ${contentOf(copy)}.`),
    ...when(copy.keptAt, (path) => [aside(`The previous ledger is now ${path}. ${sentSinceText(copy)}`)]),
    ...when(refusal !== undefined, () => [aside(...piecesOf(saidBy(refusal)))]),
  ],
  json: ({ copy, environment }) => ({
    environment,
    ledger: { id: copy.id, path: copy.path },
    restored: { ...copyJson(copy), keptAt: copy.keptAt ?? null, sentSince: copy.sentSince ?? null },
  }),
  next({ refusal }) {
    const { next = command('status'), andThen } = stepsAfterError(refusal);
    return nextSteps(next, andThen);
  },
});

/** After a move that was interrupted, the same call completes it. Nobody else may use the ledger meanwhile. */
export const move = operation({
  name: 'ledger move',
  needs: ['administer'],
  acts: true,
  input: z.strictObject({
    to: field(text.optional(), {
      help: 'postgres://USER@HOST/DATABASE, without a password',
      value: 'address',
    }),
  }),
  async run({ to }, context) {
    if (to === undefined || to === '') throw new RequestRefused(addressMissing);
    context.requireService();
    const { moveLedger } = await import('../use-cases/move/move-ledger.ts');
    // If this process had the ledger open, it would block its own move.
    const moving = await context.store.moveTo(to);
    try {
      const ports = await context.offlinePorts(moving.from);
      return await moveLedger(moving, ports, { ...context.dialogue, holder: context.holder });
    } finally {
      await moving.close();
    }
  },
  view: ({ from, to, head, recovered, wasLeft, ...size }) => [
    ...when(wasLeft, () => [line('An earlier move was interrupted. It is complete now.')]),
    line(`Moved ${from} to ${to}: ${sizeOf(size)}. No problem found. Head ${head}`),
    ...when(recovered > 0, () => [
      aside(`${rowsText(recovered)} on the wire when a process ended: in doubt now. Rule on each.`),
    ]),
    aside(`From now on, set PAYFILE_LEDGER to ${to}`),
    aside(`The file ${from} can only be read. Keep it for your records.`),
  ],
  json: ({ identity: { id, environment }, from, to, batches, entries, head, recovered, wasLeft }) => ({
    environment,
    ledger: { id, environment, from, to, batches, entries, head },
    recovered,
    wasLeft,
  }),
  next: ({ to }) => ({ next: { ...command('status'), ledger: to } }),
});

export interface LedgerProof {
  readonly result: VerifyResult;
  readonly environment: 'live' | 'sandbox';
  readonly path: string;
  /** Paused until compared with a statement: another ledger may have sent rows that this one would send again. */
  readonly paused: readonly Batch[];
  /** The login address that was accepted. */
  readonly authUrl: string | undefined;
  /** A person accepted a ledger that was known already. */
  readonly neededNoAccepting: boolean;
}

interface Accepts {
  readonly acceptRollback: boolean;
  readonly acceptLedger: boolean;
  readonly acceptAuthUrl: boolean;
}

function isAccepting({ acceptRollback, acceptLedger, acceptAuthUrl }: Accepts): boolean {
  return acceptRollback || acceptLedger || acceptAuthUrl;
}

async function approvalProblemsOf(
  batch: Batch | undefined,
  ledger: Ledger,
  { passkeys }: Context,
): Promise<readonly string[]> {
  const { approvalProblems } = await import('../use-cases/people/sign-approval.ts');
  return approvalProblems(batch?.id, { ledger, passkeys }).catch((error: unknown) => {
    if (error instanceof LedgerError) return [`approvals cannot be read: ${error.message}`];
    throw error;
  });
}

function proofBlocks({ result, path }: LedgerProof): readonly Block[] {
  const { problems, head, unknownHere } = result;
  const size = `${path}: ${sizeOf(result)}`;
  if (problems.length > 0)
    return [
      line(`✖ ${size}; ${counted(problems.length, 'problem')}.`),
      ...problems.map((problem) => line(`  ${problem}`)),
      aside(
        'Send nothing with this ledger, and keep it. A backup does not know what was paid after it was made. ' +
          'If you restore one, compare every later batch with a statement before you send. Otherwise rows are paid twice.',
      ),
    ];
  return [
    line(`✔ ${size}. No problem found. Head ${head}`),
    ...when(unknownHere, (why) => [
      aside(
        `The ledger is whole, but not known here: ${why}. ${wayToJoin(path, why) ?? 'Nothing is sent with it until you accept it.'}`,
      ),
    ]),
  ];
}

const NEW_BATCHES =
  'A file that was run since then is new to it. So every new batch is paused too, until you resume it.';
const COPIED_FILE =
  `This ledger does not know what was done after it was copied. ${NEW_BATCHES} ` +
  'Use only this ledger from now on: two copies of a ledger pay the same rows twice.';
const COPIED_SERVER =
  `This ledger does not know what was done after its server was copied or restored. ${NEW_BATCHES} ` +
  'This holds on all machines. They may go on sharing it. If the server that was copied still runs, ' +
  'no machine may use that one: two copies of a ledger pay the same rows twice.';

function acceptanceBlocks({
  result,
  path,
  paused,
  authUrl,
  neededNoAccepting,
}: LedgerProof): readonly Block[] {
  return [
    ...when(authUrl, (url) => [aside(`The login address of the ledger is ${url} from now on.`)]),
    ...when(neededNoAccepting, () => [aside('This ledger is known here. There was nothing to accept.')]),
    ...when(result.accepted, () => [
      aside(isServerPlace(path) ? COPIED_SERVER : COPIED_FILE),
      aside('After you compared everything since the copy with a statement: ', RESUME_ALL),
    ]),
    ...when(paused.length > 0, () => [
      aside(
        `Paused until you resume them: ${paused.map(batchLabel).join(', ')}. Compare each with a statement first, ` +
          'so that nothing is paid twice.',
      ),
    ]),
  ];
}

const RESUME_ALL = command('resume', [], [['--all']]);

function stepsAfterVerify({ result: { problems, unknownHere }, paused, path }: LedgerProof): NextSteps {
  const [first] = paused;
  if (first !== undefined) {
    const label = batchLabel(first);
    const compare = command('reconcile', [label], [['--statement', { fillIn: 'FILE' }], ['--accept']]);
    return nextSteps(command('status', [label]), compare);
  }
  if (unknownHere === undefined) return {};
  if (wayToJoin(path, unknownHere) !== undefined) return { next: guideOn('server') };
  // A person accepts only after looking, so the command is never the next one to paste.
  return problems.length === 0 ? { andThen: command('verify', [], [['--accept-ledger']]) } : {};
}

function sentSinceText({ sentSince }: RestoredCopy): string {
  if (sentSince === undefined)
    return 'It cannot be read, so nobody knows what it sent that the backup does not know.';
  if (sentSince.length === 0) return 'It sent nothing that the backup does not know.';
  const rows = sentSince.map(({ batch, rows: count }) => `${rowsText(count)} of batch ${printable(batch)}`);
  return `It sent rows that the backup does not know. Do not pay them again: ${rows.join(', ')}.`;
}

const sizeOf = ({ batches, entries }: Pick<VerifyResult, 'batches' | 'entries'>) =>
  `${counted(batches, 'batch', 'batches')}, ${counted(entries, 'journal entry', 'journal entries')}`;

const contentOf = (copy: LedgerCopy) =>
  `${sizeOf(copy)}, the last of ${minuteOf(timestampOf(copy.until))} UTC`;

function copyJson({ path, batches, entries, until, sending, emergencyPath }: LedgerCopy) {
  return { path, batches, entries, until, sending, emergencyPath: emergencyPath ?? null };
}
