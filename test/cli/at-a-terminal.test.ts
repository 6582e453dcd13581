/** What a person sees in a terminal of a certain width: nothing broken inside a word, a number or a command. */
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { examplesOf, mainHelp } from '../../src/cli/parse/help.ts';
import { parseWords } from '../../src/cli/parse/program.ts';
import { createProgress } from '../../src/cli/terminal/progress-line.ts';
import { tableOrBlocks, tableWithProse, wrapMessage, wrapText } from '../../src/cli/terminal/table.ts';
import { createTerminal, inPlainMarks, wantsPlainMarks } from '../../src/cli/terminal/terminal.ts';
import { batchOutcome, NO_ALARMS } from '../../src/domain/batches/batch.ts';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { LineCounter } from '../../src/domain/reporting/control-totals.ts';
import { differsText, outcomeBlocks, totalsBlocks } from '../../src/operations/outcome-blocks.ts';
import { drawn } from '../builders/drawn.ts';
import { anInstruction, aPayoutIn } from '../builders/payouts.ts';
import { aLine, aRowPerState } from '../builders/report-rows.ts';

function screen(columns: number | undefined, env: Record<string, string> = {}) {
  let text = '';
  const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
    text += String(chunk);
    done();
  };
  const size = columns === undefined ? {} : { isTTY: true, columns };
  const [stdout, stderr] = [new Writable({ write }), new Writable({ write })].map((stream) =>
    Object.assign(stream, size),
  );
  if (stdout === undefined || stderr === undefined) throw new TypeError('two streams were made');
  const terminal = createTerminal({ stdout, stderr, env, json: false, quiet: false, color: false });
  return { terminal, text: () => text };
}

const RELEASE = "payfile release 'payroll of may; 2026' 5 --reason TEXT --sandbox";
const CANCEL = "payfile cancel 'payroll of may; 2026' 5 --reason TEXT --sandbox";
const STEP = `Compare the two names; if they are one person: ${RELEASE}; otherwise: ${CANCEL}`;

describe('a notice', () => {
  it('is broken between words on a terminal, and left whole in a pipe', () => {
    const sentence =
      'Ledger: /var/lib/payfile/ledger.db, live, of https://pay.example.com, 12 batches of many rows each';
    const [narrow, pipe] = [screen(60), screen(undefined)];
    for (const { terminal } of [narrow, pipe]) terminal.talk(sentence);
    expect(narrow.text().split('\n')).toEqual([
      'Ledger: /var/lib/payfile/ledger.db, live, of',
      '  https://pay.example.com, 12 batches of many rows each',
      '',
    ]);
    expect(pipe.text()).toBe(`${sentence}\n`);
  });

  it('has each command to type on a line of its own, whole, however narrow the terminal', () => {
    expect(wrapText(STEP, 50, '  ')).toEqual([
      'Compare the two names; if they are one person:',
      `  ${RELEASE}`,
      'otherwise:',
      `  ${CANCEL}`,
    ]);
    expect(wrapMessage('Then: payfile approve payroll-2026-05 --digest DIGEST', 40)).toBe(
      'Then:\n  payfile approve payroll-2026-05 --digest DIGEST',
    );
    expect(wrapMessage('Next: payfile approve may', 40)).toBe('Next: payfile approve may');
  });

  it('keeps its indentation, and leaves tables and JSON as they were laid out', () => {
    expect(wrapMessage('    Set these variables, or write them down', 24)).toBe(
      '    Set these variables,\n      or write them down',
    );
    for (const line of ['GHS   1,234,567.50   12,345,678.90', '  "message": "a long text of the service"'])
      expect(wrapMessage(line, 20)).toBe(line);
  });

  it('counts letters, not accents and colours', () => {
    const painted = '\u001b[31mLIVE — réal\u001b[0m moneý';
    expect(wrapMessage(painted, 17)).toBe(painted);
  });
});

