/** The rows that wait for a person: what the file says, what the account says, and why each is held. Accounts are masked. */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { formatMoney, moneyJson } from '../domain/money/money.ts';
import { NAME_WORDS } from '../domain/names/name-check.ts';
import { printable, rowsText } from '../domain/text/printable.ts';
import { findBatch } from '../use-cases/find-batch.ts';
import { type HeldRow, type HeldRows, heldRows } from '../use-cases/report/held-rows.ts';
import { batchJson } from './batch-json.ts';
import { line, table } from './block.ts';
import { batch, pageFields } from './fields.ts';
import { operation } from './operation.ts';

export type { HeldRow, HeldRows } from '../use-cases/report/held-rows.ts';

export const held = operation({
  name: 'held',
  needs: ['look'],
  input: z.strictObject({ batch: batch(), ...pageFields() }),
  async run({ batch: named, ...page }, context): Promise<HeldRows> {
    const { ledger } = await context.lookingPorts();
    return heldRows(await findBatch(named, ledger), { ledger }, page);
  },
  view: ({ batch: of, rows, count }) => [
    line(`${rowsText(count)} of batch ${batchLabel(of)} ${count === 1 ? 'waits' : 'wait'} for a person.`),
    table(TITLES, rows.map(cellsOf)),
  ],
  json: ({ batch: of, rows, count, next }) => ({
    batch: batchJson(of),
    rows: rows.map(({ amount, reference, name, holder, nameCheck, objection, ...row }) => ({
      ...row,
      ...moneyJson(amount),
      reference: reference ?? null,
      name: name ?? null,
      holder: holder ?? null,
      nameCheck: nameCheck ?? null,
      objection: objection ?? null,
    })),
    count,
    after: next ?? null,
  }),
});

const TITLES = ['Row', 'Amount', 'In the file', 'On the account', 'Account', 'Why it is held'];

function cellsOf({ row, amount, name, holder, nameCheck, institution, account, ...why }: HeldRow) {
  const checked = nameCheck === undefined || nameCheck === 'no_name' ? '' : `, ${NAME_WORDS[nameCheck]}`;
  const { objection, reasons } = why;
  return [
    String(row),
    formatMoney(amount),
    printable(name ?? '(no name)'),
    nameCheck === undefined ? 'not asked yet' : printable(holder ?? '(not known)') + checked,
    `${printable(institution)} ${account}`,
    [...(objection === undefined ? [] : [`It is ${objection}.`]), ...reasons.map(printable)].join(' '),
  ];
}
