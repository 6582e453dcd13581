/** The column of the names, where no header is known for it: “Employee Names”, “collector_name”, “Contractor”. */
import lists from '../../../data/column-words.json' with { type: 'json' };
import { spacedWords, wordList } from '../../text/header-words.ts';
import { message } from '../../text/message.ts';
import type { Look, SeenColumn } from '../look.ts';
import type { Asks, Choice } from '../question.ts';
import { choice, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

const IS = wordList(lists.name.is);
const IS_NOT = wordList(lists.name.isNot);
const PERSON = wordList(lists.name.person);
const FIRST = wordList(lists.name.first);
const MIDDLE = wordList(lists.name.middle);
const LAST = wordList(lists.name.last);
const PART_ALONE = wordList(lists.name.alone);

export const askNameColumn: Asks = (look, said) => {
  const columns = openColumns(look, said);
  if (
    usedFor(columns, 'name') !== undefined ||
    said.some((answer) => 'field' in answer && answer.field === 'name')
  )
    return [];
  const names = columns.filter((column) => column.field === undefined && mayBeName(column, look));
  if (names.length === 0) return [];
  return [
    {
      code: 'which_name',
      text: message(
        'which_name',
      )`Which column is the name of the account holder? No header is known for it, and ${listed(names.map((column) => shown(column)))} may be meant. Names that are not known are not compared.`,
      headers: names.map(({ header }) => header),
      choices: [
        ...joined(names),
        ...names.map((column) => choice(`Use ${quoted(column.header)}`, isIn('name', column))),
        choice('Compare no names', ...names.map(({ name }) => ({ kind: 'ignore', header: name }) as const)),
      ],
    },
  ];
};

/** A word for a name or a person, and different texts below it. */
function mayBeName({ header, examples, filled, words }: SeenColumn, { rows }: Look): boolean {
  const spaced = spacedWords(header.replace(/\([^()]*\)/g, ' '));
  const isName = IS.isIn(spaced) && (!IS_NOT.isIn(spaced) || PERSON.isIn(spaced));
  if (!isName && !PART_ALONE.isIn(spaced) && !PERSON.isAll(spaced)) return false;
  if (KEY.test(spaced) || filled * 2 < rows || (rows > 1 && examples.length === 1)) return false;
  // “Receiver” with yes and no in it, and “Employee” with numbers.
  const isFew = words !== undefined && words.size * FEW < filled;
  return !isFew && examples.every((each) => /\p{L}{2}/u.test(each) && !/^\S*\d\S*$/.test(each.trim()));
}

const FEW = 4;
const KEY = / (?:bank name|nom de la banque|nome do banco|id|no|number|code|type|country|pays) /;

/** First and last name in two columns. */
function joined(names: readonly SeenColumn[]): readonly Choice[] {
  const called = (words: ReturnType<typeof wordList>) =>
    names.filter(({ header }) => words.isIn(spacedWords(header)));
  const [[first, ...firsts], [last, ...lasts]] = [called(FIRST), called(LAST)];
  const [middle] = called(MIDDLE);
  if (first === undefined || last === undefined || firsts.length + lasts.length > 0) return [];
  const parts = [first, ...(middle === undefined ? [] : [middle]), last];
  const them = listed(parts.map(({ header }) => quoted(header)));
  return [choice(`Use ${them} together`, isIn('name', ...parts))];
}
