/**
 * Every file of the corpus is read as a careful person reads it: row by row what is paid, every issue with its
 * field and its words, every hold and note, or the refusal. The expectations are written by hand.
 */
import { describe, expect, it } from 'vitest';
import { type Expectation, expectations, type Fact, unexplained } from './expectation.ts';
import { readFromCorpus, type Seen, type WholeReading } from './read-corpus.ts';

const ALL = expectations();

/** Everything in which files about a fault are read otherwise than expected; empty when all is well. */
async function differences(fault: string): Promise<readonly string[]> {
  const files = ALL.filter((expectation) => expectation.faults.includes(fault));
  expect(files.length, `corpus files about ${fault}`).toBeGreaterThan(0);
  const found: string[] = [];
  for (const expectation of files) {
    found.push(...compared(expectation, await readFromCorpus(expectation)));
  }
  return found;
}

function compared({ file, facts }: Expectation, { seen, fileNotes }: WholeReading): string[] {
  const left = [...seen];
  const missing = facts.filter((fact) => {
    if (fact.what === 'file-note')
      return !fileNotes.some((message) => fits(fact, { what: fact.what, message }));
    const at = left.findIndex((each) => fits(fact, each));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return [
    ...missing.map(
      ({ what, words }) => `${file}: expected ${what} ${words.map((word) => `«${word}»`).join(' ')}`,
    ),
    ...left.map(({ what, message }) => `${file}: found ${what} ${message}`),
  ];
}

const fits = (fact: Fact, { what, message }: Seen): boolean =>
  fact.what === what && fact.words.every((word) => message.includes(word));

describe('a payout file', () => {
  it.each([
    '[F1] in UTF-8 or UTF-16, with or without its mark, is read right or its encoding is asked for',
    '[F2] in an old encoding is asked about, and a garbled name is never paid',
    '[F3] with characters that nobody sees, or that look like others, pays no wrong account',
    '[F4] with accents in two normal forms means the same by both',
    '[F5] has its delimiter found, or is asked about it',
    '[F6] with a broken quote or a shifted row is refused whole, naming the line',
    '[F7] with cells or rows beyond all measure is refused',
    '[F10] that is a broken or tricky archive is refused',
    '[F11] whose XML reaches outside itself is refused, and links are not followed',
    '[F9][F12] of another kind is refused with how to save it, whatever its name',
    '[F13] with formulas pays their last results and nothing that was never calculated',
    '[F14] with accounts or phones that became numbers says which digits are missing and pays none of them',
    '[F15] with an account such as 1.2E+10 has lost its digits and says so',
    '[F16] with a number of sixteen digits is not paid from what a spreadsheet left of it',
    '[F17] with dates where text was meant says so',
    '[F18] with decimal commas or thousands is read in the one style that it proves, or asked about',
    '[F19] with an amount that is no plain number pays none of it',
    '[F20] with more decimals than the currency has is never rounded',
    '[F21] that names another currency than the institution has is not paid',
    '[F22] that repeats a row says so at the later one',
    '[F23] with merged cells among its rows pays none of these rows, and names their address',
    '[F24] with hidden rows, columns, values or sheets neither pays nor drops them in silence',
    '[F25] of any program and with any sheets is read from the one sheet that is meant',
    '[F26] with titles, blank rows, comments and totals around its rows loses none and pays none of these',
    '[F27] has its columns found by their names, or says which is missing',
    '[F28] whose own total differs from its amounts is refused with both',
    '[F29] with text that looks like a formula takes it for text',
    '[F30] with nothing to pay says so',
  ])('%s', async (what) => {
    for (const [, fault = ''] of what.matchAll(/\[(F\d+)\]/g)) expect(await differences(fault)).toEqual([]);
  });
});

describe('the corpus', () => {
  it('has an expectation for every file, and at least sixty of them', () => {
    expect(unexplained()).toEqual([]);
    expect(ALL.length).toBeGreaterThanOrEqual(60);
    expect(ALL.filter(({ faults, facts }) => faults.length === 0 || facts.length === 0)).toEqual([]);
  });
});
