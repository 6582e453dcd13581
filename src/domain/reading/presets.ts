/**
 * Exports that are known by their headers, and what their columns mean (data/reading-presets.json).
 *
 * What only names somebody is taken. What decides about money is proposed, and a person says whether it is so. A new preset
 * is an entry of the data: `has` are headers that all such files have, and a column that a file lacks is passed over.
 */
import presets from '../../data/reading-presets.json' with { type: 'json' };
import type { Field } from '../rows/row.ts';
import type { Answer } from './answer.ts';
import { columnCalled } from './column-called.ts';

interface PresetData {
  /** Behind “a”: `HOPE payment list`. */
  readonly name: string;
  readonly has: readonly string[];
  readonly takes: Columns;
  readonly proposes: Columns;
  readonly sets?: Columns;
  readonly leavesOut?: Readonly<Record<string, readonly string[]>>;
  /** Columns with money, an account or a currency of somebody or something else. */
  readonly unused?: readonly string[];
}

/** Field → header, or text. */
type Columns = Readonly<Partial<Record<Field, string>>>;

const PRESETS: readonly PresetData[] = presets;

export interface Preset {
  readonly name: string;
  readonly takes: readonly { readonly field: Field; readonly header: string }[];
  readonly proposes: readonly Answer[];
}

/** The preset of a file with these headers, with the headers as they stand there. */
export function presetFor(headers: readonly string[]): Preset | undefined {
  const isThere = (header: string) => columnCalled(headers, header) !== undefined;
  const found = PRESETS.find(({ has }) => has.every(isThere));
  if (found === undefined) return undefined;
  const there = (header: string): readonly string[] => {
    const at = columnCalled(headers, header);
    return at === undefined ? [] : [headers[at] ?? header];
  };
  const maps = (columns: Columns): readonly Answer[] =>
    entriesOf(columns).flatMap(([field, called]) =>
      there(called).map((header) => ({ kind: 'map', field, headers: [header] }) as const),
    );
  const { leavesOut = {}, unused = [], sets = {} } = found;
  return {
    name: found.name,
    takes: entriesOf(found.takes).flatMap(([field, called]) =>
      there(called).map((header) => ({ field, header })),
    ),
    proposes: [
      ...maps(found.proposes),
      ...entriesOf(sets).map(([field, text]) => ({ kind: 'set', field, text }) as const),
      ...Object.entries(leavesOut).flatMap(([called, words]) =>
        there(called).map((header) => ({ kind: 'leave_out', header, words }) as const),
      ),
      ...unused.flatMap(there).map((header) => ({ kind: 'ignore', header }) as const),
    ],
  };
}

function entriesOf(columns: Columns): readonly (readonly [Field, string])[] {
  return Object.entries(columns) as [Field, string][];
}
