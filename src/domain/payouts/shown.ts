/**
 * What the service showed of a transfer, field by field, and where that differs from what was asked. A look that does not
 * show a field changes nothing of it, so that silence ends no alarm.
 *
 * An amount under a word that means paid or on its way is what went out. Under a word for returned or failed it is what came
 * back. The interface does not show in which currency the amount of a transaction is counted: it may be the debit.
 * No text here has the whole account.
 */

import { given } from '../given.ts';
import { debitOf, isEqualDecimal, isWithinPercent, roundedMoney } from '../money/decimal.ts';
import { formatDecimal, formatMoney, type Money } from '../money/money.ts';
import { compareNames } from '../names/name-check.ts';
import { LOOK_UP_FIELDS, type LookUpField } from '../policy.ts';
import { foldText } from '../text/fold.ts';
import { cutText, printable } from '../text/printable.ts';
import { echoesOfAccount, withoutEchoes } from '../text/sensitive.ts';
import type { Instruction, TransferId } from './instruction.ts';
import { type Pricing, placeNames, type Shown } from './payout.ts';

export interface SeenTransfer {
  readonly amount: string | undefined;
  readonly receiver: string | undefined;
  readonly institution: string | undefined;
  readonly destination: string | undefined;
}

/** A payment, and what was shown of it before. */
export interface ShownPayment {
  readonly instruction: Instruction;
  readonly state: { readonly pricing: Pricing; readonly shown?: Shown };
}

interface LookUp {
  readonly seen: SeenTransfer;
  /** Those that this service shows. */
  readonly lookUpFields: readonly LookUpField[];
}

/** `asked`: exactly. `debit`: near what the quote said. */
type AmountKind = 'asked' | 'debit' | 'less' | 'more' | 'unreadable';

function amountKind(instruction: Instruction, pricing: Pricing, seen: string): AmountKind {
  const { amount } = instruction;
  const isEqual = isEqualDecimal(seen, formatDecimal(amount));
  if (isEqual === undefined) return 'unreadable';
  if (isEqual) return 'asked';
  const debit = expectedDebit(instruction, pricing);
  if (debit !== undefined && isWithinPercent(seen, formatDecimal(debit), 1)) return 'debit';
  return (roundedMoney(seen, amount.currency)?.minor ?? 0n) > amount.minor ? 'more' : 'less';
}

function expectedDebit({ amount }: Instruction, { quote }: Pricing): Money | undefined {
  return quote === undefined ? undefined : debitOf(amount, quote);
}

/** What went out by the last look that showed it, in the currency asked. */
interface WentOut {
  readonly kind: AmountKind;
  /** undefined: the amount cannot be read. */
  readonly minor: bigint | undefined;
}

/** The rest after a part came back counts as the amount that was asked for. */
export function wentOut({ instruction, state }: ShownPayment): WentOut {
  const { amount } = instruction;
  const { pricing, shown = {} } = state;
  if (shown.amount === undefined || isRest(instruction, shown)) return { kind: 'asked', minor: amount.minor };
  const kind = amountKind(instruction, pricing, shown.amount);
  const isWhole = kind === 'asked' || kind === 'debit';
  return { kind, minor: isWhole ? amount.minor : roundedMoney(shown.amount, amount.currency)?.minor };
}

/** Of the payment, after a part came back. */
export function isRest({ amount }: Instruction, shown: Shown): boolean {
  const back = cameBack(shown);
  const rest = formatDecimal({ minor: amount.minor - back, currency: amount.currency });
  return back > 0n && isEqualDecimal(shown.amount ?? '', rest) === true;
}

/** The largest part: the known minimum where the service showed more than one. */
export function cameBack({ back = [] }: Shown): bigint {
  return back.reduce((most, part) => (part > most ? part : most), 0n);
}

interface Reading {
  /** The word means failed or returned. */
  readonly isUnpaid: boolean;
  /** It came back. */
  readonly part?: Money | undefined;
}

