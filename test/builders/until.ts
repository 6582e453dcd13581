/**
 * Waiting for what work in this process comes to.
 *
 * Why:     by time, not by turns of the loop: a commit on a server takes as many turns as there are meanwhile.
 */
const WAIT_MS = 60_000;

export async function turnsOfTheLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

export async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error('It never came to that');
    await turnsOfTheLoop(1);
  }
}
