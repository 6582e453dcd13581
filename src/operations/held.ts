/** Held rows: the name in the file, the account holder, and the reasons. Accounts are masked. */
import { z } from 'zod';
import { moneyJson } from '../domain/money/money.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { type HeldRows, heldRows } from '../use-cases/report/held-rows.ts';
import { batchJson, withNulls } from './batch-json.ts';
import { batch, pageFields } from './fields.ts';
import { operation } from './operation.ts';

export type { HeldRow, HeldRows } from '../use-cases/report/held-rows.ts';

export const held = operation({
  name: 'held',
  needs: ['look'],
  input: z.strictObject({ batch: batch(), ...pageFields() }),
  async run({ batch: named, ...page }, context): Promise<HeldRows> {
    const { ledger } = await context.readingPorts();
    return heldRows(await findBatch(named, ledger), { ledger }, page);
  },
  json: ({ batch: of, rows, count, next }) => ({
    batch: batchJson(of),
    rows: rows.map(({ amount, reference, name, holder, nameCheck, objection, ...row }) => ({
      ...row,
      ...moneyJson(amount),
      ...withNulls({ reference, name, holder, nameCheck, objection }),
    })),
    count,
    after: next ?? null,
  }),
});