/** What is known after a look. */
export function shownAfter(payment: ShownPayment, seen: SeenTransfer, { isUnpaid, part }: Reading): Shown {
  const { instruction, state } = payment;
  const { shown: before = {}, pricing } = state;
  const clean = cleanerOf(instruction);
  const { institution, country } = placeNames(instruction, pricing);
  const kept = (field: LookUpField, differs: () => boolean) =>
    !isShown(seen, field) ? before[field] : differs() ? clean(seen[field] ?? '') : undefined;
  const amount =
    isUnpaid || !isShown(seen, 'amount') ? before.amount : amountText(payment, seen.amount ?? '');
  const { back = [] } = before;
  const isNewPart = part !== undefined && !back.includes(part.minor);
  return given({
    amount,
    institution: kept('institution', () => isOtherText(institution, seen.institution)),
    destination: kept('destination', () => isOtherText(country, seen.destination)),
    receiver: kept('receiver', () => isOtherReceiver(pricing, seen.receiver)),
    back: isNewPart ? [...back, part.minor] : before.back,
    earlier: before.earlier,
  });
}

/** An amount that is the payment’s own is shown as it is: it is no account, whatever its digits are. */
function amountText({ instruction, state }: ShownPayment, seen: string): string {
  const kind = amountKind(instruction, state.pricing, seen);
  return kind === 'asked' || kind === 'debit' ? seen : cleanerOf(instruction)(seen);
}

/** What the service wrote, fit to be kept and shown: one line of bounded length. It may repeat the account anywhere. */
export function cleanerOf({ account }: Instruction): (text: string) => string {
  // The account is looked for first: a cut could tear it in two.
  return (text) =>
    cutText(printable(withoutEchoes(text, echoesOfAccount(account.reveal()))), SERVICE_TEXT_MAX);
}

/** Longer than any status word, name or amount. A report of a batch repeats it in many places. */
const SERVICE_TEXT_MAX = 120;

/** What was asked of each field but the amount. */
function askedOf(
  instruction: Instruction,
  pricing: Pricing,
): Readonly<Record<Exclude<LookUpField, 'amount'>, string>> {
  const { institution, country } = placeNames(instruction, pricing);
  return { institution, destination: country, receiver: pricing.wireName };
}

/** Sentences; none where everything that was shown agrees. */
export function differencesIn(instruction: Instruction, pricing: Pricing, shown: Shown): readonly string[] {
  const asked = askedOf(instruction, pricing);
  const { amount, earlier = [] } = shown;
  const kind = amount === undefined ? 'asked' : amountKind(instruction, pricing, amount);
  const isOther = kind !== 'asked' && kind !== 'debit' && !isRest(instruction, shown);
  return [
    ...(isOther ? [otherAmountText(instruction, pricing, amount ?? '')] : []),
    ...(['institution', 'destination', 'receiver'] as const).flatMap((field) => {
      const seen = shown[field];
      return seen === undefined ? [] : [otherText(field, asked[field], seen)];
    }),
    ...partsText(instruction, shown),
    ...earlier,
  ];
}

export const EARLIER = 'earlier payment: ';

/** `says` finishes the sentence “The service …”. */
export function earlierText(transferId: TransferId | undefined, says: string): string {
  return `${EARLIER}the service no longer calls transfer ${transferId} unpaid. It ${says}`;
}

function partsText({ amount }: Instruction, shown: Shown): string[] {
  const { back = [] } = shown;
  if (back.length === 0) return [];
  const money = (minor: bigint) => formatMoney({ minor, currency: amount.currency });
  const came = `${money(cameBack(shown))} of ${money(amount.minor)} came back`;
  if (back.length === 1) return [`returned: ${came}`];
  return [`returned: at least ${came}; the service showed ${back.map(money).join(', then ')}`];
}

/** What one look shows differently, whatever was shown before. */
export function discrepanciesOf(
  instruction: Instruction,
  pricing: Pricing,
  seen: SeenTransfer,
): readonly string[] {
  const shown = shownAfter({ instruction, state: { pricing } }, seen, { isUnpaid: false });
  return differencesIn(instruction, pricing, shown);
}

function otherAmountText(instruction: Instruction, pricing: Pricing, seen: string): string {
  if (amountKind(instruction, pricing, seen) === 'unreadable') return `amount: the service shows “${seen}”`;
  const debit = expectedDebit(instruction, pricing);
  const debited = debit === undefined ? '' : ` or ${formatMoney(debit)} debited`;
  return `amount: the service shows ${seen}, asked was ${formatMoney(instruction.amount)}${debited}`;
}

/** Without these three a look-up may be about anybody's transfer. */
export const TELLING: readonly LookUpField[] = ['amount', 'institution', 'receiver'];

