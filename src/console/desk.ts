/**
 * What every page works with: payfile in the name of whoever entered, the sessions, the work that goes on, and the folder
 * for files on their way.
 */
import type { Person } from '../domain/people/person.ts';
import type { Payfile } from '../payfile.ts';
import type { KeptFiles } from './files/kept-files.ts';
import type { Jobs } from './jobs.ts';
import type { Pace } from './page/asks-again.ts';
import type { Watching } from './page/watching.ts';
import type { Sessions, Tickets } from './server/sessions.ts';
import type { KeptStatements } from './statements/kept-statements.ts';
import type { Turns } from './turns.ts';

export interface Desk {
  readonly port: number;
  readonly environment: 'live' | 'sandbox';
  readonly sessions: Sessions;
  readonly tickets: Tickets;
  readonly jobs: Jobs;
  /** When pages of work under way ask again. */
  readonly pace: Pace;
  /** One of these pages for all who watch. */
  readonly watching: Watching;
  /** Files that arrive, and files that are made to be downloaded. */
  readonly arriving: Turns;
  readonly making: Turns;
  /** A folder that only this user can read; gone with the console. */
  readonly uploads: string;
  /** Files that are to become batches. */
  readonly files: KeptFiles;
  /** To be compared with batches. */
  readonly statements: KeptStatements;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** For whoever has not come in: a ticket or a passkey is all that they have. */
  readonly payfile: Payfile;
  readonly payfileAs: (person: Pick<Person, 'id' | 'cameWith'>) => Payfile;
  /** A line for whoever started the console. */
  readonly say: (line: string) => void;
}
