/** The list of planted bugs fits the sources and the tests, and catching really works. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { textWithTitles } from '../mutation/named-mutation.ts';
import { TestBench } from '../mutation/test-bench.ts';
import { ROOT } from '../mutation/test-tree.ts';
import { tryMutation } from '../mutation/verdict.ts';
import { PLANTED_BUGS } from './all-bugs.ts';
import { MUST_CATCH } from './must-catch.ts';
import { type PlantedBug, plant } from './planted-bug.ts';

describe('the list of planted bugs', () => {
  it('fits the sources: each text is found exactly once, and what takes its place can be parsed', () => {
    expect(PLANTED_BUGS.flatMap(misfitOf)).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = PLANTED_BUGS.flatMap(({ id, caughtBy }) =>
      caughtBy
        .filter(({ test, title }) => !existsSync(join(ROOT, test)) || !textWithTitles(test).includes(title))
        .map(({ test, title }) => `${id}: ${test} “${title}”`),
    );
    expect(missing).toEqual([]);
  });

  it('gives each bug a name of its own, a sentence and a test', () => {
    const ids = PLANTED_BUGS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(PLANTED_BUGS.filter(({ bug, caughtBy }) => !bug.endsWith('.') || caughtBy.length === 0)).toEqual(
      [],
    );
  });

  it('has every bug that the suite must catch', () => {
    const planted = new Set(PLANTED_BUGS.map(({ mustCatch }) => mustCatch));
    expect(Object.keys(MUST_CATCH).filter((key) => !planted.has(key))).toEqual([]);
    expect([...planted].filter((key) => key !== undefined && !(key in MUST_CATCH))).toEqual([]);
  });
});

function misfitOf(bug: PlantedBug): string[] {
  try {
    for (const { text } of plant(bug)) parseAst(text, { lang: 'ts' });
    return [];
  } catch (error) {
    return [`${bug.id}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

describe('planting', () => {
  const bench = new TestBench();
  afterAll(() => bench.close());
  const bugOf = (id: string): PlantedBug => {
    const bug = PLANTED_BUGS.find((one) => one.id === id);
    if (bug === undefined) throw new RangeError(`There is no planted bug ${id}`);
    return bug;
  };

  it.each(['doubt-goes-back', 'retry-on-502', 'rounding'])('%s is caught', async (id) => {
    expect(await tryMutation(bugOf(id).caughtBy, plant(bugOf(id)), bench)).toMatchObject({ isCaught: true });
  });

  it('calls a bug missed when no test turns red, and when the program does not even run', async () => {
    const { caughtBy } = bugOf('doubt-goes-back');
    const file = 'src/domain/payouts/payout-machine.ts';
    const bug = { id: 'x', bug: 'x', file, caughtBy };
    const harmless = { ...bug, find: '/** For each state,', replace: '/** For every state,' };
    expect(await tryMutation(harmless.caughtBy, plant(harmless), bench)).toMatchObject({
      isCaught: false,
      how: [expect.stringContaining('stayed green')],
    });
    const broken = {
      ...bug,
      find: 'export function mayFollow(',
      replace: 'missing();\nexport function mayFollow(',
    };
    expect(await tryMutation(broken.caughtBy, plant(broken), bench)).toMatchObject({
      isCaught: false,
      how: [expect.stringContaining('could not be run')],
    });
  });
}, 120_000);
