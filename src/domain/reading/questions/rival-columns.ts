/**
 * A second column for the account, the country, the bank or the name, and a destination that may be that of a trip.
 *
 * Which headers are meant is in data/column-words.json. A column that clearly is ours (a debit account), old, or about
 * something else is no second one.
 */
import lists from '../../../data/column-words.json' with { type: 'json' };
import { fieldMaybeMeant, fieldOfHeader } from '../../rows/column-names.ts';
import type { Field } from '../../rows/row.ts';
import { spacedWords, wordList } from '../../text/header-words.ts';
import { type Message, message } from '../../text/message.ts';
import { isCalled, isOwn } from '../column-kinds.ts';
import type { SeenColumn } from '../look.ts';
import type { Asks, Choice, Question } from '../question.ts';
import { choice, holdsNumbers, isIn, listed, openColumns, quoted, shown, usedFor } from './columns.ts';

const THEIRS = wordList(lists.theirs);
const NEWER = wordList(lists.newer);

interface Kind {
  readonly field: Field;
  /** What the question calls it. */
  readonly noun: string;
  /** Whether its cells can be such a thing at all. */
  readonly holds: (column: SeenColumn) => boolean;
  /** Only a column that is said to be newer, or has a number behind it, is one beside the known names. */
  readonly needsMark: boolean;
}

const hasDigits = ({ examples }: SeenColumn) => examples.some((each) => /\d{3}/.test(each));
const hasLetters = ({ examples }: SeenColumn) => examples.some((each) => /\p{L}{2}/u.test(each));

const ACCOUNT: Kind = {
  ...{ field: 'account', noun: 'account to pay to', needsMark: false, holds: hasDigits },
};
const COUNTRY: Kind = {
  ...{ field: 'country', noun: 'country that the money goes to', needsMark: false },
  holds: (column) => hasLetters(column) && !holdsNumbers(column),
};
const INSTITUTION: Kind = {
  ...{ field: 'institution', noun: 'bank or mobile money provider', needsMark: false },
  holds: (column) => hasLetters(column) && !holdsNumbers(column),
};
const NAME: Kind = {
  ...{ field: 'name', noun: 'name of the account holder', needsMark: true, holds: hasLetters },
};

const asksOf =
  (kind: Kind): Asks =>
  (look, said) => {
    const columns = openColumns(look, said);
    const used = usedFor(look.columns, kind.field);
    if (used === undefined || used.isSaid) return [];
    const rivals = columns.filter((column) => column.field === undefined && isRival(column, used, kind));
    return rivals.length === 0 ? [] : [whichColumn(kind, used, rivals)];
  };

export const askAccount = asksOf(ACCOUNT);
export const askCountry = asksOf(COUNTRY);
export const askInstitution = asksOf(INSTITUTION);
export const askName = asksOf(NAME);

function isRival(column: SeenColumn, used: SeenColumn, kind: Kind): boolean {
  const { header } = column;
  if (holdTheSame(column, used)) return false;
  const isKnown = [fieldOfHeader(header), fieldMaybeMeant(header)].includes(kind.field);
  // A calling code beside the country is no second country; a strange account is one all the same.
  if (isKnown) return kind.field !== 'country' || kind.holds(column);
  if (!kind.holds(column) || !isCalled(kind.field, header)) return false;
  // “Debit account” beside “Beneficiary account” is ours; beside “Account” nobody knows.
  if (isOwn(header) && (THEIRS.isIn(spacedWords(used.header)) || kind.field === 'name')) return false;
  return !kind.needsMark || NEWER.isIn(spacedWords(header)) || /\d\s*$/.test(header);
}

/** One and the same text in all rows of both: it makes no difference which counts. */
function holdTheSame(one: SeenColumn, other: SeenColumn): boolean {
  const [first, second] = [one.examples, other.examples];
  return first.length === 1 && second.length === 1 && first[0] === second[0] && one.filled === other.filled;
}

function whichColumn({ field, noun }: Kind, used: SeenColumn, rivals: readonly SeenColumn[]): Question {
  const all = [used, ...rivals];
  const isAccount = field === 'account';
  const others = listed(rivals.map((rival) => shown(rival, isAccount)));
  return {
    code: `which_${field}`,
    text: message(
      `which_${field}`,
    )`Which column is the ${noun}? ${shown(used, isAccount)} is used so far, and ${others} may be meant.`,
    headers: all.map(({ header }) => header),
    choices: [
      ...all.map((column) => choice(`Use ${quoted(column.header)}`, isIn(field, column))),
      ...changed(field, used, rivals),
    ],
  };
}

/** A few new accounts beside those of all the others. */
function changed(field: Field, used: SeenColumn, rivals: readonly SeenColumn[]): readonly Choice[] {
  const [rival] = rivals;
  if (rivals.length !== 1 || rival === undefined || rival.filled >= used.filled) return [];
  if (!NEWER.isIn(spacedWords(rival.header))) return [];
  const label = `Use ${quoted(rival.header)}, and where it is empty ${quoted(used.header)}`;
  return [choice(label, { kind: 'first_filled', field, headers: [rival.name, used.name] })];
}

const DESTINATION = wordList(lists.destination);
const TRIP = wordList(lists.trip);

/** “Destination” is the country of the beneficiary, or where a trip went. */
export const askDestination: Asks = (look, said) => {
  const columns = openColumns(look, said);
  const used = usedFor(columns, 'country');
  if (used === undefined || used.isSaid || !DESTINATION.isAll(spacedWords(used.header))) return [];
  const trip = columns.find(({ header, field }) => field === undefined && TRIP.isIn(spacedWords(header)));
  const title = look.above.find((text) => TRIP.isIn(spacedWords(text)));
  if (trip === undefined && title === undefined) return [];
  const beside = trip === undefined ? quoted(title ?? '') : shown(trip);
  return [
    {
      code: 'destination_of_a_trip',
      text: message(
        'destination_of_a_trip',
      )`Is ${shown(used)} the country that the money goes to? ${beside} is about a trip, so it may be where the trip goes.`,
      headers: [used.header, ...(trip === undefined ? [] : [trip.header])],
      choices: [
        choice(`Pay to the country in ${quoted(used.header)}`, isIn('country', used)),
        {
          label: SAME_COUNTRY,
          answers: [{ kind: 'set', field: 'country', text: '' }],
          asksFor: 'country',
        },
      ],
    },
  ];
};

const SAME_COUNTRY: Message = message(
  'same_country',
)`It is where the trip goes: the same country for every row`;
