/**
 * Totals that a sheet writes itself, compared with the amounts above them: a control sum that came with the file.
 *
 * A total stands for all amounts above it, or for those since the total before it. Amounts are added as numbers,
 * whatever their currencies, as the sheet adds them.
 */
import { decimalsOf } from './currency.ts';
import type { Money } from './money.ts';

export interface TotalRows {
  add(amount: Money): void;
  /** A row whose amount is not known, so that later totals cannot be compared. */
  leaveOut(rowNumber: number): void;
  total(rowNumber: number, plain: string): void;
  /** What was found, for the person, in file order. */
  readonly notes: readonly string[];
  /** The first total that is not the sum of what stands above it. */
  readonly fault: string | undefined;
}

// Four is the most that ISO 4217 gives a currency; a total may be written with more zeros.
const SCALE = 12;
const MOST_NOTES = 20;

export function createTotalRows(): TotalRows {
  const all = new Sum();
  const section = new Sum();
  const notes: string[] = [];
  let fault: string | undefined;
  const note = (text: string) => {
    if (notes.length < MOST_NOTES) notes.push(text);
  };
  return {
    notes,
    get fault() {
      return fault;
    },
    add(amount) {
      all.add(amount);
      section.add(amount);
    },
    leaveOut(rowNumber) {
      all.unknownRow ??= rowNumber;
      section.unknownRow ??= rowNumber;
    },
    total(rowNumber, plain) {
      const written = scaled(plain);
      const unknown = all.unknownRow;
      const agrees = [all, section].some((sum) => sum.unknownRow === undefined && sum.scaled === written);
      if (agrees) note(`row ${rowNumber} is a total, ${shown(written)}; it agrees with the amounts above it`);
      else if (unknown !== undefined)
        note(
          `row ${rowNumber} is a total, ${shown(written)}, not compared because row ${unknown} cannot be paid as written`,
        );
      else
        fault ??=
          `row ${rowNumber} says that the total is ${shown(written)}, but the amounts above it add up to ` +
          `${shown(all.scaled)}${section.scaled === all.scaled ? '' : ` (since the total before: ${shown(section.scaled)})`}`;
      section.clear();
    },
  };
}

class Sum {
  scaled = 0n;
  unknownRow: number | undefined;

  add({ minor, currency }: Money): void {
    this.scaled += minor * (POWERS[decimalsOf(currency)] ?? 0n);
  }

  clear(): void {
    this.scaled = 0n;
    this.unknownRow = undefined;
  }
}

/** What one minor unit of a currency with so many decimals counts. */
const POWERS: readonly bigint[] = Array.from({ length: 5 }, (_, decimals) => 10n ** BigInt(SCALE - decimals));

function scaled(plain: string): bigint | undefined {
  const [whole = '0', fraction = ''] = plain.split('.');
  const needed = fraction.replace(/0+$/, '');
  return needed.length > SCALE ? undefined : BigInt(whole + needed.padEnd(SCALE, '0'));
}

function shown(sum: bigint | undefined): string {
  if (sum === undefined) return 'a number with many decimals';
  const digits = sum.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -SCALE)}.${fraction}`;
}
