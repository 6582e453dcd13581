/** Somebody who was paid to another account before: held until a person let it go, and then not asked again. */
import { describe, expect, it } from 'vitest';
import { allChanges } from '../../src/domain/batches/batch-changes.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import { changesSinceLast } from '../../src/use-cases/approve/changes-since-last.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import { aRow, type FileRow } from '../builders/payout-file.ts';
import { money } from '../builders/payouts.ts';
import {
  aWorkplace,
  kindsOf,
  type Workplace,
  type WorkplaceOptions,
  workplaceOn,
} from '../builders/workplace.ts';

const NAMES = ['Ama Mensah', 'Kofi Owusu', 'Yaa Asante', 'Esi Boakye', 'Kwame Adjei'];
const person = (number: number, changes: FileRow = {}) =>
  aRow(number, { name: NAMES[number - 1] ?? '', ...changes });
const MOVED = { account: '0244999888' };

/** April is paid; every account belongs to the person whom the file names. */
async function afterApril(rows: readonly FileRow[], options?: WorkplaceOptions): Promise<Workplace> {
  const place = await aWorkplace(options);
  for (const [at, name] of NAMES.entries()) place.service.names.set(`024412300${at + 1}`, name);
  place.service.names.set(MOVED.account, NAMES[1]);
  const april = await place.place(rows, 'payroll-2026-04');
  await place.run(april.batch.id);
  place.clock.advance(30 * 86_400_000);
  return place;
}

async function month(
  place: Workplace,
  rows: readonly FileRow[],
  name: string,
  file?: string,
): Promise<BatchId> {
  const { batch } = await place.place(rows, name, file);
  await place.run(batch.id);
  return batch.id;
}

async function changedRows(place: Workplace, batch: BatchId): Promise<readonly number[]> {
  const payouts = await place.payouts(batch);
  return payouts.flatMap((payout) => (kindsOf(payout).includes('other_account') ? [payout.rowNumber] : []));
}

const decision = { by: 'ben', reason: 'asked her by telephone' };
const release = (place: Workplace, batch: BatchId, row: string) =>
  releaseHeld(batch, { kind: 'rows', rows: [row] }, decision, place.world);

