/** Inputs for a payment file: its layout, its expected totals, and its batch. */
import { z } from 'zod';
import { isPersonId, PERSON_ID_RULE } from '../domain/people/person.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { answerFields } from './answer-fields.ts';
import { choice, layout, nonEmptyText, text, wholeNumber, word } from './fields.ts';
import { amounts } from './money-fields.ts';
import { field } from './operation.ts';

export const layoutFields = { ...layout, ...answerFields };

/** Corrections of cells. payfile reads the file as if they were in it. */
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
  /** The source country, for rows that name none. The setting provides its flag. */
  source: text.optional(),
  edits,
  reading: field(text.optional(), { help: 'kept reading to use, whatever the headers', value: 'name' }),
  saveReading: field(text.optional(), {
    help: 'keep what is said of the file under this name, for files with the same headers',
    value: 'name',
  }),
  forgetReading: field(text.optional(), { help: 'kept reading to remove first', value: 'name' }),
};

export const checkFields = {
  ...readFields,
  expectCount: wholeNumber([0, 1_000_000_000], {
    help: 'stop unless the file has this many rows',
  }),
  expectTotal: amounts('expectTotal', 'stop unless the rows of this currency add up to it; may be repeated'),
  skipInvalid: choice('leave out rows that cannot be paid as written'),
  /** `true` writes beside the file, under an unused name. */
  fixFile: field(z.union([nonEmptyText, z.literal(true)], { error: 'text or true' }).optional(), {
    help: 'write all rows to a workbook with the wrong cells marked (FILE.fix.xlsx)',
    value: 'file',
    valueIfBare: true,
  }),
  all: choice('show every row with issues, not only the first of each kind'),
  batch: field(text.optional(), {
    help: 'name of the batch: which period or purpose it pays',
    value: 'name',
  }),
};

export const planFields = {
  ...checkFields,
  changes: choice('list all changes since the last batch of the same kind'),
  repeats: field(nonEmptyText.optional(), {
    help: 'finished batch that this file repeats on purpose, such as for a new period',
    value: 'batch',
    isSingleValue: true,
  }),
  newLedger: choice('create the ledger if it does not exist'),
  /** SHA-256 from `check`. payfile refuses a file that changed since, or has other corrections. */
  fileSha256: nonEmptyText.optional(),
};

const read = z.strictObject(readFields);
const check = z.strictObject(checkFields);
const plan = z.strictObject(planFields);
export type ReadAsked = z.output<typeof read>;
export type CheckAsked = z.output<typeof check>;
export type PlanAsked = z.output<typeof plan>;
