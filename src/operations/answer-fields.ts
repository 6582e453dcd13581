/** Inputs by which a person says how a file is read, and the answers that they are. */
import { z } from 'zod';
import { parseCurrency } from '../domain/money/currency.ts';
import { type Answer, type Said, type SaidBy, WORD_FIELDS } from '../domain/reading/answer.ts';
import { answerShape } from '../domain/reading/answer-shape.ts';
import { FIELDS, type Field } from '../domain/rows/row.ts';
import { choice, columns, nonEmptyText, oneOf, textList } from './fields.ts';
import { field } from './operation.ts';

type Word = Pick<Extract<Answer, { kind: 'value' }>, 'field' | 'written' | 'means' | 'country'>;

const words = field(
  z
    .array(
      z.strictObject({
        field: z.enum(WORD_FIELDS).default('institution'),
        written: nonEmptyText,
        means: nonEmptyText,
        country: nonEmptyText.exactOptional(),
      }),
      { error: 'a list of words' },
    )
    .default([]),
  {
    help: 'meaning of a word in the file, such as "GCB=GCB Bank" or "KE/Equity=Equity Bank Kenya"; may be repeated',
    value: 'written=means',
    read: wordOf,
    expected: 'WRITTEN=MEANS, such as "GCB=GCB Bank"',
  },
);

/** `currency:Naira=NGN`; without a field it is a currency if it means the code of one, else an institution. */
function wordOf(typed: string): Word | undefined {
  const [, named, written = '', means = ''] =
    /^(?:(institution|currency|country):)?([^=]+)=(.+)$/s.exec(typed) ?? [];
  if (written.trim() === '' || means.trim() === '') return undefined;
  const isCurrency = /^[A-Z]{3}$/.test(means.trim()) && parseCurrency(means) !== undefined;
  const of = WORD_FIELDS.find((each) => each === named) ?? (isCurrency ? 'currency' : 'institution');
  return { field: of, written: written.trim(), means: means.trim() };
}

const leftOut = field(
  z
    .array(z.strictObject({ header: nonEmptyText, words: z.array(nonEmptyText).min(1) }), {
      error: 'a list of columns with words',
    })
    .default([]),
  {
    help: 'rows to leave out by a word in a column, such as Status=Paid,Rejected; may be repeated',
    value: 'header=words',
    read(typed) {
      const [, header = '', list = ''] = /^([^=]+)=(.+)$/s.exec(typed) ?? [];
      const each = list.split(',').map((word) => word.trim());
      return header.trim() === '' || each.includes('') ? undefined : { header: header.trim(), words: each };
    },
    expected: 'HEADER=WORD,WORD, such as Status=Paid,Rejected',
  },
);

const scales = field(
  z
    .array(z.strictObject({ header: nonEmptyText, factor: z.union([z.literal(1), z.literal(1000)]) }), {
      error: 'a list of columns with 1 or 1000',
    })
    .default([]),
  {
    help: 'unit of the amounts in a column: 1000 for thousands, 1 for amounts as written',
    value: 'header=1|1000',
    read(typed) {
      const [, header = '', factor = ''] = /^(.+)=(1|1000)$/s.exec(typed.trim()) ?? [];
      return header === '' ? undefined : { header: header.trim(), factor: factor === '1' ? 1 : 1000 };
    },
    expected: 'HEADER=1 or HEADER=1000',
  },
);

const fieldList = field(z.array(z.enum(FIELDS)).default([]), {
  help: 'fields whose empty cells mean the text above, such as country,institution',
  value: 'fields',
  read(typed) {
    const named = typed.split(',').map((each) => FIELDS.find((of) => of === each.trim().toLowerCase()));
    return named.every((each) => each !== undefined) ? named : undefined;
  },
  expected: `fields between commas, any of ${FIELDS.join(', ')}`,
});

const rowList = field(z.array(z.int().min(1)).default([]), {
  help: 'row to leave out, as the file counts its rows; may be repeated',
  value: 'n',
  read: (typed) => (/^[1-9]\d{0,6}$/.test(typed.trim()) ? Number(typed) : undefined),
  expected: 'the number of a row, such as 14',
});

export const answerList = z.array(answerShape, { error: 'a list of answers' }).readonly();

export const answerFields = {
  map: columns(
    FIELDS,
    'which column holds a field; A+B joins two columns, A|B takes the first filled; may be repeated',
  ),
  set: columns(FIELDS, 'text of a field for every row, such as country=KE; may be repeated', 'field=text'),
  value: words,
  leaveOut: leftOut,
  leaveOutRow: rowList,
  payAnyway: textList({ help: 'column whose words stop no payment; may be repeated', value: 'header' }),
  ignore: textList({ help: 'column that is not used, whatever it holds; may be repeated', value: 'header' }),
  fillDown: fieldList,
  skipZero: choice('leave out rows with an amount of zero'),
  digits: oneOf(['latin'], { help: 'latin: read digits of other scripts as 0 to 9', value: 'script' }),
  scale: scales,
  namesWithoutNumbers: choice('leave employee numbers out of names'),
  decimal: oneOf(['point', 'comma'], {
    help: 'decimal mark of the amounts: point or comma',
    value: 'style',
  }),
  /** Answers to questions of the file, as `choices` list them. */
  answers: answerList.default([]),
};

const asked = z.object(answerFields);
export type AnswersGiven = Partial<z.output<typeof asked>>;

/** All that a call says of a file. */
export function answersOf(given: AnswersGiven): readonly Answer[] {
  const {
    map = new Map(),
    set = new Map(),
    value = [],
    leaveOut = [],
    leaveOutRow = [],
    payAnyway = [],
    ignore = [],
  } = given;
  const { fillDown: fields = [], skipZero, digits, scale = [], namesWithoutNumbers } = given;
  const { decimal, answers = [] } = given;
  const pairs = (all: ReadonlyMap<Field, string>) => [...all];
  return [
    ...pairs(map).map(([of, header]): Answer => ({ kind: 'map', field: of, headers: [header] })),
    ...pairs(set).map(([of, written]): Answer => ({ kind: 'set', field: of, text: written })),
    ...value.map((word): Answer => ({ kind: 'value', ...word })),
    ...leaveOut.map((rows): Answer => ({ kind: 'leave_out', ...rows })),
    ...leaveOutRow.map((row): Answer => ({ kind: 'leave_out_row', row })),
    ...payAnyway.map((header): Answer => ({ kind: 'pay_anyway', header })),
    ...ignore.map((header): Answer => ({ kind: 'ignore', header })),
    ...(fields.length === 0 ? [] : [{ kind: 'fill_down', fields } as const]),
    ...(skipZero === true ? [{ kind: 'skip_zero' } as const] : []),
    ...(digits === undefined ? [] : [{ kind: 'latin_digits' } as const]),
    ...scale.map((unit): Answer => ({ kind: 'scale', ...unit })),
    ...(namesWithoutNumbers === true ? [{ kind: 'names_without_numbers' } as const] : []),
    ...(decimal === undefined ? [] : [{ kind: 'decimal', mark: decimal } as const]),
    ...answers,
  ];
}

export function saidNow(answers: readonly Answer[], by: SaidBy): readonly Said[] {
  return answers.map((answer) => ({ ...answer, ...by }));
}
