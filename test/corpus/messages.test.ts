/** Every message about a file reads as one payroll officer would tell it to another. */
import { beforeAll, describe, expect, it } from 'vitest';
import { expectations } from './expectation.ts';
import { messageOf, readFromCorpus, type WholeReading } from './read-corpus.ts';

const JARGON =
  /\b(?:undefined|null|NaN|boolean|regex|parse[rd]?|parsing|token|enum|stack|exception|Error:|payload|schema|malformed|deserial|buffer|ENOENT)\b/;
const ADVICE =
  /\b(?:save|say|name|write|give|fill|take|correct|check|type|format|show|copy|mend|round|export|unpack|leave|open|run|ask|did you mean|see|choose|close|double|look|unmerge|shorten|put|split|perhaps|delete|let)\b/i;

const readings: { readonly file: string; readonly reading: WholeReading }[] = [];
beforeAll(async () => {
  for (const each of expectations()) readings.push({ file: each.file, reading: await readFromCorpus(each) });
});

const issues = () =>
  readings.flatMap(({ file, reading }) =>
    reading.rows.flatMap((row) =>
      row.kind === 'invalid' ? row.issues.map((issue) => ({ file, issue })) : [],
    ),
  );

describe('an issue of a row', () => {
  it('names its column by header and letter, what was seen, what was expected, and what to do', () => {
    const lacking = issues().filter(
      ({ issue }) =>
        issue.expected === '' ||
        issue.columnLetter === undefined ||
        issue.column === undefined ||
        !ADVICE.test(issue.suggestion ?? ''),
    );
    expect(lacking.map(({ file, issue }) => `${file}: ${issue.kind}: ${messageOf(issue)}`)).toEqual([]);
    expect(new Set(issues().map(({ issue }) => issue.kind)).size).toBeGreaterThanOrEqual(45);
  });

  it('is plain words, short enough to read, and shows no whole account', () => {
    const bad = issues()
      .filter(({ issue }) => issue.field !== 'phone')
      .map(({ file, issue }) => `${file}: ${messageOf(issue)}`)
      .filter((text) => text.length > 420 || /\d{9,}/.test(text.replace(/\d+ with a decimal/g, '')));
    expect(bad.filter((text) => !text.includes('at most 15 digits'))).toEqual([]);
  });

  it('has no word of programmers in it', () => {
    // What stands in the cell is the user's own: an amount may say NaN.
    const own = issues().map(({ file, issue }) => `${file}: ${issue.expected} ${issue.suggestion ?? ''}`);
    expect(own.filter((text) => JARGON.test(text))).toEqual([]);
  });
});

describe('a refusal of a file', () => {
  it('names the file or sheet, says what to do, and has no word of programmers in it', () => {
    const refusals = readings.flatMap(({ file, reading }) =>
      reading.seen.filter(({ what }) => what === 'refused').map(({ message }) => ({ file, message })),
    );
    expect(refusals.length).toBeGreaterThan(40);
    const bad = refusals.filter(
      ({ file, message }) =>
        !(message.includes(file) || /^In the (?:file|sheet)/.test(message)) ||
        JARGON.test(message) ||
        !(ADVICE.test(message.replace(file, '')) || message.includes('nothing to pay')),
    );
    expect(bad).toEqual([]);
  });
});
