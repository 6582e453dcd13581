/** Corrections of cells beside a file: it is read as if they stood in it, and in no other cell. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { explain } from '../../src/operations/explain.ts';
import { history } from '../../src/operations/status.ts';
import { createPayfile } from '../../src/payfile.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { approvePlan, checkFile, forgetReading, planFile, saveReading } from '../builders/library-calls.ts';

const HEAD = 'Reference,Country,Institution,Account,Amount,Name';
const ROWS = [
  'R-1,Ghana,GCB Bank,1011130024576,500.00,',
  'R-2,Ghana,GCB Bnak,1011130024577,x,',
  'R-3,Ghana,GCB Bank,1011130024578,700.00,',
];

function opened(content = [HEAD, ...ROWS].join('\n')) {
  const folder = mkdtempSync(join(tmpdir(), 'edits-test-'));
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, { env: { HOME: folder } });
  onTestFinished(async () => {
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'may.csv');
  writeFileSync(path, content);
  return { payfile, folder, path };
}

const BANK = { row: 3, column: 2, was: 'GCB Bnak', text: 'GCB Bank' };
const AMOUNT = { row: 3, column: 4, was: 'x', text: '600.00' };

it('reads a file as if its corrections stood in it', async () => {
  const { payfile, path } = opened();
  const before = await checkFile(payfile, path);
  expect(before.issues.map(({ row, issues }) => [row, issues.length])).toEqual([[3, 2]]);
  const half = await checkFile(payfile, path, { edits: [BANK] });
  expect(half.issues.flatMap(({ issues }) => issues.map(({ field }) => field))).toEqual(['amount']);
  const after = await checkFile(payfile, path, { edits: [AMOUNT, BANK] });
  expect([after.invalid, after.totals.get('GHS' as never)?.minor]).toEqual([0, 180000n]);
  expect(after.fileSha256).not.toBe(before.fileSha256);
  expect(after.fileSha256).toBe((await checkFile(payfile, path, { edits: [BANK, AMOUNT] })).fileSha256);
});

it('never puts a correction into a cell that holds another text, or is not there', async () => {
  const { payfile, path } = opened();
  for (const edit of [
    { ...BANK, was: 'GCB Bank' },
    { ...BANK, row: 4 },
    { ...BANK, row: 40 },
    { ...BANK, column: 40, was: '' },
  ])
    await expect(checkFile(payfile, path, { edits: [edit] }), JSON.stringify(edit)).rejects.toThrow(
      'Undo the correction',
    );
  await expect(
    planFile(payfile, path, { batch: 'may', edits: [BANK, { ...BANK, text: 'UBA' }] }),
  ).rejects.toThrow('Undo');
  expect(await batchesOf(payfile)).toEqual([]);
});

it('plans what was corrected, and takes the file with the same corrections for the same file', async () => {
  const { payfile, path } = opened();
  const edits = [BANK, AMOUNT];
  const first = await planFile(payfile, path, { batch: 'may', edits });
  expect([first.end.kind, first.imported.invalid]).toEqual(['planned', 0]);
  const again = await planFile(payfile, path, { batch: 'may', edits });
  expect(again.placed.kind === 'revision' && again.placed.comparison.unchanged).toBe(3);
});

it('changes no row that was agreed to by a correction', async () => {
  const { payfile, path } = opened();
  await planFile(payfile, path, { batch: 'may', edits: [BANK, AMOUNT] });
  const { plan } = await stateOf(payfile, 'may');
  const approved = await approvePlan(payfile, 'may', plan?.digest);
  expect(approved.kind).toBe('approved');
  const edits = [BANK, { ...AMOUNT, text: '601.00' }];
  const { end } = await planFile(payfile, path, { batch: 'may', edits });
  expect(end.kind).toBe('refused');
});

it('corrects cells of a workbook, whatever they held', async () => {
  const { payfile, folder } = opened();
  const path = join(folder, 'payroll.xlsx');
  copyFileSync('samples/payroll.xlsx', path);
  const before = await checkFile(payfile, path);
  const edits = [{ row: 5, column: 6, was: '3250', text: '1.00' }];
  const after = await checkFile(payfile, path, { edits });
  expect(after.invalid).toBe(0);
  expect([...after.totals]).not.toEqual([...before.totals]);
});

it('keeps in the journal who corrected which cell, once, and shows it without whole accounts', async () => {
  const { payfile, path, folder } = opened();
  const at = Date.UTC(2026, 4, 1, 9, 30);
  const account = {
    row: 3,
    column: 3,
    was: '1011130024577',
    text: '1011130024999',
    by: 'ben',
    at: at as never,
  };
  const edits = [BANK, AMOUNT, account];
  await planFile(payfile, path, { batch: 'may', edits });
  await planFile(payfile, path, { batch: 'may', edits });
  const corrected = (await payfile.call(history, { batch: 'may' })).decisions.filter(
    ({ kind }) => kind === 'cell_corrected',
  );
  expect(corrected.map(({ what, why, by, rows }) => [what, why, by, rows])).toEqual([
    ['Cell corrected', 'Amount: “x” became “600.00”', 'ada', [3]],
    ['Cell corrected', 'Institution: “GCB Bnak” became “GCB Bank”', 'ada', [3]],
    // The newest first, by when each was typed.
    ['Cell corrected', 'Account: “••••4577” became “••••4999”', 'ben', [3]],
  ]);
  const { story } = await payfile.call(explain, { batch: 'may', row: '3' });
  expect(story.corrections.map(({ by, at: when }) => [by, when === at])).toEqual([
    ['ben', true],
    ['ada', false],
    ['ada', false],
  ]);
  expect((await payfile.call(explain, { batch: 'may', row: '2' })).story.corrections).toEqual([]);
  const report = join(folder, 'may.html');
  await payfile.report({ batch: 'may', output: report });
  expect(readFileSync(report, 'utf8')).toContain('Institution: “GCB Bnak” became “GCB Bank”');
  expect((await payfile.ledger.verify()).problems).toEqual([]);
});

it('says of a row what was corrected in the file that it comes from, and in no earlier one', async () => {
  const { payfile, path } = opened();
  await planFile(payfile, path, { batch: 'may', edits: [BANK, AMOUNT] });
  writeFileSync(path, [HEAD, 'R-0,Ghana,GCB Bank,1011130024570,1.00,', ...ROWS].join('\n'));
  await planFile(payfile, path, { batch: 'may', edits: [BANK, AMOUNT].map((edit) => ({ ...edit, row: 4 })) });
  expect((await payfile.call(explain, { batch: 'may', row: '3' })).story.corrections).toEqual([]);
  expect((await payfile.call(explain, { batch: 'may', row: '4' })).story.corrections).toHaveLength(2);
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(decisions.filter(({ kind }) => kind === 'cell_corrected').flatMap(({ rows }) => rows)).toEqual([
    4, 4, 3, 3,
  ]);
});

it('prints no whole account where a correction does not fit', async () => {
  const { payfile, path } = opened();
  const odd = { row: 2, column: 3, was: '1011130024577', text: '' };
  await expect(checkFile(payfile, path, { edits: [odd] })).rejects.toThrow('“••••4577”');
});

it('never takes a file with other corrections for a file of its own: it has to be said which it is', async () => {
  const { payfile, path } = opened(
    [HEAD, 'R-1,Ghana,GCB Bank,1011130024576,500.00,', ',Ghana,GCB Bank,1011130024577,x,'].join('\n'),
  );
  const paidAt = (text: string) => [{ row: 3, column: 4, was: 'x', text }];
  await planFile(payfile, path, { batch: 'may', edits: paidAt('600.00') });
  await approvePlan(payfile, 'may', (await stateOf(payfile, 'may')).plan?.digest);
  await payfile.send({ batch: 'may' });
  for (const edits of [paidAt('700.00'), paidAt('800.00')]) {
    const other = { edits, batch: 'may-2' };
    expect((await planFile(payfile, path, other)).end).toMatchObject({ kind: 'same_file', exitCode: 10 });
    expect((await planFile(payfile, path, { ...other, repeats: 'nobody' })).end.kind).toBe('same_file');
    // Under its name the row that was sent refuses it.
    expect((await planFile(payfile, path, { edits, batch: 'may' })).end.kind).toBe('refused');
  }
  const uncorrected = await planFile(payfile, path, { batch: 'may-2', skipInvalid: true });
  expect(uncorrected.end.kind).toBe('same_file');
  expect((await batchesOf(payfile)).map(({ name }) => name)).toEqual(['may']);
  const meant = await planFile(payfile, path, { batch: 'june', edits: paidAt('700.00'), repeats: 'may' });
  expect(meant.placed.kind).toBe('new');
});

it('never takes a file whose banks are read otherwise for a file of its own: it has to be said which it is', async () => {
  const { payfile, path } = opened(
    [HEAD, ',Ghana,GCB Bank,1011130024576,500.00,', ',Ghana,Our bank,1011130024577,600.00,'].join('\n'),
  );
  const { institutions } = await payfile.lists.institutions({ country: 'GH' });
  const read = async (bank: string) => {
    await forgetReading(payfile, 'ours').catch(() => undefined);
    const institution = institutions.find(({ name }) => name.startsWith(bank))?.id ?? '';
    await saveReading(payfile, 'ours', path, { value: [{ written: 'GH/Our bank', means: institution }] });
  };
  await read('GCB');
  await planFile(payfile, path, { batch: 'may' });
  await approvePlan(payfile, 'may', (await stateOf(payfile, 'may')).plan?.digest);
  await payfile.send({ batch: 'may' });
  await read('Absa');
  const other = await planFile(payfile, path, { batch: 'may-2' });
  expect(other.end).toMatchObject({ kind: 'same_file', known: { batch: { name: 'may' } } });
  expect((await batchesOf(payfile)).map(({ name }) => name)).toEqual(['may']);
  const meant = await planFile(payfile, path, { batch: 'june', repeats: 'may' });
  expect(meant.placed.kind).toBe('new');
});

it('never cuts the link of a row to the payment that it pays again, by a correction or by an answer', async () => {
  const { payfile, path } = opened(
    [`${HEAD},payfile_replaces`, ',Ghana,GCB Bank,1011130024576,500.00,,zzz'].join('\n'),
  );
  const cut = { edits: [{ row: 2, column: 6, was: 'zzz', text: '' }] };
  await expect(checkFile(payfile, path, cut)).rejects.toThrow(
    'Row 2, column G: which payment a row pays again',
  );
  await expect(planFile(payfile, path, { batch: 'redo', ...cut })).rejects.toMatchObject({
    code: 'file_unusable',
  });
  for (const [field, header] of [
    ['note', 'payfile_replaces'],
    ['reference', 'payfile_replaces'],
    ['replaces', 'Name'],
  ] as const) {
    const map = new Map([[field, header]]);
    await expect(planFile(payfile, path, { batch: 'redo', map }), field).rejects.toThrow(
      'which payment a row pays',
    );
  }
  expect(await batchesOf(payfile)).toEqual([]);
  expect((await checkFile(payfile, path)).invalid).toBe(1);
});

it('says in reports what was received, what was corrected by whom and when, and which hash covers both', async () => {
  const { payfile, path, folder } = opened();
  const { fileSha256: received } = await checkFile(payfile, path);
  const [first, last] = [Date.UTC(2026, 4, 1, 9, 30), Date.UTC(2026, 4, 1, 9, 41, 5)];
  const edits = [
    { ...BANK, by: 'ben', at: last as never },
    { ...AMOUNT, by: 'ada', at: first as never },
  ];
  const { fileSha256: both } = await checkFile(payfile, path, { edits });
  await planFile(payfile, path, { batch: 'may', edits });
  const [html, json] = [join(folder, 'may.html'), join(folder, 'may.json')];
  for (const report of [html, json]) await payfile.report({ batch: 'may', output: report });
  const page = readFileSync(html, 'utf8');
  for (const told of [
    received,
    both,
    '2 cells, by ben, ada, from 2026-05-01 09:30:00 to 2026-05-01 09:41:05 (UTC)',
  ])
    expect(page).toContain(told);
  const corrected = { receivedSha256: received, cells: 2, by: ['ben', 'ada'] };
  expect(JSON.parse(readFileSync(json, 'utf8')).file).toMatchObject({ sha256: both, corrected });
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(
    decisions
      .filter(({ kind }) => kind === 'cell_corrected')
      .map(({ at }) => at)
      .sort(),
  ).toEqual([first, last]);
});
