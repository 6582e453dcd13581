/**
 * Turns for work that takes memory or disk while a browser waits for it: so many pieces at once, the others wait, and
 * nobody fills the row of those that wait alone.
 */

export interface Turns {
  /** `by`: whose work it is. Errors: TooManyAtOnce, and those of the work. */
  take<Done>(by: string, work: () => Promise<Done>): Promise<Done>;
}

/** A person began too much at the same time. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce';
  readonly code = 'too_many_at_once';
  constructor() {
    super('You have begun too much at the same time. Wait until some of it is done, and try this again.');
  }
}

/** `atOnce`: in all. `each`: of one person, with what waits. */
export function createTurns({ atOnce, each }: { readonly atOnce: number; readonly each: number }): Turns {
  const begun = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const count = (by: string, more: 1 | -1) => begun.set(by, (begun.get(by) ?? 0) + more);
  return {
    async take(by, work) {
      if ((begun.get(by) ?? 0) >= each) throw new TooManyAtOnce();
      count(by, 1);
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
        count(by, -1);
      }
    },
  };
}

/** Files that arrive, and files that are made for a download. */
export function createTurnsOfConsole(): { readonly arriving: Turns; readonly making: Turns } {
  return {
    arriving: createTurns({ atOnce: 20, each: 3 }),
    // A page offers seven reports, and a person may take them all.
    making: createTurns({ atOnce: 2, each: 8 }),
  };
}
