/**
 * What the name checks of a plan found: how many of each word, and both names of the rows that are no match, for
 * whoever approves. Flat memory: the first rows of each word are kept, the rest is counted.
 */
import type { NameResult } from './name-check.ts';
import type { Payout } from './payout.ts';

export interface NameToSee {
  readonly rowNumber: number;
  /** `quoted`: paid when the plan is approved as it stands. */
  readonly status: 'quoted' | 'held';
  readonly result: NameResult;
  /** The name in the file and the account holder's as the service gave it. */
  readonly written: string | undefined;
  readonly resolved: string | undefined;
  readonly reason: string;
}

export interface PlanNames {
  readonly counts: Readonly<Partial<Record<NameResult, number>>>;
  /** What would be paid first, then what is held; in file order. */
  readonly toSee: readonly NameToSee[];
}

const MOST_OF_A_KIND = 100;

export class PlanNamesBuilder {
  readonly #counts: Partial<Record<NameResult, number>> = {};
  readonly #toSee = new Map<string, NameToSee[]>();

  add({ rowNumber, state, instruction }: Payout): void {
    if (state.status !== 'quoted' && state.status !== 'held') return;
    const check = state.pricing?.nameCheck;
    if (check === undefined) return;
    const { result, resolved, reason } = check;
    this.#counts[result] = (this.#counts[result] ?? 0) + 1;
    if (result === 'match') return;
    const kind = `${state.status} ${result}`;
    const rows = this.#toSee.get(kind) ?? [];
    this.#toSee.set(kind, rows);
    if (rows.length < MOST_OF_A_KIND)
      rows.push({ rowNumber, status: state.status, result, written: instruction?.name, resolved, reason });
  }

  finish(): PlanNames {
    const rows = [...this.#toSee.values()].flat();
    const rank = (row: NameToSee) => (row.status === 'quoted' ? 0 : 1);
    return {
      counts: { ...this.#counts },
      toSee: rows.sort((one, other) => rank(one) - rank(other) || one.rowNumber - other.rowNumber),
    };
  }
}
