/**
 * A NUL, which no text of a server can hold: it is refused or shown as unreadable, and spoils nothing beside it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CountryWire, InstitutionWire, ResolvedNameWire } from '../../src/contract/wire.ts';
import type { BatchId } from '../../src/domain/payouts/instruction.ts';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import {
  batchOf,
  eventsTo,
  importOf,
  moved,
  only,
  row,
  sealOf,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { aPostgres } from './a-postgres.ts';
import { openAtPlace } from './contract-ledgers.ts';

const NUL = 'a\0b';
const server = aPostgres();

describe('a NUL on its way into a ledger on a server', () => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openAtPlace(server.place());
  });
  afterEach(() => ledger.close());

  it('stands in documents as it came, and all of them can be read', async () => {
    const id = await importOf(ledger, [row(1), { ...row(2), cells: [NUL, 'x'] }], {
      name: 'may.xlsx',
      headers: [NUL, 'Account'],
    });
    await ledger.seal(id, await sealOf(ledger, id));
    const sending = await walkedTo(ledger, await only(ledger, id, 2), 'sending');
    const doubt = eventsTo('in_doubt', sending, ledger).at(-1) as Extract<PayoutEvent, { kind: 'doubt' }>;
    const evidence = { ...doubt.evidence, fragment: NUL, message: NUL };
    await moved(ledger, sending, { ...doubt, evidence });
    await ledger.pause(id, { reason: NUL, by: 'ama', at: timestampOf(5) });
    expect((await ledger.batch(id))?.pause?.reason).toBe(NUL);
    expect((await ledger.decisions(id, 10)).entries.length).toBeGreaterThan(0);
    expect(await ledger.family(sending.id)).toBeDefined();
    expect((await ledger.verify()).problems).toEqual([]);
  });

  it('is refused in a text of its own, in clear words, and what is written beside it stays', async () => {
    const fine = batchOf(ledger, [row(3)], 'fine');
    const staged = importOf(ledger, [row(1, { name: NUL })]);
    const named: Promise<BatchId> = batchOf(ledger, [row(2)], NUL);
    for (const refused of await Promise.allSettled([staged, named]))
      expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'ledger_unsupported' } });
    await expect(staged).rejects.toThrow('A text holds a NUL');
    expect(await ledger.counts(await fine)).toMatchObject({ planned: 1 });
    expect((await ledger.verify()).problems).toEqual([]);
  });

  it('is shown as unreadable in the names that the service gives', () => {
    const country = { id: '1', name: NUL, iso: 'GH' };
    const institution = { id: '1', name: NUL, Currency: 'GHS' };
    expect(CountryWire.parse(country).name).toBe('a\ufffdb');
    expect(InstitutionWire.parse(institution).name).toBe('a\ufffdb');
    expect(ResolvedNameWire.parse({ name: NUL }).name).toBe('a\ufffdb');
  });
});
