/**
 * Which faults this history has, and when they strike. Every strike is written down, with the payout it struck
 * where that is known.
 */
import { FAULT_NAMES, FAULTS, type FaultName } from './fault-kinds.ts';
import type { Random } from './random.ts';

const INTENSITIES = [0.3, 1, 1, 3] as const;

export class Faults {
  readonly #random: Random;
  readonly #rates = new Map<FaultName, number>();
  readonly #struck = new Set<FaultName>();
  readonly #hits = new Map<number, Set<FaultName>>();
  readonly #onStrike: (kind: FaultName, payout: number | undefined) => void;
  #isHealed = false;

  constructor(random: Random, onStrike: (kind: FaultName, payout: number | undefined) => void) {
    this.#random = random;
    this.#onStrike = onStrike;
    const intensity = random.pick(INTENSITIES);
    for (const kind of FAULT_NAMES)
      if (random.chance(0.5)) this.#rates.set(kind, Math.min(1, FAULTS[kind].rate * intensity));
  }

  isOn(kind: FaultName): boolean {
    return !this.#isHealed && this.#rates.has(kind);
  }

  /** Whether this history has it, healed or not: prices and people change on good days too. */
  knows(kind: FaultName): boolean {
    return this.#rates.has(kind);
  }

  /** Whether it strikes now. */
  strikes(kind: FaultName, payout?: number, times = 1): boolean {
    if (this.#isHealed) return false;
    const rate = this.#rates.get(kind);
    if (rate === undefined || !this.#random.chance(Math.min(1, rate * times))) return false;
    this.note(kind, payout);
    return true;
  }

  /** It has happened, whoever decided it. */
  note(kind: FaultName, payout?: number): void {
    this.#struck.add(kind);
    if (payout !== undefined) this.hit(kind, payout);
    this.#onStrike(kind, payout);
  }

  hit(kind: FaultName, payout: number): void {
    const hits = this.#hits.get(payout);
    if (hits === undefined) this.#hits.set(payout, new Set([kind]));
    else hits.add(kind);
  }

  struck(): ReadonlySet<FaultName> {
    return this.#struck;
  }

  hitsOf(payout: number): ReadonlySet<FaultName> {
    return this.#hits.get(payout) ?? NONE;
  }

  heal(): void {
    this.#isHealed = true;
  }

  isHealed(): boolean {
    return this.#isHealed;
  }
}

const NONE: ReadonlySet<FaultName> = new Set();