describe('the sums of a batch', () => {
  const counter = new LineCounter();
  for (const row of aRowPerState()) counter.add(aLine(row));
  const totals = counter.result([]);

  it('stand below each other where their table is wider than the terminal', () => {
    const wide = drawn(totalsBlocks(totals));
    expect(Math.max(...wide.slice(0, 2).map(({ length }) => length))).toBeGreaterThan(80);
    const narrow = drawn(totalsBlocks(totals), { columns: 80 });
    expect(narrow[0]).toBe('GHS');
    for (const amount of wide[1]?.match(/\d[\d,]*\.\d\d/g) ?? ['none']) {
      expect(narrow.filter((line) => line.endsWith(` ${amount}`)).length).toBeGreaterThan(0);
    }
    expect(narrow.slice(0, -1).every((line) => line.length <= 80)).toBe(true);
  });

  it('never let a row that was paid in part pass as one that is simply settled', () => {
    const counts = { ...Object.fromEntries(STATUSES.map((status) => [status, 0])), settled: 2 };
    const printed = drawn(
      outcomeBlocks({
        title: 'Batch may',
        environment: 'live',
        outcome: batchOutcome(counts as Parameters<typeof batchOutcome>[0], { ...NO_ALARMS, differing: 1 }),
        totals: { ...totals, counts: counts as typeof totals.counts, differing: 1 },
        attention: [{ row: 25, status: 'settled', differs: true, reason: 'Half of it.', steps: [] }],
        attentionLeft: 0,
        discrepant: [{ rowNumber: 25 }],
      }),
      { columns: 80 },
    ).join('\n');
    expect(printed).toMatch(/^! Batch may: 2 payments: 2 settled; 1 differs from what was asked\./);
    expect(printed).toContain('! 1 settled row differs from what was asked: see row 25');
    expect(printed).toContain('Row 25 ! Settled, differs. Half of it.');
    expect(printed).not.toContain('✔');
  });

  it('count all rows that differ, and name the first', () => {
    const counts = { ...Object.fromEntries(STATUSES.map((status) => [status, 0])), settled: 30, accepted: 1 };
    const about = { ...totals, counts: counts as typeof totals.counts, differing: 30 };
    const discrepant = [{ rowNumber: 7 }, { rowNumber: 2 }];
    expect(differsText({ totals: about, discrepant })).toBe(
      '30 rows differ from what was asked; the first are rows 7, 2',
    );
    expect(differsText({ totals: about })).toBe('30 rows differ from what was asked: see the report');
    expect(differsText({ totals: { ...about, differing: 2 }, discrepant })).toBe(
      '2 rows differ from what was asked: see rows 7, 2',
    );
    expect(differsText({ totals: { ...about, differing: 0 } })).toBeUndefined();
  });

  it.each(['failed', 'returned'])('call no row settled that is %s and no longer called so', (status) => {
    const counts = { ...Object.fromEntries(STATUSES.map((each) => [each, 0])), settled: 1, [status]: 1 };
    const about = { ...totals, counts: counts as typeof totals.counts, differing: 1 };
    expect(differsText({ totals: about, discrepant: [{ rowNumber: 7 }] })).toBe(
      '1 row differs from what was asked: see row 7',
    );
  });
});

describe('a table that is too wide', () => {
  const columns = [{ title: 'Batch' }, { title: 'Rows', right: true }, { title: 'What became of them' }];
  const rows = [['payroll-2026-05', '24', '22 settled, 1 failed, 1 in doubt and nothing else']];

  it('has its prose below the row, or its cells below each other', () => {
    expect(tableWithProse(columns, rows, 30)).toEqual([
      'Batch            Rows',
      'payroll-2026-05    24',
      '    22 settled, 1 failed, 1 in',
      '    doubt and nothing else',
    ]);
    expect(tableOrBlocks(columns, [['GHS', '24', '1,234.50 + EUR 9.00']], 30)).toEqual([
      'GHS',
      '  Rows                 24',
      '  What became of them  1,234.50 + EUR 9.00',
    ]);
  });

  it('is a table where there is no terminal', () => {
    expect(tableWithProse(columns, rows, Number.POSITIVE_INFINITY)).toHaveLength(2);
  });
});

