/** Whatever stands in a cell, a header or an answer: no report and no terminal does anything but show it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import { printable, visibleText } from '../../../src/domain/text/printable.ts';
import { unescapeFormulas } from '../../../src/files/escape-text.ts';
import { unescaped } from '../../../src/files/xlsx/read-cells.ts';
import { aPayoutIn, aReason, OVER_LIMIT } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, aRowPerState, HEADERS } from '../../builders/report-rows.ts';
import { PAYLOADS } from './payloads.ts';
import { bytes, folder, partsOf, report, text } from './written.ts';

/** A row in each state in turn; every text of it that comes from outside is the same. */
function rowsOf(texts: readonly string[]) {
  return texts.map((evil, at) =>
    aRow(
      aPayoutIn(STATUSES[at % STATUSES.length] ?? 'held', {
        rowNumber: at + 2,
        id: `p${at}`,
        state: {
          serviceStatus: evil,
          by: evil,
          ...(STATUSES[at % STATUSES.length] === 'failed' ? { reason: evil } : {}),
          reasons: [aReason(OVER_LIMIT, evil)],
        },
        instruction: { reference: evil, name: evil, institutionName: evil, note: evil },
      }),
      { cells: { 0: evil, 4: evil, 7: evil } },
    ),
  );
}

function headerOf(evil: string) {
  const file = { ...aBatch().file, name: evil, sheet: evil, headers: [...HEADERS.slice(0, 7), evil] };
  return aHeader({ batch: aBatch({ name: evil, maker: evil, file }) });
}

const TAME = PAYLOADS.map((_, at) => `Ama ${at}`);
/** Controls but line break and tab, and what turns direction. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/;

it('there are enough kinds of harm to speak of', () => {
  expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(80);
});

describe('a CSV report', () => {
  it('[F29] starts no formula on any line of any cell, and the text is still there', async () => {
    await report('evil.csv', rowsOf(PAYLOADS), { header: headerOf("=cmd|' /C calc'!A0") });
    const records: string[][] = parse(bytes('evil.csv'), { bom: true });
    const skipped = /^[\s\u200b-\u200d\u2060\ufeff]*/;
    for (const cell of records.flat()) {
      if (cell.startsWith("'") || /^[+-]?\d+([.,]\d+)*$/.test(cell)) continue;
      for (const line of cell.split(/[\r\n]/)) {
        expect(line.replace(skipped, ''), JSON.stringify(cell)).not.toMatch(/^[=+\-@＝＋－＠\u2212]/);
      }
    }
    const seen = records.slice(1).map((record) => unescapeFormulas(record[7] ?? ''));
    const plain = records.slice(1).map((record) => record[7] ?? '');
    for (const [at, payload] of PAYLOADS.entries()) {
      const wanted = visibleText(payload.toWellFormed());
      expect([seen[at], plain[at]], payload).toContain(wanted);
    }
  });

  it('starts no formula for a program that splits its lines elsewhere: in a cell, in a header, at a line’s beginning', async () => {
    const rows = [aRow(aPayoutIn('settled'), { cells: { 0: '-5', 1: '2+A1', 5: '-12.50', 7: 'ok;=1+1;y' } })];
    await report('split.csv', rows, { header: headerOf('Team;=1+1') });
    const [head = '', line = ''] = text('split.csv').split('\n');
    expect(head).toContain(",Team;'=1+1,");
    expect(line).toMatch(/^'-5,2\+A1,/);
    expect(line).toContain(",ok;'=1+1;y,");
    expect(line).toContain(',-12.50,');
  });

  it('holds nothing that a terminal obeys', async () => {
    await report('shown.csv', rowsOf(PAYLOADS), { header: headerOf('\u001b]0;title\u0007') });
    expect(text('shown.csv')).not.toMatch(OBEYED);
  });
});

describe('a JSON report', () => {
  it('gives every text back exactly, and holds nothing that a terminal, a page or a script obeys', async () => {
    for (const evil of ['</script>', '\u001b]52;c;AA\u0007\u009b2J\u202e']) {
      await report('evil.json', rowsOf(PAYLOADS), { header: headerOf(evil) });
      const written = text('evil.json');
      expect(written).not.toMatch(OBEYED);
      expect(written).not.toMatch(/[<>&]/);
      const { rows } = JSON.parse(written) as { rows: { original: Record<string, string> }[] };
      expect(rows.map(({ original }) => original['Ref'])).toEqual(PAYLOADS);
      expect(rows.map(({ original }) => original[evil])).toEqual(PAYLOADS);
    }
  });
});

