/**
 * Files as people have them: what payfile says of each at first, what never leaves while nobody answered, and what is paid
 * after the answers. What each must come to stands in expected.json.
 */
import { describe, expect, it } from 'vitest';
import { checked, plain, type Settled, settled } from './a-file-brought.ts';
import { CASES, type Case, type Paid } from './expected.ts';

/**
 * The answers of a person as flags, where expected.json has them in words or not at all. The sandbox makes up who holds an
 * account that it does not know, so names are then left out.
 */
const ANSWERS: ReadonlyMap<number, readonly string[]> = new Map([
  [9, ['--map', 'name=Contractor', '--skip-invalid']],
  [11, ['--leave-out', 'action=reject,on hold']],
  [13, ['--leave-out', 'Remarks=DO NOT PAY - resigned 14 Nov,paid cash on 20/11']],
  [
    15,
    [
      ...['--map', 'country=Bank Country', '--leave-out', 'Date to Send=15/03/2027', '--map'],
      'name=First Name of Bank Account Holder+Last Name of Bank Account Holder',
    ],
  ],
  [18, ['--map', 'account=Code Banque+Code Guichet+N° Compte+Clé RIB']],
  [
    24,
    [
      ...['--set', 'country=KE', '--map', 'institution=Bank Paybill Number'],
      ...['--value', '522522=KCB Bank Kenya', '--value', '247247=Equity Bank Kenya'],
    ],
  ],
  [
    26,
    [
      ...['--set', 'country=ET', '--map', 'institution=Bank Code'],
      ...['--value', '946=Commercial Bank of Ethiopia', '--value', '656=Awash Bank'],
      ...['--ignore', 'Account Name'],
    ],
  ],
  [
    27,
    [
      ...['--set', 'country=NG', '--map', 'account=D', '--map', 'name=B', '--map', 'amount=E'],
      ...['--map', 'institution=C', '--map', 'note=F', '--value', '058=Guaranty Trust Bank'],
      ...['--value', '057=Zenith Bank', '--value', '011=First Bank of Nigeria'],
    ],
  ],
  [
    30,
    [
      ...['--value', 'GTB=Guaranty Trust Bank', '--value', 'UBA=United Bank for Africa'],
      ...['--value', 'First Bank=First Bank of Nigeria', '--value', 'ZENITH BANK PLC=Zenith Bank'],
      ...['--value', 'KCB - Moi Avenue=KCB Bank Kenya', '--value', 'Equity=Equity Bank Kenya'],
      ...['--value', 'MTN=MTN Mobile Money', '--value', 'Vodafone Cash=Telecel Cash'],
    ],
  ],
  [
    40,
    [
      ...['--map', 'institution=Bank Name|Payment Method', '--map', 'account=Account No|Mobile Number'],
      ...['--leave-out', 'Payment Method=Cash'],
    ],
  ],
  [42, ['--skip-zero', '--skip-invalid']],
  [
    46,
    ['KSH=KES', 'Kshs.=KES', 'GHC=GHS', 'Naira=NGN', 'FCFA=XOF', 'USHS=UGX'].flatMap((means) => [
      '--value',
      means,
    ]),
  ],
  [47, ['--digits', 'latin', '--ignore', 'Name']],
  [58, ['--map', 'amount=Amount KES|Amount UGX']],
]);

/** Files whose accounts the sandbox gives other holders than the file does. */
const HELD_FOR_NAMES: ReadonlySet<number> = new Set([26, 47]);

/** Rows that are paid after these answers, where expected.json says only what may be paid, or what a cell is read as. */
const ALL_PAID: ReadonlyMap<number, readonly number[]> = new Map([
  [9, [3]],
  [15, [2]],
  [18, [2, 3]],
  [46, [2, 3, 4, 5, 6, 7]],
  [47, [2, 3]],
]);

describe('a file as people have it', () => {
  for (const one of CASES) {
    const name = `${one.n} ${one.file}: ${one.expected}`;
    it(name, { timeout: 120_000 }, () => holds(one));
  }
});

async function holds(one: Case): Promise<void> {
  await isAnswered(one);
  await neverPays(one);
  await paysAfterAnswers(one);
}

