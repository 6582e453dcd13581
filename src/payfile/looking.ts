/**
 * What a page asks while somebody leafs through a ledger: all batches, one at first sight, its rows, what was decided. Each
 * answer comes at once, however many there are.
 */
import type { Batch } from '../domain/batches/batch.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { type DecisionsTold, decisionsPage, type HistoryPage } from '../use-cases/report/decisions-page.ts';
import { type HeldPage, type HeldRows, heldRows } from '../use-cases/report/held-rows.ts';
import {
  type BatchLook,
  lookAt,
  type RowsAsked,
  type RowsPage,
  rowsOf,
} from '../use-cases/report/look-at-batch.ts';
import { type BatchesPage, type Overview, overviewOf } from '../use-cases/report/overview.ts';
import type { Door } from './door.ts';
import { lookingPorts } from './reports.ts';

export interface BatchHistory extends DecisionsTold {
  readonly batch: Batch;
}

export interface LookMethods {
  /** The batches of the ledger, newest first; fifty, unless told. */
  overview(page?: BatchesPage): Promise<Overview>;
  /** What a page shows of a batch first: as `status`, but from sums over an index, at once for a million rows. */
  look(batch: string): Promise<BatchLook>;
  /** A page of a batch's rows, with what may be done about each. Accounts are masked. */
  rows(batch: string, page?: RowsAsked): Promise<RowsPage>;
  /** The rows that wait for a person, each with its reasons and both names. Accounts are masked. */
  held(batch: string, page?: HeldPage): Promise<HeldRows>;
  /** What people decided about a batch, newest first; a hundred, unless told. */
  history(batch: string, page?: HistoryPage): Promise<BatchHistory>;
}

export function lookMethods(door: Door): LookMethods {
  const looking = () => lookingPorts(door);
  return {
    overview: async (page) => overviewOf(await looking(), page),
    async look(text) {
      const ports = await looking();
      return lookAt(await findBatch(text, ports.ledger), door.user, ports);
    },
    async rows(text, page) {
      const ports = await looking();
      return rowsOf(await findBatch(text, ports.ledger), ports, page);
    },
    async held(text, page) {
      const { ledger } = await looking();
      return heldRows(await findBatch(text, ledger), { ledger }, page);
    },
    async history(text, page) {
      const ports = await looking();
      const batch = await findBatch(text, ports.ledger);
      return { batch, ...(await decisionsPage(batch.id, ports, page)) };
    },
  };
}
