/**
 * Which column of a file holds which field: as a person said, and else by what the columns are called, never by likeness
 * or position. Where two could be meant, none is bound, and the caller asks.
 */

import {
  columnLetters,
  comparedAsNames,
  type FileColumns,
  fieldOfHeader,
  isSameHeader,
  nameColumnsOf,
  namePartsOf,
  REQUIRED_FIELDS,
} from '../rows/column-names.ts';
import type { Field } from '../rows/row.ts';
import { type Answer, headersOf } from './answer.ts';
import { columnCalled, columnsCalled } from './column-called.ts';
import { type Preset, presetFor } from './presets.ts';
import type { GivenAnswer, RowChange } from './row-change.ts';
import { ROW_CHANGES } from './row-changes.ts';

/** Why the columns of a file cannot be used as they are. */
export type HeaderFault =
  | { readonly kind: 'missing'; readonly field: Field }
  /** Two columns or more could hold the field. `part`: of the name. */
  | {
      readonly kind: 'rivals';
      readonly field: Field;
      readonly columns: readonly number[];
      readonly part?: string;
    }
  /** A person named a header that is not there (`found` is empty), or that several columns have. */
  | {
      readonly kind: 'not_there';
      readonly answer: Answer;
      readonly header: string;
      readonly found: readonly number[];
    };

export interface Binding extends FileColumns {
  /** Columns of the file that hold a field, also as a part of it. */
  readonly used: ReadonlyMap<number, Field>;
  readonly ignored: ReadonlySet<number>;
  /** Fields of which a person said what holds them. */
  readonly said: ReadonlySet<Field>;
  readonly changes: readonly RowChange[];
  readonly faults: readonly HeaderFault[];
  /** What was chosen between two columns, for the person. */
  readonly notes: readonly string[];
}

/** `headers`: of the file alone. Those of the result have the columns behind them that answers add. */
export function bindColumns(headers: readonly string[], given: readonly GivenAnswer[]): Binding {
  const answers = given.map((answer) => readAnswer(headers, answer));
  const preset = presetFor(headers);
  const faults: HeaderFault[] = [];
  const columns = new Map<Field, number>();
  const ignored = new Set<number>();
  const said = new Set<Field>();
  for (const answer of answers) {
    const found = headersOf(answer).map((header) => columnsCalled(headers, header));
    for (const [at, header] of headersOf(answer).entries())
      if (found[at]?.length !== 1) faults.push({ kind: 'not_there', answer, header, found: found[at] ?? [] });
    if (answer.kind === 'ignore') for (const at of found.flat()) ignored.add(at);
    if (answer.kind === 'map' || answer.kind === 'set' || answer.kind === 'first_filled')
      said.add(answer.field);
    const [only] = found.flat();
    if (answer.kind === 'map' && answer.headers.length === 1 && only !== undefined)
      columns.set(answer.field, only);
  }
  const changes = ROW_CHANGES.flatMap((make) => make(headers, answers));
  const added = changes.flatMap(({ adds }) => adds ?? []);
  for (const [at, { field }] of added.entries()) columns.set(field, headers.length + at);
  const parts = new Map(added.flatMap(({ field, from }) => from.map((at) => [at, field] as const)));
  const known = columnsKnown(headers, preset, {
    said,
    taken: [...columns.values(), ...parts.keys(), ...ignored],
  });
  for (const [field, at] of known) columns.set(field, at);
  const taken = new Set([...ignored, ...columns.values(), ...parts.keys()]);
  const notes = [
    ...(preset === undefined ? [] : [`read as a ${preset.name}`]),
    ...bindByName(headers, { columns, taken, said: new Set([...said, ...known.keys()]) }, faults),
  ];
  for (const field of REQUIRED_FIELDS)
    if (!columns.has(field) && !faults.some((fault) => fault.kind === 'rivals' && fault.field === field))
      faults.push({ kind: 'missing', field });
  const used = new Map([...parts, ...[...columns].map(([field, at]) => [at, field] as const)]);
  const madeFrom = new Map(added.map(({ from }, at) => [headers.length + at, from] as const));
  const all = { headers: [...headers, ...added.map(({ header }) => header)], columns, madeFrom };
  for (const at of nameColumnsOf(all)) used.set(at, 'name');
  return { ...all, used, ignored, said, changes, faults, notes };
}

