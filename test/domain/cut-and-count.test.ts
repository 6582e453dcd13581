/** Texts that are cut, counted and shown: one way for all of them. */

import { expect, it } from 'vitest';
import { plainPath, shellWord } from '../../src/domain/next-steps/command.ts';
import {
  counted,
  countText,
  cutText,
  jsonText,
  printable,
  rowsText,
  visibleText,
} from '../../src/domain/text/printable.ts';

it('says one of a thing in the singular, and none or several in the plural', () => {
  expect([0, 1, 2, 1_250].map(rowsText)).toEqual(['0 rows', '1 row', '2 rows', '1,250 rows']);
  expect([1, 2].map((count) => counted(count, 'row was', 'rows were'))).toEqual(['1 row was', '2 rows were']);
  expect(countText(1_000_000)).toBe('1,000,000');
});

it.each([
  ['Ama Mensah', 10, 'Ama Mensah'],
  ['Ama Mensah', 9, 'Ama Mens…'],
  ['Ama Mensah', 5, 'Ama…'],
  ['😀😀😀', 3, '😀😀😀'],
  ['😀😀😀', 2, '😀…'],
  ['😀'.repeat(50_000), 2, '😀…'],
  ['', 5, ''],
])('cuts “%.12s” to %i letters and no letter in two', (text, most, expected) => {
  expect(cutText(text, most)).toBe(expected);
});

it('lets nothing through that a terminal obeys, whichever way text is made harmless', () => {
  const obeyed = ['\u0000', '\u001b', '\r', '\u007f', '\u009b', '\u2028', '\u202e', '\u2066', '\ufff9'];
  for (const sign of obeyed) {
    for (const harmless of [printable, visibleText, (text: string) => jsonText(text)])
      expect(harmless(`a${sign}b`), JSON.stringify(sign)).not.toContain(sign);
    expect(JSON.parse(jsonText(`a${sign}b`))).toBe(`a${sign}b`);
  }
  expect(visibleText('two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
  expect(jsonText({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
});

it('writes words so that a shell gives exactly them, and no path that looks like a flag', () => {
  expect(['may.csv', 'my file.csv', "Ama's.csv"].map(shellWord)).toEqual([
    'may.csv',
    "'my file.csv'",
    "'Ama'\\''s.csv'",
  ]);
  expect(['-x.csv', '-', '/in/may.csv'].map(plainPath)).toEqual(['./-x.csv', '-', '/in/may.csv']);
});
