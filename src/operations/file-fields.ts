/** Inputs about a file of payments: how it is read, what is expected of it, and which batch it is. */
import { z } from 'zod';
import { isPersonId, PERSON_ID_RULE } from '../domain/people/person.ts';
import { FIELDS } from '../domain/rows/row.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { choice, columns, filled, layout, oneOf, text, wholeNumber, word } from './fields.ts';
import { amounts } from './money-fields.ts';
import { field } from './operation.ts';

export const layoutFields = {
  ...layout,
  map: columns(FIELDS, 'which column holds a field; may be repeated'),
};

/** Corrections of single cells, kept beside the file. It is read as if they stood in it. */
export const edits = z
  .array(
    z.strictObject({
      row: z.int().min(1),
      column: z.int().min(0),
      was: text,
      text,
      by: text.refine(isPersonId, { error: PERSON_ID_RULE }).optional(),
      at: z.custom<Timestamp>((at) => Number.isInteger(at), { error: 'a whole number' }).optional(),
    }),
    { error: 'a list of corrections' },
  )
  .readonly()
  .optional();

export const readFields = {
  file: word('file'),
  ...layoutFields,
  decimal: oneOf(['point', 'comma'], {
    help: 'decimal mark of the amounts: point or comma',
    value: 'style',
  }),
  /** The country that the money comes from, for rows that name none. Its flag is that of the setting. */
  source: text.optional(),
  edits,
};

export const checkFields = {
  ...readFields,
  expectCount: wholeNumber([0, 1_000_000_000], {
    help: 'stop unless the file has so many rows',
  }),
  expectTotal: amounts('expectTotal', 'stop unless the rows of a currency sum up to this; may be repeated'),
  skipInvalid: choice('leave out rows that cannot be paid as written'),
  /** `true`: beside the file, under a name that is free. */
  fixFile: field(z.union([filled, z.literal(true)], { error: 'text or true' }).optional(), {
    help: 'write all rows to a workbook with the wrong cells marked (FILE.fix.xlsx)',
    value: 'file',
    alone: true,
  }),
  all: choice('show every row with issues, not one place of each kind'),
  batch: field(text.optional(), {
    help: 'name of the batch: which period or purpose it pays',
    value: 'name',
  }),
};

export const planFields = {
  ...checkFields,
  changes: choice('list all that changed since the last batch of the same kind'),
  repeats: field(filled.optional(), {
    help: 'these rows pay that finished batch for a new period, or the file is that of the other batch on purpose',
    value: 'batch',
    isOnce: true,
  }),
  newLedger: choice('create the ledger if it is not there'),
  /** Of the file as `check` read it. A file that changed since, or has other corrections, is refused. */
  fileSha256: filled.optional(),
};

const read = z.strictObject(readFields);
const check = z.strictObject(checkFields);
const plan = z.strictObject(planFields);
export type ReadAsked = z.output<typeof read>;
export type CheckAsked = z.output<typeof check>;
export type PlanAsked = z.output<typeof plan>;
