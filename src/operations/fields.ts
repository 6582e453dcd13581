/** Inputs that several operations share. */
import { z } from 'zod';
import { fieldOfHeader } from '../domain/rows/column-names.ts';
import { fromText, text, whole, wholeText, yesOrNo } from '../domain/setting-kinds.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { dayNumber } from '../domain/time-zone.ts';
import { columnTwice, columnUnreadable } from './messages.ts';
import { field, type InputSyntax } from './operation.ts';

export { text };
export const nonEmptyText = text.refine((value) => value.trim() !== '', { error: 'text that is not empty' });

/** A positional word that the command needs. */
export const word = (value: string) => field(text, { value, isPositional: true });
/** A positional word that the user may leave out. */
export const optionalWord = (value: string) => field(text.optional(), { value, isPositional: true });

export const batch = () => word('batch');

/** A flag without a value. */
export const choice = (help: string) => field(yesOrNo.default(false), { help });

export const reason = () =>
  field(text.trim().optional(), { help: 'the reason; the journal keeps it', value: 'text' });

export const textList = (about: InputSyntax) =>
  field(z.array(text, { error: 'a list of texts' }).default([]), about);

/** The items that a page showed. Empty: it showed none. Left out: payfile compares nothing. */
export const seenItems = () => z.array(text, { error: 'a list of texts' }).optional();

/** A whole number. On the command line it is typed in digits. */
export function wholeNumber(
  [least, most]: readonly [least: number, most: number],
  about: Pick<InputSyntax, 'help'>,
) {
  const is = whole(least, most);
  return field(is.optional(), {
    ...about,
    value: 'n',
    read(typed) {
      const read = fromText(is, typed);
      return 'value' in read ? read.value : undefined;
    },
    expected: wholeText(least, most),
  });
}

/** Reads several values from one text with commas, such as `example`. */
export const commaSeparated = (example: string) => ({
  read(typed: string): readonly string[] | undefined {
    const words = typed.split(',').map((each) => each.trim());
    return words.includes('') ? undefined : words;
  },
  expected: `words between commas, such as ${example}`,
});

/** The output file. */
export const output = (help = 'output file; - is standard output') =>
  field(text.optional(), {
    help,
    value: 'file',
    letter: 'o',
    isSingleValue: true,
  });

export const overwrite = () =>
  choice('replace an existing file; without it payfile replaces only its own reports and metrics');

/** An input that is one of these words. */
export const oneOf = <Word extends string>(words: readonly Word[], about: InputSyntax) =>
  field(z.enum(words).optional(), { ...wordReader(words), ...about });

/** Several of these words: the user may repeat the flag. */
export const severalOf = <Word extends string>(words: readonly Word[], about: InputSyntax) =>
  field(z.array(z.enum(words)).default([]), { ...wordReader(words), ...about });

const wordReader = (words: readonly string[]) => ({
  read: (typed: string) => words.find((word) => normalizeWord(word) === normalizeWord(typed)),
  expected: `one of ${words.join(', ')}`,
});

/** The user may type `not-paid` for `not_paid`. */
const normalizeWord = (text: string) => text.trim().toLowerCase().replaceAll('-', '_');

/** Maps fields to columns: FIELD=HEADER, once for each field. */
export const columns = <Name extends string>(names: readonly Name[], help: string, value = 'field=header') =>
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
      value,
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

const DAY = 'a day of the calendar such as 2026-05-31';
const isDay = (typed: string) => dayNumber(typed) !== undefined;
export const day = (help: string) =>
  field(text.refine(isDay, { error: DAY }).optional(), {
    ...{ help, value: 'day', expected: DAY },
    read: (typed) => (isDay(typed) ? typed : undefined),
  });

/** 0 takes any free port. */
export const port = (help: string) => wholeNumber([0, 65_535], { help });

/** The position of a table in a file, and the format of a CSV file. */
export const layout = {
  sheet: field(text.optional(), { help: 'sheet of the workbook', value: 'name' }),
  headerRow: wholeNumber([1, 1_000_000], { help: 'row of the column headers' }),
  delimiter: field(text.optional(), {
    help: 'cell separator of a CSV file; or comma, pipe, semicolon, tab',
    value: 'character',
  }),
  encoding: field(text.optional(), {
    help: 'encoding of a CSV file, such as windows-1252',
    value: 'name',
  }),
};

/** Text, or the path of a file. A caller on another machine says which of the two it is. */
export const evidence = () =>
  field(
    z
      .union(
        [
          text,
          z.strictObject({ words: text }),
          z.strictObject({ path: nonEmptyText, name: nonEmptyText, words: text.optional() }),
        ],
        { error: 'text, {words} or {path, name}' },
      )
      .optional(),
    { help: 'the proof, as text or a file; payfile keeps the SHA-256 of a file', value: 'text|file' },
  );

/** Paging of a list: the `after` of the last page, and the size of a page. Only programs set it. */
export const pageFields = () => ({ after: whole(0).optional(), limit: whole(1, 200).optional() });
