/** What operations work with: who calls, the parts, which are opened when they are needed, and the batch that is meant. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Batch } from '../domain/batches/batch.ts';
import { type Command, type Place, plainPath } from '../domain/next-steps/command.ts';
import type { Policy } from '../domain/policy.ts';
import { saidBy } from '../domain/text/message.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';
import type { OpenLedgerOptions } from '../ports/ledger/store.ts';
import { type ComposeOptions, compose, notConfigured, type Parts } from '../setup/compose.ts';
import type { Settings } from '../setup/load-settings.ts';
import { reconnectingLedger } from '../setup/reconnecting-ledger.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { Asking } from '../use-cases/look-up.ts';
import type { SigningPorts } from '../use-cases/people/sign-approval.ts';
import { createSignedQuestions, type SignedQuestions } from '../use-cases/people/signed-questions.ts';
import type { OfflinePorts, Ports } from '../use-cases/ports.ts';
import { withSilenceLimit } from '../use-cases/silent-service.ts';
import { type Ask, untilStopped } from '../use-cases/user-questions.ts';
import { harmlessListener, harmlessLog } from './listeners.ts';

/** Who calls, and from where: all that is not a setting. */
export interface CallerContext extends ComposeOptions {
  /** Who makes, approves and rules; kept in the ledger. */
  readonly user: string;
  /** The login under which a program runs that names the user; undefined: the user is the login. */
  readonly namedBy: string | undefined;
  readonly pid: number;
  readonly host: string;
  /** Shown to others while this caller holds a batch: `payfile run`. */
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For a report that cannot be written where it was wanted. */
  readonly temporary: string;
  /** For the commands in reports: named so that they can be typed in any folder. */
  readonly place?: Place | undefined;
  /** Create a live ledger that does not exist. */
  readonly createLedger?: boolean | undefined;
  /** Receives the progress of methods that are called without a listener. */
  readonly onProgress?: Dialogue['onProgress'];
}

export interface Door {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly user: string;
  /** Who opened it: the user of the machine, or of a program. */
  readonly owner: string;
  /** Who came `as` another, and so has entered somewhere; undefined: whoever opened it. */
  readonly entered: string | undefined;
  /** The passkey with which; undefined: with none. */
  readonly cameWith: string | undefined;
  /** Whether whoever calls sits at the terminal: no program names the user, and nobody came in from elsewhere. */
  readonly isTerminal: boolean;
  /** That wait for a signature; the same for everybody who comes through this door. */
  readonly questions: SignedQuestions;
  readonly holder: LeaseHolder;
  readonly temporary: string;
  readonly place: Place | undefined;
  /** For programs that are started: their environment and folder. */
  readonly at: { readonly env: CallerContext['env']; readonly cwd: string };
  /** Throws ConfigError when there is no service to work with. */
  requireService(): void;
  ledger(options?: OpenLedgerOptions): Promise<Ledger>;
  /** The ledger for work that begins batches. A missing one is created with `create`, or when the person who is asked agrees. */
  workingLedger(dialogue: Dialogue, create?: boolean): Promise<Ledger>;
  /** For questions to the service that need no ledger. Errors: ConfigError. */
  asking(dialogue: Dialogue): Promise<Asking>;
  /** `deadlineMs`: how long the service may give no answer. */
  ports(dialogue: Dialogue, deadlineMs?: number): Promise<Ports>;
  /** `opened`: another ledger than the one for work. */
  offlinePorts(dialogue: Dialogue, opened?: Ledger): Promise<OfflinePorts>;
  /** Errors: BatchNotFound. */
  batch(text: string): Promise<Batch>;
  /** Where a method tells of its progress. Never throws. */
  tell(dialogue: Dialogue): NonNullable<Dialogue['onProgress']>;
  /** The same parts in another person's name; closing it closes none of them. */
  as(person: string, cameWith: string | undefined): Door;
  close(): Promise<void>;
}

export function openDoor(settings: Settings, context: CallerContext): Door {
  const parts = compose(settings, { ...context, log: harmlessLog(context.log) });
  const shared = { parts, settings, owner: context.user, questions: createSignedQuestions() };
  return doorOver(shared, context);
}

type Shared = Pick<Door, 'parts' | 'settings' | 'owner' | 'questions'>;

interface Entered {
  readonly entered?: string;
  readonly cameWith?: string | undefined;
}

/** How whoever calls is known, and what that is worth. */
function proofOf({ settings, owner }: Shared, { user, namedBy }: CallerContext, came: Entered) {
  const { entered, cameWith } = came;
  const isLogin = namedBy === undefined && cameWith === undefined && user === owner;
  const hasOwnLogin = isLogin && settings.ledgerServer !== undefined;
  const isTerminal = isLogin && entered === undefined;
  return { entered, cameWith, isTerminal, forUse: { cameWith, namedBy, hasOwnLogin } };
}

