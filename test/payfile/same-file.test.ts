/** [issue 30, 22] The same bytes under the name of another batch: nothing is done before somebody says what they are. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CellEdit } from '../../src/domain/rows/cell-edit.ts';
import { run } from '../../src/operations/run.ts';
import { look } from '../../src/operations/status.ts';
import { createPayfile } from '../../src/payfile.ts';
import { askWith } from '../../src/use-cases/user-questions.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { planFile } from '../builders/library-calls.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const FILE = [
  'Reference,Country,Institution,Account,Gross,Net',
  'R-1,Ghana,GCB Bank,1011130024576,500.00,450.00',
  'R-2,Ghana,GCB Bank,1011130024577,600.00,540.00',
].join('\n');
const GROSS = { map: new Map([['amount', 'Gross']] as const) };
const NET = { map: new Map([['amount', 'Net']] as const) };
const consent = async () => ({ kind: 'agreed', how: 'library', by: 'ben' }) as const;

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'same-file-test-'));
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const clock = createBriskClock();
  const payfile = createPayfile(options, { env: { HOME: folder }, clock: clock.withPauses(9_000) });
  onTestFinished(async () => {
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const [path, copy] = [join(folder, 'pay.csv'), join(folder, 'copy of pay.csv')];
  writeFileSync(path, FILE);
  writeFileSync(copy, FILE);
  const names = async () => (await batchesOf(payfile)).map(({ name }) => name);
  return { payfile, clock, path, copy, names };
}

async function paid() {
  const place = opened();
  await place.payfile.call(run, { file: place.path, batch: 'may', ...GROSS, consent });
  place.clock.advance(24 * 3_600_000);
  return place;
}

const EDITS: CellEdit[] = [{ row: 2, column: 4, was: '500.00', text: '501.00' }];
const OTHERWISE = [
  ['as they are', GROSS],
  ['by another mapping', NET],
  ['with a correction', { ...GROSS, edits: EDITS }],
] as const;

describe('a file that another batch has', () => {
  it.each(OTHERWISE)('is not kept where it is read %s, and a person is needed', async (_, reading) => {
    const { payfile, copy, names } = await paid();
    const done = await payfile.call(run, { file: copy, batch: 'june', ...reading, consent });
    expect(done.end).toMatchObject({
      kind: 'same_file',
      exitCode: 10,
      known: { batch: { name: 'may' }, rows: 2, sums: [{ currency: 'GHS', minor: 110_000n }] },
    });
    expect(await names()).toEqual(['may']);
    const planned = await planFile(payfile, copy, { batch: 'june', ...reading });
    expect(planned.end.kind).toBe('same_file');
    expect(await names()).toEqual(['may']);
  });

  it('is a batch of its own once it is said that it pays that batch once more', async () => {
    const { payfile, path, names } = await paid();
    const done = await payfile.call(run, { file: path, batch: 'june', ...GROSS, repeats: 'may', consent });
    expect([done.placed.kind, (await payfile.call(look, { batch: 'june' })).counts.settled]).toEqual([
      'new',
      2,
    ]);
    // It is known from then on as the file of both.
    expect((await payfile.call(run, { file: path, batch: 'june', ...GROSS, consent })).end.kind).toBe(
      'finished',
    );
    expect((await payfile.call(run, { file: path, batch: 'july', ...GROSS, consent })).end.kind).toBe(
      'same_file',
    );
    expect(await names()).toEqual(['june', 'may']);
  });

  it('is asked about however another batch is said to be repeated', async () => {
    const { payfile, path, copy } = await paid();
    writeFileSync(copy, FILE.replaceAll('R-', 'S-').replaceAll('00.00', '01.00'));
    await planFile(payfile, copy, { batch: 'april', ...GROSS });
    const done = await planFile(payfile, path, { batch: 'june', ...GROSS, repeats: 'april' });
    expect(done.end.kind).toBe('same_file');
  });

  it('is known as the file of a batch that has a newer one since', async () => {
    const { payfile, path, copy } = await paid();
    writeFileSync(copy, `${FILE}\nR-3,Ghana,GCB Bank,1011130024578,700.00,650.00`);
    expect((await planFile(payfile, copy, { batch: 'may', ...GROSS })).placed.kind).toBe('revision');
    expect((await planFile(payfile, path, { batch: 'june', ...GROSS })).end.kind).toBe('same_file');
  });

  it('is not asked about where that batch pays nobody: its rows were withdrawn before anything was sent', async () => {
    const { payfile, path } = opened();
    await planFile(payfile, path, { batch: 'may', ...GROSS });
    expect((await planFile(payfile, path, { batch: 'june', ...GROSS })).end.kind).toBe('same_file');
    await payfile.rows.cancel({ batch: 'may', all: true, reason: 'wrong name' });
    expect((await planFile(payfile, path, { batch: 'june', ...GROSS })).end.kind).toBe('planned');
  });
});

describe('whoever is asked', () => {
  it('and gives no answer but an error, leaves nothing of the file', async () => {
    const { payfile, path, names } = await paid();
    const ask = askWith({
      name_of_batch: async () => 'june',
      same_file: async () => {
        throw new Error('the line is dead');
      },
    });
    await expect(payfile.call(run, { file: path, ...GROSS, consent }, { ask })).rejects.toThrow(
      'the line is dead',
    );
    expect(await names()).toEqual(['may']);
  });

  const answering = (answer: 'same' | 'again' | 'stop' | undefined) =>
    askWith({ name_of_batch: async () => 'june', same_file: async () => answer });

  it.each([
    ['same', 'finished', ['may']],
    ['again', 'sent', ['june', 'may']],
    ['stop', 'canceled', ['may']],
    [undefined, 'same_file', ['may']],
  ] as const)('and says %s: %s', async (answer, kind, batches) => {
    const { payfile, path, names } = await paid();
    const done = await payfile.call(run, { file: path, ...GROSS, consent }, { ask: answering(answer) });
    expect(done.end.kind).toBe(kind);
    expect(await names()).toEqual(batches);
  });
});
