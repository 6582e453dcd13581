/** Amounts in thousands, by a title or a header: `KES '000`, `in thousands`, `en milliers`. */
import lists from '../../../data/column-words.json' with { type: 'json' };
import { fieldOfHeader } from '../../rows/column-names.ts';
import { spacedWords, wordList } from '../../text/header-words.ts';
import { message } from '../../text/message.ts';
import type { Answer } from '../answer.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks, Question } from '../question.ts';
import { choice, holdsNumbers, isAbout, isIn, openColumns, quoted, shown, usedFor } from './columns.ts';

const THOUSANDS = wordList(lists.thousands);
const MILLIONS = wordList(lists.millions);
/** `'000`, `(000s)`, `x 1,000`. */
const IN_SIGNS =
  /['’‘`´]\s*000s?(?!\d)|\(\s*(?:['’x×*]?\s*)?(?:1[, .]?)?000s?\s*\)|[x×*]\s*1[, .]?000(?!\d)|\b(?:in|en|em|[A-Z]{3})\s+000s?(?!\d)/i;

export const askThousands: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const used = usedFor(columns, 'amount');
  if (used === undefined) return onlyInThousands(columns, said);
  if (isAbout(said, 'scale', used)) return [];
  const texts = [used.header, look.sheet, ...look.above];
  const text = texts.find(saysThousands);
  if (text === undefined) return asksMillions(texts);
  return [
    {
      code: 'in_thousands',
      text: message(
        'in_thousands',
      )`Are the amounts of ${shown(used)} in thousands? ${quoted(partOf(text))} says so.`,
      headers: [used.header],
      choices: inThousandsOrNot(used),
    },
  ];

  function asksMillions(texts: readonly string[]) {
    const said = texts.find((each) => MILLIONS.isIn(spacedWords(each)));
    if (used === undefined || said === undefined) return [];
    return [
      {
        code: 'in_millions',
        text: message('in_millions')`Are the amounts of ${shown(used)} in millions? ${quoted(said)} says so.`,
        headers: [used.header],
        choices: [
          choice('Pay the amounts as they are written', { kind: 'scale', header: used.name, factor: 1 }),
          choice('They are in millions: write the whole amounts in the file'),
        ],
      },
    ];
  }
};

/** No column is the amount by its name, and one would be without its thousands: both are asked at once. */
function onlyInThousands(columns: readonly SeenColumn[], said: readonly Answer[]): readonly Question[] {
  const isAmount = ({ header, field }: SeenColumn) =>
    field === undefined &&
    saysThousands(header) &&
    fieldOfHeader(header.replace(IN_REMARK, ' ').trim()) === 'amount';
  const [found, ...others] = columns.filter((column) => isAmount(column) && holdsNumbers(column));
  if (
    found === undefined ||
    others.length > 0 ||
    said.some((answer) => 'field' in answer && answer.field === 'amount')
  )
    return [];
  return [
    {
      code: 'in_thousands',
      text: message('in_thousands')`Is ${shown(found)} the amount to pay, in thousands?`,
      headers: [found.header],
      settles: ['amount'],
      choices: inThousandsOrNot(found, isIn('amount', found)),
    },
  ];
}

const inThousandsOrNot = ({ name: header }: SeenColumn, ...also: readonly Answer[]) => [
  choice('Pay a thousand times what is written', ...also, { kind: 'scale', header, factor: 1000 }),
  choice('Pay the amounts as they are written', ...also, { kind: 'scale', header, factor: 1 }),
];

/** What stands in brackets, and the thousands behind a header. */
const IN_REMARK = /\([^()]*\)|['’‘`´]\s*000s?|\b(?:in|en|em)\s+\p{L}+$/giu;

/** A long title is shown around the words that say it. */
function partOf(text: string): string {
  return text.length <= SHOWN ? text : (text.split(/[,;()\n]|\s[-–—]\s/).find(saysThousands) ?? text).trim();
}

const SHOWN = 38;

function saysThousands(text: string): boolean {
  return IN_SIGNS.test(text) || THOUSANDS.isIn(spacedWords(text.replace(/\d[\d,. ]*\d/g, ' ')));
}
