/** Questions about a file: asked in one round, answered by people or by flags, kept for the next file with its headers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import type { Answer } from '../../src/domain/reading/answer.ts';
import type { Question } from '../../src/domain/reading/question.ts';
import { rowList } from '../../src/operations/row-list.ts';
import { createPayfile, type Dialogue, type FileHasQuestions } from '../../src/payfile.ts';
import { checkFile, planFile, readingsOf } from '../builders/library-calls.ts';

const HEAD = 'Reference,Place,House,Account,Net,Gross,Team';
const ROWS = [
  'R-1,Ghana,GCB Bank,1011130024576,500.00,600.00,North',
  'R-2,Ghana,Ghana Com,1011130024577,700.00,800.00,South',
  'R-3,Ghana,GCB Bank,1011130024578,900.00,950.00,North',
];
const MAPS = [
  ['country', 'Place'],
  ['institution', 'House'],
  ['amount', 'Net'],
] as const;

function opened(content = [HEAD, ...ROWS].join('\n')) {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, { env: { HOME: folder } });
  onTestFinished(async () => {
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  return { payfile, folder, write, path: write('may.csv', content) };
}

/** Chooses for each question the choice with this answer, and tells which were asked. */
function answering(choose: (question: Question) => readonly Answer[] | undefined) {
  const asked: string[] = [];
  const ask = (async (question: { readonly kind: string; readonly question?: Question }) => {
    if (question.kind !== 'about_file' || question.question === undefined) return undefined;
    asked.push(question.question.code);
    return choose(question.question);
  }) as NonNullable<Dialogue['ask']>;
  return { asked, ask };
}

const byMaps = ({ code, choices }: Question): readonly Answer[] | undefined => {
  const header = MAPS.find(([field]) => code === `no_${field}`)?.[1];
  if (header === undefined) return choices[0]?.answers;
  return choices.find(({ answers: [answer] }) => answer?.kind === 'map' && answer.headers[0] === header)
    ?.answers;
};

const refusal = async (work: Promise<unknown>) =>
  (await work.catch((error: unknown) => error)) as FileHasQuestions;

it('refuses a file with all of its questions at once, each with its choices, and keeps nothing', async () => {
  const { payfile, path } = opened();
  const refused = await refusal(planFile(payfile, path, { batch: 'may' }));
  expect(refused.code).toBe('file_unusable');
  expect(refused.questions.map(({ code }) => code)).toEqual(['no_country', 'no_institution', 'no_amount']);
  const [country] = refused.questions;
  expect(country?.headers).toEqual(['Place']);
  expect(country?.choices.flatMap(({ answers }) => answers)).toContainEqual({
    ...{ kind: 'map', field: 'country', headers: ['Place'] },
  });
  expect((await readingsOf(payfile)).readings).toEqual([]);
});

it('asks each question once, reads the file again, and keeps the answers with who gave them', async () => {
  const { payfile, path, write } = opened();
  const { asked, ask } = answering(byMaps);
  const checked = await checkFile(payfile, path, { ask });
  expect(asked.slice(0, 3)).toEqual(['no_country', 'no_institution', 'no_amount']);
  expect(new Set(asked).size).toBe(asked.length);
  expect(checked.columns.get('amount')).toBe(4);
  const [kept] = (await readingsOf(payfile)).readings;
  expect(kept?.name).toBe('may');
  expect(kept?.answers).toContainEqual(
    expect.objectContaining({ kind: 'map', field: 'amount', headers: ['Net'], by: 'ada' }),
  );
  const june = await checkFile(payfile, write('june.csv', [HEAD, ROWS[0]].join('\n')));
  expect(june.notes[0]).toMatch(
    /^Remembered for files with these columns: .*amount: column “Net” \(ada, \d+ [A-Z][a-z]{2}\)/,
  );
  expect(june.totals.get(parseCurrency('GHS') ?? ('' as never))?.minor).toBe(50_000n);
});

