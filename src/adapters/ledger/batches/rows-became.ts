/**
 * What a revision made of the rows that it does not have as they were: the row of the new file that has the same
 * reference, or else the same number, and what differs. Kept where the old row is left out. No whole accounts.
 */
import { formatMoney } from '../../../domain/money/money.ts';
import { asPayoutId, type Instruction } from '../../../domain/payouts/instruction.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import type { Payouts } from '../payouts/payouts.ts';
import { numberOf, type Sql } from '../storage/sql-statements.ts';
import type { Match } from './match-rows.ts';

/** Nobody reads more lines than that, and all of them are kept in memory. */
const ROWS_MAX = 1_000;

interface Became {
  /** The number of the row in the new file; null: it has none; left out: not known. */
  readonly row?: number | null;
  readonly changes?: readonly Change[];
}

/** `field` is a word for people. */
type Change = readonly [field: string, was: string, is: string];

export class RowsBecame {
  readonly #payouts: Payouts;
  readonly #sql: Sql;
  /** undefined: several rows. */
  readonly #new = new Map<string, number | undefined>();
  readonly #isKnown: boolean;

  /** When the rows of the new file have joined the batch. */
  constructor(
    { batch, base, table }: Match,
    { sql, fresh, payouts }: { sql: Sql; fresh: Sql; payouts: Payouts },
  ) {
    this.#payouts = payouts;
    this.#sql = sql;
    const found = fresh(
      `SELECT id, row_number, reference_key FROM payouts WHERE batch = ? AND position >= ?
       AND id NOT IN (SELECT old FROM ${table}) LIMIT ${ROWS_MAX + 1}`,
    ).all(batch, base);
    this.#isKnown = found.length <= ROWS_MAX;
    for (const row of this.#isKnown ? found : []) {
      const key = keyOf(row);
      this.#new.set(key, this.#new.has(key) ? undefined : numberOf(row.id));
    }
  }

  of({ id, instruction: was }: Payout): Became {
    const old = this.#sql('SELECT row_number, reference_key FROM payouts WHERE id = ?').get(Number(id));
    if (!this.#isKnown || old === undefined) return {};
    const key = keyOf(old);
    if (!this.#new.has(key)) return { row: null };
    const found = this.#new.get(key);
    const now = found === undefined ? undefined : this.#payouts.byId(asPayoutId(String(found)));
    if (now === undefined) return {};
    const changes = was && now.instruction ? changesOf(was, now.instruction) : [];
    return { row: now.rowNumber, changes };
  }
}

function keyOf({ row_number: row, reference_key: key }: Record<string, unknown>): string {
  return key instanceof Uint8Array ? Buffer.from(key).toString('hex') : `row ${row}`;
}

function changesOf(was: Instruction, now: Instruction): readonly Change[] {
  const all: readonly (Change | undefined)[] = [
    differing('amount', formatMoney(was.amount), formatMoney(now.amount)),
    differing('institution', was.institutionName, now.institutionName),
    was.account.reveal() === now.account.reveal()
      ? undefined
      : ['account', String(was.account), String(now.account)],
    differing('name', was.name ?? '', now.name ?? ''),
    differing('note', was.note ?? '', now.note ?? ''),
  ];
  return all.filter((change) => change !== undefined);
}

function differing(field: string, was: string, is: string): Change | undefined {
  return was === is ? undefined : [field, was, is];
}
