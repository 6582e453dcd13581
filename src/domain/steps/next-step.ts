/**
 * What to do about one payout: one sentence that names the next command to type, with batch and row in it.
 *
 * It depends on the ledger alone, never on the time of day, so that the same state gives the same report.
 */
import { type Batch, STANDARD_INPUT } from '../batches/batch.ts';
import type { DoubtReason, HoldReason, Payout, StateIn } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { minuteOf, plusMs } from '../timestamp.ts';
import { pathWord, shellWord } from './shell-word.ts';

export interface Commands {
  /** `payfile resolve may-payroll 14`, ready to have more put behind it. */
  readonly forRow: (command: string, rowNumber: number, rest?: string) => string;
  readonly forBatch: (command: string) => string;
  readonly again: string;
  readonly reissueAfterMs: number;
}

export interface CommandContext {
  readonly batch: Pick<Batch, 'id' | 'name' | 'file'>;
  readonly environment: 'live' | 'sandbox';
  readonly reissueAfterMs: number;
  /** For the person at work: the flags to repeat, each with a space before it. A report names the sandbox only. */
  readonly place?: string | undefined;
}

/** Made once per report: the words that are the same in every line. */
export function commandsFor(context: CommandContext): Commands {
  const batch = shellWord(printable(context.batch.name ?? context.batch.id));
  const place = context.place ?? (context.environment === 'sandbox' ? ' --sandbox' : '');
  const named = context.batch.name === undefined ? '' : ` --batch ${batch}`;
  const { name } = context.batch.file;
  const file = name === STANDARD_INPUT ? '-' : pathWord(printable(name));
  return {
    forRow: (command, rowNumber, rest = '') => `payfile ${command} ${batch} ${rowNumber}${rest}${place}`,
    forBatch: (command) => `payfile ${command} ${batch}${place}`,
    again: `payfile run ${file}${named}${place}`,
    reissueAfterMs: context.reissueAfterMs,
  };
}

/** Empty when nothing is left to do. */
export function nextStepOf(payout: Payout, commands: Commands): string {
  const { state, rowNumber } = payout;
  switch (state.status) {
    case 'invalid':
      return `Correct the row in the file and run it again: ${commands.again}`;
    case 'planned':
      return `Ask for name and fee: ${commands.again}`;
    case 'held':
      return heldStep(state.reasons, rowNumber, commands);
    case 'quoted':
      return `Agree to the plan: ${commands.forBatch('approve')}`;
    case 'approved':
      return `Send what is approved: ${commands.forBatch('send')}`;
    case 'sending':
      return `Wait for the run that is going, or if none is: ${commands.forBatch('send')} (it is not sent again)`;
    case 'in_doubt':
      return doubtStep(state.reason, rowNumber, commands);
    case 'accepted':
      return `Ask again how it stands: ${commands.forBatch('settle')}`;
    case 'settled':
      return settledStep(state, rowNumber, commands);
    case 'failed':
      return failedStep(state, rowNumber, commands);
    case 'returned':
      return `Correct what made it come back, then pay it again: ${commands.forRow('reissue', rowNumber)}`;
    case 'canceled':
      return `Nothing; to pay it after all: ${commands.forRow('reissue', rowNumber)}`;
  }
}

const REASON_WANTED = ' --reason TEXT';

const HOLD_ADVICE: Readonly<Record<HoldReason['kind'], string>> = {
  name_close_match: 'Compare the two names; if they are one person',
  name_no_match: 'Ask the beneficiary whose account it is; if it is right',
  name_not_found: 'Check the account number; if it is right',
  name_unavailable: 'Check the account holder another way; if it is right',
  account_zero_lost:
    'Ask the beneficiary for the whole account, and write it with its leading 0 in the file; if it is right as it is',
  account_changed:
    'Ask the beneficiary about the new account, by a telephone number that you had before; if the account is right',
  duplicate_in_file: 'Compare it with the equal row of the file; if both are meant',
  duplicate_payment: 'Look at the earlier payment; if this one is meant as well',
  reference_paid: 'Look at the payment that has this reference; if this one is meant as well',
  same_row: 'Only one payment of a row goes out; when the other one was withdrawn or has ended unpaid',
  batch_repeated: 'Look at the earlier batch; if this one is meant as well',
  fee_too_high: 'Look at the fee; if it is worth it',
  no_quote: 'Ask the service why it gives no quote; if the payment is meant all the same',
  institution_changed:
    'Correct the institution or the amount in the file and run it again; if the service’s list is wrong',
  amount_misread: 'Look at the amount in the file; if it is the one that would be paid',
  hidden_row: 'The row is hidden in the workbook; if it is meant',
  limit: 'Look at the limit; if the payment is meant',
};

function heldStep(reasons: readonly HoldReason[], row: number, commands: Commands): string {
  const first = reasons[0];
  const advice = first === undefined ? 'If it is meant' : HOLD_ADVICE[first.kind];
  const release = commands.forRow('release', row, REASON_WANTED);
  return `${advice}: ${release}; else: ${commands.forRow('cancel', row, REASON_WANTED)}`;
}

function doubtStep(reason: DoubtReason, row: number, commands: Commands): string {
  const paid = commands.forRow('resolve', row, ' --paid TRANSFER_ID');
  const notPaid = commands.forRow('resolve', row, ' --not-paid --evidence TEXT');
  const ask =
    reason === 'id_seen_before' ? 'Ask the service which payment the id belongs to' : 'Find out first';
  return `${ask}; it is never sent again by itself. Paid: ${paid}; proven not paid: ${notPaid}`;
}

function settledStep(state: StateIn<'settled'>, row: number, commands: Commands): string {
  if (state.incident) return incidentStep(row, commands);
  return state.discrepancies.length > 0
    ? `Compare it with your statement: ${commands.forBatch('reconcile')} --statement FILE`
    : '';
}

/** For a payment that was called failed, or ruled not paid, and is paid. */
export function incidentStep(row: number, commands: Commands): string {
  return `Look at once: it was called failed and is paid; do not pay it again: ${commands.forRow('explain', row)}`;
}

const MINUTE_MS = 60_000;

function failedStep(state: StateIn<'failed'>, row: number, commands: Commands): string {
  const reissue = commands.forRow('reissue', row);
  if (state.basis !== 'service_status') return `Correct the cause, then pay it again: ${reissue}`;
  // The next full minute: a minute too early would be refused.
  const from = minuteOf(plusMs(state.at, commands.reissueAfterMs + MINUTE_MS - 1));
  return `Correct the cause, then pay it again from ${from} UTC on: ${reissue} (before that only with --evidence TEXT)`;
}
