/**
 * The ledger as a whole: verify, accept, back up, restore, move to a server.
 */
import { type Batch, batchLabel, isPausedForStatement } from '../domain/batches/batch.ts';
import { wayToJoin } from '../domain/batches/ledger-trust.ts';
import { type Command, command, guideOn, type NextSteps, nextSteps } from '../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../domain/reporting/exit-code.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { VerifyResult } from '../ports/ledger/ledger.ts';
import type { LedgerCopy, Restored } from '../setup/compose.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { type MovedLedger, moveLedger } from '../use-cases/move/move-ledger.ts';
import { approvalProblems } from '../use-cases/people/sign-approval.ts';
import { RequestRefused } from '../use-cases/request-refused.ts';
import type { Door } from './door.ts';

/** A person accepts a ledger that would be refused otherwise. Batches that could send are paused. */
export interface Accepting {
  readonly acceptRollback?: boolean | undefined;
  readonly acceptLedger?: boolean | undefined;
  readonly acceptAuthUrl?: boolean | undefined;
}

export interface Verified {
  readonly result: VerifyResult;
  readonly exitCode: ExitCode;
  readonly environment: 'live' | 'sandbox';
  readonly path: string;
  /** Paused until each was compared with a statement: what another ledger sent is not known here, and would be sent again. */
  readonly paused: readonly Batch[];
  /** The login address that the ledger is bound to from now on; undefined when none was accepted. */
  readonly authUrl: string | undefined;
  readonly steps: NextSteps;
  /** For when all that was sent since was compared with a statement; undefined where nothing was accepted. */
  readonly whenCompared: Command | undefined;
}

export interface BackedUp {
  readonly copy: LedgerCopy;
  readonly environment: 'live' | 'sandbox';
  readonly ledgerPath: string;
}

export interface RestoredLedger {
  readonly copy: Restored;
  readonly environment: 'live' | 'sandbox';
  /** Why nothing is sent with it until a person accepts it, as every other method would say. */
  readonly refusal: unknown;
}

export interface LedgerMethods {
  /** Recomputes the journal's chains and replays it against what is stored; of one batch, or of all. */
  verify(batch?: string, accepting?: Accepting): Promise<Verified>;
  /** A whole copy of the ledger, made and checked beside a run. */
  backup(path: string): Promise<BackedUp>;
  /** The backup becomes the ledger; the ledger that was there is kept under another name. */
  restore(path: string, options?: { readonly replace?: boolean }): Promise<RestoredLedger>;
  /**
   * The ledger file goes to a server (`postgres://…`), with all that is in it; from then on the file can only be read. When
   * it was broken off, the same call ends it. Nobody else may work with the ledger meanwhile.
   */
  moveLedger(to: string, options?: Pick<Dialogue, 'signal' | 'onProgress'>): Promise<MovedLedger>;
}

export function ledgerMethods(door: Door): LedgerMethods {
  const { environment, ledgerPath } = door.settings;
  return {
    verify: (text, accepting = {}) => verify(text, accepting, door),
    async backup(path) {
      await door.parts.outputs.check(path, 'backup');
      return { copy: await door.parts.backup(path), environment, ledgerPath };
    },
    async restore(path, { replace = false } = {}) {
      door.requireService();
      const copy = await door.parts.restore(path, { replace });
      const refusal = await door.ledger().then(
        () => undefined,
        (error: unknown) => error,
      );
      return { copy, environment, refusal };
    },
    async moveLedger(to, dialogue = {}) {
      door.requireService();
      // A ledger that this process opened would stand in its own way.
      const move = await door.parts.moveTo(to);
      try {
        const ports = await door.offlinePorts(dialogue, move.from);
        return await moveLedger(move, ports, {
          ...dialogue,
          onProgress: door.tell(dialogue),
          holder: door.holder,
        });
      } finally {
        await move.close();
      }
    },
  };
}

async function verify(text: string | undefined, accepting: Accepting, door: Door): Promise<Verified> {
  const { acceptRollback = false, acceptLedger = false, acceptAuthUrl = false } = accepting;
  const accepts = acceptRollback || acceptLedger || acceptAuthUrl;
  if (accepts && text !== undefined)
    throw new RequestRefused(
      'A person accepts the whole ledger, not one batch. Nothing was accepted. Leave the batch out.',
    );
  const accepted = { acceptRollback, acceptLedger, acceptAuthUrl, by: door.user };
  const ledger = await door.ledger(accepts ? accepted : { readOnly: true });
  const batch = text === undefined ? undefined : await findBatch(text, ledger);
  const found = await ledger.verify(batch?.id);
  const passkeys = () => door.parts.passkeys();
  const unproven = await approvalProblems(batch?.id, { ledger, passkeys }).catch((error: unknown) => {
    if (error instanceof LedgerError) return [`approvals cannot be read: ${error.message}`];
    throw error;
  });
  const result = { ...found, problems: [...found.problems, ...unproven] };
  const { environment, path } = ledger.identity;
  const paused = result.accepted === undefined ? [] : (await ledger.batches()).filter(isPausedForStatement);
  const authUrl = acceptAuthUrl ? door.settings.service?.authUrl : undefined;
  const whenCompared = result.accepted === undefined ? undefined : command('resume', [], [['--all']]);
  const exitCode = result.problems.length === 0 ? EXIT.done : EXIT.config;
  return {
    result,
    exitCode,
    environment,
    path,
    paused,
    authUrl,
    steps: stepsAfter(result, { paused, path }),
    whenCompared,
  };
}

function stepsAfter(
  { problems, unknownHere }: VerifyResult,
  { paused, path }: Pick<Verified, 'paused' | 'path'>,
): NextSteps {
  const [first] = paused;
  if (first !== undefined) {
    const label = batchLabel(first);
    const compare = command('reconcile', [label], [['--statement', { fillIn: 'FILE' }], ['--accept']]);
    return nextSteps(command('status', [label]), compare);
  }
  if (unknownHere !== undefined && wayToJoin(path, unknownHere) !== undefined)
    return { next: guideOn('server') };
  // What a person says only after looking is never ready to be pasted as the next command.
  if (problems.length === 0 && unknownHere !== undefined)
    return { andThen: command('verify', [], [['--accept-ledger']]) };
  return {};
}