it('keeps nothing of a call whose answers are flags alone', async () => {
  const { payfile, path } = opened();
  await checkFile(payfile, path, { map: new Map(MAPS) });
  expect((await readingsOf(payfile)).readings).toEqual([]);
  await checkFile(payfile, path, { map: new Map(MAPS), saveReading: 'ours' });
  expect((await readingsOf(payfile)).readings.map(({ name }) => name)).toEqual(['ours']);
});

it('does nothing where a person goes away, and keeps no answer', async () => {
  const { payfile, path } = opened();
  const { asked, ask } = answering((question) =>
    question.code === 'no_amount' ? undefined : byMaps(question),
  );
  expect((await refusal(checkFile(payfile, path, { ask }))).questions).toHaveLength(3);
  expect(asked).toEqual(['no_country', 'no_institution', 'no_amount']);
  expect((await readingsOf(payfile)).readings).toEqual([]);
});

it('leaves rows out by a word, says so, and proposes the same words first for the next file', async () => {
  const content = [HEAD.replace('Team', 'Status'), ...ROWS.map((row) => row.replace('South', 'Paid'))].join(
    '\n',
  );
  const { payfile, path } = opened(content);
  const map = new Map(MAPS);
  const leaveOut = [{ header: 'Status', words: ['paid'] }];
  const refused = await refusal(checkFile(payfile, path, { map }));
  expect(refused.questions.map(({ code }) => code)).toContain('status_unknown');
  const checked = await checkFile(payfile, path, { map, leaveOut, saveReading: 'ours' });
  expect([checked.rows, checked.leftOut.rows]).toEqual([
    2,
    [{ row: 3, why: 'said', amount: '700.00', says: 'Status: Paid', by: 'ada' }],
  ]);
  expect(checked.notes).toContain('left out, because a person said so: row 3');
  const again = await refusal(checkFile(payfile, path));
  expect(again.questions.find(({ code }) => code === 'status_unknown')?.choices[0]?.answers).toMatchObject([
    { kind: 'leave_out', header: 'Status' },
  ]);
});

it('repeats in the next command what is not kept alone: flags of one call, and rows left out', async () => {
  const content = [HEAD.replace('Team', 'Status'), ...ROWS.map((row) => row.replace('South', 'Paid'))];
  const { payfile, write } = opened();
  const said = { map: new Map(MAPS), leaveOut: [{ header: 'Status', words: ['paid'] }] };
  const repeated = async (batch: string, asked: object) => {
    const path = write(`${batch}.csv`, content.join('\n').replaceAll('R-', `${batch}-`));
    const options = { batch, skipInvalid: true, ...asked };
    return (await planFile(payfile, path, options)).batch.file.reading?.answers?.map(({ kind }) => kind);
  };
  expect(await repeated('one', said)).toEqual(['map', 'map', 'map', 'leave_out']);
  expect(await repeated('two', { ...said, saveReading: 'ours' })).toEqual(['leave_out']);
  expect(await repeated('three', { leaveOut: said.leaveOut })).toEqual(['leave_out']);
  const ignoring = { leaveOut: said.leaveOut, ignore: ['Gross'] };
  expect(await repeated('four', ignoring)).toEqual(['leave_out', 'ignore']);
});

it('asks again about rows that a kept reading left out, by whatever word', async () => {
  const codes = (letter: string) =>
    [HEAD.replace('Team', 'Grade'), ...ROWS.map((row) => row.replace('South', letter))].join('\n');
  const { payfile, path, write } = opened(codes('H'));
  const map = new Map(MAPS);
  const leaveOut = [{ header: 'Grade', words: ['H'] }];
  await checkFile(payfile, path, { map, leaveOut, saveReading: 'ours' });
  const june = write('june.csv', codes('h'));
  const { questions } = await refusal(checkFile(payfile, june));
  expect(questions[0]?.code).toBe('rows_not_to_pay');
  expect(questions[0]?.choices[0]?.answers).toMatchObject([{ kind: 'leave_out', words: ['h'] }]);
  const checked = await checkFile(payfile, june, { leaveOut: [{ header: 'Grade', words: ['h'] }] });
  expect(checked.leftOut.rows).toMatchObject([{ row: 3, why: 'said', says: 'Grade: h' }]);
});