describe('the workbook', () => {
  it('[F29] has exactly the formulas of one whose texts are tame: none comes from data', async () => {
    await report('tame.xlsx', rowsOf(TAME), { header: headerOf('May payroll') });
    const tame = await formulasIn('tame.xlsx');
    expect(tame.length).toBeGreaterThan(50);
    for (const [at, evil] of ["=cmd|' /C calc'!A0", ']]><f>1+1</f>', '\u001b[2J&"<'].entries()) {
      await report(`evil-${at}.xlsx`, rowsOf(PAYLOADS), { header: headerOf(evil) });
      expect(await formulasIn(`evil-${at}.xlsx`)).toEqual(tame);
    }
  });

  it('[F29] is made of parts that say nothing but sheets and styles: no link, no connection, no macro', async () => {
    await report('parts.xlsx', rowsOf(PAYLOADS), { header: headerOf('=1+1') });
    const names = (await partsOf('parts.xlsx')).map(({ name }) => name.replace(/^\//, ''));
    const known =
      /^(\[Content_Types\]\.xml|_rels\/\.rels|docProps\/(app|core)\.xml|xl\/(workbook|styles|theme\/theme1|worksheets\/sheet\d+)\.xml|xl\/_rels\/workbook\.xml\.rels)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect((await partsOf('parts.xlsx')).filter(({ xml }) => /TargetMode|<hyperlink/.test(xml))).toEqual([]);
  });

  it('shows every text as what it is, controls and look-alikes of escapes by name', async () => {
    await report('texts.xlsx', rowsOf(PAYLOADS));
    const parts = await partsOf('texts.xlsx');
    const xml = parts.find((part) => part.xml.includes('>File: Team<'))?.xml ?? '';
    const seen = PAYLOADS.map((_, at) => unescaped(textAt(xml, `AJ${at + 2}`)));
    // An XML reader gives a line break for each kind of line end.
    const wanted = PAYLOADS.map((payload) => visibleText(payload.toWellFormed()));
    expect(seen).toEqual(wanted);
    expect(parts.map((part) => part.xml).join()).not.toMatch(OBEYED);
  });

  const isSoak = process.env['SOAK'] === '1' && hasOffice();
  it.runIf(isSoak)(
    '[F29] calculated anew by an office program has no formula that came from data',
    { timeout: 180_000 },
    async () => {
      await report('office-tame.xlsx', rowsOf(TAME), { header: headerOf('May payroll') });
      await report('office-evil.xlsx', rowsOf(PAYLOADS), { header: headerOf('=1+1') });
      await report('office-evil.csv', rowsOf(PAYLOADS), { header: headerOf('=1+1') });
      const formulas = (name: string) =>
        [...flatOf(name).matchAll(/table:formula="([^"]*)"/g)].map((found) => found[1]);
      expect(formulas('office-evil.xlsx')).toEqual(formulas('office-tame.xlsx'));
      expect(formulas('office-evil.csv')).toEqual([]);
    },
  );

  it.runIf(isSoak)(
    '[E16] calculated anew by an office program ties in every check, to the same numbers',
    { timeout: 180_000 },
    async () => {
      await report('office-ties.xlsx', aRowPerState());
      const cells = [
        ...flatOf('office-ties.xlsx').matchAll(
          /<table:table-cell[^>]*table:formula=[^>]*>\s*<text:p>([^<]*)</g,
        ),
      ].map((found) => found[1] ?? '');
      expect(cells.filter((cell) => /^(Err|#|differs)/.test(cell))).toEqual([]);
      expect(cells.filter((cell) => cell === 'ties').length).toBeGreaterThanOrEqual(12);
      for (const number of ['13,200.00', '470.64', '392.20', '15.499871']) expect(cells).toContain(number);
    },
  );
});

describe('a terminal', () => {
  const said = (how: 'print' | 'result' | 'talk' | 'line', json = false) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = createTerminal({ stdout, stderr, env: {}, json, quiet: false, color: true });
    if (json) terminal.answer({ rows: PAYLOADS });
    else for (const payload of PAYLOADS) terminal[how](payload);
    return [stdout, stderr].map((stream) => String(stream.read() ?? '')).join('');
  };

  it.each(['print', 'result', 'talk', 'line'] as const)(
    'obeys nothing that is said with %s, whether or not it was made printable before',
    (how) => {
      // The one thing that the line of progress writes itself: back to the first column, and clear.
      const text = said(how).replaceAll('\r\u001b[2K', '');
      expect(text.replaceAll(/\u001b\[(0|1|2|31|32|33)m/g, '')).not.toMatch(OBEYED);
      expect(text).toContain('evil');
    },
  );

  it('obeys nothing in the document of --json, which still says exactly what there was', () => {
    const text = said('print', true);
    expect(text).not.toMatch(OBEYED);
    expect(JSON.parse(text)).toEqual({ schemaVersion: 1, rows: PAYLOADS });
  });

  it('gets one printable line of each text that is made printable', () => {
    for (const payload of PAYLOADS) expect(printable(payload)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** What an XML reader finds in a cell; exceljs reads `&amp;lt;` as `<`. */
function textAt(xml: string, address: string): string {
  const written = new RegExp(`<c r="${address}"[^>]*>(?:<v>|<is><r><t[^>]*>)([^<]*)<`).exec(xml)?.[1] ?? '';
  return written.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

async function formulasIn(name: string): Promise<string[]> {
  const parts = await partsOf(name);
  const sheets = parts
    .filter((part) => part.name.includes('worksheets/'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return sheets.flatMap(({ xml }) =>
    [...xml.matchAll(/<f[\s>][^<]*<\/f>|<f\/>|<formula>[^<]*<\/formula>/g)].map(([f]) => f),
  );
}

function hasOffice(): boolean {
  return spawnSync('soffice', ['--version'], { timeout: 20_000 }).status === 0;
}

/** So that results are not taken from the file: an office program trusts them unless told otherwise. */
const ALWAYS_CALCULATE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`;

function flatOf(name: string): string {
  const profile = pathToFileURL(join(folder, 'office')).href;
  mkdirSync(join(folder, 'office/user'), { recursive: true });
  const settings = join(folder, 'office/user/registrymodifications.xcu');
  if (!existsSync(settings)) writeFileSync(settings, ALWAYS_CALCULATE);
  const words = [
    `-env:UserInstallation=${profile}`,
    '--headless',
    '--convert-to',
    'fods',
    '--outdir',
    folder,
  ];
  execFileSync('soffice', [...words, join(folder, name)], { stdio: 'ignore', timeout: 120_000 });
  return readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8');
}
