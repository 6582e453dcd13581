/** Texts that are cut, counted and shown: one way for all of them. */

import { expect, it } from 'vitest';
import { plainPath, shellWord } from '../../src/domain/next-steps/command.ts';
import {
  counted,
  countText,
  cutText,
  isSeenWhole,
  jsonText,
  namedText,
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

/** Of no width, fillers, joiners among Latin letters, selectors, tags, marks of direction, of private use, and none at all. */
const UNSEEN = [
  0x200b, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200c, 0x200d, 0x200e, 0x202a, 0x202e, 0x2060,
  0x2064, 0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffc, 0xfdd0,
  0xfffe, 0xffff, 0xe000, 0xf8ff, 0x1bca0, 0x1d173, 0x1fffe, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0x10fffd,
];

it.each(UNSEEN.map((code) => code.toString(16)))(
  'shows U+%s on a page and in a terminal, and keeps it exactly in JSON',
  (code) => {
    const name = `Ama${String.fromCodePoint(Number.parseInt(code, 16))}Mensah`;
    const called = code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
    expect(printable(name)).toBe('Ama�Mensah');
    expect(visibleText(name)).toBe(`Ama${called}Mensah`);
    expect(namedText(name)).toBe(`Ama${called}Mensah`);
    expect(isSeenWhole(name)).toBe(false);
    expect(jsonText({ name })).toMatch(/^\{"name":"Ama(\\u[0-9a-f]{4}){1,2}Mensah"\}$/);
    expect(JSON.parse(jsonText({ name }))).toEqual({ name });
  },
);

it.each([
  ['a Persian word with a joiner', 'می\u200cروم'],
  ['a Sinhala word with a joiner', 'ශ්\u200dරී'],
  ['a picture of several', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a picture in colour', '\u2764\ufe0f'],
  ['accents, other alphabets and signs', 'Aïssatou Ndiaye, Ωmega, Ада, 王小明, ₵ 5 – “x” … ✔'],
])('leaves %s as it is', (_, text) => {
  expect(printable(text)).toBe(text);
  expect(visibleText(text)).toBe(text);
});
