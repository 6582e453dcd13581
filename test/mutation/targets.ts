/**
 * What is mutated: the files by which money is paid, read or called paid. With the tests that have to notice, and
 * mutants that change nothing anybody could notice.
 */

import { type Mutant, shownMutant } from './mutants.ts';

export interface Target {
  readonly file: string;
  readonly tests: readonly string[];
  /** The least part of the mutants that must be killed, in percent; named equivalents do not count. */
  readonly scoreMin: number;
  readonly equivalents: readonly Equivalent[];
}

export interface Equivalent {
  /** As it is printed, without the number of the line. */
  readonly mutant: string;
  /** Part of the line that it stands in, where the same change elsewhere would matter. */
  readonly line?: string;
  readonly why: string;
}

const ANY = 'a loose object keeps members of any kind, named or not';
const ENVELOPE =
  '{ status: z.string(), data: z.unknown(), message: z.string().optional(), code: IntegerText, fetched: z.unknown().option…';
const FAST = 'the slower way reads the same';
const NO_GROUP = 'without such a mark nothing is split';
const DIGITS = 'what gets here has digits alone between its marks';
const RECOVERED = 'the table lets a recovery follow sending alone';

/** Whether this is the mutant that was named. */
export function isNamed(named: Equivalent, mutant: Mutant, source: string): boolean {
  const shown = shownMutant(mutant).replace(/^\d+: /, '');
  const line = source.split('\n')[mutant.line - 1] ?? '';
  return named.mutant === shown && line.includes(named.line ?? '');
}

function same(mutant: string, why: string, line?: string): Equivalent {
  return line === undefined ? { mutant, why } : { mutant, why, line };
}

