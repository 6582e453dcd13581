/** Inputs that several operations have. */
import { z } from 'zod';
import { field } from './operation.ts';

export const text = z.string({ error: 'text' });
export const filled = text.refine((value) => value.trim() !== '', { error: 'text that is not empty' });

/** On the command line a word that has to be there. */
export const word = (label: string, value: string) => field(text, { label, value, isWord: true });

export const batch = () => word('Batch', 'batch');

/** A word that says yes. */
export const choice = (label: string, help?: string) =>
  field(z.boolean({ error: 'true or false' }).default(false), { label, ...(help && { help }) });

export const sentence = (label: string, help: string) =>
  field(text.trim().optional(), { label, help, value: 'text', isLong: true });

export const texts = (about: Parameters<typeof field>[1]) =>
  field(z.array(text, { error: 'a list of texts' }).default([]), about);

/** Several of a list in one text, such as this example. */
export const byCommas = (example: string) => ({
  read(typed: string): readonly string[] | undefined {
    const words = typed.split(',').map((each) => each.trim());
    return words.includes('') ? undefined : words;
  },
  expected: `words between commas, such as ${example}`,
});

/** Where to write. */
export const output = () =>
  field(text.optional(), {
    label: 'File',
    help: 'where to write; - is standard output',
    value: 'file',
    letter: 'o',
    isOnce: true,
  });

export const overwrite = () =>
  choice(
    'Replace the file',
    'replace a file that is there already; without it only our own reports and metrics are replaced',
  );

/** One of these words, as often as it is said. */
export const oneOf = <Word extends string>(words: readonly Word[]) => ({
  schema: z.enum(words),
  read: (typed: string) => words.find((word) => word === typed.trim().toLowerCase().replaceAll('-', '_')),
  expected: `one of ${words.join(', ')}`,
});

/** Words, or the path of a file. Who types at another machine says which of both it is. */
export const evidence = (label: string) =>
  field(
    z
      .union(
        [
          text,
          z.strictObject({ words: text }),
          z.strictObject({ path: filled, name: filled, words: text.optional() }),
        ],
        { error: 'text, {words} or {path, name}' },
      )
      .optional(),
    { label, help: 'what proves it; of a file the SHA-256 is kept', value: 'text|file', isLong: true },
  );

/** Pages of a list: the `after` of the page before, and how many at most. Only for programs. */
export const pageFields = () => ({
  after: field(z.int({ error: COUNT }).min(0, { error: COUNT }).optional(), {
    label: 'After',
    isHidden: true,
  }),
  limit: field(z.int({ error: PAGE }).min(1, { error: PAGE }).max(200, { error: PAGE }).optional(), {
    label: 'At most',
    isHidden: true,
  }),
});
const COUNT = 'a whole number from 0';
const PAGE = 'a whole number from 1 to 200';
