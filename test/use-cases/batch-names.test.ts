/** What a file's batch is called, wherever its name comes from. */
import { describe, expect, it } from 'vitest';
import { isBatchName } from '../../src/domain/batches/batch.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { findBatch } from '../../src/use-cases/find-batch.ts';
import { nameOfFile, proposedName } from '../../src/use-cases/intake/batch-name.ts';
import { type Answers, askWith, type Question } from '../../src/use-cases/user-questions.ts';
import { importOf, row } from '../builders/ledger-batches.ts';
import { aRow, someRows } from '../builders/payout-file.ts';
import { aWorkplace, type Workplace } from '../builders/workplace.ts';

const given = (place: Workplace, name: string) =>
  nameOfFile({ name, path: 'pay.csv', environment: 'live', ask: undefined }, place.world);
const inSandbox = (place: Workplace, path: string) =>
  nameOfFile({ name: undefined, path, environment: 'sandbox', ask: undefined }, place.world);

/** Answers each question with the next answer of its kind, and keeps what was asked. */
async function asked(
  place: Workplace,
  answers: { [Kind in keyof Answers]?: Answers[Kind][] },
  path = 'pay.csv',
) {
  const questions: Question[] = [];
  const answer =
    <Kind extends 'name_of_batch' | 'newer_version'>(kind: Kind) =>
    async (question: Question) => {
      questions.push(question);
      return answers[kind]?.shift() as Answers[Kind] | undefined;
    };
  const ask = askWith({ name_of_batch: answer('name_of_batch'), newer_version: answer('newer_version') });
  const naming = nameOfFile({ name: undefined, path, environment: 'live', ask }, place.world);
  return { questions, name: await naming.catch((error: unknown) => error) };
}

describe('[issue 30, 19] a name of a batch', () => {
  it.each(['may', 'Löhne 2026-05', '5. Mai', 'payroll (2)', 'عيد', 'x'.repeat(100)])('can be %j', (name) => {
    expect(isBatchName(name)).toBe(true);
  });

  it.each([
    [''],
    [' '],
    [' may'],
    ['-x'],
    ['--yes'],
    ['.may'],
    ['../x'],
    ['may/june'],
    ['may\\june'],
    ['a\nb'],
    ['a\tb'],
    ['\u202emay'],
    ['may\u200b'],
    ['m\u00aday'],
    ['\u3164'],
    ['a\u3164b'],
    ['may\ufffe'],
    ['may\u00a0pay'],
    ['may\u3000pay'],
    ['\ud800may'],
    ['e\u0301te\u0301'],
    ['id:7'],
    ['x'.repeat(101)],
    [202606],
    [true],
  ])('cannot be %j', (name) => {
    expect(isBatchName(name)).toBe(false);
  });
});

describe('a name that is given', () => {
  it('is kept with its accents as one character each', async () => {
    expect(await given(await aWorkplace(), 'e\u0301te\u0301')).toBe('\u00e9t\u00e9');
  });

  it('is the name of the batch that is there: the file is a newer version of it', async () => {
    const place = await aWorkplace();
    await place.place(someRows(1), 'may');
    expect(await given(place, 'may')).toBe('may');
  });

  it.each(['May', 'MAY', '\uff4day'])(
    'is refused as %j beside a batch may, which a person takes for it',
    async (name) => {
      const place = await aWorkplace();
      await place.place(someRows(1), 'may');
      await expect(given(place, name)).rejects.toThrow('Batch may has almost the same name');
    },
  );

  it('is refused where it is the id of a batch', async () => {
    const place = await aWorkplace();
    const id = await place.approved(someRows(1), 'may');
    const said = `No batch can be called “${id}”, because that is the id of batch may.`;
    await expect(given(place, id)).rejects.toThrow(said);
    expect(await given(place, '202605')).toBe('202605');
  });

  it('is never given to a later batch as its id', async () => {
    const place = await aWorkplace();
    const first = await place.approved(someRows(1), String(2));
    const second = await place.approved([aRow(7)]);
    expect([first, second]).toEqual(['1', '3']);
    expect((await findBatch('2', place.world.ledger)).id).toBe(first);
  });

  it('is refused at the end too, when that batch was begun while the file was read', async () => {
    const place = await aWorkplace();
    const { ledger } = place.world;
    const begun = await importOf(ledger, [row(1)]);
    await expect(place.place(someRows(1), begun)).rejects.toThrow(
      `No batch can be called “${begun}”, because that is the id of another batch.`,
    );
    expect((await ledger.batches()).map(({ id }) => id)).toEqual([begun]);
  });
});

