/**
 * What to do about one payout: a sentence and the next command to type, with batch and row in it.
 *
 * It depends on the ledger alone, never on the time of day, so that the same state always gives the same report.
 */

import { type Batch, batchLabel } from '../batches/batch.ts';
import { type ConcernKind, kindsToName } from '../payouts/concern.ts';
import { differenceOf, restNow } from '../payouts/difference.ts';
import { type FamilyMember, isPaid } from '../payouts/family.ts';
import { lookConcern, WORD_SETTINGS } from '../payouts/last-look.ts';
import { partReturnOf, wholeBackWords } from '../payouts/part-return.ts';
import {
  calledUnpaidAt,
  type DoubtReason,
  isShownAsPaid,
  isUnknown,
  isUnsent,
  type LookConcern,
  needsNewPayment,
  type Payout,
  type StateIn,
  type Suspicion,
} from '../payouts/payout.ts';
import { minuteAfter, plusMs, secondOf, type Timestamp } from '../timestamp.ts';
import { sendStep } from './batch-steps.ts';
import { type Blank, type Command, command, type Flag, type Place, type Step } from './command.ts';
import { readAgain, runAgain } from './file-commands.ts';
import { unpaidCommand } from './pay-again.ts';

export interface CommandContext {
  readonly batch: Pick<Batch, 'id' | 'name' | 'file' | 'halfRead' | 'pause'>;
  readonly environment: 'live' | 'sandbox';
  /** Where its commands are to be typed; named so that they can be typed in any folder. */
  readonly place?: Place | undefined;
  /** How long after the service called a transfer failed it may be paid again. */
  readonly reissueAfterMs: number;
  /** How long after it called a transfer failed the service has to call it so again. */
  readonly failConfirmMs?: number | undefined;
  /** Of the batch that its unpaid rows are to be: a name that no batch has. */
  readonly redoName?: string | undefined;
}

/** Made once per report: the commands about a batch and its rows. */
export interface Commands {
  readonly forRow: (verb: string, rowNumber: number, ...flags: readonly Flag[]) => Command;
  readonly forBatch: (verb: string, ...flags: readonly Flag[]) => Command;
  readonly again: Command;
  readonly send: Step;
  /** Its rows that failed or came back, as a file to correct and run. */
  readonly unpaid: Command;
  /** Of a batch with rows of two files: nothing is decided before one of them is read to its end. */
  readonly readFirst: Command | undefined;
  readonly reissueAfterMs: number;
  readonly failConfirmMs?: number | undefined;
  /** Of the row in doubt that is looked at: before that an answer may still come, and “not paid” is refused. */
  readonly notPaidFrom?: Timestamp | undefined;
  readonly place: Place;
}

export function commandsFor(context: CommandContext): Commands {
  const { batch, environment, place, reissueAfterMs, failConfirmMs, redoName } = context;
  const label = batchLabel(batch);
  return {
    forRow: (verb, rowNumber, ...flags) => command(verb, [label, rowNumber], flags),
    forBatch: (verb, ...flags) => command(verb, [label], flags),
    readFirst: readAgain(batch),
    again: runAgain(batch),
    send: sendStep(batch),
    unpaid: unpaidCommand(batch, redoName),
    ...{ reissueAfterMs, failConfirmMs },
    place: { ...place, sandbox: environment === 'sandbox' },
  };
}

const TEXT: Blank = { fillIn: 'TEXT' };

export type IncidentOfRow = 'none' | 'paid' | 'came_back';

/** Of all incidents of a row, whether each came back. */
export function incidentOfRow(cameBack: readonly boolean[]): IncidentOfRow {
  if (cameBack.length === 0) return 'none';
  return cameBack.every((isOver) => isOver) ? 'came_back' : 'paid';
}

/** What is known of a row beside its payment. */
interface RowFacts {
  /** `paid`: to pay the row again is refused. `came_back`: that takes evidence. */
  readonly incident: IncidentOfRow;
  /** The payment of another batch that stands for it. */
  readonly paidAgain: FamilyMember | undefined;
}