export const TARGETS: readonly Target[] = [
  {
    file: 'src/domain/payouts/payout-machine.ts',
    tests: ['test/domain/payout-states.test.ts', 'test/domain/payout-machine.test.ts'],
    scoreMin: 100,
    equivalents: [
      same('sentAtOf(state) ?? event.at → sentAtOf(state)', 'a row in doubt always knows when it was sent'),
      same("event.kind === 'settle' → true", 'no other event carries a transfer id'),
      same("'releases' in state → true", 'every state that an event of this kind may follow has releases'),
      same(
        "'pricing' in state && state.pricing !== undefined → state.pricing !== undefined",
        'what is not there is undefined; the question is for the compiler',
      ),
      same(
        "'transferId' in state → true",
        'what is not there is undefined; the question is for the compiler',
      ),
      same(
        "!('transferId' in state) || transferId === undefined → transferId === undefined",
        'a transfer that is known from elsewhere comes only with a state that has a place for it',
      ),
      same("state.status !== 'sending' → false", RECOVERED),
      same("throw new IllegalMove('Only a payout in sending is recovered'); → ;", RECOVERED),
      same("'Only a payout in sending is recovered' → ''", RECOVERED),
    ],
  },
  {
    file: 'src/domain/payouts/concern.ts',
    tests: ['test/domain/concern.test.ts'],
    scoreMin: 100,
    equivalents: [
      same(
        "saw.kind === 'fee' && saw.minor === now.minor → saw.minor === now.minor",
        'no other kind has the amount of a fee',
      ),
      same(
        "saw.kind === 'over_limit' && saw.limit === now.limit → saw.limit === now.limit",
        'no other kind has a limit',
      ),
      same('one < other → one <= other', 'a concern has no value twice'),
      same('one < other → one >= other', 'any order will do, if it is always the same'),
      same('1 → 2', 'only whether it is below nothing counts'),
      same('1 → 0', 'only whether it is below nothing counts'),
    ],
  },
  {
    file: 'src/domain/payouts/order.ts',
    tests: ['test/domain/order.test.ts'],
    scoreMin: 100,
    equivalents: [],
  },
  {
    file: 'src/domain/payouts/objection.ts',
    tests: ['test/domain/objection.test.ts'],
    scoreMin: 100,
    equivalents: [same('false → undefined', 'both say no')],
  },
  {
    file: 'src/service/outcome-of-answer.ts',
    tests: [
      'test/service/answer-facts.test.ts',
      'test/service/outcome-of-answer.test.ts',
      'test/service/every-answer.test.ts',
    ],
    scoreMin: 100,
    equivalents: [
      same("facts.id ?? '' → facts.id", 'this row of the table is reached only with an id'),
      same("'' → 'mutant'", 'this row of the table is reached only with an id', "kind: 'accepted'"),
      same("'' → 'mutant'", 'only an answer with a code is refused', "kind: 'refused'"),
      same(
        'facts.code !== undefined && /^0*1$/.test(facts.code) → /^0*1$/.test(facts.code)',
        'the word undefined is no one',
      ),
      same("facts.code ?? '' → facts.code", 'only an answer with a code is refused'),
      same('isObject(document) → true', 'the words none and damaged have no members of these names'),
      same("'' → 'mutant'", 'neither is an integer', 'const codeText'),
    ],
  },
  {
    file: 'src/contract/wire.ts',
    tests: ['test/contract/envelope-edges.test.ts', 'test/contract/envelope.test.ts'],
    scoreMin: 100,
    equivalents: [
      same(
        `${ENVELOPE} → { status: z.string(), message: z.string().optional(), code: IntegerText, fetched: z.unknown().optional() }`,
        ANY,
      ),
      same(
        `${ENVELOPE} → { status: z.string(), data: z.unknown(), message: z.string().optional(), code: IntegerText }`,
        ANY,
      ),
    ],
  },
  {
    file: 'src/domain/money/money.ts',
    tests: ['test/domain/money.test.ts'],
    scoreMin: 95,
    equivalents: [
      same('money.minor < 0n → money.minor <= 0n', 'nothing has no sign', 'const digits'),
      same('0n → 1n', 'nothing has no sign', 'const digits'),
      same("'' → 'mutant'", 'there is always something before the point', "split('.')"),
      same("match[1] ?? '0' → match[1]", 'the expression matches only with digits before the point'),
      same("'0' → ''", 'the expression matches only with digits before the point'),
    ],
  },
  {
    file: 'src/domain/money/read-amount.ts',
    tests: ['test/domain/amount.test.ts'],
    scoreMin: 95,
    equivalents: [
      same('/^(?:0|[1-9]\\d{0,14})$/ → /^(?:0|[1-9]\\d{0,13})$/', FAST),
      same('/^(?:0|[1-9]\\d{0,14})\\.\\d{1,2}$/ → /^(?:0|[1-9]\\d{0,13})\\.\\d{1,2}$/', FAST),
      same('/^(?:0|[1-9]\\d{0,14})\\.\\d{1,2}$/ → /^(?:0|[1-9]\\d{0,14})\\.\\d{1,1}$/', FAST),
      same('PLAIN_WHOLE.test(text) → false', FAST),
      same('PLAIN_CENTS.test(text) → false', FAST),
      same('spaces > 0 → false', 'the groups of three refuse it too', "return wrong('amount_grouping')"),
      same('0 → 1', 'the groups of three refuse it too', "return wrong('amount_grouping')"),
      same(
        "quiet.lastIndexOf('.') > quiet.lastIndexOf(',') → quiet.lastIndexOf('.') >= quiet.lastIndexOf(',')",
        'two marks never stand in one place',
      ),
      same('points + commas → points - commas', 'one of the two is nothing here', '=== 0'),
      same('spaces > 0 → spaces >= 0', NO_GROUP),
      same('spaces > 0 → true', NO_GROUP),
      same('0 → (-1)', NO_GROUP, "readWhole(quiet, ' '"),
      same("'' → 'mutant'", NO_GROUP, 'readWhole(quiet'),
      same("'' → 'mutant'", NO_GROUP, 'readAs(quiet'),
      same("'' → 'mutant'", 'a split text has a first part', '[first'),
      same(
        "asDecimal.kind === 'three_digits' && asThousands.kind === 'one_way' → asThousands.kind === 'one_way'",
        'what can be thousands can be decimals too',
      ),
      same('!isGrouped || !parts.every((part) => /^\\d+$/.test(part)) → !isGrouped', DIGITS),
      same('every → some', DIGITS, '!isGrouped'),
      same('/^\\d+$/ → /^\\d+/', DIGITS, '!isGrouped'),
      same('/^\\d+$/ → /\\d+$/', DIGITS, '!isGrouped'),
      same(
        "reading.kind === 'wrong' && isDateLike(text) → isDateLike(text)",
        'what looks like a date has no groups of three and is no amount',
      ),
      same('lastIndexOf → indexOf', 'marks that take turns are refused in either reading'),
      same('indexOf → lastIndexOf', 'two marks of decimals are refused, whichever counts', 'const at ='),
      same('0 → 1', 'of a single mark, what it would prove as thousands is not asked', 'const other'),
      same(
        '1 → 2',
        'two marks side by side are no thousands, however they are counted',
        'indexOf(mark, at + 1)',
      ),
    ],
  },
];
