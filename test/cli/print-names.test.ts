/** The names of a plan: whoever approves sees both names of every row that is no match, and why. */
import { expect, it } from 'vitest';
import type { NameCheck } from '../../src/domain/names/name-check.ts';
import { PlanNamesBuilder } from '../../src/domain/plan/plan.ts';
import { formatTimestamp } from '../../src/domain/timestamp.ts';
import { nameBlocks } from '../../src/operations/plan-blocks.ts';
import { namesJson } from '../../src/operations/plan-json.ts';
import { drawn } from '../builders/drawn.ts';
import { anInstruction, aPayoutIn, aPricing } from '../builders/payouts.ts';

const CLOSE: NameCheck = {
  result: 'close_match',
  resolved: 'AMA SERWAA MENSAH',
  reason: 'middle name “Serwaa” only in the account',
};
const OTHER: NameCheck = { result: 'no_match', resolved: 'Kofi Owusu', reason: 'no name in common' };
const NO_ACCOUNT: NameCheck = {
  result: 'not_found',
  resolved: undefined,
  reason: 'the service gives no name for this account: Not today (code 61)',
};
const NOT_CHECKED: NameCheck = { result: 'unavailable', resolved: undefined, reason: '503' };

const row = (rowNumber: number, status: 'quoted' | 'held', nameCheck?: NameCheck, name = 'Ama Mensah') => ({
  ...aPayoutIn(status, {
    instruction: anInstruction({ name }),
    state: { pricing: nameCheck === undefined ? aPricing() : aPricing({ nameCheck }) },
  }),
  rowNumber,
});
const withoutName = (rowNumber: number) => ({
  ...aPayoutIn('quoted', { instruction: anInstruction({ name: undefined }) }),
  rowNumber,
});
const namesOf = (rows: readonly ReturnType<typeof row>[]) => {
  const builder = new PlanNamesBuilder();
  for (const each of rows) builder.add(each);
  return builder.finish();
};

const namesLines = (names: ReturnType<typeof namesOf>, columns = 200) =>
  drawn(nameBlocks(names), { columns });

it('[E13] shows both names and the reason to whoever approves, what would be paid first', () => {
  const names = namesOf([row(2, 'held', OTHER), row(3, 'quoted'), row(4, 'quoted', CLOSE)]);
  expect(namesLines(names)).toEqual([
    'Names: 1 match, 1 close match, 1 no match',
    'Row    In the file  On the account     Name check',
    'Row 4  Ama Mensah   AMA SERWAA MENSAH  close match, in this plan: middle name “Serwaa” only in the account',
    'Row 2  Ama Mensah   Kofi Owusu         no match, held, not in this plan: no name in common',
  ]);
});

it('keeps quiet when every name is a match, and only counts what could not be checked', () => {
  expect(namesLines(namesOf([row(2, 'quoted'), row(3, 'quoted')]))).toEqual([]);
  expect(namesLines(namesOf([row(2, 'quoted'), row(3, 'quoted', NOT_CHECKED)]))).toEqual([
    'Names: 1 match, 1 not checked',
  ]);
});

it('names the holder of each account where the file has no name, and says so to programs', () => {
  const names = namesOf([withoutName(2), row(3, 'quoted')]);
  const { resolved = '' } = aPricing().nameCheck;
  expect(namesLines(names)).toEqual([
    'Names: 1 match; 1 row has no name in the file: the account holder’s name is used',
    `  Row 2: no name in the file, account “${resolved}”`,
  ]);
  expect(namesJson(names)).toMatchObject({
    noName: 1,
    holders: [{ row: 2, status: 'quoted', accountName: resolved }],
  });
});

it('lists a beneficiary whose account the service does not know', () => {
  expect(namesLines(namesOf([row(16, 'held', NO_ACCOUNT, 'Adom Cold Store Ltd')]))).toEqual([
    'Names: 1 not found',
    'Row     In the file          On the account  Name check',
    'Row 16  Adom Cold Store Ltd  (none given)    not found, held, not in this plan: the service gives no name for this account: Not today (code 61)',
  ]);
});

it('shows each long name whole on a line of its own on a narrow terminal', () => {
  const name = 'Nana Kwame Boateng Agyeman-Prempeh Trading and Transport Company Limited';
  const lines = namesLines(namesOf([row(4, 'held', CLOSE, name)]), 60);
  expect(lines.slice(1, 4)).toEqual([
    'Row 4',
    `  In the file     ${name}`,
    '  On the account  AMA SERWAA MENSAH',
  ]);
});

it('stays short however many names differ, and says how many it left out', () => {
  const names = namesOf(Array.from({ length: 1_500 }, (_, at) => row(at + 2, 'held', CLOSE)));
  const lines = namesLines(names);
  expect(lines).toHaveLength(1 + 1 + 10 + 1);
  expect(lines.at(-1)).toBe('  … and 1,490 more. The report lists every row.');
  expect(names.toSee).toHaveLength(100);
});

it('lets no name write over the terminal or fill it', () => {
  const names = namesOf([row(2, 'held', { ...OTHER, resolved: `\u001b[2J${'x'.repeat(9_000)}` }, 'A\nB')]);
  const lines = namesLines(names);
  expect(lines.every((line) => line.length < 200)).toBe(true);
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f]/);
});

it('gives programs the same: both names, the word and the reason', () => {
  expect(namesJson(namesOf([row(2, 'quoted'), row(3, 'held', CLOSE)]))).toEqual({
    counts: { match: 1, close_match: 1 },
    noName: 0,
    askedSince: formatTimestamp(aPricing().nameCheckedAt),
    holders: [],
    rows: [
      {
        row: 3,
        status: 'held',
        nameCheck: 'close_match',
        name: 'Ama Mensah',
        accountName: 'AMA SERWAA MENSAH',
        reason: 'middle name “Serwaa” only in the account',
      },
    ],
  });
});

it('counts no row as a match that has no name in the file', () => {
  const said = (...rows: readonly ReturnType<typeof row>[]) => namesLines(namesOf(rows))[0];
  expect(said(row(2, 'quoted'), withoutName(3), withoutName(4))).toBe(
    'Names: 1 match; 2 rows have no name in the file: the account holder’s name is used',
  );
  expect(said(withoutName(2))).toBe(
    'Names: 1 row has no name in the file: the account holder’s name is used',
  );
  expect(namesJson(namesOf([row(2, 'quoted'), withoutName(3)]))).toMatchObject({
    counts: { match: 2 },
    noName: 1,
  });
});
