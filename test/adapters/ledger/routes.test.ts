/** Each row is stored with its own way, however often the way changes from row to row. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { Routes } from '../../../src/adapters/ledger/payouts/stored-payout.ts';
import { TABLES } from '../../../src/adapters/ledger/storage/ledger-schema.ts';
import { prepareOnce } from '../../../src/adapters/ledger/storage/sql-statements.ts';
import { asCountryId, asInstitutionId } from '../../../src/domain/rows/directory.ts';
import { anInstruction, money } from '../../builders/payouts.ts';

const ways = [
  anInstruction(),
  anInstruction({ sourceId: asCountryId('c-fr') }),
  anInstruction({ sourceName: 'Great Britain' }),
  anInstruction({ destinationId: asCountryId('c-ke') }),
  anInstruction({ destinationIso: 'KE' }),
  anInstruction({ destinationName: 'Republic of Ghana' }),
  anInstruction({ institutionId: asInstitutionId('i-other') }),
  anInstruction({ institutionName: 'MTN MoMo' }),
  anInstruction({ amount: money('KES 1200.00') }),
];

function newLedger() {
  const db = new DatabaseSync(':memory:', { readBigInts: true });
  db.exec(TABLES);
  return { db, routes: new Routes(prepareOnce(db)) };
}

it('tells apart ways that differ in one thing alone, and knows each again', () => {
  const { routes } = newLedger();
  const ids = ways.map((way) => routes.idOf(way, () => undefined));
  routes.keep();
  expect(new Set(ids).size).toBe(ways.length);
  for (const again of [...ways.entries(), ...ways.entries()])
    expect(routes.idOf(again[1], () => undefined)).toBe(ids[again[0]]);
});

it('forgets what a failed commit wrote, also of the way that was seen last', () => {
  const { db, routes } = newLedger();
  const added: number[] = [];
  const ask = () => routes.idOf(anInstruction(), (id) => added.push(id));
  db.exec('BEGIN');
  ask();
  routes.keep();
  ask();
  db.exec('ROLLBACK');
  routes.forgetAll();
  ask();
  expect(added).toHaveLength(2);
});
