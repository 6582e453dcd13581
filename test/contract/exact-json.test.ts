/**
 * JSON of the service is read without losing or inventing anything.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactJsonError, exactJsonText, NumberText, parseExactJson } from '../../src/contract/exact-json.ts';

describe('a JSON document', () => {
  it('comes back as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const normal = JSON.stringify(JSON.parse(text));
        expect(JSON.stringify(JSON.parse(exactJsonText(parseExactJson(text))))).toBe(normal);
      }),
    );
  });

  it('[E4] keeps every digit of every number', () => {
    for (const digits of ['12345678901234567890', '0.10', '1e-7', '-0', '1.0']) {
      expect(parseExactJson(`{"n":${digits}}`)).toMatchObject({ n: new NumberText(digits) });
      expect(exactJsonText(parseExactJson(`[${digits}]`))).toBe(`[${digits}]`);
    }
  });

  it.each([
    ['two meanings for one key', '{"code":1,"code":0}'],
    ['half of it', '{"code":1'],
    ['more than one', '{}{}'],
    ['nothing', ''],
    ['a page', '<html></html>'],
    ['a comment', '{/* */}'],
    ['a number with a leading zero', '[01]'],
    ['NaN', '[NaN]'],
    ['nesting made to exhaust the stack', '['.repeat(200_000)],
    ['nesting of thirty-three', `${'['.repeat(33)}${']'.repeat(33)}`],
  ])('[E5] is refused with %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow(ExactJsonError);
  });

  it('[E5] has no power over our objects', () => {
    const parsed = parseExactJson(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(parsed)).toBeNull();
  });

  it('[H17] may begin with a byte order mark, and brackets in text are text', () => {
    expect(parseExactJson('\uFEFF{"a":"[[[[\\"{"}')).toEqual({ a: '[[[["{' });
  });
});