async function isAnswered({ file, exact }: Case): Promise<void> {
  const { answers, text, wrongRows } = await checked(file);
  const allowed = [exact.first_check].flat();
  expect(
    allowed.some((answer) => answers.includes(answer)),
    `${answers} of ${allowed}: ${text}`,
  ).toBe(true);
  const { must_name: names = [], wrong_rows, wrong_rows_at_least = [], never_says = [] } = exact;
  const named = names.filter((name) => text.includes(name));
  if (exact.any_name === true) expect(named.length, text).toBeGreaterThan(0);
  else expect(named, text).toEqual(names);
  if (wrong_rows !== undefined) expect(wrongRows).toEqual(wrong_rows);
  expect(wrongRows).toEqual(expect.arrayContaining([...wrong_rows_at_least]));
  for (const words of never_says) expect(text).not.toContain(words);
  if (exact.never_eaten_as_header === true)
    for (const [, account] of exact.paid_after?.rows ?? []) expect(text).not.toContain(account);
  if (exact.then_ask === undefined) return;
  const next = await checked(file, exact.never_paid_with?.flags);
  expect(next.answers).toContain('ask');
  for (const name of exact.then_ask) expect(next.text).toContain(name);
}

async function neverPays({ file, exact }: Case): Promise<void> {
  const { never_paid = [], never_paid_rows = [], never_paid_with, may_pay, values_if_read = [] } = exact;
  const { holder_if_settled = [] } = exact;
  const mayLeave = [never_paid, never_paid_rows, values_if_read, holder_if_settled, may_pay ?? []].flat();
  if (mayLeave.length > 0)
    for (const flags of [[], ['--skip-invalid']]) {
      const { paid, holders } = await settled(file, flags);
      for (const [row, amount] of never_paid) expect(amountsOf(paid, row)).not.toContain(plain(amount));
      for (const row of never_paid_rows) expect(amountsOf(paid, row)).toEqual([]);
      if (may_pay !== undefined)
        expect(may_pay.map(written)).toEqual(expect.arrayContaining(paid.map(written)));
      readsOnly(values_if_read, paid);
      for (const [row, holder] of holder_if_settled) expect([undefined, holder]).toContain(holders.get(row));
    }
  if (never_paid_with === undefined) return;
  const { paid } = await settled(file, never_paid_with.flags);
  for (const [row, amount] of never_paid_with.rows ?? never_paid)
    expect(amountsOf(paid, row)).not.toContain(plain(amount));
}

async function paysAfterAnswers({ n, file, exact }: Case): Promise<void> {
  const { paid_after: after, values_if_read = [], may_pay } = exact;
  const flags = after?.flags ?? ANSWERS.get(n);
  if (flags === undefined) return;
  const { row_issue = [], held, total_agrees } = after ?? {};
  if (row_issue.length > 0) expect((await checked(file, flags)).wrongRows).toEqual(row_issue);
  const all = row_issue.length > 0 ? [...flags, '--skip-invalid'] : flags;
  const result = await settled(file, all, HELD_FOR_NAMES.has(n));
  readsOnly(values_if_read, result.paid);
  isPaid(n, after?.rows ?? after?.rows_if_read ?? may_pay, result);
  if (held !== undefined) expect(result.held).toEqual(held);
  if (total_agrees === undefined) return;
  const { notes } = await checked(file, flags);
  expect(notes.filter((note) => note.replaceAll(',', '').includes(total_agrees))).toHaveLength(1);
}

function isPaid(n: number, rows: readonly Paid[] | undefined, { paid }: Settled): void {
  const all = ALL_PAID.get(n);
  if (all !== undefined) expect(paid.map(([row]) => row)).toEqual(all);
  // Of popular bank names expected.json names three rows as examples.
  else if (n === 30) expect(paid.map(written)).toEqual(expect.arrayContaining((rows ?? []).map(written)));
  else expect(paid.map(written)).toEqual((rows ?? []).map(written));
}

function readsOnly(values: readonly (readonly [row: number, amount: string])[], paid: readonly Paid[]): void {
  for (const [row, amount] of values)
    for (const left of amountsOf(paid, row)) expect([row, left]).toEqual([row, plain(amount)]);
}

const amountsOf = (paid: readonly Paid[], row: number): readonly string[] =>
  paid.flatMap(([of, , amount]) => (of === row ? [amount] : []));

const written = ([row, account, amount, currency]: Paid): Paid => [row, account, plain(amount), currency];