function doorOver(shared: Shared, context: CallerContext, came: Entered = {}): Door {
  const { parts, settings } = shared;
  const { user, pid, host, command, place, createLedger, onProgress: listener } = context;
  const holder = { pid, host, user, command };
  const ledger = (options?: OpenLedgerOptions) => parts.ledger({ create: createLedger === true, ...options });
  const tell = ({ onProgress = listener }: Dialogue) => harmlessListener(onProgress);
  const { forUse, ...proof } = proofOf(shared, context, came);
  const aside = (dialogue: Dialogue) => ({
    ...{ clock: parts.clock, log: parts.log, tell: tell(dialogue), ...forUse },
  });
  const withinDeadline = (deadlineMs = Number.POSITIVE_INFINITY): Policy => {
    const { policy } = settings;
    return { ...policy, outageWaitMs: Math.min(policy.outageWaitMs, deadlineMs) };
  };
  return {
    ...shared,
    user,
    ...proof,
    holder,
    temporary: context.temporary,
    place,
    at: { env: context.env, cwd: settings.cwd },
    requireService: () => requireService(settings),
    asking: (dialogue) => asking(shared, { signal: dialogue.signal, tell: tell(dialogue) }),
    ledger,
    workingLedger: ({ ask, signal }, create = createLedger === true) =>
      orCreated(ledger, { ask: untilStopped(ask, signal), create }),
    async ports(dialogue, deadlineMs) {
      const first = await ledger();
      const lasting = settings.ledgerServer && reconnectingLedger(first, ledger);
      const opened = { ledger: lasting?.ledger ?? first, paymentService: await parts.paymentService() };
      return withSilenceLimit(
        {
          ...aside(dialogue),
          policy: withinDeadline(deadlineMs),
          place,
          ...opened,
          fleet: parts.fleet,
          openAgain: lasting?.reconnect,
        },
        deadlineMs,
      );
    },
    offlinePorts: async (dialogue, opened) => ({
      ...aside(dialogue),
      policy: settings.policy,
      ledger: opened ?? (await ledger()),
    }),
    batch: async (text) => findBatch(text, await ledger()),
    tell,
    as: (person, passkey) => ({
      ...doorOver(shared, { ...context, user: person }, { entered: person, cameWith: passkey }),
      close: async () => undefined,
    }),
    close: () => parts.close(),
  };
}

function requireService(settings: Settings): void {
  if (settings.environment === 'live' && settings.service === undefined) throw notConfigured(settings);
}

async function asking(
  { settings, parts }: Shared,
  dialogue: Omit<Asking, 'paymentService'>,
): Promise<Asking> {
  requireService(settings);
  return { ...dialogue, paymentService: await parts.paymentService() };
}

export async function signingParts({ parts, settings, ledger, questions }: Door): Promise<SigningPorts> {
  const passkeys = await parts.passkeys();
  return { ledger: await ledger(), clock: parts.clock, policy: settings.policy, passkeys, questions };
}

/** The path of a batch's file from the working folder. If the file is gone, the person fills it in. */
export function withFileFromHere(shown: Command, { at: { cwd } }: Pick<Door, 'at'>): Command {
  const [file, ...more] = shown.words;
  if (shown.verb !== 'run' || typeof file !== 'string') return shown;
  const path = resolve(cwd, file);
  if (!existsSync(path)) return { ...shown, words: [{ fillIn: 'FILE' }, ...more] };
  const inside = relative(cwd, path);
  return { ...shown, words: [inside.startsWith('../') ? path : plainPath(inside), ...more] };
}

/** The existing ledger; none is created for a question about it. Errors: LedgerError when there is none. */
export async function knownLedger({ settings, ledger, parts }: Door): Promise<Ledger> {
  const { ledgerPath: path } = settings;
  if (await parts.hasLedger()) return ledger();
  throw new LedgerError('ledger_missing', `There is no ledger ${path}.`);
}

interface Creating {
  readonly ask: Ask | undefined;
  readonly create: boolean;
}

async function orCreated(
  ledger: (options: OpenLedgerOptions) => Promise<Ledger>,
  { ask, create }: Creating,
): Promise<Ledger> {
  try {
    return await ledger({ create });
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'ledger_missing') throw error;
    const answer = await ask?.({ kind: 'new_ledger', problem: saidBy(error) });
    if (answer !== 'create') throw error;
    return ledger({ create: true });
  }
}
