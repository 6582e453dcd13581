/**
 * Advice to a beneficiary: what one settled payment paid, in texts. Only a contact may be a whole account: the phone of a
 * wallet, which the user named.
 */
import { isPhoneNumber } from '../accounts/phone-number.ts';
import { formatMoney } from '../money/money.ts';
import type { FamilyMember } from '../payouts/family.ts';
import type { NotedIncident } from '../payouts/incident.ts';
import type { PayoutId } from '../payouts/instruction.ts';
import { type PayoutIn, placeNames } from '../payouts/payout.ts';
import { printable } from '../text/printable.ts';
import { echoesOfAccount, maskedWords, withoutEchoes } from '../text/sensitive.ts';
import type { WallClock } from '../time-zone.ts';
import { isToLookAt, marksOf } from './marks.ts';
import { incidentsOf, type LineSource } from './report-line.ts';
import { STATUS_WORDS } from './status-words.ts';

/** `folder`: a page of its own for each payment. */
export const ADVICE_FORMATS = ['html', 'csv', 'folder'] as const;
export type AdviceFormat = (typeof ADVICE_FORMATS)[number];

/** What a message may name: `Dear {name}, …`. */
export const TEXT_PLACES = [
  ...(['name', 'payer', 'amount', 'day', 'zone', 'reference', 'note'] as const),
  ...(['institution', 'country', 'account', 'transfer'] as const),
] as const;
type Place = (typeof TEXT_PLACES)[number];

/** `earlier_came_back`: the day on which the payment that this one replaces came back. */
export const ADVICE_COLUMNS = [
  ...(['advice_row', ...TEXT_PLACES] as const),
  ...(['earlier_came_back', 'environment', 'contact', 'text'] as const),
] as const;
/** Empty where it is not known. */
export type Advice = Readonly<Record<(typeof ADVICE_COLUMNS)[number], string>>;

export interface AdviceContext {
  readonly environment: 'live' | 'sandbox';
  readonly payer: string | undefined;
  readonly clock: WallClock;
  /** Position of the column with a phone or an e-mail address. */
  readonly contactAt: number | undefined;
  readonly template: string | undefined;
}

const IN_BRACES = /\{([^{}]*)\}/g;
const isPlace = (word: string): word is Place => (TEXT_PLACES as readonly string[]).includes(word);

/** The first word in braces that is no place, or a brace that stands alone. */
export function unknownPlace(template: string): string | undefined {
  const words = [...template.matchAll(IN_BRACES)].map(([, word = '']) => word);
  return words.find((word) => !isPlace(word)) ?? /[{}]/.exec(template.replace(IN_BRACES, ''))?.[0];
}

/** Why a row gets no advice, as a part of a sentence; undefined: it gets one. */
export function whyNoAdvice(
  source: Pick<LineSource, 'payout' | 'replaced'>,
  noted: ReadonlyMap<PayoutId, NotedIncident>,
  paidAgain: ReadonlyMap<PayoutId, FamilyMember>,
): string | undefined {
  const { payout } = source;
  // Two payments of the row may have been made.
  if (incidentsOf(source, noted).length > 0) return 'an incident: a person has to look first';
  const other = paidAgain.get(payout.id);
  if (other !== undefined) return `another batch pays it: ${printable(other.batchName)}`;
  if (payout.state.status !== 'settled') return STATUS_WORDS[payout.state.status].counted;
  const marks = marksOf(payout);
  if (marks.isSuspected) return 'called failed or returned since, not yet confirmed';
  const isOther = isToLookAt(marks) || marks.moved !== undefined;
  return isOther ? 'the service shows something else than was asked' : undefined;
}

export function adviceOf(
  { payout, cells }: { readonly payout: PayoutIn<'settled'>; readonly cells: readonly string[] },
  earlierCameBack: string,
  { clock, contactAt, template, payer = '', environment }: AdviceContext,
): Advice {
  const { instruction, state, rowNumber } = payout;
  const echoes = echoesOfAccount(instruction.account.reveal());
  const clean = (written = '') => printable(withoutEchoes(written, echoes));
  const { institution, country } = placeNames(instruction, state.pricing);
  const values: Readonly<Record<Place, string>> = {
    name: maskedWords(clean(instruction.name ?? state.pricing.wireName)),
    payer,
    amount: formatMoney(instruction.amount),
    ...{ day: clock.day(state.settledAt), zone: clock.zone },
    ...{ reference: clean(instruction.reference), note: clean(instruction.note) },
    ...{ institution: clean(institution), country: clean(country), account: String(instruction.account) },
    transfer: printable(state.transferId),
  };
  const cell = contactAt === undefined ? '' : (cells[contactAt] ?? '').trim();
  const isContact = cell.includes('@') || isPhoneNumber(cell, instruction.destinationIso);
  const text = template?.replace(IN_BRACES, (_, word: string) => (isPlace(word) ? values[word] : '')) ?? '';
  return {
    ...{ advice_row: String(rowNumber), ...values, earlier_came_back: earlierCameBack, environment },
    contact: isContact || clean(cell) === printable(cell) ? cell : '',
    // Somebody may send a rehearsal by mistake.
    text: environment === 'sandbox' && text !== '' ? `SANDBOX, no money moved: ${text}` : text,
  };
}
