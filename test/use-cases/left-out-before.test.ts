/**
 * Rows that an earlier version left out, and that this one could pay: from the same cells nothing is paid until a person
 * says so, however often the file is run. The earlier version is this one, with its rows staged as that one read them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../src/adapters/ledger/sqlite-ledger.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import { invalidRowKey } from '../../src/domain/payouts/instruction-keys.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import type { ImportHeader, StagedRow } from '../../src/ports/ledger/imports.ts';
import { cancelUnsent, releaseHeld } from '../../src/use-cases/decide/release-held.ts';
import type { RunOptions } from '../../src/use-cases/run-batch.ts';
import { asFirstVersion } from '../builders/first-version.ts';
import { aRow, type FileRow, openRowsOf } from '../builders/payout-file.ts';
import { type Workplace, workplaceOn } from '../builders/workplace.ts';
import { createScriptedPaymentService } from '../fakes/scripted-payment-service.ts';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock.ts';

let folder = '';
let clock: VirtualClock;
let open: Workplace | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-out-'));
  clock = createVirtualClock();
});
afterEach(async () => {
  await open?.ledger.close();
  rmSync(folder, { recursive: true });
});

async function workplace(service = createScriptedPaymentService(clock)): Promise<Workplace> {
  const binding = { environment: 'live', baseUrl: 'https://pay.example', loginId: 'shop' } as const;
  const path = join(folder, 'ledger.db');
  const ledger = await openSqliteLedger({ path, binding, create: true, clock });
  open = workplaceOn({ ledger, clock, service, policy: { ...DEFAULT_POLICY, concurrency: 4 } });
  return open;
}

type Reading = (row: StagedRow) => StagedRow;

/** A file that an earlier version read in its own way and ran as far as it came; then this version opens the ledger. */
async function upgraded(
  rows: readonly FileRow[],
  read: Reading,
  work: (then: Workplace, batch: BatchId) => Promise<unknown> = (then, batch) =>
    then.run(batch, { skipInvalid: true }),
  columnsThen = (columns: ReadonlyMap<Field, number>, _headers: readonly string[]) => columns,
): Promise<[Workplace, BatchId]> {
  const then = await workplace();
  const stage = then.ledger.stage.bind(then.ledger);
  const begin = then.ledger.beginImport.bind(then.ledger);
  Object.assign(then.ledger, {
    beginImport: (header: ImportHeader) => {
      const columns = columnsThen(header.file.columns, header.file.headers);
      return begin({ ...header, file: { ...header.file, columns } });
    },
    stage: (id: BatchId, staged: readonly StagedRow[]) => stage(id, staged.map(read)),
  });
  const { batch } = await then.place(rows, 'may');
  await work(then, batch.id);
  await then.ledger.close();
  asFirstVersion(join(folder, 'ledger.db'));
  return [await workplace(then.service), batch.id];
}

const issue = {
  kind: 'amount_with_currency',
  field: 'amount',
  column: 'amount',
  columnLetter: 'F',
  seen: 'GHS 1200.00',
  expected: 'an amount such as 1250.00',
  suggestion: undefined,
} as const;

const unreadable: Reading = (row) => {
  const { columns } = FILE;
  if (!row.cells.some((cell) => cell.startsWith('GHS'))) return row;
  const state = { status: 'invalid', issues: [issue] } as const;
  const contentKey = invalidRowKey(row.cells, columns);
  return { rowNumber: row.rowNumber, cells: row.cells, state, instruction: undefined, keys: { contentKey } };
};

const hidden: Reading = (row) => {
  if (row.rowNumber !== 3) return row;
  const reasons = [{ kind: 'hidden_row', text: 'a column that it uses is hidden' }] as const;
  return { ...row, state: { status: 'held', reasons, releases: [], pricing: undefined } };
};

const FILE = await openRowsOf([aRow(1)])({ path: 'pay.csv' });
const ROWS = [aRow(1), aRow(2, { amount: 'GHS 1200.00' })];
const PLAIN = [aRow(1), aRow(2)];
const OVERNIGHT: Partial<RunOptions> = {
  skipInvalid: true,
  consent: async () => ({ kind: 'agreed', how: 'ceiling', by: 'cron' }),
};
const accounts = ({ service }: Workplace) => service.book.map(({ account }) => account);

async function overnight(place: Workplace, rows: readonly FileRow[], batch: BatchId): Promise<void> {
  for (let night = 0; night < 2; night += 1) {
    const placed = await place.place(rows, 'may');
    expect(placed.batch.id).toBe(batch);
    await place.run(batch, OVERNIGHT);
  }
}

