/**
 * Puts the rooms of the ledger together over an open database.
 */
import type { Clock } from '../ports/clock.ts';
import type { LedgerIdentity } from '../ports/ledger/ledger.ts';
import { attemptsOf } from './attempts.ts';
import { batchesOf } from './batches.ts';
import { moving } from './begin.ts';
import type { Head } from './chain.ts';
import { comparisonOf } from './comparison.ts';
import { decisionsOf } from './decisions.ts';
import { differing } from './differences.ts';
import { familiesOf } from './families.ts';
import { importsOf } from './imports.ts';
import { type Machine, writerOf } from './machine.ts';
import { comparing } from './match.ts';
import { remembering } from './memory.ts';
import { followingAccounts } from './moved-accounts.ts';
import { paging } from './pages.ts';
import { HOLDS_NOTHING, type LedgerParts } from './parts.ts';
import { reading } from './payouts.ts';
import { peopleOf } from './people.ts';
import { revising } from './revise.ts';
import { Routes } from './routes.ts';
import type { Database } from './sql.ts';
import { summing } from './sums.ts';
import { Writer } from './writer.ts';

export interface Opened {
  readonly db: Database;
  readonly identity: LedgerIdentity;
  readonly clock: Pick<Clock, 'now'>;
  readonly machine: Machine;
  readonly isReadOnly?: boolean;
  readonly committed?: (head: Head) => void;
}

export function partsOf({
  db,
  identity,
  clock,
  machine,
  isReadOnly = false,
  committed,
}: Opened): LedgerParts {
  const routes = new Routes();
  const writer = new Writer({
    ...{ db, path: identity.path, machine, isReadOnly },
    holders: async () => '',
    committed: (head) => committed?.(head),
    undone: () => routes.forget(),
  });
  const { read, still, settled } = db;
  return { read, still, settled, writer, routes, identity, clock, machine, holding: HOLDS_NOTHING };
}

/** What there is of the port so far. */
export function ledgerOf(parts: LedgerParts) {
  const { identity, machine } = parts;
  return {
    ...attemptsOf(parts),
    ...batchesOf(parts),
    ...comparing(parts),
    ...comparisonOf(parts),
    ...decisionsOf(parts),
    ...differing(parts),
    ...familiesOf(parts),
    ...followingAccounts(parts),
    ...importsOf(parts),
    ...moving(parts),
    ...paging(parts),
    ...peopleOf(parts),
    ...reading(parts),
    ...remembering(parts),
    ...revising(parts),
    ...summing(parts, { holderOf: async () => undefined }),
    ...{ identity, writer: writerOf(machine) },
    identity,
    writer: writerOf(machine),
  };
}
