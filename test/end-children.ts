/** After each test, also when it failed: no process is left that it started. After each file: none at all. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { endChildren, runningChildren, watchChildren } from './builders/child-processes.ts';

const WATCHED = Symbol.for('payfile.tests.watchChildren');

// One worker runs this for each of its files.
if (!(WATCHED in globalThis)) {
  Object.assign(globalThis, { [WATCHED]: true });
  watchChildren();
}

// These hooks are the first of each file, so that they run after its own.
let before: ReadonlySet<unknown> = new Set();
beforeEach(() => {
  before = new Set(runningChildren());
});
afterEach(() => endChildren(runningChildren().filter((child) => !before.has(child))));
afterAll(() => endChildren(runningChildren()));
