/** What stands behind the methods: the settings, the parts, which are opened when they are needed, and who calls. */
import type { Place } from '../domain/next-steps/command.ts';
import type { LeaseHolder } from '../ports/ledger/leases.ts';
import { type ComposeOptions, compose, type Parts } from '../setup/compose.ts';
import type { Settings } from '../setup/load-settings.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { createSignedQuestions, type SignedQuestions } from '../use-cases/people/signed-questions.ts';
import { harmlessLog } from './listeners.ts';

/**
 * Who calls, and from where: all that is not a setting. `user`: who makes, approves and rules. `command`: shown to others while this caller holds a batch, such as
 * `payfile run`.
 */
export interface CallerContext extends ComposeOptions, Omit<LeaseHolder, 'work'> {
  /** The login under which a program runs that names the user; undefined: the user is the login. */
  readonly namedBy: string | undefined;
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
  readonly caller: CallerContext;
  /** Who opened it: the user of the machine, or of a program. */
  readonly owner: string;
  /** Who came `as` another, and so has entered somewhere; undefined: whoever opened it. */
  readonly entered: string | undefined;
  /** The passkey with which; undefined: with none. */
  readonly cameWith: string | undefined;
  /** That wait for a signature; the same for everybody who comes through this door. */
  readonly questions: SignedQuestions;
  readonly holder: LeaseHolder;
}

export function openDoor(settings: Settings, caller: CallerContext): Door {
  const parts = compose(settings, { ...caller, log: harmlessLog(caller.log) });
  const { pid, host, user, command } = caller;
  return {
    ...{ settings, parts, caller, owner: user, entered: undefined, cameWith: undefined },
    questions: createSignedQuestions(),
    holder: { pid, host, user, command },
  };
}

/** The same parts in another person's name. */
export function doorAs(door: Door, person: string, cameWith: string | undefined): Door {
  const [caller, holder] = [
    { ...door.caller, user: person },
    { ...door.holder, user: person },
  ];
  return { ...door, caller, holder, entered: person, cameWith };
}
