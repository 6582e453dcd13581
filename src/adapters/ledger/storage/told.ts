/**
 * Errors of the database as the ledger's own. A stored text that cannot be read is a damaged ledger, wherever it is met; a
 * server that is away is no bug.
 */
import { ledgerDamaged, ledgerErrorOf } from './sql-statements.ts';

export interface Told {
  read<T>(work: () => T | Promise<T>): Promise<T>;
  each<T>(pages: AsyncIterable<T>): AsyncGenerator<T>;
}

export function toldOf(path: string): Told {
  const told = (error: unknown) =>
    error instanceof Error && error.name === 'StoredShapeError'
      ? ledgerDamaged(path, error.message, error)
      : ledgerErrorOf(error, path);
  return {
    async read(work) {
      try {
        return await work();
      } catch (error) {
        throw told(error);
      }
    },
    async *each(pages) {
      try {
        yield* pages;
      } catch (error) {
        throw told(error);
      }
    },
  };
}
