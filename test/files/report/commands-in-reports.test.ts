/** Commands are copied out of reports into a shell: whatever names stand in them, a shell reads what was meant. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerFlags } from '../../../src/domain/next-steps/answer-flags.ts';
import { command, commandText } from '../../../src/domain/next-steps/command.ts';
import { printable, visibleText } from '../../../src/domain/text/printable.ts';
import { escapeFormulas } from '../../../src/files/escape-text.ts';
import { unescaped } from '../../../src/files/xlsx/read-cells.ts';
import { aPayoutIn } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, HEADERS } from '../../builders/report-rows.ts';
import { cellOf, folder, report, sheetOf, text, workbook } from './written.ts';

interface Names {
  readonly file: string;
  readonly batch: string;
  readonly ledger: string;
  readonly header: string;
}

const PIECES = [
  ...[
    '=',
    '+',
    '-',
    '@',
    '＝',
    '\u2212',
    '$(touch pwned)',
    '`touch pwned`',
    '; touch pwned; ',
    '&& touch pwned',
  ],
  ...[' ', '  ', ',', ';', '|', ':', '^', '~', "'", '"', '\\', '!', '*', '#', '%', '&', '<b>', '_x001B_'],
  ...['\n', '\t', '\r', '\u001b[31m', '\u007f', '\u0085', '\u2028', '\u202e', '\u200e', '\u00a0', '\u200b'],
  ...['a', '1', '.csv', 'é', '名', '😀', '--yes', '-5', '-Mai', 'Gehalt'],
];
const aName = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''));
const someNames: fc.Arbitrary<Names> = fc.record({
  file: aName,
  batch: aName,
  ledger: aName.map((name) => `/pay/${name}`),
  header: aName,
});

it.each<Names>([
  { file: 'pay =$(touch pwned) =.csv', batch: '=$(touch pwned)', ledger: '/pay =1/l.db', header: 'Was =x' },
  { file: 'a -b.csv', batch: '-x', ledger: '/a,-b/l.db', header: '=Pay' },
  { file: 'may;', batch: 'june,', ledger: '/may, "', header: 'Pay:' },
  { file: 'a\nb.csv', batch: '\u001b[31mred', ledger: '/x\ny\u001b[31m/l.db', header: 'Was\ngezahlt' },
  { file: 'a\u001bb.csv', batch: 'x\ty', ledger: '/x\r\u202e', header: '\u200b%d\\n' },
  { file: 'two  blanks .csv', batch: '  ', ledger: "/it's =1/'/l.db", header: "'=Pay" },
])('names what is meant in each kind of report: %j', readsWhatIsMeant);

it('names what is meant, whatever a file, a batch, a ledger and a column are called', async () => {
  await fc.assert(fc.asyncProperty(someNames, readsWhatIsMeant), { numRuns: 3 });
}, 60_000);

it('has nothing in it that is escaped for a spreadsheet or a terminal', () => {
  const property = fc.property(someNames, ({ file, batch, ledger, header }) => {
    const again = command(
      'run',
      [file],
      [...answerFlags([{ kind: 'map', field: 'amount', headers: [header] }]), ['--batch', batch]],
    );
    const shown = commandText(again, { ledger, config: file });
    expect(escapeFormulas(`Run it again: ${shown}; else`)).toContain(` ${shown};`);
    expect(visibleText(printable(shown))).toBe(shown);
  });
  fc.assert(property, { numRuns: 3_000 });
});

async function readsWhatIsMeant(names: Names): Promise<void> {
  const shown = await commandsIn(names);
  const meant = wordsMeant(names);
  const read = new Map(
    [...new Set(Object.values(shown).flat())].map((each) => [each, wordsRead('bash', each)]),
  );
  for (const [kind, commands] of Object.entries(shown)) {
    expect(commands.length, kind).toBeGreaterThanOrEqual(2);
    for (const each of commands) expect(meant, `${kind}: ${each}`).toContainEqual(read.get(each));
  }
  for (const each of read.keys()) {
    const words = wordsRead('sh', each);
    // Of a name that ends in a line break an old shell finds nothing, and runs nothing.
    const isLost = Object.values(names).some((name) => name.endsWith('\n'));
    if (!(isLost && each.includes("$'"))) expect(meant, each).toContainEqual(words);
  }
}

const UNSAID = {
  ...{ sheet: undefined, headerRow: undefined, delimiter: undefined },
  ...{ encoding: undefined, source: undefined },
};

/** A row to correct and run again, and one to approve: between them they name everything. */
async function commandsIn(names: Names): Promise<Record<string, readonly string[]>> {
  const rows = (['invalid', 'quoted'] as const).map((status, at) =>
    aRow(aPayoutIn(status, { rowNumber: at + 2, id: `p${at + 2}` })),
  );
  const headers = HEADERS.map((each) => (each === 'Amount' ? names.header : each));
  const answers = [{ kind: 'map', field: 'amount', headers: [names.header] }] as const;
  const reading = { ...UNSAID, answers };
  const file = { ...aBatch().file, name: names.file, folder: '/pay', headers, reading };
  const header = aHeader({ batch: aBatch({ name: names.batch, file }), place: { ledger: names.ledger } });
  for (const kind of ['csv', 'json', 'xlsx', 'html']) await report(`c.${kind}`, rows, { header });
  const records: string[][] = parse(text('c.csv'), { bom: true });
  const at = (records[0] ?? []).indexOf('payfile_next_step');
  const { rows: lines } = JSON.parse(text('c.json')) as { rows: { next_step: string }[] };
  const sheet = sheetOf(await workbook('c.xlsx'), 'Payments');
  const page = text('c.html');
  const isKept = /(?:^|\})code\{[^}]*white-space:pre-wrap/m.test(page);
  return {
    csv: records.slice(1).map((record) => commandOf(record[at] ?? '')),
    json: lines.map((line) => commandOf(line.next_step)),
    xlsx: [2, 3].map((row) => commandOf(unescaped(String(cellOf(sheet, row, 'What to do').value)))),
    html: [...page.matchAll(/<code>(payfile (?:run|approve)[^<]*)<\/code>/g)].map(([, code = '']) =>
      markupRead(isKept ? code : code.replace(/[ \t\n]+/g, ' ')),
    ),
  };
}

function commandOf(said: string): string {
  return said.slice(said.indexOf(': payfile ') + 2);
}

function wordsMeant({ file, batch, ledger, header }: Names): readonly (readonly string[])[] {
  const map = ['--map', `amount=${header}`];
  const place = ['--ledger', ledger];
  const label = printable(batch);
  return [
    [
      'run',
      `/pay/${file}`,
      ...map,
      ...(/^-./.test(batch) ? [`--batch=${batch}`] : ['--batch', batch]),
      ...place,
    ],
    /^-./.test(label) ? ['approve', ...place, '--', label] : ['approve', label, ...place],
  ];
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function markupRead(markup: string): string {
  return markup.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => SIGNS[name] ?? '');
}

let places = 0;

/** The words that the program would get. Whatever else is run leaves a file. */
function wordsRead(shell: 'bash' | 'sh', command: string): readonly string[] {
  places += 1;
  const cwd = join(folder, `shell-${places}`);
  mkdirSync(cwd);
  const script = `payfile() { for word; do printf '%s\\0' "$word"; done; }\n${command}\n`;
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { cwd, encoding: 'utf8' });
  expect(readdirSync(cwd), `${shell}: ${command}`).toEqual([]);
  return stderr === '' ? stdout.split('\0').slice(0, -1) : [stderr];
}
