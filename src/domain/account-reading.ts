/**
 * How an account and a name are read from what is written: the one place, for files and for rows that an earlier version
 * of the program stored as they were written.
 *
 * Spaces are no part of an account: they leave, of whatever kind. In a name each run of them is one ordinary space, in a
 * reference each of them.
 * What cannot be seen (INVISIBLE in validate-text.ts) is never taken out: it is an issue, for a person to look at.
 */
import { accountTextFault } from './account-text.ts';
import { rowsText } from './counted.ts';
import type { Instruction } from './instruction.ts';
import { createIssueWriter, type IssueText } from './issue-writer.ts';
import type { Payout } from './payout.ts';
import type { RowIssue } from './row-issue.ts';
import { Sensitive } from './sensitive.ts';
import { textFault } from './validate-text.ts';

/** Grows when accounts or names are read otherwise than before. Stored with a price of a row that was stored under an older one. */
export const READING = 2;

const SPACE = /\p{Zs}/gu;
const SPACES = /\p{Zs}+/gu;
const ODD_SPACE = /[^\S ]| {2}/;

const inNoColumn = createIssueWriter({ columns: new Map(), headers: [] });

export function readAccount(written: string): string {
  return /[^!-~]/.test(written) ? written.replace(SPACES, '') : written;
}

export function readName(written: string): string {
  return ODD_SPACE.test(written) ? written.replace(SPACES, ' ') : written;
}

const ROWS_NAMED = 5;

export interface SpacedAccounts {
  /** Call for every row that can be paid, with its account as written. */
  look(rowNumber: number, written: string): void;
  /** One sentence, where there are any. */
  notes(): readonly string[];
}

/** Accounts of one file that are written with spaces: used without them, and said. */
export function createSpacedAccounts(): SpacedAccounts {
  const rows: number[] = [];
  let count = 0;
  return {
    look(rowNumber, written) {
      const text = written.trim();
      if (readAccount(text) === text) return;
      count += 1;
      if (rows.length < ROWS_NAMED) rows.push(rowNumber);
    },
    notes() {
      if (count === 0) return [];
      const where =
        count === 1
          ? `in row ${rows[0]} is written with spaces`
          : `is written with spaces in ${rowsText(count)} (${rows.join(', ')}${count > rows.length ? ', …' : ''})`;
      return [`The account ${where}. It is used without them.`];
    },
  };
}

/** In NFC, and with ordinary spaces: two references that look the same are the same. */
export function readReference(written: string): string {
  return /[^ -~]/.test(written) ? written.normalize('NFC').replace(SPACE, ' ') : written;
}

/** A stored instruction as its row reads now; the same object where nothing reads otherwise. */
export function readAnew(stored: Instruction): Instruction {
  const written = stored.account.reveal();
  const account = readAccount(written);
  const name = stored.name === undefined ? undefined : readName(stored.name);
  if (account === written && name === stored.name) return stored;
  return { ...stored, account: new Sensitive(account), name };
}

/** Whether the row was priced, and agreed to, under a reading that is not today's. */
export function isPricedAsBefore({ isReadAnew, state }: Pick<Payout, 'isReadAnew' | 'state'>): boolean {
  const pricing = 'pricing' in state ? state.pricing : undefined;
  return isReadAnew === true && pricing !== undefined && pricing.reading !== READING;
}

/** What makes a row of an earlier version of the program one that cannot be paid as written. */
export function storedFault({ account, name, reference }: Instruction): RowIssue | undefined {
  const text = account.reveal();
  const fault = accountTextFault(text);
  const found: IssueText | undefined =
    textFault('account', text) ??
    (fault === undefined ? undefined : { ...fault, field: 'account', seen: text }) ??
    textFault('name', name ?? '') ??
    textFault('reference', reference ?? '');
  return found === undefined ? undefined : inNoColumn(found);
}
