/** Names that carry the number of the employee: `0117 - Yaw Acheampong`, `OKAFOR C. (EMP 0231)`. */
import { nameColumnsOf } from '../rows/column-names.ts';
import { withCell } from './made-cell.ts';
import type { MakeRowChanges } from './row-change.ts';

export const namesWithoutNumbers: MakeRowChanges = (_headers, answers) =>
  answers.some(({ kind }) => kind === 'names_without_numbers')
    ? [
        {
          start(file) {
            const whole = file.columns.get('name');
            const names = whole === undefined ? nameColumnsOf(file) : [whole];
            return (row) => {
              let read = row;
              for (const at of names) {
                const cell = row.cells[at] ?? '';
                const name = /\d/.test(cell) ? nameWithoutNumber(cell) : cell;
                if (name !== cell) read = withCell(read, at, name);
              }
              return read;
            };
          },
        },
      ]
    : [];

/** As written where the number cannot be told from the name: `3M Kenya`, `Studio 54`, a number alone. */
export function nameWithoutNumber(written: string): string {
  const text = written.trim();
  const name = text.replace(AHEAD, '').replace(BEHIND, '').trim();
  return /\p{L}{2}/u.test(name) && !/\d/.test(name) ? name : written;
}

const LABEL =
  '(?:(?:emp(?:loy[eé]{1,2}s?)?|staff|worker|payroll|matricule|mat|pf|hr|id|no|nr|num|n°|nº|ref|code)[.:\\s#/_-]*)*';
/** Digits, with up to four letters ahead and in parts: `0117`, `EMP/0231`, `HR-EMP-00011`, `A12-04`. */
const NUMBER = `${LABEL}#?(?:[A-Z]{1,4}[-/_]?)*\\d+(?:[-/.]?\\d+)*(?![\\p{L}\\d])`;
const APART = '[\\s:;,.|/_\\p{Pd}]';
const AHEAD = new RegExp(`^(?:[(\\[]\\s*${NUMBER}\\s*[)\\]]|${NUMBER})${APART}+(?=\\p{L})`, 'iu');
const BEHIND = new RegExp(`(?:\\s*[(\\[]\\s*${NUMBER}\\s*[)\\]]|${APART}+${NUMBER})\\s*$`, 'iu');
