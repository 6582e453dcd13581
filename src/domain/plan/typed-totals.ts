/**
 * What a person types to agree to a plan: its totals, so that nobody agrees to a sum without reading it.
 */
import { type Batch, batchLabel } from '../batches/batch.ts';
import { type Money, MoneySums, parseDecimal } from '../money/money.ts';
import { printable } from '../text/printable.ts';
import type { Plan, PlanLine } from './plan.ts';

/** The debit per currency that pays, and the principal where no debit is known. */
export function totalsToType({ toApprove }: Pick<Plan, 'toApprove'>): readonly Money[] {
  const known = toApprove.filter(({ debits }) => debits.length > 0);
  const unknown = toApprove.filter(({ debits }) => debits.length === 0);
  return [...totalOf(known, 'debits'), ...unknown.map(({ sum }) => sum)];
}

/** What the account that pays is debited, per source currency; empty where the cost of a line is not known. */
export function totalOf(lines: readonly PlanLine[], what: 'debits' | 'fees'): Money[] {
  if (lines.some(({ debits }) => debits.length === 0)) return [];
  return new MoneySums(lines.flatMap((line) => line[what])).all();
}

/** Whether every total of the plan was typed. */
export function areTotalsOf(plan: Pick<Plan, 'toApprove'>, typed: readonly string[]): boolean {
  return totalsToType(plan).every((total, at) => isSameTotal(typed[at] ?? '', total));
}

/** With or without thousands marks and the currency's letters; the number itself has to be exact. */
export function isSameTotal(text: string, total: Money): boolean {
  const number = text
    .toUpperCase()
    .replace(total.currency, '')
    .trim()
    .replace(/(?<=\d)[\s,'’](?=\d{3}(?!\d))/g, '');
  return parseDecimal(number, total.currency)?.minor === total.minor;
}

export interface Made {
  readonly maker: string;
  /** Corrected a cell, said how the file is read, or ran the program that named the maker; undefined: brought rows. */
  readonly as?: 'corrector' | 'reader' | 'program';
}

/** Four eyes: why a person cannot approve what waits. */
export type SamePerson =
  | (Made & { readonly kind: 'same_person' })
  /** May be the same: the passkey of `by`, who asks, goes back to a link of the maker. */
  | (Made & { readonly kind: 'let_in_by_maker'; readonly by: string })
  /** May be the same: the maker came in with a passkey that goes back to a link of `by`, who asks. */
  | (Made & { readonly kind: 'let_maker_in'; readonly by: string });

const AS = {
  corrector: 'corrected a cell of this file',
  reader: 'answered questions about this file',
  program: 'ran the program that made this plan',
} as const;

/** Remembered answers count as those of who gave them first. */
const ANSWER_ANEW =
  'To pay this file all the same, withdraw its rows and forget the remembered answers. Then whoever uploads it again, ' +
  'under another name, answers its questions.';

/** `root answered questions about this file, and the passkey of eve goes back to a link of root` */
function whatWasMade(why: SamePerson, batch: Pick<Batch, 'maker'>): string {
  const { maker, as } = why;
  // Who brought a revision, or asked to pay a row again, made a part of the plan.
  const brought =
    maker === batch.maker ? 'made this plan' : 'changed this plan or asked to pay a row of it again';
  const made = `${printable(maker)} ${as === undefined ? brought : AS[as]}`;
  if (why.kind === 'same_person') return made;
  return why.kind === 'let_maker_in'
    ? `${made}, and came in with a passkey that goes back to a link of ${printable(why.by)}`
    : `${made}, and the passkey of ${printable(why.by)} goes back to a link of ${printable(maker)}`;
}

const wayOut = (all: readonly SamePerson[]): readonly string[] =>
  all.some(({ as }) => as === 'reader') ? [ANSWER_ANEW] : [];

/** Why whoever asks may not approve, and who can. */
export function samePersonSentence(why: SamePerson, batch: Pick<Batch, 'maker'>): string {
  return [`Four eyes: ${whatWasMade(why, batch)}${whoCan(why)}`, ...wayOut([why])].join(' ');
}

function whoCan(why: SamePerson): string {
  const maker = printable(why.maker);
  switch (why.kind) {
    case 'let_maker_in':
      return `. So ${printable(why.by)} may be ${maker}, and another person has to approve it. From the next file on, let another administrator make the link of ${maker}.`;
    case 'let_in_by_maker':
      return `. Another administrator has to make a link for ${printable(why.by)}: one who did not bring this plan, and whom ${maker} did not let in.`;
    default:
      return ', another person has to approve it. That person signs in the console with a passkey. If the ledger is on a server, a login of their own is enough. See payfile help approving.';
  }
}

/** Tells whoever uploaded a file who else may not approve it, before that person is sent for. */
export function othersSentence(others: readonly Excluded[], batch: Pick<Batch, 'maker'>): string {
  const each = others.map(
    ({ person, why }) => `${printable(person)} may not approve it either: ${whatWasMade(why, batch)}.`,
  );
  return [...each, ...wayOut(others.map(({ why }) => why))].join(' ');
}

/** A person who has the right to approve, and may not approve this. */
export interface Excluded {
  readonly person: string;
  readonly why: SamePerson;
}

/** How a batch is approved that needs a passkey. */
export function passkeySentence(batch: Pick<Batch, 'id' | 'name'>): string {
  return `Batch ${batchLabel(batch)} is approved with a passkey, and so in the console alone.`;
}

/** `why`: the end of a sentence. */
export function passkeyRefusedSentence({ why }: { readonly why: string }): string {
  return `The passkey’s answer was refused: ${why}. Nothing was approved; look at the plan and sign again.`;
}
