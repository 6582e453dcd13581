/** Faults of processes, of storage, and of people with files. */
import type { MatrixRows } from './matrix-row.ts';

const POSTGRES = 'There is no PostgreSQL ledger.';

export const OWN_ROWS: MatrixRows = {
  L1: { what: 'Killed while a file is imported: imported again as if nothing had been.' },
  L2: { what: 'Killed while rows are checked and held: goes on.' },
  L3: { what: 'Killed while names and quotes are asked: asks again.' },
  L4: { what: 'Killed at the approval: approved whole or still to approve.' },
  L5: { what: 'Killed around the intent: never sent twice; in doubt when the intent was there.' },
  L6: { what: 'Killed while the request is written: in doubt.' },
  L7: {
    what: 'Killed with the answer read and not written down: in doubt, or accepted by the emergency line.',
  },
  L8: { what: 'Killed around the outcome: what was promised is there.' },
  L9: { what: 'Killed while statuses are asked: asks again.' },
  L10: { what: 'Killed while a report is written: the old one or the new one, never half.' },
  L11: { what: 'Killed while it recovers, again and again: the same end.' },
  L12: {
    what: 'Signals and a closed terminal: what is in flight ends first; the second signal ends at once.',
  },
  L13: { what: 'A bug that nobody caught: nothing new starts, what is in flight is written down.' },
  L14: { what: 'The system kills for want of memory: as any kill.' },
  L15: { what: 'Stopped between intent and write and woken later: never written when too old.' },
  L16: { what: 'Power fails: every transfer that the service saw has an intent on the disk.' },
  L17: { what: 'The disk reports an error: nothing more is written or sent.' },
  L18: {
    what: 'The disk is full: an intent is not sent, an outcome goes to the emergency file, reports stay whole.',
  },
  L19: { what: 'The emergency file fails too: the line on stderr is all, and the row is in doubt.' },
  L20: { what: 'Another process holds the ledger: waited for in short slices, then given up naming it.' },
  L21: { what: 'Two processes start one batch at once: exactly one goes on.' },
  L22: { what: 'Two batches with the same rows at once: each payment goes out once.' },
  L23: { what: 'The ledger file is damaged: refused, never read as something else.' },
  L24: { what: 'The ledger lost its write-ahead log: noticed as an older ledger.' },
  L25: { what: 'Yesterday’s ledger was put back: refused for sending until a person accepts it.' },
  L26: {
    what: 'The ledger lies on a network or synchronised folder: refused or warned about.',
    leftOut: 'Not built: the kind of file system is not looked at.',
  },
  L27: { what: 'The ledger file is read-only, another’s, or open to all: refused, or narrowed.' },
  L28: { what: 'A newer format: refused and not touched.' },
  L29: { what: 'An SQLite that can damage such files: refused.' },
  L30: { what: 'A Mac loses power: commits are forced through the drive’s own memory.' },
  L31: { what: 'PostgreSQL: the connection ends at the commit of an intent or outcome.', leftOut: POSTGRES },
  L32: { what: 'PostgreSQL restarts again and again under several workers.', leftOut: POSTGRES },
  L33: { what: 'PostgreSQL fails over and loses the last commits.', leftOut: POSTGRES },
  L34: { what: 'A process loses its lease and lives on: it begins nothing more.' },
  L35: { what: 'PostgreSQL is set to commit without waiting for the disk.', leftOut: POSTGRES },
  L36: { what: 'PostgreSQL: a worker’s clock is far off.', leftOut: POSTGRES },
  L37: {
    what: 'The report is open in a spreadsheet program that locks it.',
    leftOut: 'Such locks are those of Windows, which is not tested.',
  },
  L38: { what: 'A report was deleted or edited: made again from the ledger, the same to the last byte.' },
  L39: {
    what: 'payfile is updated in mid-batch: the ledger goes on.',
    leftOut: 'There is only one format so far; a newer one is refused (L28).',
  },
  B1: { what: 'The same file twice, under whatever name: nothing is sent again.' },
  B2: { what: 'The same rows saved anew, in another order or format: nothing is sent again.' },
  B3: { what: 'A paid row was changed: the file is refused, naming both amounts.' },
  B4: {
    what: 'Rows were added to a file that is partly paid: only those are new, and they need an approval.',
  },
  B5: { what: 'Equal rows in one file: the first goes, later ones are held.' },
  B6: { what: 'The same payment in two files within the window: held.' },
  B7: { what: 'The file changes while it is read: refused.' },
  B8: {
    what: 'A file is still being copied, or a link is swapped.',
    leftOut: 'Drop folders are not built; the file is opened once, and a change while it is read is B7.',
  },
  B9: { what: 'Cron starts a second run: busy, nothing sent.' },
  B10: { what: 'A row is in doubt under cron: said by the exit code, the others go on.' },
  B11: { what: 'A sandbox ledger is used live, or one service’s ledger for another: refused.' },
  B12: { what: 'The total is above the ceiling: a person is needed.' },
};