describe('a changed account, while nobody looks', () => {
  it.each([
    ['reference', {}],
    ['name', { reference: 'MAY-77' }],
  ])('is held and the others are paid: known by %s', async (_, changes) => {
    const place = await afterApril([person(1), person(2)]);
    const may = await month(
      place,
      [person(1, { reference: 'M-1' }), person(2, { ...MOVED, ...changes })],
      'payroll-2026-05',
    );
    expect(await place.stand(may)).toEqual({ settled: 1, held: 1 });
    expect((await place.row(may, 3)).state).toMatchObject({
      reasons: [
        {
          concern: { kind: 'other_account' },
          text: 'The account is new for this person: ••••3002 at MTN Mobile Money before (row 3 of batch payroll-2026-04), ••••9888 at MTN Mobile Money now',
        },
      ],
    });
  });

  it('is not held where the file has no names: two namesakes are not one person', async () => {
    const nameless = { name: '', note: 'x' };
    const place = await afterApril([person(1, nameless), person(2, nameless)]);
    const rows = [
      person(1, { ...nameless, reference: 'M-1' }),
      person(2, { ...nameless, ...MOVED, reference: 'M-2' }),
    ];
    expect(await place.stand(await month(place, rows, 'payroll-2026-05'))).toEqual({ settled: 2 });
  });

  it('is held with the holder of the account before, where another person would get the money', async () => {
    const nameless = { name: '', reference: 'B' };
    const place = await afterApril([person(1), person(2, nameless)]);
    place.service.names.set(MOVED.account, 'ESI BOAKYE');
    const rows = [person(1, { reference: 'M-1' }), person(2, { ...nameless, ...MOVED })];
    const { batch } = await place.place(rows, 'payroll-2026-05');
    await place.run(batch.id);
    const { state } = await place.row(batch.id, 3);
    const before = '••••3002 at MTN Mobile Money, which belongs to “Kofi Owusu”, before';
    expect(state).toMatchObject({ reasons: [{ text: expect.stringContaining(before) }] });
    const changes = await changesSinceLast(batch, place.world);
    expect(changes?.difference?.newAccounts.list).toMatchObject([{ row: 3, holderBefore: 'Kofi Owusu' }]);
    expect(changes && allChanges(changes).join('\n')).toContain('the account before: Kofi Owusu');
  });

  it('is paid once a person let it go, and not asked about again', async () => {
    const place = await afterApril([person(1), person(2)]);
    const rows = [person(1, { reference: 'M-1' }), person(2, { ...MOVED, reference: 'M-2' })];
    const may = await month(place, rows, 'payroll-2026-05');
    await release(place, may, '3');
    await place.run(may);
    expect(await place.stand(may)).toEqual({ settled: 2 });
    const june = await month(
      place,
      [person(1, { reference: 'J-1' }), person(2, { ...MOVED, reference: 'J-2' })],
      'payroll-2026-06',
    );
    expect(await place.stand(june)).toEqual({ settled: 2 });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('is asked about again where it was let go and was not paid after all', async () => {
    const place = await afterApril([person(1), person(2)]);
    const may = await month(
      place,
      [person(1, { reference: 'M-1' }), person(2, { ...MOVED, reference: 'M-2' })],
      'payroll-2026-05',
    );
    await release(place, may, '3');
    await cancelUnsent(may, { kind: 'rows', rows: ['3'] }, decision, place.world);
    const june = await month(
      place,
      [person(1, { reference: 'J-1' }), person(2, { ...MOVED, reference: 'J-2' })],
      'payroll-2026-06',
    );
    expect(await place.stand(june)).toEqual({ settled: 1, held: 1 });
  });

  it('is held the month after, too, when it was withdrawn and nobody let it go', async () => {
    const place = await afterApril([person(1), person(2)]);
    const may = await month(
      place,
      [person(1, { reference: 'M-1' }), person(2, { ...MOVED, reference: 'M-2' })],
      'payroll-2026-05',
    );
    await cancelUnsent(may, { kind: 'rows', rows: ['3'] }, decision, place.world);
    const june = await month(
      place,
      [person(1, { reference: 'J-1' }), person(2, { ...MOVED, reference: 'J-2' })],
      'payroll-2026-06',
    );
    expect(await place.stand(june)).toEqual({ settled: 1, held: 1 });
  });

  it('that was priced while somebody looked is held when nobody does', async () => {
    const place = await afterApril([person(1), person(2)]);
    const { ledger, clock, service, world } = place;
    const attended = workplaceOn({
      ledger,
      clock,
      service,
      policy: { ...world.policy, accountChanges: 'warn' },
    });
    const { batch } = await attended.place(
      [person(1, { reference: 'M-1' }), person(2, MOVED)],
      'payroll-2026-05',
    );
    await attended.price(batch.id);
    expect(await place.stand(batch.id)).toEqual({ quoted: 2 });
    await place.run(batch.id);
    expect(await place.stand(batch.id)).toEqual({ settled: 1, held: 1 });
  });
});

describe('a changed account is held although', () => {
  const [ama, kofi] = [person(1, { reference: 'E-1' }), person(2, { reference: 'E-2' })];
  const without = (...fields: readonly (keyof FileRow)[]) =>
    Object.fromEntries(fields.map((field) => [field, '']));
  const mpesa = { country: 'Kenya', institution: 'M-Pesa', account: '0712345678' };
  const other = { account: '0244999777', amount: '50.00' };
  /** What May pays; April paid Ama and Kofi. Held: the rows that pay another account than 3001 or 3002. */
  it.each<[string, readonly string[], readonly FileRow[]]>([
    ['an initial was put into the name', [], [{ ...kofi, ...MOVED, name: 'Kofi B. Owusu' }]],
    ['it is in another country', [], [{ ...kofi, ...mpesa }]],
    [
      'the name stands there twice',
      ['reference'],
      [
        { ...kofi, ...MOVED },
        { ...kofi, ...other },
      ],
    ],
    [
      'the old one gets a little still',
      ['reference'],
      [
        { ...kofi, amount: '50.00' },
        { ...kofi, ...MOVED },
      ],
    ],
    [
      'it stands in a further row, and the first row is another new account',
      [],
      [
        { ...kofi, ...other },
        { ...kofi, ...MOVED, reference: 'E-9' },
      ],
    ],
    [
      'the old one gets a little still, in a file without names',
      ['name'],
      [
        { ...kofi, ...MOVED },
        { ...kofi, amount: '50.00', reference: 'E-9' },
      ],
    ],
  ])('%s', async (_, lacks, changed) => {
    const bare = without(...(lacks as readonly (keyof FileRow)[]));
    const place = await afterApril([ama, kofi].map((row) => ({ ...row, ...bare })));
    place.clock.advance(400 * 86_400_000);
    for (const account of [MOVED.account, mpesa.account, other.account])
      place.service.names.set(account, lacks.includes('name') ? 'Somebody Else' : 'Kofi B Owusu');
    const rows = [ama, ...changed].map((row) => ({ ...row, ...bare }));
    const may = await month(place, rows, 'payroll-2026-05');
    // The header is row 1; April's accounts begin alike.
    const isNew = ({ account = '' }: FileRow) => !account.startsWith('02441230');
    expect(await changedRows(place, may)).toEqual(rows.flatMap((row, at) => (isNew(row) ? [at + 2] : [])));
  });
});

it('a changed account is paid like any other where somebody looks', async () => {
  const place = await afterApril([person(1), person(2)], { policy: { accountChanges: 'warn' } });
  const may = await month(
    place,
    [person(1, { reference: 'M-1' }), person(2, { ...MOVED, reference: 'M-2' })],
    'payroll-2026-05',
  );
  expect(await place.stand(may)).toEqual({ settled: 2 });
});

it('a changed account is also the same number in another way of writing, because it is sent as another one', async () => {
  const place = await afterApril([person(1), person(2)]);
  place.service.names.set('+233244123002', NAMES[1]);
  const rows = [person(1, { reference: 'M-1' }), person(2, { account: '+233244123002', reference: 'M-2' })];
  expect(await place.stand(await month(place, rows, 'payroll-2026-05'))).toEqual({ settled: 1, held: 1 });
});

/** From now on, the service lists these institutions of Ghana. */
function nowListed(place: Workplace, names: Readonly<Record<string, string>>): void {
  const { currency } = money('GHS 0.00');
  const answer = Object.entries(names).map(([id, name]) => {
    return { id: asInstitutionId(id), name, currency, charges: undefined };
  });
  place.service.institutions = async () => ({ kind: 'answered', answer });
}

it('a changed account is the same number at another institution that now has the id of the file', async () => {
  const byId = { institution: 'i-mtn' };
  const place = await afterApril([person(1, byId), person(2, byId)]);
  nowListed(place, { 'i-mtn': 'Telecel Cash', 'i-gcb': 'MTN Mobile Money' });
  const rows = [
    person(1, { institution: 'i-gcb', reference: 'M-1' }),
    person(2, { ...byId, reference: 'M-2' }),
  ];
  const may = await month(place, rows, 'payroll-2026-05');
  expect(await place.stand(may)).toEqual({ settled: 1, held: 1 });
  expect(await changedRows(place, may)).toEqual([3]);
  expect((await place.row(may, 3)).state).toMatchObject({
    reasons: [{ text: expect.stringContaining('••••3002 at Telecel Cash now') }],
  });
});

describe('no change of an account is', () => {
  it('another id of the same institution, which the service numbered anew', async () => {
    const place = await afterApril([person(1), person(2)]);
    nowListed(place, { 'i-gcb': 'MTN mobile-money' });
    const rows = [1, 2].map((number) => person(number, { reference: `M-${number}` }));
    const may = await month(place, rows, 'payroll-2026-05');
    expect(await place.stand(may)).toEqual({ settled: 2 });
  });

  it('a second account that was paid in an earlier month as well', async () => {
    const second = person(2, { ...MOVED, reference: 'Q-2' });
    const place = await afterApril([person(1), person(2), second]);
    const may = [person(1, { reference: 'M-1' }), person(2, { reference: 'M-2' })];
    expect(await place.stand(await month(place, may, 'payroll-2026-05'))).toEqual({ settled: 2 });
    place.clock.advance(30 * 86_400_000);
    const june = [
      person(1, { reference: 'J-1' }),
      person(2, { reference: 'J-2' }),
      { ...second, reference: 'J-3' },
    ];
    const id = await month(place, june, 'payroll-2026-06');
    expect(await changedRows(place, id)).toEqual([]);
  });

  it('a new colleague, nor one who takes the number of somebody who left', async () => {
    const place = await afterApril([person(1), person(2)]);
    const june = [person(1, { reference: 'J-1' }), person(3, { reference: 'GH-002' }), person(4)];
    const id = await month(place, june, 'payroll-2026-05');
    expect(await changedRows(place, id)).toEqual([]);
  });

  it('another account under a name that all customers have', async () => {
    const customer = (number: number) => person(number, { name: 'Customer', reference: `C-${number}` });
    const place = await aWorkplace();
    place.service.nameAnswer = { kind: 'unavailable', reason: '503' };
    await month(place, [1, 2, 3, 4].map(customer), 'payroll-2026-04');
    const may = await month(
      place,
      [1, 2, 3, 4, 5].map((number) => ({ ...customer(number), reference: `M-${number}` })),
      'payroll-2026-05',
    );
    expect(await changedRows(place, may)).toEqual([]);
  });

  it.each([
    ['left', [2, 3, 4]],
    ['came first', [5, 1, 2, 3, 4]],
    ['came last', [1, 2, 3, 4, 5]],
  ])('a reference that merely counts the rows, when somebody %s', async (_, people) => {
    const numbered = (numbers: readonly number[], name: (number: number) => FileRow) =>
      numbers.map((number, at) => person(number, { reference: `R-${at + 1}`, ...name(number) }));
    for (const name of [() => ({}), () => ({ name: '', note: 'x' })]) {
      const place = await afterApril(numbered([1, 2, 3, 4], name));
      const may = await month(place, numbered(people, name), 'payroll-2026-05');
      expect(await changedRows(place, may)).toEqual([]);
    }
  });
});

it('an account that was refused and corrected in another batch is held when the old file brings it back', async () => {
  const place = await aWorkplace({ policy: { concurrency: 1 } });
  for (const [at, name] of NAMES.entries()) place.service.names.set(`024412300${at + 1}`, name);
  place.service.names.set(MOVED.account, NAMES[1]);
  place.service.turns.push('accept', { refuse: 'account closed' });
  const bare = { reference: '' };
  const april = await month(place, [person(1, bare), person(2, bare)], 'payroll-2026-04');
  const { id: replaces } = await place.row(april, 3);
  const redo = await month(place, [person(2, { ...bare, ...MOVED, replaces })], 'payroll-2026-04-redo');
  await release(place, redo, '2');
  await place.run(redo);
  expect(await place.stand(redo)).toEqual({ settled: 1 });
  place.clock.advance(30 * 86_400_000);
  const may = await month(place, [person(1, bare), person(2, bare)], 'payroll-2026-05');
  expect(await changedRows(place, may)).toEqual([3]);
  expect(await place.stand(may)).toEqual({ settled: 1, held: 1 });
});

describe('a changed account in a batch of another kind', () => {
  /** The names of the batches share nothing, and no payment is the same. */
  const bonus = (place: Workplace, rows: readonly FileRow[], name = 'bonus') =>
    month(
      place,
      rows.map((row, at) => ({ ...row, reference: `${name}-${at}`, amount: '77' })),
      name,
      `${name}.csv`,
    );

  it('is held, by the name that both files write', async () => {
    const place = await afterApril([person(1), person(2)]);
    const batch = await bonus(place, [person(1), person(2, MOVED)]);
    expect(await place.stand(batch)).toEqual({ settled: 1, held: 1 });
    expect(await changedRows(place, batch)).toEqual([3]);
  });

  it('is held again while the row that has it is held elsewhere, and is known once it is paid', async () => {
    const place = await afterApril([person(1), person(2)]);
    const first = await bonus(place, [person(1), person(2, MOVED)], 'bonus');
    expect(await changedRows(place, await bonus(place, [person(2, MOVED)], 'extra'))).toEqual([2]);
    await release(place, first, '3');
    await place.run(first);
    expect(await place.stand(first)).toEqual({ settled: 2 });
    const may = [person(1, { reference: 'M-1' }), person(2, { ...MOVED, reference: 'M-2' })];
    expect(await changedRows(place, await month(place, may, 'payroll-2026-05'))).toEqual([]);
  });

  it('is not known because another person was paid there', async () => {
    const place = await afterApril([person(1), person(2)]);
    await bonus(place, [person(4, MOVED)], 'suppliers');
    expect(await changedRows(place, await bonus(place, [person(2, MOVED)], 'extra'))).toEqual([2]);
  });

  it('is not told by a reference: in files of two kinds it counts their rows', async () => {
    const place = await afterApril([person(1, { name: '', reference: '1' })]);
    const rows = [2, 3, 4, 5, 6, 7].map((n) => person(n, { name: '', reference: `${n - 1}`, amount: '77' }));
    expect(await changedRows(place, await month(place, rows, 'suppliers', 'suppliers.csv'))).toEqual([]);
  });
});
