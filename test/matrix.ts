/**
 * The fault matrix: every fault that has to be survived has a number, such as H8, and the tests that show it carry
 * the number in their titles, as [H8]. The titles say what must happen, so there is no other list.
 *
 *   N network · H HTTP status · E envelope and meaning · T login, tokens and clocks
 *   L processes, ledger and storage · B batches and repeats · F files
 *
 * Usage:   npm run matrix [-- H8 L26]
 * Exit:    1 when a fault has no test, or a test carries a number that there is not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Faults of each kind are counted from 1. */
const LAST = { N: 28, H: 17, E: 16, T: 12, L: 39, B: 12, F: 32 } as const;

/** Numbers of what payfile does not have: a ledger on PostgreSQL (L31 to L36), folders that it watches (B8). */
const UNUSED: ReadonlySet<string> = new Set(['L31', 'L32', 'L33', 'L35', 'L36', 'B8']);

const TEST_FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** They repeat titles of tests that stand elsewhere. */
const REPEATING = /^mutation\b/;
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const TAG = /\[([A-Z]\d{1,2})\]/g;

export interface TaggedTest {
  readonly file: string;
  /** As it stands in the source. */
  readonly title: string;
  readonly faults: readonly string[];
}

export interface Matrix {
  /** For each fault, the tests that carry its number. */
  readonly faults: ReadonlyMap<string, readonly TaggedTest[]>;
  readonly withoutTest: readonly string[];
  /** Tests that carry a number that no fault has. */
  readonly strays: readonly TaggedTest[];
}

export function readMatrix(tests: readonly TaggedTest[] = taggedTests()): Matrix {
  const ids = Object.entries(LAST).flatMap(([kind, last]) =>
    Array.from({ length: last }, (_, index) => `${kind}${index + 1}`),
  );
  const used = ids.filter((id) => !UNUSED.has(id));
  const faults = new Map(used.map((id) => [id, tests.filter((test) => test.faults.includes(id))]));
  return {
    faults,
    withoutTest: used.filter((id) => faults.get(id)?.length === 0),
    strays: tests.filter((test) => test.faults.some((id) => !faults.has(id))),
  };
}

function taggedTests(): TaggedTest[] {
  const paths = readdirSync(TEST_FOLDER, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => path.endsWith('.ts') && !REPEATING.test(path)).sort();
  return files.flatMap((file) => taggedIn(file, readFileSync(join(TEST_FOLDER, file), 'utf8')));
}

export function taggedIn(file: string, source: string): TaggedTest[] {
  const titles = [...source.matchAll(LITERAL)].map(([literal]) => literal.slice(1, -1));
  return titles.flatMap((title) => {
    const faults = [...title.matchAll(TAG)].map(([, id = '']) => id);
    return faults.length === 0 ? [] : [{ file, title, faults }];
  });
}

function print({ faults, withoutTest, strays }: Matrix, wanted: readonly string[]): void {
  for (const [id, tests] of faults) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const lines = tests.map(({ file, title }) => `test/${file}: ${title}`);
    console.log(`${id.padEnd(4)} ${lines.join('\n     ') || 'NO TEST'}`);
  }
  for (const { file, title } of strays) console.log(`A number without a fault: test/${file}: ${title}`);
  console.log(`\nmatrix: ${faults.size} faults, ${withoutTest.length} without a test`);
  process.exitCode = withoutTest.length + strays.length > 0 ? 1 : 0;
}

if (import.meta.main) print(readMatrix(), process.argv.slice(2));