/** What a person can do about the row; empty when nothing is left to do. */
export function stepsOf(
  payout: Payout,
  { incident, paidAgain }: RowFacts,
  commands: Commands,
): readonly Step[] {
  // A person still rules on a payment whose outcome is not known.
  if (incident === 'paid' && !isUnknown(payout.state)) return incidentStep(payout.rowNumber, commands);
  if (incident === 'came_back' && needsNewPayment(payout.state.status) && paidAgain === undefined)
    return cameBackStep(payout.rowNumber, commands);
  const { readFirst } = commands;
  if (readFirst !== undefined && !isWatched(payout.state))
    return [{ text: 'Read the file to its end first', command: readFirst }];
  if (paidAgain === undefined) return nextStepOf(payout, commands);
  if (isUnsent(payout.state)) {
    // While the other one may still end unpaid, either may be withdrawn.
    if (!isPaid(paidAgain)) return nextStepOf(payout, commands);
    const withdraw = commands.forRow('cancel', payout.rowNumber, ['--reason', TEXT]);
    return [{ text: 'Withdraw this one', command: withdraw }];
  }
  if (isPaid(paidAgain)) return [];
  const label = batchLabel({ name: paidAgain.batchName });
  return [{ text: 'Look at the other payment', command: command('explain', [label, paidAgain.rowNumber]) }];
}

/** A newer file cannot correct a row that stands for a payment that went out; a file of unpaid rows names that payment. */
function invalidStep({ instruction }: Payout, { again, unpaid }: Commands): Step {
  if (instruction?.replaces === undefined)
    return { text: 'Correct the row in the file and run it again', command: again };
  return { text: 'Correct the row in a file of the unpaid rows', command: unpaid };
}

/** What is on its way is looked up, ruled on and compared whatever becomes of the file. */
function isWatched({ status }: Payout['state']): boolean {
  return ['sending', 'in_doubt', 'accepted', 'settled'].includes(status);
}

/** Of the payment alone. */
export function nextStepOf(payout: Payout, commands: Commands): readonly Step[] {
  const { state, rowNumber } = payout;
  switch (state.status) {
    case 'invalid':
      return [invalidStep(payout, commands)];
    case 'planned':
      return [{ text: 'Ask for name and fee', command: commands.again }];
    case 'held':
      return heldStep(state, rowNumber, commands);
    case 'quoted':
      return [{ text: 'Agree to the plan', command: commands.forBatch('approve') }];
    case 'approved':
      return [commands.send];
    case 'sending': {
      const text = 'Wait for the run that is going, or if none is';
      // Settling sends nothing, so it needs no whole file.
      const verb = commands.readFirst === undefined ? 'send' : 'settle';
      return [{ text, command: commands.forBatch(verb), note: 'it is not sent again' }];
    }
    case 'in_doubt':
      return doubtSteps(state.reason, rowNumber, commands);
    case 'accepted':
      return acceptedSteps(state, payout, commands);
    case 'settled':
      return state.incident ? incidentStep(rowNumber, commands) : settledSteps(state, payout, commands);
    case 'failed':
    case 'returned':
      return unpaidSteps(state, rowNumber, commands);
    case 'canceled':
      return [canceledStep(payout, commands)];
  }
}

function canceledStep({ state, rowNumber }: Payout, { forRow }: Commands): Step {
  if (!isShownAsPaid(state))
    return { text: 'Nothing; to pay it after all', command: forRow('reissue', rowNumber) };
  return {
    text: 'It was shown as paid. Only if it is proven that nobody was paid',
    command: forRow('reissue', rowNumber, ['--evidence', TEXT]),
  };
}