/** Why a word that makes the payment payable again does not count, as parts of a sentence about the service. */
export function unprovenBy(payment: ShownPayment, lookUp: LookUp): readonly string[] {
  const { seen } = lookUp;
  const clean = cleanerOf(payment.instruction);
  return unprovenFields(payment, lookUp).map(({ field }) =>
    isShown(seen, field)
      ? `shows another ${field}: “${clean(seen[field] ?? '')}”`
      : `does not show the ${field}`,
  );
}

/** What came back, where the amount is the only reason why a word for returned does not count. */
export function partBackOf(payment: ShownPayment, lookUp: LookUp): Money | undefined {
  const { instruction } = payment;
  const { currency, minor: asked } = instruction.amount;
  const fields = unprovenFields(payment, lookUp).map(({ field }) => field);
  const back = roundedMoney(lookUp.seen.amount ?? '', currency);
  // A part of a debit cannot be counted in the currency asked.
  const isCounted = wentOut(payment).kind !== 'debit';
  const isPart = back !== undefined && back.minor > 0n && back.minor < asked;
  return isPart && isCounted && fields.join() === 'amount' ? back : undefined;
}

/** The same for a transfer that a person names, as sentences with what was asked. */
export function misfitsOf(instruction: Instruction, pricing: Pricing, lookUp: LookUp): readonly string[] {
  return unprovenFields({ instruction, state: { pricing } }, lookUp).map(({ text }) => text);
}

/** None when the look-up shows the payment itself. */
function unprovenFields(
  payment: ShownPayment,
  { seen, lookUpFields }: LookUp,
): readonly { readonly field: LookUpField; readonly text: string }[] {
  const { instruction, state } = payment;
  const { pricing } = state;
  const asked = askedOf(instruction, pricing);
  const clean = cleanerOf(instruction);
  const isAsAsked = (field: LookUpField) => {
    if (field === 'amount') return isWhole(payment, seen.amount ?? '');
    if (field === 'receiver') return isReceiver(instruction, pricing, seen.receiver);
    return !isOtherText(asked[field], seen[field]);
  };
  return LOOK_UP_FIELDS.flatMap((field) => {
    if (!isShown(seen, field)) {
      const isMissing = TELLING.includes(field) && lookUpFields.includes(field);
      return isMissing ? [{ field, text: `${field}: the service does not show it` }] : [];
    }
    if (isAsAsked(field)) return [];
    const text = clean(seen[field] ?? '');
    return field === 'amount'
      ? [{ field, text: otherAmountText(instruction, pricing, text) }]
      : [{ field, text: otherText(field, asked[field], text) }];
  });
}

/**
 * Whether this amount, when it comes back, is the whole payment: equal to what was asked, or to the debit where the
 * service showed the debit before. Nothing proves that all came back where more went out, or an amount nobody can read.
 */
function isWhole({ instruction, state }: ShownPayment, seen: string): boolean {
  const { pricing, shown = {} } = state;
  const kind = amountKind(instruction, pricing, seen);
  if (shown.amount === undefined) return kind === 'asked' || kind === 'debit';
  switch (wentOut({ instruction, state }).kind) {
    case 'debit':
      return isEqualDecimal(seen, shown.amount) === true;
    case 'asked':
    case 'less':
      return kind === 'asked';
    default:
      return false;
  }
}

export function isShown(seen: SeenTransfer, field: LookUpField): boolean {
  return (seen[field] ?? '').trim() !== '';
}

/** The name that was sent, or the holder whom the service had named, as surely as a name check says it. */
function isReceiver({ destinationIso }: Instruction, { wireName, nameCheck }: Pricing, seen = ''): boolean {
  return [wireName, nameCheck.resolved ?? ''].some(
    (name) => name !== '' && (name === seen || compareNames(name, seen, destinationIso).result === 'match'),
  );
}

function isOtherText(asked: string, seen: string | undefined): boolean {
  return seen !== undefined && seen.trim() !== '' && foldText(seen) !== foldText(asked);
}

/** The holder that the service named is not another receiver: a person agreed to that name. */
function isOtherReceiver({ wireName, nameCheck }: Pricing, seen: string | undefined): boolean {
  if (seen === undefined || seen.trim() === '' || wireName === '') return false;
  const known = [wireName, nameCheck.resolved ?? ''].filter((name) => name !== '');
  return !known.some((name) => name === seen || compareNames(name, seen).result !== 'no_match');
}

function otherText(what: LookUpField, asked: string, seen: string): string {
  return `${what}: the service shows “${seen}”, asked was “${asked}”`;
}
