/** Ends the processes of each test, also when it failed. Ends all other processes after the file. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { endChildren, runningChildren, watchChildren } from './builders/child-processes.ts';

const WATCHED = Symbol.for('payfile.tests.watchChildren');

// One worker runs this for each of its files.
if (!(WATCHED in globalThis)) {
  Object.assign(globalThis, { [WATCHED]: true });
  watchChildren();
}

// These hooks are registered first, so `afterEach` and `afterAll` run after those of the file.
let before: ReadonlySet<unknown> = new Set();
beforeEach(() => {
  before = new Set(runningChildren());
});
afterEach(() => endChildren(runningChildren().filter((child) => !before.has(child))));
afterAll(() => endChildren(runningChildren()));
