/**
 * Every file of the corpus is read as a careful person reads it: row by row what is paid, every issue with its
 * field and its words, every hold and note, or the refusal. The expectations are written by hand.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORPUS, type Expectation, expectations, type Fact, unexplained } from './expectation.ts';
import { readWhole, type Seen, type WholeReading } from './read-corpus.ts';

const ALL = expectations();

/** Everything in which files about a fault are read otherwise than expected; empty when all is well. */
async function differences(fault: string): Promise<readonly string[]> {
  const files = ALL.filter((expectation) => expectation.faults.includes(fault));
  expect(files.length, `corpus files about ${fault}`).toBeGreaterThan(0);
  const found: string[] = [];
  for (const expectation of files) {
    const reading = await readWhole(join(CORPUS, expectation.file), expectation.open);
    found.push(...compared(expectation, reading));
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
  it('[F1] in UTF-8 or UTF-16, with or without its mark, is read right or its encoding is asked for', async () => {
    expect(await differences('F1')).toEqual([]);
  });
  it('[F2] in an old encoding is asked about, and a garbled name is never paid', async () => {
    expect(await differences('F2')).toEqual([]);
  });
  it('[F3] with characters that nobody sees, or that look like others, pays no wrong account', async () => {
    expect(await differences('F3')).toEqual([]);
  });
  it('[F4] with accents in two normal forms means the same by both', async () => {
    expect(await differences('F4')).toEqual([]);
  });
  it('[F5] has its delimiter found, or is asked about it', async () => {
    expect(await differences('F5')).toEqual([]);
  });
  it('[F6] with a broken quote or a shifted row is refused whole, naming the line', async () => {
    expect(await differences('F6')).toEqual([]);
  });
  it('[F7] with cells or rows beyond all measure is refused', async () => {
    expect(await differences('F7')).toEqual([]);
  });
  it('[F10] that is a broken or tricky archive is refused', async () => {
    expect(await differences('F10')).toEqual([]);
  });
  it('[F11] whose XML reaches outside itself is refused, and links are not followed', async () => {
    expect(await differences('F11')).toEqual([]);
  });
  it('[F9][F12] of another kind is refused with how to save it, whatever its name', async () => {
    expect(await differences('F9')).toEqual([]);
    expect(await differences('F12')).toEqual([]);
  });
  it('[F13] with formulas pays their last results and nothing that was never calculated', async () => {
    expect(await differences('F13')).toEqual([]);
  });
  it('[F14] with accounts or phones that became numbers says which digits are missing and pays none of them', async () => {
    expect(await differences('F14')).toEqual([]);
  });
  it('[F15] with an account such as 1.2E+10 has lost its digits and says so', async () => {
    expect(await differences('F15')).toEqual([]);
  });
  it('[F16] with a number of sixteen digits is not paid from what a spreadsheet left of it', async () => {
    expect(await differences('F16')).toEqual([]);
  });
  it('[F17] with dates where text was meant says so', async () => {
    expect(await differences('F17')).toEqual([]);
  });
  it('[F18] with decimal commas or thousands is read in the one style that it proves, or asked about', async () => {
    expect(await differences('F18')).toEqual([]);
  });
  it('[F19] with an amount that is no plain number pays none of it', async () => {
    expect(await differences('F19')).toEqual([]);
  });
  it('[F20] with more decimals than the currency has is never rounded', async () => {
    expect(await differences('F20')).toEqual([]);
  });
  it('[F21] that names another currency than the institution has is not paid', async () => {
    expect(await differences('F21')).toEqual([]);
  });
  it('[F22] that repeats a row holds the later one', async () => {
    expect(await differences('F22')).toEqual([]);
  });
  it('[F23] with merged cells among its rows pays none of these rows, and names their address', async () => {
    expect(await differences('F23')).toEqual([]);
  });
  it('[F24] with hidden rows, columns, values or sheets neither pays nor drops them in silence', async () => {
    expect(await differences('F24')).toEqual([]);
  });
  it('[F25] of any program and with any sheets is read from the one sheet that is meant', async () => {
    expect(await differences('F25')).toEqual([]);
  });
  it('[F26] with titles, blank rows, comments and totals around its rows loses none and pays none of these', async () => {
    expect(await differences('F26')).toEqual([]);
  });
  it('[F27] has its columns found by their names, or says which is missing', async () => {
    expect(await differences('F27')).toEqual([]);
  });
  it('[F28] whose own total differs from its amounts is refused with both', async () => {
    expect(await differences('F28')).toEqual([]);
  });
  it('[F29] with text that looks like a formula takes it for text', async () => {
    expect(await differences('F29')).toEqual([]);
  });
  it('[F30] with nothing to pay says so', async () => {
    expect(await differences('F30')).toEqual([]);
  });
});

describe('the corpus', () => {
  it('has an expectation for every file, and at least sixty of them', () => {
    expect(unexplained()).toEqual([]);
    expect(ALL.length).toBeGreaterThanOrEqual(60);
    expect(ALL.filter(({ faults, facts }) => faults.length === 0 || facts.length === 0)).toEqual([]);
  });
});