const HOLD_ADVICE: Readonly<Record<ConcernKind, string>> = {
  name: 'Ask the beneficiary whose account it is; if it is right',
  zero_lost:
    'Ask the beneficiary for the whole account, and write it with its leading 0 in the file; if it is right as it is',
  other_account:
    'Ask the beneficiary about the new account, by a telephone number that you had before; if the account is right',
  repeat: 'Look at the other payment; if this one is meant as well',
  same_row: 'Only one payment of a row is sent; when the other one was withdrawn or has ended unpaid',
  maybe_paid: 'Find out whether it was paid already; if it was not',
  fee: 'Look at the fee; if it is worth it',
  no_quote: 'Ask the service why it gives no quote; if the payment is still meant',
  institution:
    'Correct the institution or the amount in the file and run it again; if the service’s list is wrong',
  hidden_row: 'The row is hidden or struck through in the workbook; if it is meant',
  over_limit: 'Look at the limit; if the payment is meant',
};

function heldStep(state: StateIn<'held'>, row: number, { forRow }: Commands): readonly Step[] {
  const first = state.reasons[0];
  const kinds = kindsToName(state).map((kind): Flag => ['--kind', kind]);
  const advice = first === undefined ? 'If it is meant' : HOLD_ADVICE[first.concern.kind];
  return [
    { text: advice, command: forRow('release', row, ...kinds, ['--reason', TEXT]) },
    { text: 'otherwise', command: forRow('cancel', row, ['--reason', TEXT]) },
  ];
}

function doubtSteps(reason: DoubtReason, row: number, { forRow, notPaidFrom }: Commands): readonly Step[] {
  const ask =
    reason === 'id_seen_before' ? 'Ask the service which payment the id belongs to' : 'Find out first';
  return [
    {
      text: `${ask}; it is never sent again by itself. Paid`,
      command: forRow('resolve', row, ['--paid', { fillIn: 'TRANSFER_ID' }]),
    },
    {
      text:
        notPaidFrom === undefined
          ? 'proven not paid'
          : `proven not paid, from ${secondOf(notPaidFrom)} UTC on`,
      command: forRow('resolve', row, ['--not-paid'], ['--evidence', TEXT]),
    },
  ];
}

function settledSteps(
  { suspicion }: StateIn<'settled'>,
  payout: Payout,
  commands: Commands,
): readonly Step[] {
  const { rowNumber } = payout;
  if (suspicion !== undefined) return [suspectedStep(suspicion, rowNumber, commands)];
  const difference = differenceSteps(payout, commands);
  return [...difference, ...wholeBackSteps(payout, commands)];
}

/** None where no part came back. */
function wholeBackSteps(payout: Payout, { forRow }: Commands): readonly Step[] {
  const part = partReturnOf(payout);
  if (part === undefined) return [];
  const text = 'If the whole payment came back, pay it again';
  const evidence = { before: `${wholeBackWords(part)}: `, fillIn: 'TEXT' } as const;
  return [{ text, command: forRow('reissue', payout.rowNumber, ['--evidence', evidence]) }];
}

/** None where nothing differs, or a person accepted it. */
function differenceSteps(payout: Payout, { forBatch, forRow }: Commands): readonly Step[] {
  const difference = differenceOf(payout);
  if (difference === undefined || difference === 'accepted') return [];
  const isOver = difference === 'over';
  const isMissing = restNow(payout).rest > 0n;
  return [
    {
      text: `${isOver ? 'Ask the service at once why more went out than was asked. Then compare' : 'Compare'} it with your statement`,
      command: forBatch('reconcile', ['--statement', { fillIn: 'FILE' }]),
    },
    {
      text: isMissing
        ? 'once you know why, accept the difference (delivered or lost, if you know what became of the missing part)'
        : 'once you know why, accept the difference',
      command: forRow('resolve', payout.rowNumber, ['--difference', 'accepted'], ['--reason', TEXT]),
    },
  ];
}

/** For a payment that was called failed or returned, or ruled not paid, and is paid. */
export function incidentStep(row: number, { forRow }: Pick<Commands, 'forRow'>): readonly Step[] {
  const text = 'Look at once: it was called unpaid and is paid; do not pay it again';
  return [{ text, command: forRow('explain', row) }];
}

