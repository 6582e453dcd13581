/**
 * Prints the fault matrix: what each fault is, the tests that carry its number, the planted bugs that turn them
 * red, and what is left out with the reason.
 *
 * Usage:   npm run matrix [-- --open]   (--open: only rows that are neither tied nor left out)
 */
import { type Tied, tiedRows } from './matrix.ts';

const isOpenOnly = process.argv.includes('--open');
const rows = tiedRows();
for (const row of rows) if (!isOpenOnly || stateOf(row) === 'open') print(row);
const count = (state: string) => rows.filter((row) => stateOf(row) === state).length;
console.log(
  `\nmatrix: ${rows.length} faults, ${count('tied')} tied, ${count('left out')} left out, ${count('open')} open`,
);
process.exitCode = count('open') > 0 ? 1 : 0;

function stateOf({ tests, leftOut }: Tied): 'tied' | 'left out' | 'open' {
  if (tests.length > 0) return 'tied';
  return leftOut === undefined ? 'open' : 'left out';
}

function print(row: Tied): void {
  console.log(`${row.id.padEnd(4)} ${row.what}`);
  for (const { file, title } of row.tests) console.log(`       ${file}: ${title.slice(0, 90)}`);
  if (row.guards.length > 0) console.log(`       turned red by: ${row.guards.join(', ')}`);
  if (stateOf(row) === 'left out') console.log(`       left out: ${row.leftOut}`);
  if (stateOf(row) === 'open') console.log('       OPEN: no test');
}