describe('where no name is given', () => {
  it('nobody pays with a live service', async () => {
    const place = await aWorkplace();
    const naming = { name: undefined, path: 'pay.csv', environment: 'live', ask: undefined } as const;
    await expect(nameOfFile(naming, place.world)).rejects.toMatchObject({ name: 'RequestRefused' });
  });

  it.each([
    ['samples/salaries.xlsx', 'salaries'],
    ['C:\\pay\\May 2026.csv', 'May 2026'],
    ['-', 'payments'],
    ['-x.csv', 'x'],
    ['..csv', 'payments'],
    ['a\u200b\u00a0b.csv', 'a b'],
    ['.csv', 'payments'],
    [`${'x'.repeat(300)}.csv`, 'x'.repeat(80)],
  ])('the sandbox calls the batch of %j “%s”, each time', async (path, name) => {
    const place = await aWorkplace();
    expect(await inSandbox(place, path)).toBe(name);
    await place.place(someRows(1), name);
    expect(await inSandbox(place, path)).toBe(name);
  });

  // The clock of the workplace stands in May 2026.
  it.each([
    ['salaries.csv', 'salaries 2026-05'],
    ['salaries 2026-05.csv', 'salaries 2026-05'],
    ['salaries_202605.csv', 'salaries_202605'],
    ['05-2026 salaries.csv', '05-2026 salaries'],
    ['Salaries May 2026.csv', 'Salaries May 2026'],
    ['Salaires mai 2026.csv', 'Salaires mai 2026'],
    ['salaries 2026-04.csv', 'salaries 2026-04'],
    ['salaries 2025-05.csv', 'salaries 2025-05'],
  ])('a person is proposed for %s: %s', async (path, proposed) => {
    const { questions } = await asked(await aWorkplace(), {}, path);
    expect(questions).toEqual([{ kind: 'name_of_batch', proposed }]);
  });

  it('a name that is taken, or almost, is never proposed', async () => {
    const place = await aWorkplace();
    await place.place(someRows(1), 'Pay 2026-05');
    const { questions } = await asked(place, {});
    expect(questions).toMatchObject([{ proposed: 'pay 2026-05-2' }]);
  });

  it('a person gives a name, and nothing else is asked', async () => {
    const { questions, name } = await asked(await aWorkplace(), { name_of_batch: [' june '] });
    expect([name, questions.length]).toEqual(['june', 1]);
  });

  it('a person who types a taken name sees its day, rows and sum, and says that the file is a newer version', async () => {
    const place = await aWorkplace();
    await place.place(someRows(2), 'may');
    const { questions, name } = await asked(place, { name_of_batch: ['MAY'], newer_version: ['newer'] });
    expect(name).toBe('may');
    expect(questions[1]).toMatchObject({
      kind: 'newer_version',
      known: { batch: { name: 'may' }, rows: 2, sums: [{ currency: 'GHS', minor: 240_000n }] },
    });
  });

  it('or types another one', async () => {
    const place = await aWorkplace();
    await place.place(someRows(2), 'may');
    const answers = { name_of_batch: ['may', 'june'], newer_version: ['other_name' as const] };
    expect((await asked(place, answers)).name).toBe('june');
  });

  it('and nothing is done where nobody answers, or the answer is no name', async () => {
    const place = await aWorkplace();
    await place.place(someRows(2), 'may');
    expect((await asked(place, {})).name).toMatchObject({ name: 'BatchNotNamed' });
    expect((await asked(place, { name_of_batch: ['may'] })).name).toMatchObject({ name: 'BatchNotNamed' });
    expect((await asked(place, { name_of_batch: ['../x'] })).name).toMatchObject({ name: 'RequestRefused' });
  });

  it.each([
    'payroll-oct.xlsx',
    'payroll_2026-10.csv',
    'Salaires août.csv',
    'mai 2025.csv',
    '3.2026 staff.csv',
  ])('a proposal for %s has no second month', async (file) => {
    const now = timestampOf(Date.UTC(2026, 10, 30));
    expect(await proposedName(file, now, undefined)).toBe(file.replace(/\.\w+$/, ''));
  });

  it.each(['marketing 12.csv', 'pay out 7-20.csv', 'staff 20260.csv'])('%s says no month', async (file) => {
    const now = timestampOf(Date.UTC(2026, 10, 30));
    expect(await proposedName(file, now, undefined)).toBe(`${file.replace('.csv', '')} 2026-11`);
  });

  it('a proposal needs no ledger', async () => {
    const now = timestampOf(Date.UTC(2026, 10, 30, 23, 59, 59));
    expect(await proposedName('pay.csv', now, undefined)).toBe('pay 2026-11');
  });
});
