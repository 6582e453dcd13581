/** Inputs that several operations have. */
import { z } from 'zod';
import { fieldOfHeader } from '../domain/rows/column-names.ts';
import { text, whole, yesOrNo } from '../domain/setting-kinds.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { columnTwice, columnUnreadable } from './messages.ts';
import { type About, field } from './operation.ts';

export { text };
export const filled = text.refine((value) => value.trim() !== '', { error: 'text that is not empty' });

/** On the command line a word that has to be there. */
export const word = (value: string) => field(text, { value, isWord: true });
/** – one that may be left out. */
export const wordIfAny = (value: string) => field(text.optional(), { value, isWord: true });

export const batch = () => word('batch');

/** It is said or not. */
export const choice = (help: string) => field(yesOrNo.default(false), { help });

export const reason = () => field(text.trim().optional(), { help: 'why; kept for ever', value: 'text' });

export const texts = (about: About) => field(z.array(text, { error: 'a list of texts' }).default([]), about);

/** What a page showed to the person. Empty: it showed nothing. Left out: nothing is compared with it. */
export const seen = () => z.array(text, { error: 'a list of texts' }).optional();

/** Several of a list in one text, such as this example. */
export const byCommas = (example: string) => ({
  read(typed: string): readonly string[] | undefined {
    const words = typed.split(',').map((each) => each.trim());
    return words.includes('') ? undefined : words;
  },
  expected: `words between commas, such as ${example}`,
});

/** Where to write. */
export const output = (help = 'where to write; - is standard output') =>
  field(text.optional(), {
    help,
    value: 'file',
    letter: 'o',
    isOnce: true,
  });

export const overwrite = () =>
  choice('replace a file that is there already; without it only our own reports and metrics are replaced');

/** One of these words. */
export const oneOf = <Word extends string>(words: readonly Word[], about: About) =>
  field(z.enum(words).optional(), { ...wordsRead(words), ...about });

/** – as often as it is said. */
export const someOf = <Word extends string>(words: readonly Word[], about: About) =>
  field(z.array(z.enum(words)).default([]), { ...wordsRead(words), ...about });

const wordsRead = (words: readonly string[]) => ({
  read: (typed: string) => words.find((word) => sameWord(word) === sameWord(typed)),
  expected: `one of ${words.join(', ')}`,
});

/** `not-paid` is typed for `not_paid`. */
const sameWord = (text: string) => text.trim().toLowerCase().replaceAll('-', '_');

/** Which column holds what: FIELD=HEADER, once for each field. */
export const columns = <Name extends string>(names: readonly Name[], help: string) =>
  field(
    z
      .custom<ReadonlyMap<Name, string>>(
        (given) =>
          given instanceof Map &&
          [...given].every(([name, header]) => names.includes(name) && typeof header === 'string'),
        { error: `a Map of texts for any of ${names.join(', ')}` },
      )
      .transform((given): ReadonlyMap<Name, string> => new Map(given))
      .optional(),
    {
      help,
      value: 'field=header',
      read(typed, earlier) {
        const before: ReadonlyMap<unknown, unknown> = earlier instanceof Map ? earlier : new Map();
        const [, name = typed, header = ''] = /^([^=]*)=(.*)$/s.exec(typed) ?? [];
        const isNamed = (each: string | undefined) => each === name.trim().toLowerCase();
        const known = names.find(isNamed);
        const meant = known === undefined ? names.find((each) => each === fieldOfHeader(name)) : undefined;
        if (known === undefined || header.trim() === '')
          throw new RequestRefused(columnUnreadable(typed, names, meant && { name: name.trim(), meant }));
        if (before.has(known)) throw new RequestRefused(columnTwice(known));
        return new Map([...before, [known, header]]);
      },
    },
  );

export const wholeNumber = (least: number, most: number, about: Parameters<typeof field>[1]) =>
  field(whole(least, most).optional(), {
    value: 'n',
    ...about,
    read(typed) {
      const value = /^\d{1,10}$/.test(typed) ? Number(typed) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
    expected: `a whole number from ${least} to ${most}`,
  });

/** 0: any that is free. */
export const port = (help: string) => wholeNumber(0, 65_535, { help });

/** Where a table stands in a file, and how a CSV file is written. */
export const layout = {
  sheet: field(text.optional(), { help: 'sheet of the workbook', value: 'name' }),
  headerRow: wholeNumber(1, 1_000_000, { help: 'row of the column headers' }),
  delimiter: field(text.optional(), {
    help: 'between the cells of a CSV file; or comma, pipe, semicolon, tab',
    value: 'character',
  }),
  encoding: field(text.optional(), {
    help: 'of a CSV file, such as windows-1252',
    value: 'name',
  }),
};

/** Words, or the path of a file. Who types at another machine says which of both it is. */
export const evidence = () =>
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
    { help: 'what proves it; of a file the SHA-256 is kept', value: 'text|file' },
  );

/** Pages of a list: the `after` of the page before, and how many at most. Only for programs. */
export const pageFields = () => ({ after: whole(0).optional(), limit: whole(1, 200).optional() });