/** For one that was an incident and came back after that. */
function cameBackStep(row: number, { forRow }: Commands): readonly Step[] {
  const text =
    'It was called unpaid, then paid, and came back. Once you can prove that you have the money, pay it again';
  return [{ text, command: forRow('reissue', row, ['--evidence', TEXT]) }];
}

function acceptedSteps(state: StateIn<'accepted'>, payout: Payout, commands: Commands): readonly Step[] {
  if (state.suspicion !== undefined) return [suspectedStep(state.suspicion, payout.rowNumber, commands)];
  const first = askFirst(state, lookConcern(payout));
  const ask = first === undefined ? ASK_AGAIN : `${first}. Then ask for the status again`;
  const difference = differenceSteps(payout, commands);
  const text = difference.length === 0 ? ask : `${ask.charAt(0).toLowerCase()}${ask.slice(1)}`;
  const steps = [...difference, { text, command: commands.forBatch('settle') }];
  return [...steps, ...wholeBackSteps(payout, commands)];
}

const ASK_AGAIN = 'Ask for its status again';

function askFirst(
  { transferId, serviceStatus }: StateIn<'accepted'>,
  concern: LookConcern | undefined,
): string | undefined {
  if (concern === undefined) return undefined;
  const [settings, lastSetting] = [WORD_SETTINGS.slice(0, -1).join(', '), WORD_SETTINGS.at(-1)];
  return concern === 'unknown_word'
    ? `Ask the service what “${serviceStatus}” means, and add the word to ${settings} or ${lastSetting}`
    : `Ask the service what became of transfer ${transferId}`;
}

function suspectedStep(suspicion: Suspicion, row: number, commands: Commands): Step {
  const { forBatch, failConfirmMs } = commands;
  const settle = forBatch('settle');
  if (suspicion.unproven !== undefined) return provenUnpaidStep(row, commands);
  if (failConfirmMs === undefined) return { text: ASK_AGAIN, command: settle };
  const from = minuteAfter(plusMs(suspicion.firstAt, failConfirmMs));
  const text = `A run that is going asks again at ${from} UTC; if none is, ask from then on`;
  return { text, command: settle };
}

/** What the service says does not prove that nobody was paid. */
function provenUnpaidStep(row: number, { forRow }: Commands): Step {
  const text = 'Ask the service what became of it. Once it is proven that nobody was paid';
  return { text, command: forRow('reissue', row, ['--evidence', TEXT]) };
}

const CHANGE =
  'account, name or amount must change, correct the row in a file of the unpaid rows, and run that file';

/** A file asks nobody for anything. Whether the same payment can succeed now, a person decides. */
function payAgainSteps(row: number, { unpaid, forRow }: Commands): readonly [Step, Step] {
  return [
    { text: `If ${CHANGE}`, command: unpaid },
    {
      text: 'if nothing changes, pay the very same payment again, to the same account',
      command: forRow('reissue', row),
      isLater: true,
    },
  ];
}

function unpaidSteps(
  state: StateIn<'failed' | 'returned'>,
  row: number,
  commands: Commands,
): readonly Step[] {
  if (state.unclear !== undefined) return [provenUnpaidStep(row, commands)];
  // Nobody refused it, so nothing in it need be wrong.
  if (state.status === 'failed' && state.basis === 'ruled')
    return [
      {
        text: 'Pay the very same payment again, to the same account',
        command: commands.forRow('reissue', row),
      },
      { text: `if ${CHANGE}`, command: commands.unpaid, isLater: true },
    ];
  const [change, repeat] = payAgainSteps(row, commands);
  const calledAt = calledUnpaidAt(state);
  if (calledAt === undefined) return [change, repeat];
  const from = minuteAfter(plusMs(calledAt, commands.reissueAfterMs));
  const text = `Wait until ${from} UTC: it may still turn out paid. Then, if ${CHANGE}`;
  return [
    { ...change, text, isLater: true },
    { ...repeat, note: 'before that only with evidence' },
  ];
}
