/** What people, cron and the service do in a drawn history of two batches, one action after the other. */
import fc from 'fast-check';

/** One drawn line; its note is given when it is written, and never given to another. */
export interface DrawnLine {
  readonly account: number;
  readonly amount: number;
  readonly hasReference: boolean;
  readonly isNameRight: boolean;
  readonly phone: number;
}

export const BATCHES = ['may', 'june'] as const;
export type BatchName = (typeof BATCHES)[number];
/** Accounts are corrected more often than the rest. */
export const FIELDS = ['account', 'account', 'amount', 'name', 'phone'] as const;

export type Action =
  /** The file of a batch is written anew. */
  | { readonly kind: 'write'; readonly batch: BatchName; readonly lines: readonly DrawnLine[] }
  /** One cell of the file is another one now. */
  | {
      readonly kind: 'correct';
      readonly batch: BatchName;
      readonly row: number;
      readonly field: (typeof FIELDS)[number];
    }
  /** The file of the other batch, byte for byte. */
  | { readonly kind: 'copy'; readonly batch: BatchName }
  | { readonly kind: 'plan' | 'run'; readonly batch: BatchName; readonly isRepeat: boolean }
  /** `age`: 0 for the digest of the last plan, 1 for that of the plan before it. */
  | { readonly kind: 'approve'; readonly batch: BatchName; readonly age: number }
  | { readonly kind: 'send'; readonly batch: BatchName }
  /** One held row, all of them, or all repeats among them. */
  | { readonly kind: 'release'; readonly batch: BatchName; readonly row: number | 'all' | 'repeats' }
  | { readonly kind: 'cancel'; readonly batch: BatchName; readonly row: number }
  | { readonly kind: 'edit'; readonly batch: BatchName; readonly row: number }
  /** The world changes, and time passes with it: an hour for prices and meanings, more than a day for holders. */
  | { readonly kind: 'rate' | 'fee' | 'holder'; readonly to: number }
  | { readonly kind: 'bank' | 'lose' }
  | { readonly kind: 'later'; readonly days: number };

const batch = fc.constantFrom(...BATCHES);
const row = fc.nat({ max: 3 });
const line: fc.Arbitrary<DrawnLine> = fc.record({
  account: fc.nat({ max: 4 }),
  amount: fc.nat({ max: 2 }),
  hasReference: fc.boolean(),
  isNameRight: fc.constantFrom(true, true, true, true, true, false),
  phone: fc.nat({ max: 1 }),
});
const lines = fc.array(line, { minLength: 2, maxLength: 4 });
const of = <Kind extends Action['kind']>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: of('write'), batch, lines }) },
  { weight: 3, arbitrary: fc.record({ kind: of('correct'), batch, row, field: fc.constantFrom(...FIELDS) }) },
  { weight: 2, arbitrary: fc.record({ kind: of('copy'), batch }) },
  { weight: 9, arbitrary: fc.record({ kind: of('plan', 'run'), batch, isRepeat: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: of('approve'), batch, age: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('send'), batch }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: of('release'),
      batch,
      row: fc.oneof(row, fc.constantFrom('all', 'repeats')),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of('cancel', 'edit'), batch, row }) },
  { weight: 4, arbitrary: fc.record({ kind: of('rate', 'fee', 'holder'), to: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: of('bank', 'lose') }) },
  { weight: 3, arbitrary: fc.record({ kind: of('later'), days: fc.constantFrom(1, 2, 7, 15) }) },
) as fc.Arbitrary<Action>;

/** Begins with a plan that somebody sees, so that a short history has something to pay. */
export const histories = (actionsMax: number): fc.Arbitrary<readonly Action[]> =>
  fc
    .tuple(lines, fc.array(action, { minLength: 3, maxLength: actionsMax }))
    .map(([first, more]) => [
      { kind: 'write', batch: 'may', lines: first },
      { kind: 'plan', batch: 'may', isRepeat: false },
      ...more,
      { kind: 'run', batch: 'may', isRepeat: false },
      { kind: 'run', batch: 'june', isRepeat: true },
    ]);
