/** A page of the rows of a batch, however many there are. */
import { findBatch } from '../use-cases/find-batch.ts';
import { type RowsAsked, type RowsPage, rowsOf } from '../use-cases/report/look-at-batch.ts';
import type { Door } from './door.ts';
import { lookingPorts } from './reports.ts';

export interface LookMethods {
  /** A page of a batch's rows, with what may be done about each. Accounts are masked. */
  rows(batch: string, page?: RowsAsked): Promise<RowsPage>;
}

export function lookMethods(door: Door): LookMethods {
  return {
    async rows(text, page) {
      const ports = await lookingPorts(door);
      return rowsOf(await findBatch(text, ports.ledger), ports, page);
    },
  };
}
