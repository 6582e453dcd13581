/** What may be typed as a flag, and what it means. */
import { describe, expect, it } from 'vitest';
import { namePolicies } from '../../src/cli/parse/flag-values.ts';
import { parseWords, refuseSecretFlags } from '../../src/cli/parse/program.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { type Money, parseDecimal } from '../../src/domain/money/money.ts';
import { helpOn } from '../../src/domain/next-steps/command.ts';
import { isSameTotal } from '../../src/domain/plan/typed-totals.ts';
import { strongest } from '../../src/domain/reporting/exit-code.ts';

/** Inputs of `run`, as they are after parsing. */
interface Typed {
  readonly map?: ReadonlyMap<string, string>;
  readonly maxTotal?: readonly Money[];
}

function money(text: string, code: string): Money {
  const currency = parseCurrency(code);
  const parsed = currency === undefined ? undefined : parseDecimal(text, currency);
  if (parsed === undefined) throw new TypeError(`${code} ${text} is no money`);
  return parsed;
}

describe('the total that a person types', () => {
  it.each([
    ['1234.50', true],
    ['1,234.50', true],
    ['GBP 1,234.50', true],
    ['1 234.5', true],
    [' 1’234.50 ', true],
    ['1234.51', false],
    ['1234', false],
    ['123450', false],
    ['-1234.50', false],
    ['1234.50.', false],
    ['1234,50', false],
    ['12,34.50', false],
    ['1,234.500', true],
    ['KES 1234.50', false],
    ['', false],
  ])('“%s” against GBP 1,234.50: %s', (text, same) => {
    expect(isSameTotal(text, money('1234.50', 'GBP'))).toBe(same);
  });
});

describe('values of flags', () => {
  it('names the help of a command whose flag has a value that cannot be used', async () => {
    const words = ['release', 'may', '--kind', 'repeats'];
    const refused = expect.objectContaining({
      message: expect.stringMatching(/^--kind is “repeats”; expected/),
    });
    await expect(parseWords(words, '0')).rejects.toThrow(refused);
    await expect(parseWords(words, '0')).rejects.toThrow(
      expect.objectContaining({ next: helpOn('release') }),
    );
  });

  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['250ms', 250],
    ['0', 0],
  ])('--deadline %s is %d ms', async (text, expected) => {
    expect(await parseWords(['settle', 'may', '--deadline', text], '0')).toMatchObject({
      flags: { deadline: expected },
    });
  });

  it.each(['15', 'm', '-5m', '1.5h', '', '15 m'])('--deadline “%s” is refused', async (text) => {
    await expect(parseWords(['settle', 'may', `--deadline=${text}`], '0')).rejects.toThrow(/expected a time/);
  });

  it('binds a field to one header only, and says what we call what people call it', async () => {
    const typed = async (...columns: readonly string[]) => {
      const words = ['run', 'a.csv', ...columns.map((column) => `--map=${column}`)];
      return ((await parseWords(words, '0')) as { flags: Typed }).flags.map ?? [];
    };
    expect([...(await typed('account=Wallet', 'amount=Net = paid'))]).toEqual([
      ['account', 'Wallet'],
      ['amount', 'Net = paid'],
    ]);
    await expect(typed('account=Wallet', 'account=IBAN')).rejects.toThrow('names account twice.');
    await expect(typed('bank=House')).rejects.toThrow('Here “bank” is called institution.');
  });

  const ceilings = async (...sums: readonly string[]) => {
    const words = ['run', 'a.csv', ...sums.map((sum) => `--max-total=${sum}`)];
    return ((await parseWords(words, '0')) as { flags: Typed }).flags.maxTotal;
  };

  it('reads a ceiling exactly, once per currency', async () => {
    expect(await ceilings('GHS=1200.50', 'xof=9000')).toEqual([
      { currency: 'GHS', minor: 120_050n },
      { currency: 'XOF', minor: 9_000n },
    ]);
    await expect(ceilings('GHS=1200.50', 'GHS=1')).rejects.toThrow('names GHS twice.');
  });

  it.each([
    'GHS',
    'GHS=',
    'GHS=1,200',
    'GHS=1.005',
    'GHS=27.500',
    'GHS=1234.500',
    'XOF=25.000',
    'ZZZ=5',
    '=5',
    'GHS=-5',
  ])('a ceiling “%s” is refused', async (text) => {
    await expect(ceilings(text)).rejects.toThrow(/expected CURRENCY=AMOUNT/);
  });

  it('reads three decimals in a currency that has them', async () => {
    expect(await ceilings('TND=27.500')).toEqual([{ currency: 'TND', minor: 27_500n }]);
  });

  it('reads name policies in one flag or several', () => {
    const first = namePolicies('close_match=ok,no_match=hold', undefined);
    expect(namePolicies('unavailable=warn', first)).toEqual({
      close_match: 'ok',
      no_match: 'hold',
      unavailable: 'warn',
    });
    expect(() => namePolicies('close_match=maybe', undefined)).toThrow(/ok, warn or hold/);
  });
});

describe('several exit codes at once', () => {
  it.each([
    [[0, 3], 3],
    [[3, 10], 3],
    [[73, 3], 73],
    [[73, 4], 4],
    [[130, 4], 130],
    [[6, 130], 6],
    [[77, 6], 77],
    [[1, 77], 1],
    [[5, 1], 5],
    [[65, 10], 65],
    [[65, 3], 65],
    [[69, 3], 69],
    [[], 0],
  ] as const)('%j come to %d', (codes, expected) => {
    expect(strongest([...codes])).toBe(expected);
  });
});

describe('the grammar', () => {
  it('takes flags for everything before or after the command', async () => {
    for (const words of [
      ['--sandbox', 'run', 'a.csv', '--json'],
      ['run', '--json', 'a.csv', '--sandbox'],
    ]) {
      const parsed = await parseWords(words, '1.2.3');
      expect(parsed).toMatchObject({
        kind: 'call',
        command: 'run',
        args: ['a.csv'],
        flags: { sandbox: true, json: true },
      });
    }
  });

  it('collects rows behind a batch, and repeated flags', async () => {
    expect(await parseWords(['release', 'may', '3', 'GH-4', '--reason', 'seen'], '1')).toMatchObject({
      args: ['may', '3', 'GH-4'],
      flags: { reason: 'seen' },
    });
    const repeats = ['run', 'june.csv', '--batch', 'june', '--repeats', 'may'];
    await expect(parseWords([...repeats, '--repeats', 'may-redo'], '1')).rejects.toThrow(
      '--repeats has two values. Give one.',
    );
    expect(await parseWords(repeats, '1')).toMatchObject({ flags: { repeats: 'may' } });
    expect(await parseWords(['run', 'a.csv', '--report', 'a.csv', '--report', 'b.json'], '1')).toMatchObject({
      flags: { report: ['a.csv', 'b.json'] },
    });
  });

  it.each(['--password', '--password=x', '--token', '--api-key=x', '--secret'])('refuses %s', (flag) => {
    expect(() => refuseSecretFlags(['run', 'a.csv', flag])).toThrow(/PAYFILE_PASSWORD_FILE/);
  });

  it('shows help on stdout for every command', async () => {
    expect(await parseWords(['run', '--help'], '1')).toMatchObject({
      kind: 'help',
      text: expect.stringContaining('--max-total'),
    });
  });
});
