/**
 * The format of a ledger, and the migrations to it. A new ledger gets the tables of format 1 (ledger-schema.ts,
 * postgres/schema.ts) and then every migration.
 *
 * Errors:  LedgerError `ledger_unsupported` for a ledger of another format.
 */
import { LedgerError } from '../../../ports/ledger/errors.ts';

export interface Migration {
  /** The format after this migration. The format before it is one less. */
  readonly to: number;
  readonly sqlite: string;
  readonly postgres: string;
}

/** By number, from 2. A migration that was released never changes. */
export const MIGRATIONS: readonly Migration[] = [];
export const FORMAT = formatOf(MIGRATIONS);

function formatOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.to ?? 1;
}

/** The migrations from this format to the newest one. */
export function migrationsFrom(format: number, path: string, migrations = MIGRATIONS): readonly Migration[] {
  if (format < 1 || format > formatOf(migrations)) throw otherFormat(path, format);
  return migrations.filter(({ to }) => to > format);
}

/** For reading: a ledger that is only read is never migrated. */
export function requireFormat(format: number, path: string): void {
  if (format !== FORMAT) throw otherFormat(path, format);
}

function otherFormat(path: string, format: number): LedgerError {
  const text =
    `The ledger ${path} has format ${format}, and this payfile works with format ${FORMAT}: use the payfile version that ` +
    'wrote it.';
  return new LedgerError('ledger_unsupported', text);
}
