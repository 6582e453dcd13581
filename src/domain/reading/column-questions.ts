/** Questions about columns: which one holds a field that none is known for, and which one of two counts. */
import { currencyOfCountry, parseCurrency } from '../money/currency.ts';
import { fieldOfHeader, REQUIRED_FIELDS } from '../rows/column-names.ts';
import type { Country } from '../rows/directory.ts';
import type { Field } from '../rows/row.ts';
import { input, said } from '../text/message.ts';
import { printable } from '../text/printable.ts';
import type { HeaderFault } from './bind-columns.ts';
import { isLikely } from './column-kinds.ts';
import type { Look, SeenColumn } from './look.ts';
import type { Choice, Question } from './question.ts';
import { isByLetter } from './reading.ts';
import { named, shownColumn } from './shown-column.ts';

export function askColumns(
  faults: readonly HeaderFault[],
  look: Look,
  countries: readonly Country[],
): readonly Question[] {
  const asked = faults.flatMap((fault): readonly Question[] => {
    if (fault.kind === 'missing') return [askMissing(fault.field, look, countries)];
    return fault.kind === 'rivals' ? [askRivals(fault, look)] : [];
  });
  // Answers may have added columns behind those of the file.
  if (!isByLetter(look.columns.slice(0, 2).map(({ header }) => header))) return asked;
  const [first, ...others] = [...asked, ...askNameByLetter(look)];
  if (first === undefined) return [];
  const text = said`There is no header row with ${REQUIRED_FIELDS.join(', ')}, so the columns go by their letters. If a row names them, say which with ${input('headerRow', 'N')}. ${first.text.pieces}`;
  return [{ ...first, text }, ...others];
}

/** No header says that a column holds names, and payments without names go uncompared. */
function askNameByLetter({ columns }: Look): readonly Question[] {
  const free = columns.filter(
    (column) =>
      !column.isIgnored &&
      mayHold(column, 'name') &&
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

/** Nothing is read from it, or a phone number that may be the account of a wallet. */
function mayHold({ field, isSaid }: SeenColumn, wanted: Field): boolean {
  return field === undefined || (wanted === 'account' && field === 'phone' && !isSaid);
}

/** Amounts and accounts have digits, and no place is called by an amount or a long number. */
function isLike(field: Field, { numbers, filled, examples }: SeenColumn): boolean {
  const hasDecimals = numbers > 0 && examples.some((text) => /\d[.,]\d{1,2}$/.test(text));
  if (filled === 0) return true;
  if (field === 'amount') return numbers > 0;
  if (field === 'account') return !hasDecimals && examples.some((text) => /[\d@]/.test(text));
  return !hasDecimals && !examples.some((text) => /\d{7}/.test(text));
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

function askMissing(field: Field, look: Look, countries: readonly Country[]): Question {
  const all = look.columns.filter(
    (column) => column.header !== '' && !column.isIgnored && mayHold(column, field) && isLike(field, column),
  );
  const likely = all.filter((column) => isLikely(field, column));
  const free = [...new Set([...likely, ...all])];
  const shown = likely.length > 0 ? likely : free;
  const same: Choice = {
    label: said`The same ${field} for every row`,
    answers: [{ kind: 'set', field, text: '' }],
    asksFor: field,
  };
  const found =
    free.length === 0
      ? 'Every column is used.'
      : `It may be ${shown.map((column) => shownColumn(column, field)).join(', ')}.`;
  return {
    code: `no_${field}`,
    text: said`There is no column for ${explained(field)}. ${found}${field === 'amount' ? whyNoAmount(free) : ''} Where does it stand?`,
    headers: free.map(({ header }) => header),
    choices: [
      ...(field === 'country' ? countryByCurrency(look, countries) : []),
      ...free.map((column) => holds(field, column)),
      ...(SAME_FOR_ALL.has(field) ? [same] : []),
    ],
  };
}

/** `Net Pay (GHS)` looks like the amount, and it is for the person to say that it is. */
function whyNoAmount(free: readonly SeenColumn[]): string {
  const looksSo = free.find(({ header }) => fieldOfHeader(header.replace(/\([^()]*\)/g, '')) === 'amount');
  if (looksSo === undefined) return '';
  return ` ${named(looksSo.header)} is not taken by itself, because of what stands in brackets: an amount is always paid in the currency of the row's institution.`;
}

function explained(field: Field): string {
  return field === 'institution' ? 'institution (bank or mobile money provider)' : field;
}

function holds(field: Field, { header }: SeenColumn): Choice {
  return {
    label: said`${named(header)} holds the ${field}`,
    answers: [{ kind: 'map', field, headers: [header] }],
  };
}

/** Where the file names one currency, and one country of the service has it. Offered, and never taken by itself. */
function countryByCurrency({ columns }: Look, countries: readonly Country[]): readonly Choice[] {
  const texts = columns.flatMap(({ header, words }) => [
    ...(words?.keys() ?? []),
    ...header.split(/[^A-Z]+/),
  ]);
  const codes = new Set(
    texts.flatMap((text) => (/^[A-Z]{3}$/.test(text) ? (parseCurrency(text) ?? []) : [])),
  );
  const [code, ...others] = codes;
  const having = countries.filter(({ iso }) => currencyOfCountry(iso) === code);
  const [country] = having;
  if (code === undefined || others.length > 0 || country === undefined || having.length > 1) return [];
  return [
    {
      label: said`${printable(country.name)} for every row, the country of ${code}`,
      answers: [{ kind: 'set', field: 'country', text: country.iso }],
    },
  ];
}

function askRivals(fault: Rivals, look: Look): Question {
  const { field, columns: at } = fault;
  const rivals = at.flatMap((index) => look.columns[index] ?? []);
  const headers = [...new Set(rivals.map(({ header }) => header))];
  const shown = rivals.map((column) => shownColumn(column, field)).join(' and ');
  const what = whatOf(fault);
  if (headers.length < rivals.length)
    return {
      code: `which_${field}`,
      text: said`The columns ${shown} may each be the ${what}, and have the same header. Give them different headers in the file.`,
      headers,
      choices: [],
    };
  return {
    code: `which_${field}`,
    text: said`The columns ${shown} may each be the ${what}. Which one counts?`,
    headers,
    choices: rivals.map((column) => holds(field, column)),
  };
}
