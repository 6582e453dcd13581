/** Questions about columns: which one holds a field that none is known for, and which one of two counts. */
import { columnLetters, fieldOfHeader, REQUIRED_FIELDS } from '../rows/column-names.ts';
import type { Directory } from '../rows/directory.ts';
import type { Field } from '../rows/row.ts';
import { input, said } from '../text/message.ts';
import { printable } from '../text/printable.ts';
import type { HeaderFault } from './bind-columns.ts';
import { isLikely } from './column-kinds.ts';
import { columnsFor, placesIn } from './columns-for.ts';
import { type CountryMeant, countriesMeant } from './countries-meant.ts';
import type { Look, SeenColumn } from './look.ts';
import type { Choice, Question } from './question.ts';
import { isIn } from './questions/columns.ts';
import { isByLetter } from './reading.ts';
import { named, shownColumn } from './shown-column.ts';

export function askColumns(
  faults: readonly HeaderFault[],
  look: Look,
  directory: Directory,
): readonly Question[] {
  const asked = faults.flatMap((fault): readonly Question[] => {
    if (fault.kind === 'missing') return [askMissing(fault.field, look, directory)];
    return fault.kind === 'rivals' ? [askRivals(fault, look)] : [];
  });
  // Answers may have added columns behind those of the file.
  if (!isByLetter(look.columns.slice(0, 2).map(({ header }) => header))) return asked;
  const [first, ...others] = [...asked, ...askNameByLetter(look, directory)];
  if (first === undefined) return [];
  const text = said`There is no header row with ${REQUIRED_FIELDS.join(', ')}, so the columns go by their letters. If a row names them, say which with ${input('headerRow', 'N')}. ${first.text.pieces}`;
  return [{ ...first, text }, ...others];
}

/** No header says that a column holds names, and payments without names go uncompared. */
function askNameByLetter(look: Look, directory: Directory): readonly Question[] {
  const { columns } = look;
  const institutions = columnsFor('institution', look, directory);
  const free = columns.filter(
    (column) =>
      !column.isIgnored &&
      column.field === undefined &&
      !institutions.includes(column) &&
      column.examples.every((text) => /\p{L}{2}.*\s/u.test(text)),
  );
  if (free.length === 0 || columns.some(({ field }) => field === 'name')) return [];
  const them = free.map((column) => shownColumn(column)).join(', ');
  return [
    {
      code: 'no_name',
      text: said`Which column holds the names of the account holders? It may be ${them}. Without it no names are compared.`,
      headers: free.map(({ header }) => header),
      isOffer: true,
      choices: free.map((column) => holds('name', column)),
    },
  ];
}

/** Fields of which every row may have the same. */
const SAME_FOR_ALL: ReadonlySet<Field> = new Set<Field>(['country', 'institution']);

/** Why the columns cannot be used as they are, in one sentence. */
export function faultText(fault: HeaderFault, headers: readonly string[]): string {
  switch (fault.kind) {
    case 'missing':
      return `There is no column for ${explained(fault.field)}.`;
    case 'rivals': {
      const these = fault.columns.map((at) => named(headers[at] ?? '')).join(' and ');
      return `The columns ${these} may each be the ${whatOf(fault)}.`;
    }
    case 'not_there':
      return `The column ${named(fault.header)} ${fault.found.length === 0 ? 'is not in the file' : 'stands there more than once'}.`;
  }
}

const whatOf = ({ field, part }: Rivals) => (part === undefined ? field : `${part} name`);
type Rivals = Extract<HeaderFault, { kind: 'rivals' }>;

function askMissing(field: Field, look: Look, directory: Directory): Question {
  const free = columnsFor(field, look, directory);
  const same: Choice = {
    label: said`The same ${field} for every row`,
    answers: [{ kind: 'set', field, text: '' }],
    asksFor: field,
  };
  const meant = field === 'country' ? countriesMeant(look, directory).map(forEveryRow) : [];
  const places = field === 'country' ? placesIn(look, free) : [];
  const found =
    free.length + places.length === 0
      ? 'No column has cells that can be it.'
      : `It may be ${[...free, ...places].map((column) => shownColumn(column, field)).join(', ')}.`;
  return {
    code: `no_${field}`,
    text: said`There is no column for ${explained(field)}. ${found}${field === 'amount' ? whyNoAmount(free) : ''} Where does it stand?`,
    headers: [...free, ...places].map(({ header }) => header),
    ...(meant.length > 0 || isPlain(field, free) ? {} : { isGuess: true }),
    choices: [
      ...(free.length > 0 ? [] : meant),
      ...free.flatMap((column) =>
        column.field === 'account'
          ? columnsFor('account', look, directory).map((account) => holdsWith(column, account))
          : [holds(field, column)],
      ),
      ...(free.length > 0 ? meant : []),
      ...places.map(placeOf),
      ...(SAME_FOR_ALL.has(field) ? [same] : []),
    ],
  };
}

const isPlain = (field: Field, [first, ...others]: readonly SeenColumn[]): boolean =>
  first !== undefined && others.length === 0 && isLikely(field, first);

const forEveryRow = ({ country, why }: CountryMeant): Choice => ({
  label: said`${printable(country.name)} for every row: ${why}`,
  answers: [{ kind: 'set', field: 'country', text: country.iso }],
});

/** The institutions stand under a header for accounts, so the accounts stand elsewhere. */
const holdsWith = (column: SeenColumn, account: SeenColumn): Choice => ({
  label: said`${named(column.header)} holds the institution, and ${named(account.header)} the account`,
  answers: [isIn('institution', column), isIn('account', account)],
});

/** The words of the column are asked about in the next round, each with the countries to choose from. */
const placeOf = (column: SeenColumn): Choice => ({
  label: said`${named(column.header)} holds places: next, say which country each of them is in`,
  answers: [isIn('country', column)],
});

/** `Net Pay (GHS)` looks like the amount, and it is for the person to say that it is. */
function whyNoAmount(free: readonly SeenColumn[]): string {
  const looksSo = free.find(({ header }) => fieldOfHeader(header.replace(/\([^()]*\)/g, '')) === 'amount');
  if (looksSo === undefined) return '';
  return ` ${named(looksSo.header)} is not taken by itself, because of what stands in brackets: an amount is always paid in the currency of the row's institution.`;
}

function explained(field: Field): string {
  return field === 'institution' ? 'institution (bank or mobile money provider)' : field;
}

function holds(field: Field, column: SeenColumn): Choice {
  const { at, header, name } = column;
  const called = name === header ? named(header) : `Column ${columnLetters(at)} ${named(header)}`;
  return { label: said`${called} holds the ${field}`, answers: [isIn(field, column)] };
}

function askRivals(fault: Rivals, look: Look): Question {
  const { field, columns: at } = fault;
  const rivals = at.flatMap((index) => look.columns[index] ?? []);
  const shown = rivals.map((column) => shownColumn(column, field)).join(' and ');
  const what = whatOf(fault);
  return {
    code: `which_${field}`,
    text: said`The columns ${shown} may each be the ${what}. Which one counts?`,
    headers: [...new Set(rivals.map(({ header }) => header))],
    choices: rivals.map((column) => holds(field, column)),
  };
}
