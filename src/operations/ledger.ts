/** The ledger as a whole: create, verify, back up, restore, move to a server. */
import { z } from 'zod';
import { type Batch, batchLabel, isPausedForStatement } from '../domain/batches/batch.ts';
import { isAnotherFile, isServerPlace, wayToJoin } from '../domain/batches/ledger-trust.ts';
import { command, guideOn, type NextSteps, nextSteps, plainPath } from '../domain/next-steps/command.ts';
import { stepsAfterError } from '../domain/reporting/error-codes.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { piecesOf, saidBy } from '../domain/text/message.ts';
import { counted, printable, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { minuteOf, timestampOf } from '../domain/timestamp.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Ledger, VerifyResult } from '../ports/ledger/ledger.ts';
import type { LedgerCopy, OpenLedgerOptions, RestoredCopy } from '../ports/ledger/store.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { aside, type Block, line, when } from './block.ts';
import type { Context } from './context.ts';
import { choice, nonEmptyText, optionalWord, text } from './fields.ts';
import { acceptWholeLedger, addressMissing, outputMissing } from './messages.ts';
import { field, operation } from './operation.ts';

/** Creates the ledger. No command creates a live one silently: a new ledger does not know earlier payments. */
export const init = operation({
  name: 'init',
  needs: ['administer'],
  changesData: true,
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

/** Verifies the ledger. If you accept a ledger that payfile refuses, it pauses all batches that could send. */
export const verify = operation({
  name: 'verify',
  needs: (given) => (isAccepting(given) ? ['administer'] : ['look']),
  input: z.strictObject({
    batch: optionalWord('batch'),
    acceptRollback: choice('accept a ledger that is older than payfile remembers'),
    acceptLedger: choice('accept a ledger that is not known here: a copy, a restored backup'),
    acceptAuthUrl: choice('accept a new login address of the service'),
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
      wasAlreadyKnown: !isAccepted && (accepts.acceptRollback || accepts.acceptLedger),
    };
  },
  view: (proof) => [...proofBlocks(proof), ...acceptanceBlocks(proof)],
  json: ({ environment, result }) => ({ environment, ...result }),
  next: stepsAfterVerify,
  exit: ({ result }) => (result.problems.length === 0 ? EXIT.done : EXIT.config),
});

/** Copies the ledger at one moment, also during a run. The copy gets its name only after payfile verified it. */
export const backup = operation({
  name: 'backup',
  needs: ['administer'],
  changesData: true,
  input: z.strictObject({
    output: field(text.optional(), { help: 'file of the backup', value: 'file', letter: 'o' }),
  }),
  async run({ output }, context) {
    if (output === undefined || output === '' || output === '-')
      throw new RequestRefused(outputMissing, command('backup', [], [['-o', 'ledger-backup.db']]));
    const { environment, ledgerPath } = context;
    return { copy: await context.store.backup(output), environment, ledgerPath };
  },
  view: ({ copy, ledgerPath }) => [
    line(`Backup of ${ledgerPath}: ${copy.path}, ${contentOf(copy)}. payfile verified the backup.`),
    ...when(copy.emergencyPath, (path) => [
      aside(`Keep ${path} with it. That file has payment outcomes that the ledger could not write yet.`),
    ]),
    ...when(copy.sending > 0, () => [
      aside(`${counted(copy.sending, 'row was', 'rows were')} in flight then, and in doubt in this backup.`),
    ]),
    aside(
      'To restore it: ',
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

/** Restores a backup. payfile sends nothing with it until a person accepts the ledger. */
export const restore = operation({
  name: 'restore',
  needs: ['administer'],
  changesData: true,
  input: z.strictObject({
    file: field(nonEmptyText, { value: 'file', isPositional: true }),
    replace: choice('rename an existing ledger and keep it'),
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

/** Moves the ledger. The same call completes an interrupted move. Nobody else may use the ledger meanwhile. */
export const move = operation({
  name: 'ledger move',
  needs: ['administer'],
  changesData: true,
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
    ...when(wasLeft, () => [line('This completed an interrupted move.')]),
    line(`Moved ${from} to ${to}: ${sizeOf(size)}. No problem found. Head ${head}`),
    ...when(recovered > 0, () => [
      aside(
        `${counted(recovered, 'row was', 'rows were')} in flight when a process ended, and in doubt now. Rule on each.`,
      ),
    ]),
    aside(`From now on, set PAYFILE_LEDGER to ${to}`),
    aside(`The file ${from} is read-only now. Keep it for your records.`),
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
  /** Batches paused until someone compares them with a statement. Another ledger may have sent their rows. */
  readonly paused: readonly Batch[];
  /** The accepted login address. */
  readonly authUrl: string | undefined;
  /** The accepted ledger was already known here. */
  readonly wasAlreadyKnown: boolean;
}

type Accepts = Pick<OpenLedgerOptions, 'acceptRollback' | 'acceptLedger' | 'acceptAuthUrl'>;

function isAccepting({ acceptRollback, acceptLedger, acceptAuthUrl }: Accepts): boolean {
  return acceptRollback === true || acceptLedger === true || acceptAuthUrl === true;
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
        'Send nothing with this ledger, and keep it. A backup does not know later payments. ' +
          'If you restore one, compare every later batch with a statement before you send. Otherwise payfile may pay rows twice.',
      ),
    ];
  return [
    line(`✔ ${size}. No problem found. Head ${head}`),
    ...when(unknownHere, (why) => [
      aside(`The ledger is valid, but not known here: ${why}. ${wayOn(path, why)}`),
    ]),
  ];
}

function wayOn(path: string, why: string): string {
  const sendsNothing = 'payfile sends nothing with it until you accept it.';
  if (isAnotherFile(why))
    return `${sendsNothing} A backup needs no acceptance while that file is in use: two ledgers pay the same rows twice.`;
  return wayToJoin(path, why) ?? sendsNothing;
}

const NEW_BATCHES =
  'It does not know files that ran after that. So new batches are paused too, until you resume them.';
const COPIED_FILE =
  `This ledger does not know anything after it was copied. ${NEW_BATCHES} ` +
  'Use only this ledger from now on: two copies of a ledger pay the same rows twice.';
const COPIED_SERVER =
  `This ledger does not know anything after its server was copied or restored. ${NEW_BATCHES} ` +
  'This applies to all machines. They may continue to share this ledger. If the original server still runs, ' +
  'no machine may use it: two copies of a ledger pay the same rows twice.';

function acceptanceBlocks({ result, path, paused, authUrl, wasAlreadyKnown }: LedgerProof): readonly Block[] {
  return [
    ...when(authUrl, (url) => [aside(`The login address of the ledger is now ${url}.`)]),
    ...when(wasAlreadyKnown, () => [aside('This ledger is already known here. Nothing needed acceptance.')]),
    ...when(result.accepted, () => [
      aside(isServerPlace(path) ? COPIED_SERVER : COPIED_FILE),
      aside('After you compared all batches since the copy with statements: ', RESUME_ALL),
    ]),
    ...when(paused.length > 0, () => [
      aside(
        `Paused until you resume them: ${paused.map(batchLabel).join(', ')}. Compare each with a statement first, ` +
          'so that payfile pays nothing twice.',
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
  // The user must look before accepting, so this command never comes first.
  return problems.length === 0 && !isAnotherFile(unknownHere)
    ? { andThen: command('verify', [], [['--accept-ledger']]) }
    : {};
}

function sentSinceText({ sentSince }: RestoredCopy): string {
  if (sentSince === undefined)
    return 'It cannot be read. It may have sent rows that the backup does not know.';
  if (sentSince.length === 0) return 'It sent nothing that the backup does not know.';
  const rows = sentSince.map(({ batch, rows: count }) => `${rowsText(count)} of batch ${printable(batch)}`);
  return `It sent rows that the backup does not know. Do not pay them again: ${rows.join(', ')}.`;
}

const sizeOf = ({ batches, entries }: Pick<VerifyResult, 'batches' | 'entries'>) =>
  `${counted(batches, 'batch', 'batches')}, ${counted(entries, 'journal entry', 'journal entries')}`;

const contentOf = (copy: LedgerCopy) =>
  `${sizeOf(copy)}, the last at ${minuteOf(timestampOf(copy.until))} UTC`;

function copyJson({ path, batches, entries, until, sending, emergencyPath }: LedgerCopy) {
  return { path, batches, entries, until, sending, emergencyPath: emergencyPath ?? null };
}