describe('the progress line', () => {
  it('says first how rows stand, and shows an amount whole or not at all', () => {
    const shown = (columns: number) => {
      const { terminal, text } = screen(columns);
      const { tell } = createProgress(terminal);
      tell({ kind: 'stage', stage: 'settle', batchId: undefined, total: 9 });
      const money = [
        { minor: 123_456_750n, currency: 'GHS' },
        { minor: 98_765_400n, currency: 'KES' },
      ] as const;
      const real = performance.now.bind(performance);
      for (const [at, amount] of money.entries()) {
        performance.now = () => real() + (at + 1) * 1_000;
        const payout = aPayoutIn('settled', { instruction: anInstruction({ amount: amount as never }) });
        tell({ kind: 'moved', from: 'accepted', payout });
      }
      performance.now = real;
      return text().split('\u001b[2K').at(-1);
    };
    expect(shown(100)).toBe('Settling  2 of 9  2 settled  GHS 1,234,567.50, KES 987,654.00');
    expect(shown(60)).toBe('Settling  2 of 9  2 settled  GHS 1,234,567.50 + 1 more');
    expect(shown(40)).toBe('Settling  2 of 9  2 settled');
  });

  it('says nothing of a stage that has no rows', () => {
    const { terminal, text } = screen(undefined);
    const { tell, clear } = createProgress(terminal);
    tell({ kind: 'stage', stage: 'send', batchId: undefined, total: 0 });
    tell({ kind: 'elsewhere', outcomes: new Map() });
    clear();
    expect(text()).not.toContain('Sending');
  });

  const settled = (rows: number, of: number) => {
    const { terminal, text } = screen(undefined);
    const { tell, clear } = createProgress(terminal);
    tell({ kind: 'stage', stage: 'settle', batchId: undefined, total: of });
    const payout = aPayoutIn('settled');
    for (let row = 0; row < rows; row += 1) tell({ kind: 'moved', from: 'accepted', payout });
    clear();
    return text().split('\n').length - 1;
  };

  it('is one line for a stage of a short file, and one every ten per cent for a long one, without a terminal', () => {
    expect([settled(999, 999), settled(400, 999), settled(0, 999)]).toEqual([1, 1, 0]);
    expect([settled(1_000, 1_000), settled(450, 1_000), settled(500, 1_000)]).toEqual([10, 5, 5]);
  });

  it('is said again after a minute of a short file', () => {
    const { terminal, text } = screen(undefined);
    const { tell } = createProgress(terminal);
    tell({ kind: 'stage', stage: 'settle', batchId: undefined, total: 9 });
    const real = performance.now.bind(performance);
    for (const minutes of [0.5, 1.1, 1.5, 2.2]) {
      performance.now = () => real() + minutes * 60_000;
      tell({ kind: 'moved', from: 'accepted', payout: aPayoutIn('settled') });
    }
    performance.now = real;
    expect(text().match(/\d of 9/g)).toEqual(['2 of 9', '4 of 9']);
  });

  it('says once a stage what is waited for', () => {
    const { terminal, text } = screen(undefined);
    const { tell } = createProgress(terminal);
    for (const stage of ['send', 'settle'] as const) {
      tell({ kind: 'stage', stage, batchId: undefined, total: 9 });
      for (let times = 0; times < 3; times += 1)
        tell({ kind: 'waiting', reason: 'a payment is in doubt', delayMs: undefined });
    }
    expect(text()).toBe('Waiting: a payment is in doubt\n'.repeat(2));
  });

  it('names the row of the first doubts', () => {
    const { terminal, text } = screen(undefined);
    const { tell } = createProgress(terminal);
    const payout = { ...aPayoutIn('in_doubt'), rowNumber: 14 };
    tell({ kind: 'moved', from: 'sending', payout });
    expect(text()).toMatch(/^Warning: row 14 is in doubt\. \S.*\.\n$/);
  });
});

describe('marks', () => {
  it.each([
    [{}, false],
    [{ LANG: '' }, false],
    [{ LANG: 'en_GB.UTF-8' }, false],
    [{ LANG: 'C.utf8' }, false],
    [{ LANG: 'C' }, true],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, true],
    [{ LANG: 'C', LC_CTYPE: 'en_GB.UTF-8' }, false],
    [{ LANG: 'en_GB.ISO-8859-1' }, true],
  ])('are ASCII where a locale says that it cannot show ours: %o → %s', (env, isPlain) => {
    expect(wantsPlainMarks(env, false)).toBe(isPlain);
  });

  it('are ASCII on a terminal that calls itself dumb, and only there', () => {
    expect([true, false].map((isTerminal) => wantsPlainMarks({ TERM: 'dumb' }, isTerminal))).toEqual([
      true,
      false,
    ]);
  });

  it('are changed, and names of people are not', () => {
    const { terminal, text } = screen(80, { LANG: 'C' });
    terminal.print('✔ Row 5 → “Kofí Ñandú” – ••••4576 …');
    expect(text()).toBe('[ok] Row 5 -> "Kofí Ñandú" - ****4576 ...\n');
    expect(inPlainMarks('naïve')).toBe('naïve');
  });
});

it.each([[[]], [['--help']], [['help']], [['--sandbox']]])(
  '%j shows the help on one screen',
  async (words) => {
    const parsed = await parseWords(words, '1.0.0');
    const lines = parsed.kind === 'help' ? parsed.text.split('\n') : [];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThanOrEqual(40 + 1);
  },
);

it('has help of a command that fits its width', async () => {
  const parsed = await parseWords(['reconcile', '--help'], '1.0.0', 80);
  const lines = parsed.kind === 'help' ? parsed.text.split('\n') : [];
  expect(lines.filter((line) => line.length > 80 && !line.startsWith('    payfile '))).toEqual([]);
  expect(lines).toContain('Examples:');
});

it.each(['run', 'report', 'reconcile', 'plan', 'demo', 'status'])(
  'knows the examples of %s',
  async (name) => {
    const text = [mainHelp(), examplesOf(name) ?? ''].join('\n');
    const typed = [
      ...text.matchAll(/^ +(?:[A-Z]\w+ +)?(payfile (?!help|completion)[a-z]+\b.*?)(?: {2,}.*)?$/gm),
    ].map(([, each = '']) => each);
    expect(typed.length).toBeGreaterThan(1);
    for (const each of typed)
      expect(await parseWords(each.split(' ').slice(1), '1')).toMatchObject({ kind: 'call' });
  },
);

it('refuses a second -o, because the first would not be written', async () => {
  await expect(parseWords(['report', 'may', '-o', 'may.csv', '-o', 'x.json'], '1.0.0')).rejects.toThrow(
    '--output has two values. Give one.',
  );
});
