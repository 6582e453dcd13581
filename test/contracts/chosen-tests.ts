/** The tests of a contract: all of them, or those alone that are chosen by their titles. */
import { it as always, type TestAPI } from 'vitest';

/** undefined: all. */
let chosen: Set<string> | undefined;

/** Declares tests with `it` of this file; a title that none of them has is an error. */
export function choosing(titles: readonly string[] | undefined, declare: () => void): void {
  chosen = titles && new Set(titles);
  declare();
  const missing = [...(chosen ?? [])];
  chosen = undefined;
  if (missing.length > 0) throw new Error(`The contract has no test called “${missing.join('”, “')}”.`);
}

const isChosen = (title: string) => chosen === undefined || chosen.delete(title);

const one = (title: string, body: () => void | Promise<void>): void => {
  if (isChosen(title)) always(title, body);
};
const each = (cases: readonly unknown[]) => (title: string, body: (...args: unknown[]) => Promise<void>) => {
  if (isChosen(title)) always.each(cases)(title, body);
};

export const it: typeof one & Pick<TestAPI, 'each'> = Object.assign(one, { each: each as TestAPI['each'] });
