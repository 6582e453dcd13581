/** Rows of a batch in file order, in pages. Filters by status and search text. Accounts are masked. */
import { z } from 'zod';
import { moneyJson } from '../domain/money/money.ts';
import { STATUSES } from '../domain/payouts/payout.ts';
import type { ReportLine } from '../domain/reporting/report-line.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import type { RowsPage } from '../use-cases/report/look-at-batch.ts';
import { batchJson, timeJson } from './batch-json.ts';
import { batch, pageFields, text } from './fields.ts';
import { operation } from './operation.ts';

export type { RowsPage } from '../use-cases/report/look-at-batch.ts';

/** Which rows of a batch, and which page of them. */
export const rowFields = () => ({
  statuses: z.array(z.enum(STATUSES)).optional(),
  /** A row number, a reference or a part of it, or the first letters of words in the name. */
  search: text.optional(),
  ...pageFields(),
});

export const rowList = operation({
  name: 'rowList',
  needs: ['look'],
  input: z.strictObject({ batch: batch(), ...rowFields() }),
  async run({ batch: named, ...asked }, context): Promise<RowsPage> {
    const { rowsOf } = await import('../use-cases/report/look-at-batch.ts');
    const ports = await context.readingPorts();
    return rowsOf(await findBatch(named, ports.ledger), ports, asked);
  },
  json: ({ batch: of, environment, counts, ...page }) => ({
    ...{ environment, batch: batchJson(of), counts },
    ...rowsJson(page),
  }),
});

export const rowsJson = ({ lines, next }: Pick<RowsPage, 'lines' | 'next'>) => ({
  rows: lines.map(lineJson),
  after: next ?? null,
});

const orNull = (text: string) => (text === '' ? null : text);

function lineJson({ row, status, amount, reference, account, name, attempts, texts, ...line }: ReportLine) {
  const { country, institution, sentAt, settledAt, returnedAt } = line;
  const money = amount === undefined ? { currency: null, amount: null, minorUnits: null } : moneyJson(amount);
  return {
    ...{ row, status, country, institution, attempts },
    ...money,
    reference: orNull(reference),
    /** Masked. */
    account: String(account),
    name: orNull(name),
    reason: texts.reason,
    nextStep: texts.next_step,
    transferId: orNull(texts.transfer_id),
    sentAt: timeJson(sentAt),
    settledAt: timeJson(settledAt),
    returnedAt: timeJson(returnedAt),
  };
}
