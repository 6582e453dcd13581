/**
 * How the statements of a bank are read, kept under the bank's name on this machine.
 *
 * Promises: a change is there whole or not at all.
 */
import type { StatementField } from '../domain/statement/statement-columns.ts';

export interface BankReading {
  /** Headers by field. */
  readonly columns: Readonly<Partial<Record<StatementField, string>>>;
  readonly payments?: 'minus' | 'plus';
  readonly dateOrder?: 'day' | 'month';
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly delimiter?: string;
  readonly encoding?: string;
}

export interface BankReadings {
  /** undefined: nothing is kept for the bank. */
  find(bank: string): Promise<BankReading | undefined>;
  save(bank: string, reading: BankReading): Promise<void>;
}
