/** The shape of an answer where it comes from outside: from a program, from a page, or from where readings are kept. */
import { z } from 'zod';
import { FIELDS } from '../rows/row.ts';
import { text } from '../setting-kinds.ts';
import { timestampOf } from '../timestamp.ts';
import { type Answer, type Said, WORD_FIELDS } from './answer.ts';

const field = z.enum(FIELDS);
const headers = z.array(text).min(1).readonly();
const at = z.int().transform(timestampOf);
const saidBy = { by: text, cameWith: z.exactOptional(text), at };

const KINDS = [
  { kind: z.literal('map'), field, headers },
  { kind: z.literal('first_filled'), field, headers },
  { kind: z.literal('set'), field, text },
  {
    kind: z.literal('value'),
    field: z.enum(WORD_FIELDS),
    written: text,
    means: text,
    country: z.exactOptional(text),
  },
  { kind: z.literal('leave_out'), header: text, words: z.array(text).min(1).readonly() },
  { kind: z.literal('leave_out_row'), row: z.int().min(1) },
  { kind: z.literal('pay_anyway'), header: text },
  { kind: z.literal('ignore'), header: text },
  { kind: z.literal('fill_down'), fields: z.array(field).min(1).readonly() },
  { kind: z.literal('skip_zero') },
  { kind: z.literal('latin_digits') },
  { kind: z.literal('scale'), header: text, factor: z.union([z.literal(1), z.literal(1000)]) },
  { kind: z.literal('names_without_numbers') },
  { kind: z.literal('decimal'), mark: z.enum(['point', 'comma']) },
  { kind: z.literal('encoding'), name: text },
] as const;

export const answerShape: z.ZodType<Answer, Answer> = z.union(KINDS.map((shape) => z.strictObject(shape)));
export const saidShape: z.ZodType<Said> = z.union(
  KINDS.map((shape) => z.strictObject({ ...shape, ...saidBy })),
);
