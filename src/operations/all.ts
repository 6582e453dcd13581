/** All operations. Their docstrings are those of the methods, and the page of the library (`payfile help api`). */
import { FRONT } from './front.ts';
import { BATCHES, FILES, MAPPINGS, ROWS } from './groups.ts';
import type { ListedOperation } from './listed.ts';
import { COMMAND, FLEET, LEDGER, LISTS, MACHINE, PEOPLE, SANDBOX } from './more-groups.ts';

export { TERMINAL } from './more-groups.ts';
export { FRONT };

/** The groups of the library, by their names in it. */
export const GROUPS = {
  /** Rows of a batch, and decisions about them. */
  rows: ROWS,
  /** Batches, and decisions about whole ones. */
  batches: BATCHES,
  /** Files that are no batches yet. */
  files: FILES,
  /** What the columns and names of files with the same headers mean. */
  mappings: MAPPINGS,
  /** What the service says when it is asked, and a template with its lists. */
  lists: LISTS,
  /** People and their passkeys. */
  people: PEOPLE,
  /** The sandbox: its server, what it executed, and how it may behave. */
  sandbox: SANDBOX,
  /** What payfile needs on this machine. */
  machine: MACHINE,
  /** The ledger as a whole. */
  ledger: LEDGER,
  /** Workers on several machines that share a ledger on a server. */
  fleet: FLEET,
};

export const OPERATIONS: readonly ListedOperation[] = [FRONT, ...Object.values(GROUPS), COMMAND].flatMap(
  (group) => Object.values<ListedOperation>(group),
);