it('gives one text to every row, and refuses an answer about a column that is not there', async () => {
  const { payfile, path } = opened();
  const set = new Map([['country', 'GH']] as const);
  const map = new Map(MAPS.filter(([field]) => field !== 'country'));
  const checked = await checkFile(payfile, path, { map, set });
  expect(checked.headers.at(-1)).toBe('country');
  expect(checked.answers).toMatchObject([{}, {}, { kind: 'set', text: 'GH', by: 'ada' }]);
  for (const said of [{ ignore: ['Nett'] }, { leaveOut: [{ header: 'Nett', words: ['x'] }] }])
    await expect(checkFile(payfile, path, { map, set, ...said })).rejects.toThrow(
      '“Nett” is not in the file',
    );
});

it('never gives one text to rows that have their own, unless their column is said to be unused', async () => {
  const { payfile, path } = opened([HEAD.replace('Place', 'Country'), ...ROWS].join('\n'));
  const said = { map: new Map(MAPS.slice(1)), set: new Map([['country', 'KE']] as const) };
  await expect(checkFile(payfile, path, said)).rejects.toThrow(
    'The column B “Country” holds the country of each row',
  );
  const ignored = await checkFile(payfile, path, { ...said, ignore: ['Country'] });
  expect(ignored.answers).toContainEqual(expect.objectContaining({ kind: 'set', text: 'KE' }));
});

it('asks for the meaning of all unknown banks in one question, which stops no other row', async () => {
  const { payfile, path } = opened();
  const map = new Map(MAPS);
  const checked = await checkFile(payfile, path, { map });
  expect(checked.unknown).toMatchObject([{ written: 'Ghana Com', rows: 1, firstRow: 3 }]);
  expect(checked.questions.map(({ code }) => code)).toContain('institution_unknown');
  const value = [{ written: 'Ghana Com', means: 'GCB Bank' }];
  const bound = await checkFile(payfile, path, { map, value });
  expect([bound.invalid, bound.unknown]).toEqual([0, []]);
});

it('says which columns are not used, with the words of a column that has few', async () => {
  const { payfile, path } = opened();
  const { notes } = await checkFile(payfile, path, { map: new Map(MAPS) });
  expect(notes).toContain('Not used for the payment, kept for the report: Gross, Team (North 2, South 1)');
  expect(notes).toContain('Read from: amount “Net”, account “Account”, institution “House”');
  const planned = await planFile(payfile, path, { batch: 'may', map: new Map(MAPS), skipInvalid: true });
  expect(planned.imported.notes).toContain(
    'Not used for the payment, kept for the report: Gross, Team (North 2, South 1)',
  );
});

it('calls a field that is made from several columns by all of these', async () => {
  const head = 'Nom,Code Banque,Guichet,Compte,Clé RIB,Net,Motif';
  const rows = ['Awa Diop,SN012,01201,036171003501,30,350625,Mai', 'Ali Fall,,,771234567,,85000,Mai'];
  const { payfile, path } = opened([head, ...rows].join('\n'));
  const map = new Map([
    ['account', 'Code Banque+Guichet+Compte+Clé RIB'],
    ['institution', 'Code Banque'],
    ['amount', 'Net'],
  ] as const);
  const set = new Map([['country', 'SN']] as const);
  const { notes, issues } = await checkFile(payfile, path, { map, set });
  expect(notes).toContain(
    'Read from: amount “Net”, account “Code Banque” and “Guichet” and “Compte” and “Clé RIB”, institution “Code Banque”, name “Nom”, note to the beneficiary “Motif”',
  );
  const account = issues
    .filter(({ row }) => row === 3)
    .flatMap((row) => row.issues)
    .filter(({ field }) => field === 'account' || field === 'country');
  expect(account).toMatchObject([
    { field: 'account', column: 'Code Banque + Guichet + Compte + Clé RIB', columnLetter: 'B+C+D+E' },
  ]);
});

