/** Statements come through the same readers as payout files, known by columns of their own. */
import { describe, expect, it } from 'vitest';
import { readStatementLine } from '../../src/domain/statement/line.ts';
import { bindStatement, statementFieldOf } from '../../src/domain/statement/statement-columns.ts';
import { buildZip, workbookParts } from './build-zip.ts';
import { readBytes, refusal } from './read-file.ts';

const words = {
  named: (header: string) => statementFieldOf(header, new Map()),
  expected: 'date, amount, account',
};
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const xmlRow = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
const STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';

async function linesOf(bytes: Buffer | string) {
  const { source, rows } = await readBytes(bytes, { words });
  const bound = bindStatement(source.headers, new Map());
  if (bound.kind === 'unusable') throw new TypeError('the columns are known');
  return rows.map((row) => readStatementLine(row, bound.columns));
}

describe('a statement', () => {
  it('in French, below a title and separated by semicolons, is read by its own columns', async () => {
    const file = [
      'Relevé de compte;;;;',
      ';;;;',
      'Date de valeur;Libellé;Débit;Devise;Compte bénéficiaire',
      '20/11/2026;Virement PF-7AJF9DPF salaire;70,00;GHS;1011130990030',
      '',
    ].join('\n');
    expect(await linesOf(file)).toMatchObject([
      {
        rowNumber: 4,
        tags: ['PF-7AJF9DPF'],
        amounts: ['70'],
        currency: 'GHS',
        account: { text: '1011130990030', isMasked: false },
        dateTexts: ['20/11/2026'],
      },
    ]);
  });

  it('in a workbook gives its date cells as dates and its numbers as numbers', async () => {
    const header = xmlRow(...['Date', 'Id', 'Amount', 'Narration'].map(text));
    const line = xmlRow('<c s="1"><v>46346</v></c>', text('tr-9'), '<c><v>70.5</v></c>', text('PF-7AJF9DPF'));
    const sheets = { Movements: `<sheetData>${header}${line}</sheetData>` };
    const book = buildZip(workbookParts({ sheets, styles: STYLES }));
    expect(await linesOf(book)).toMatchObject([
      { ids: ['tr-9'], amounts: ['70.5'], tags: ['PF-7AJF9DPF'], dateTexts: ['2026-11-20'] },
    ]);
  });

  it('without any column that is known is refused, and the columns that help are named', async () => {
    expect(await refusal('Weather,Mood\nsunny,good\n', { words })).toMatch(
      /expected columns such as date, amount, account/,
    );
  });

  it('does not need the columns of a payout file, and a payout file does not become one by them', async () => {
    const file = 'Date,Amount\n2026-11-20,5.00\n';
    expect(await linesOf(file)).toHaveLength(1);
    expect(await refusal(file)).toMatch(/no column for|at least the columns/);
  });
});

describe('a statement of a bank', () => {
  it.each([
    [
      'in German, with a column for debit or credit',
      [
        'Buchungstag;Valuta;Verwendungszweck;Betrag;Währung;Soll/Haben',
        '20.11.2026;23.11.2026;PF-7AJF9DPF Gehalt;45.000,00;EUR;S',
        '25.11.2026;25.11.2026;RETOURE PF-7AJF9DPF;45.000,00;EUR;H',
      ],
    ],
  ])('%s, says which line is a payment and which came back', async (_, file) => {
    const common = { tags: ['PF-7AJF9DPF'], amounts: ['45000'], currency: 'EUR' };
    const [paid, returned] = await linesOf(`${file.join('\n')}\n`);
    expect(paid).toMatchObject({
      ...common,
      direction: 'out',
      dateTexts: ['20.11.2026', '23.11.2026'],
    });
    expect(returned).toMatchObject({ ...common, direction: 'in' });
  });
});
