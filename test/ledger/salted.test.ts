/** Digests that stand in a ledger lead nowhere else: rows, payments and what was agreed to are salted with the ledger's salt. */
import { expect, it } from 'vitest';
import { leafOf } from '../../src/domain/payouts/order.ts';
import { repeatKeys } from '../../src/domain/payouts/repeat.ts';
import { invalidRowKey, rowKey } from '../../src/domain/rows/row-key.ts';
import { NARRATION } from '../builders/ledger-batches.ts';
import { anInstruction, aPayoutIn } from '../builders/payouts.ts';

const PLACES = { source: '', country: 'Ghana', institution: 'MTN' };
const hex = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString('hex');

it('has other keys and another leaf for the same payment in another ledger', () => {
  const instruction = anInstruction();
  const digests = (salt: string) => [
    hex(rowKey(instruction, PLACES, salt)),
    hex(invalidRowKey(['0244'], new Map([['account', 0]]), salt, [])),
    hex(repeatKeys(instruction, salt).referenceKey),
    hex(repeatKeys(instruction, salt).paymentKey),
    leafOf(aPayoutIn('quoted'), { ...NARRATION, salt }),
  ];
  const [one, other] = [digests('one'), digests('other')];
  expect(digests('one')).toEqual(one);
  expect(new Set([...one, ...other]).size).toBe(10);
  // A short reference is not to be read in its key.
  expect(Buffer.from(one[2] ?? '', 'hex').toString('latin1')).not.toContain('gh001');
});