it('keeps no correction of a cell, which is of one file', async () => {
  const { payfile, path, folder } = opened();
  const edits = [{ row: 3, column: 2, was: 'Ghana Com', text: 'GCB Bank' }];
  await checkFile(payfile, path, { map: new Map(MAPS), edits, saveReading: 'ours' });
  expect(readFileSync(join(folder, '.config/payfile/readings.json'), 'utf8')).not.toContain('Ghana Com');
});

const ABROAD = ['R-4,Kenya,Equity Bank Kenya,0170199384756,500.00,600.00,North'];
const NO_PLACE = (rows: readonly string[]) =>
  [HEAD, ...rows].map((line) => line.replace(/^([^,]+),[^,]+,/, '$1,')).join('\n');

it('asks how a text is written, reads it so, and keeps that for the next file', async () => {
  const { payfile, folder } = opened();
  const bring = (name: string, account: string) => {
    const path = join(folder, name);
    const lines = ['Country;Institution;Account;Amount;Name', `Ghana;GCB Bank;${account};5,50;Renée Aguié`];
    writeFileSync(path, Buffer.from(lines.join('\n'), 'latin1'));
    return path;
  };
  const { asked, ask } = answering(({ choices }) => choices[0]?.answers);
  const first = await checkFile(payfile, bring('one.csv', '1011130024576'), { ask, keepRows: 1 });
  expect([asked, first.firstRows[0]?.name]).toEqual([['text_encoding'], 'Renée Aguié']);
  const second = await checkFile(payfile, bring('two.csv', '1011130024577'), { keepRows: 1 });
  expect(second.firstRows[0]?.name).toBe('Renée Aguié');
  expect(second.notes[0]).toContain('the text is in windows-1252 (ada, ');
  await payfile.readings.forget({ name: 'one' });
  await checkFile(payfile, bring('three.csv', '1011130024578'), {
    encoding: 'windows-1252',
    saveReading: 'ours',
  });
  expect((await checkFile(payfile, bring('four.csv', '1011130024579'), { keepRows: 1 })).invalid).toBe(0);
});

it('asks anew for a remembered country where all telephone numbers are of another one', async () => {
  const { payfile, write } = opened();
  const lines = (phone: string) =>
    [
      'Institution,Account,Amount,Phone',
      `M-PESA,0712345678,500,${phone}1`,
      `M-PESA,0712345679,700,${phone}2`,
    ].join('\n');
  const set = new Map([['country', 'Kenya']] as const);
  await checkFile(payfile, write('one.csv', lines('25471234567')), { set, saveReading: 'ours' });
  const same = await checkFile(payfile, write('two.csv', lines('25472234567')));
  expect(same.invalid).toBe(0);
  const refused = await refusal(checkFile(payfile, write('three.csv', lines('25677234567'))));
  expect(refused.questions.map(({ code }) => code)).toEqual(['still_country']);
  expect(JSON.stringify(refused.questions[0]?.text)).toContain('Uganda');
});

it('does not ask for a remembered country again because one bank of many is misspelt', async () => {
  const { payfile, write } = opened();
  const file = (bank: string) =>
    [
      'Institution,Account,Amount',
      ...Array.from({ length: 12 }, (_, at) => `${at === 4 ? bank : 'GCB Bank'},10111300245${at + 10},5.00`),
    ].join('\n');
  const set = new Map([['country', 'Ghana']] as const);
  await checkFile(payfile, write('may.csv', file('GCB Bank')), { set, saveReading: 'ours' });
  const found = await checkFile(payfile, write('june.csv', file('GBC Bnak')), { keepRows: 5 });
  expect([found.rows, found.invalid]).toEqual([12, 1]);
  expect(found.questions.map(({ code }) => code)).not.toContain('still_country');
});

