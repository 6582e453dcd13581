/** Every edge of what the envelope takes for an integer, a decimal and an identifier. */
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/contract/exact-json.ts';
import {
  DecimalText,
  Envelope,
  IdText,
  IntegerText,
  isFailureWord,
  isSuccessWord,
} from '../../src/contract/wire.ts';

const said = (result: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message;

describe('a decimal', () => {
  it.each([
    '0',
    '-1',
    '1.5',
    '1e5',
    '1E5',
    '1e-5',
    '1e+05',
    '12',
    '9'.repeat(30),
    `0.${'9'.repeat(30)}`,
    `${'9'.repeat(30)}.${'9'.repeat(30)}e99`,
  ])('%s is taken as it stands, as number or text', (text) => {
    expect(DecimalText.parse(text)).toBe(text);
    expect(DecimalText.parse(parseExactJson(text))).toBe(text);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '+1',
    '1,5',
    'NaN',
    'x1',
    '1x',
    '1e',
    '1e100',
    '9'.repeat(31),
    `0.${'9'.repeat(31)}`,
  ])('“%s” is none', (text) => {
    expect(said(DecimalText.safeParse(text))).toBe('expected a decimal number');
  });
});

describe('an integer', () => {
  it.each(['0', '-7', '007', '9'.repeat(18)])('%s is taken as it stands', (text) => {
    expect(IntegerText.parse(text)).toBe(text);
  });

  it.each(['', '1.0', '1e3', '9'.repeat(19), ' 1', '1 ', '--1'])('“%s” is none', (text) => {
    expect(said(IntegerText.safeParse(text))).toBe('expected an integer');
  });
});

describe('an identifier', () => {
  it('has from 1 to 128 visible characters', () => {
    expect(IdText.parse('x'.repeat(128))).toBe('x'.repeat(128));
    expect(IdText.parse('!~')).toBe('!~');
    for (const text of ['', 'x'.repeat(129), 'a b'])
      expect(said(IdText.safeParse(text))).toBe('expected an identifier of 1 to 128 visible characters');
  });
});

describe('an envelope', () => {
  const whole = { status: 'Success', code: '0', message: 'fine', data: 5, fetched: 'now', extra: true };
  it('keeps all that it has', () => {
    expect(Envelope.parse(whole)).toEqual(whole);
  });

  it.each(['status', 'code'])('has no sense without %s', (member) => {
    expect(Envelope.safeParse({ ...whole, [member]: undefined }).success).toBe(false);
  });

  it.each(['status', 'message', 'code'])('has no sense with a list as %s', (member) => {
    expect(Envelope.safeParse({ ...whole, [member]: [] }).success).toBe(false);
  });
});

it('takes spaces around a word for nothing', () => {
  expect([isSuccessWord(' Success\n'), isFailureWord('\tFAILED ')]).toEqual([true, true]);
  expect([isSuccessWord('suc cess'), isFailureWord('fail')]).toEqual([false, false]);
});