describe.each([
  ['it could not read', ROWS, unreadable, 'it could not read “GHS 1200.00” in the column amount'],
  ['it held because of a hidden column', PLAIN, hidden, 'a column that it uses is hidden'],
] as const)('a row that an earlier version left out because %s', (_, rows, read, why) => {
  it('is held when the same file is run again, and not paid however often it is', async () => {
    const [place, batch] = await upgraded(rows, read);
    expect(accounts(place)).toEqual(['0244123001']);
    await overnight(place, rows, batch);
    expect(accounts(place)).toEqual(['0244123001']);
    expect((await place.row(batch, 3)).state).toMatchObject({
      status: 'held',
      reasons: [{ kind: 'left_out_before', text: `An earlier version of payfile left this row out: ${why}` }],
    });
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('is held too when only other rows of the file changed', async () => {
    const [place, batch] = await upgraded(rows, read);
    await overnight(place, [...rows, aRow(3)], batch);
    expect(accounts(place)).toEqual(['0244123001', '0244123003']);
  });

  it('is paid once after a person released it', async () => {
    const [place, batch] = await upgraded(rows, read);
    await overnight(place, rows, batch);
    const said = { by: 'ama', reason: 'nobody paid it' };
    await releaseHeld(batch, { kind: 'rows', rows: ['3'] }, said, place.world);
    await overnight(place, rows, batch);
    expect(accounts(place)).toEqual(['0244123001', '0244123002']);
  });

  it('is paid without a question when a person corrects it in the file', async () => {
    const [place, batch] = await upgraded(rows, read);
    await overnight(place, [aRow(1), aRow(2, { amount: '1300.00' })], batch);
    expect(accounts(place)).toEqual(['0244123001', '0244123002']);
  });
});

describe('a file of which an earlier version paid nothing, because it could not read one row', () => {
  it('is not agreed to by a ceiling until a person has decided on that row', async () => {
    const [place, batch] = await upgraded(ROWS, unreadable, (then, id) => then.run(id));
    await overnight(place, ROWS, batch);
    expect(accounts(place)).toEqual([]);
    expect(await place.stand(batch)).toEqual({ quoted: 1, held: 1 });
    const said = { by: 'ama', reason: 'paid by hand' };
    await cancelUnsent(batch, { kind: 'rows', rows: ['3'] }, said, place.world);
    await overnight(place, ROWS, batch);
    expect(accounts(place)).toEqual(['0244123001']);
  });
});

describe('a name in several columns, which an earlier version did not read', () => {
  const inParts = (number: number, own: Readonly<Record<string, string>>): FileRow => {
    const { name: _, ...row } = aRow(number);
    return { ...row, own };
  };
  const parted = (number: number, first: string) =>
    inParts(number, { 'Last name': 'Mensah', 'First name': first });
  const FRENCH = [1, 2].map((number) => inParts(number, { Nom: 'Mensah', Prénom: 'Ama' }));
  const PARTED = [parted(1, 'Ama'), parted(2, 'Ama')];
  const withoutName: Reading = (row) =>
    row.instruction === undefined ? row : { ...row, instruction: { ...row.instruction, name: undefined } };
  const halfName: Reading = (row) =>
    row.instruction === undefined ? row : { ...row, instruction: { ...row.instruction, name: 'Mensah' } };
  /** It took `Nom` for the whole name. */
  const nomAsName = (columns: ReadonlyMap<Field, number>, headers: readonly string[]) =>
    headers.includes('Nom') ? new Map([...columns, ['name', headers.indexOf('Nom')] as const]) : columns;
  const withdrawn = async (then: Workplace, batch: BatchId) => {
    await then.price(batch);
    await releaseHeld(batch, { kind: 'rows', rows: ['2'] }, { by: 'ama', reason: 'it is her' }, then.world);
    await cancelUnsent(
      batch,
      { kind: 'rows', rows: ['3'] },
      { by: 'ama', reason: 'left the firm' },
      then.world,
    );
    await then.run(batch);
  };

  it.each([
    ['no name', PARTED, withoutName],
    ['half of it', FRENCH, halfName],
  ] as const)('leaves paid rows paid, and withdrawn ones withdrawn: %s', async (_, rows, read) => {
    const [place, batch] = await upgraded(rows, read, withdrawn, nomAsName);
    expect(accounts(place)).toEqual(['0244123001']);
    clock.advance(100 * 86_400_000);
    await overnight(place, rows, batch);
    // Also without the name of the batch, and with a row more.
    expect((await place.place(rows)).batch.id).toBe(batch);
    const { account, reference } = aRow(3);
    await overnight(place, [...rows, { ...rows[1], account, reference } as FileRow], batch);
    expect(accounts(place)).toEqual(['0244123001', '0244123003']);
    expect((await place.row(batch, 3)).state.status).toBe('canceled');
    expect((await place.ledger.verify()).problems).toEqual([]);
  });

  it('sends rows that were agreed to as they were agreed to', async () => {
    const [place, batch] = await upgraded(PARTED, withoutName, (then, id) => then.agree(id));
    await overnight(place, PARTED, batch);
    expect(accounts(place)).toEqual(['0244123001', '0244123002']);
  });

  it('holds a row that was held, however its name compares now', async () => {
    const heldThen: Reading = (row) => hidden(withoutName(row));
    const [place, batch] = await upgraded(PARTED, heldThen);
    await overnight(place, PARTED, batch);
    expect(accounts(place)).toEqual(['0244123001']);
    expect((await place.row(batch, 3)).state).toMatchObject({ reasons: [{ kind: 'left_out_before' }] });
  });

  it('refuses the file when a person writes another name for a row that was paid', async () => {
    const [place] = await upgraded(PARTED, withoutName);
    expect((await place.place([parted(1, 'Kofi'), parted(2, 'Ama')], 'may')).kind).toBe('refused');
  });
});