it('asks anew for a remembered country that a row contradicts, and only then for its banks', async () => {
  const { payfile, write } = opened();
  const map = new Map(MAPS.slice(1));
  const set = new Map([['country', 'Ghana']] as const);
  await checkFile(payfile, write('gh.csv', NO_PLACE(ROWS.slice(0, 1))), { map, set, saveReading: 'ours' });
  const agrees = await checkFile(payfile, write('gh-2.csv', NO_PLACE(ROWS.slice(2))));
  expect(agrees.notes[0]).toContain('country: “Ghana” in every row (ada, ');
  const kenyan = write('abroad.csv', NO_PLACE(ABROAD));
  const refused = await refusal(checkFile(payfile, kenyan));
  expect(refused.questions.map(({ code }) => code)).toEqual(['still_country']);
  const [first] = refused.questions;
  expect(JSON.stringify(first?.text)).toContain('“Equity Bank Kenya”');
  expect(first?.choices[0]?.answers).toEqual([{ kind: 'set', field: 'country', text: 'Ghana' }]);
  const kenya = await checkFile(payfile, kenyan, { set: new Map([['country', 'Kenya']]) });
  expect([...kenya.totals.keys()]).toEqual(['KES']);
  // What was said for one call changed nothing.
  const later = await checkFile(payfile, write('gh-3.csv', NO_PLACE(ROWS.slice(2))));
  expect([...later.totals.keys()]).toEqual(['GHS']);
});

it('keeps what a person answered, and no flag of the same call', async () => {
  const { payfile, path } = opened();
  const { ask } = answering(byMaps);
  const map = new Map(MAPS.slice(0, 1));
  await checkFile(payfile, path, { ask, map });
  const [kept] = (await readingsOf(payfile)).readings;
  expect(kept?.answers.flatMap((answer) => ('field' in answer ? answer.field : []))).not.toContain('country');
  expect(kept?.answers).toContainEqual(expect.objectContaining({ kind: 'map', field: 'amount' }));
});

it('shows of a row that stays wrong what is wrong with it now', async () => {
  const head = HEAD.replace('Place', 'Country').replace('Team', 'Inv. Currency');
  const { payfile, path } = opened([head, 'R-1,Ghana,130101,1011130024576,5.00,6.00,USD'].join('\n'));
  const map = new Map(MAPS.slice(1));
  const reasons = async (said: object) => {
    await planFile(payfile, path, { batch: 'may', map, skipInvalid: true, ...said });
    const { lines } = await payfile.call(rowList, { batch: 'may' });
    return lines.map(({ texts }) => texts.reason).join();
  };
  expect(await reasons({})).toContain('an institution of Ghana');
  const now = await reasons({ value: [{ written: '130101', means: 'Ecobank Ghana' }] });
  expect(now).toContain('an amount in GHS');
  expect(now).not.toContain('an institution of Ghana');
});

it('goes back to the question before, also to one of an earlier round', async () => {
  const { payfile, path } = opened();
  const codes: string[] = [];
  let backs = 0;
  const ask = (async (asked: { readonly question: Question; readonly mayGoBack: boolean }) => {
    const { question, mayGoBack } = asked;
    codes.push(question.code);
    if (codes.length === 1) {
      expect(mayGoBack).toBe(false);
      return [{ kind: 'map', field: 'country', headers: ['House'] }];
    }
    if (codes.length === 2) return 'back';
    if (question.isOffer === true && backs === 0) {
      backs += 1;
      return 'back';
    }
    return byMaps(question);
  }) as NonNullable<Dialogue['ask']>;
  const checked = await checkFile(payfile, path, { ask });
  expect(codes.slice(0, 3)).toEqual(['no_country', 'no_institution', 'no_country']);
  expect(codes.filter((code) => code === 'no_country')).toHaveLength(3);
  expect(checked.columns.get('country')).toBe(1);
});

it('takes rows to release with commas between their numbers, as pages write them', async () => {
  const { payfile, write } = opened();
  const head = 'Reference,Country,Institution,Account,Amount,Name';
  const rows = [4, 5, 6].map((at) => `R-${at},Ghana,GCB Bank,101113002457${at},5.00,Nobody Known`);
  await planFile(payfile, write('held.csv', [head, ...rows].join('\n')), { batch: 'may' });
  const { done } = await payfile.rows.release({ batch: 'may', rows: ['2,3'], reason: 'Names are invented' });
  expect(done).toEqual([2, 3]);
});