/** `A+B` joins, and `A|B` is the first that is filled, where no column is called so. */
export function readAnswer<One extends Answer>(headers: readonly string[], answer: One): One | MapAnswer {
  if (answer.kind !== 'map' || answer.headers.length !== 1) return answer;
  const [written = ''] = answer.headers;
  if (columnsCalled(headers, written).length > 0) return answer;
  const split = (mark: string) => written.split(mark).map((each) => each.trim());
  if (written.includes('|')) return { kind: 'first_filled', field: answer.field, headers: split('|') };
  return written.includes('+') ? { ...answer, headers: split('+') } : answer;
}

type MapAnswer = Extract<Answer, { kind: 'map' | 'first_filled' }>;

/** What a known export says of its columns where it decides about no money. */
function columnsKnown(
  headers: readonly string[],
  preset: Preset | undefined,
  { said, taken }: { readonly said: ReadonlySet<Field>; readonly taken: readonly number[] },
): ReadonlyMap<Field, number> {
  const known = (preset?.takes ?? []).flatMap(({ field, header }) => {
    const at = columnCalled(headers, header);
    return at === undefined || said.has(field) || taken.includes(at) ? [] : [[field, at] as const];
  });
  return new Map(known);
}

interface Bound {
  readonly columns: Map<Field, number>;
  readonly taken: ReadonlySet<number>;
  readonly said: ReadonlySet<Field>;
}

/** Where a second column has another header, a question shows both (questions/all.ts); until then the first counts. */
const ASKED_ABOUT: ReadonlySet<Field> = new Set<Field>([
  'amount',
  'account',
  'country',
  'institution',
  'name',
]);

function bindByName(
  headers: readonly string[],
  { columns, taken, said }: Bound,
  faults: HeaderFault[],
): readonly string[] {
  const notes: string[] = [];
  const parts = namePartsOf(headers);
  const rivals = new Map<Field, number[]>();
  const addRival = (field: Field, ...at: readonly number[]) =>
    rivals.set(field, [...new Set([...(rivals.get(field) ?? []), ...at])]);
  for (const [index, header] of headers.entries()) {
    const field = taken.has(index) || parts.has(index) ? undefined : fieldOfHeader(header);
    if (field === undefined || said.has(field)) continue;
    const other = columns.get(field);
    const compared =
      other === undefined || field !== 'note' ? 0 : comparedAsNames(field, header, headers[other] ?? '');
    if (other === undefined) columns.set(field, index);
    else if (ASKED_ABOUT.has(field) && !isSameHeader(headers[other] ?? '', header)) continue;
    // A second phone stops nobody.
    else if (field === 'phone') continue;
    else if (compared === 0) addRival(field, other, index);
    else {
      const [better, left] = compared < 0 ? [index, other] : [other, index];
      columns.set(field, better);
      notes.push(`“${headers[better]}” is taken as the note, and “${headers[left]}” is not used`);
    }
  }
  for (const [field, at] of rivals) {
    columns.delete(field);
    faults.push({ kind: 'rivals', field, columns: at });
  }
  return said.has('name') || columns.has('name')
    ? notes
    : [...notes, ...joinedName(headers, columns, faults)];
}

/** A name in several columns: which they are. Two columns for one part of it would make a name that nobody has. */
function joinedName(
  headers: readonly string[],
  columns: ReadonlyMap<Field, number>,
  faults: HeaderFault[],
): readonly string[] {
  const joined = nameColumnsOf({ headers, columns });
  const parts = [...namePartsOf(headers)].filter(([at]) => joined.includes(at));
  for (const [part, these] of Map.groupBy(parts, ([, of]) => of))
    if (these.length > 1)
      faults.push({ kind: 'rivals', field: 'name', columns: these.map(([at]) => at), part });
  const named = joined.map((at) => `${columnLetters(at)} “${headers[at]}”`);
  return joined.length === 0 ? [] : [`the name is taken from ${named.join(' and ')}`];
}
