/** All operations. Their docstrings become those of the methods, and the page of the library (`payfile help api`). */
import { FRONT } from './front.ts';
import { BATCHES, FILES, MAPPINGS, ROWS } from './groups.ts';
import type { ListedOperation } from './listed.ts';
import { COMMAND, FLEET, LEDGER, LISTS, MACHINE, PEOPLE, SANDBOX } from './more-groups.ts';

export { TERMINAL } from './more-groups.ts';
export { FRONT };

/**
 * The groups of the library, by their names in it. The types are named, so that editors show the docstrings of the
 * methods.
 */
export const GROUPS: {
  /** Rows of a batch, and decisions about them. */
  readonly rows: typeof ROWS;
  /** Batches, and decisions about whole ones. */
  readonly batches: typeof BATCHES;
  /** Files that are no batches yet. */
  readonly files: typeof FILES;
  /** Saved meanings of columns and names, for all files with the same headers. */
  readonly mappings: typeof MAPPINGS;
  /** Single requests to the service, and a template with its lists. */
  readonly lists: typeof LISTS;
  /** People and their passkeys. */
  readonly people: typeof PEOPLE;
  /** The sandbox: its server, what it executed, and how it may behave. */
  readonly sandbox: typeof SANDBOX;
  /** What payfile needs on this machine. */
  readonly machine: typeof MACHINE;
  /** The ledger as a whole. */
  readonly ledger: typeof LEDGER;
  /** Workers on several machines that share a ledger on a server. */
  readonly fleet: typeof FLEET;
} = {
  rows: ROWS,
  batches: BATCHES,
  files: FILES,
  mappings: MAPPINGS,
  lists: LISTS,
  people: PEOPLE,
  sandbox: SANDBOX,
  machine: MACHINE,
  ledger: LEDGER,
  fleet: FLEET,
};

export const OPERATIONS: readonly ListedOperation[] = [FRONT, ...Object.values(GROUPS), COMMAND].flatMap(
  (group) => Object.values<ListedOperation>(group),
);
