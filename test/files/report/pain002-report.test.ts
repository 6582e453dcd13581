/** The payment status report: valid against its schema whatever the rows hold, and true about every state. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { STATUSES } from '../../../src/domain/payouts/payout.ts';
import { CurrencyCounter } from '../../../src/domain/reporting/currency-totals.ts';
import { aMixedBatch } from '../../builders/mixed-batch.ts';
import { aPayoutIn, money } from '../../builders/payouts.ts';
import { aBatch, aHeader, aRow, aRowPerState, ledgerTotalsOf } from '../../builders/report-rows.ts';
import { names, report, text } from './written.ts';

const schema = readFileSync(new URL('../../fixtures/pain002.xsd', import.meta.url), 'utf8');

async function faultsOf(...documents: readonly string[]): Promise<readonly string[]> {
  const xml = documents.map((contents, at) => ({ fileName: `${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ message }) => message);
}

const transactions = (xml: string) =>
  [...xml.matchAll(/<TxInfAndSts>(.*?)<\/TxInfAndSts>/gs)].map(([, one]) => one ?? '');
const leafOf = (xml: string, element: string) => new RegExp(`<${element}[^>]*>([^<]*)<`).exec(xml)?.[1];

it('is valid against its schema with a row in every state, with an everyday batch, and with no rows', async () => {
  await report('states.pain002.xml', aRowPerState());
  await report('mixed.xml', aMixedBatch());
  await report('none.xml', []);
  expect(await faultsOf(text('states.pain002.xml'), text('mixed.xml'), text('none.xml'))).toEqual([]);
});

it('is checked by a schema that does turn down what is wrong', async () => {
  await report('good.xml', aRowPerState());
  const good = text('good.xml');
  const wrong = [
    good.replace('<TxSts>RJCT', '<TxSts>PAID'),
    good.replace('</OrgnlEndToEndId>', `${'x'.repeat(40)}</OrgnlEndToEndId>`),
    good.replace('<CreDtTm>', '<CreDtTm>on '),
    good.replace(/<GrpHdr>.*<\/GrpHdr>/, ''),
  ];
  for (const each of wrong) expect(await faultsOf(each), each.slice(0, 300)).not.toEqual([]);
});

it('says of each state no more than is known: a doubt is pending, what came back is not paid', async () => {
  await report('codes.xml', aRowPerState());
  const told = transactions(text('codes.xml')).map((each) => [leafOf(each, 'Prtry'), leafOf(each, 'TxSts')]);
  expect(told).toEqual([
    ['invalid', 'RJCT'],
    ['planned', 'PDNG'],
    ['held', 'PDNG'],
    ['quoted', 'PDNG'],
    ['approved', 'PDNG'],
    ['sending', 'PDNG'],
    ['in_doubt', 'PDNG'],
    ['accepted', 'ACSP'],
    ['settled', 'ACSC'],
    ['failed', 'RJCT'],
    ['returned', 'RJCT'],
    ['canceled', 'RJCT'],
  ]);
  expect(told.map(([word]) => word)).toEqual(STATUSES);
});

it('finds a row again by reference, tag and transfer id, with its amount and what to look for in a doubt', async () => {
  await report('one.xml', [
    aRow(aPayoutIn('in_doubt', { rowNumber: 14 })),
    aRow(aPayoutIn('settled', { rowNumber: 15 })),
  ]);
  const [doubt = '', settled = ''] = transactions(text('one.xml'));
  expect(leafOf(doubt, 'StsId')).toBe('b-7Q2K-14');
  expect(leafOf(doubt, 'OrgnlEndToEndId')).toBe('GH-001');
  expect(leafOf(doubt, 'OrgnlInstrId')).toMatch(/^PF-/);
  expect(doubt.replace(/<\/AddtlInf><AddtlInf>/g, ' ')).toContain('search it for PF-');
  expect(leafOf(settled, 'AcctSvcrRef')).toBe('tr-9');
  expect(settled).toContain('<InstdAmt Ccy="GHS">1200.00</InstdAmt>');
  expect(text('one.xml')).not.toContain('0244123456');
});

it('takes the tag where no reference was written, and says so where there is neither', async () => {
  const instruction = { reference: undefined };
  const cells = { 0: '' };
  await report('ids.xml', [
    aRow(aPayoutIn('settled', { rowNumber: 2, instruction }), { cells }),
    aRow(aPayoutIn('held', { rowNumber: 3, instruction }), { cells }),
  ]);
  const told = transactions(text('ids.xml')).map((each) => leafOf(each, 'OrgnlEndToEndId'));
  expect(told[0]).toMatch(/^PF-/);
  expect(told[1]).toBe('NOTPROVIDED');
});

it('masks the account where the reason quotes it', async () => {
  const issue = {
    field: 'account',
    kind: 'account_length',
    column: 'Account',
    columnLetter: 'D',
    seen: '0244123456',
    expected: 'an account number',
    suggestion: undefined,
  } as const;
  await report('quoted.xml', [aRow(aPayoutIn('invalid', { state: { issues: [issue] } }))]);
  expect(text('quoted.xml')).toMatch(/saw “\S+3456”/);
  expect(text('quoted.xml')).not.toContain('0244123456');
});

it('counts rows and money per code, over all currencies, without what no row can pay', async () => {
  const amounts = ['GHS 10.50', 'XOF 1000', 'TND 1.125'].map(money);
  const rows = amounts.map((amount, at) =>
    aRow(aPayoutIn(at === 0 ? 'failed' : 'settled', { rowNumber: at + 2, instruction: { amount } })),
  );
  await report('sums.xml', [...rows, aRow(aPayoutIn('invalid', { rowNumber: 9 }))]);
  const [head = ''] = text('sums.xml').split('<TxInfAndSts>');
  expect(leafOf(head, 'OrgnlNbOfTxs')).toBe('4');
  expect(leafOf(head, 'OrgnlCtrlSum')).toBe('1011.625');
  expect(leafOf(head, 'GrpSts')).toBe('PART');
  expect(head.slice(head.indexOf('<NbOfTxsPerSts>')).trim()).toBe(
    '<NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACSC</DtldSts><DtldCtrlSum>1001.125</DtldCtrlSum></NbOfTxsPerSts>' +
      '<NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>RJCT</DtldSts><DtldCtrlSum>10.50</DtldCtrlSum></NbOfTxsPerSts>',
  );
  expect(await faultsOf(text('sums.xml'))).toEqual([]);
});

it('is not settled as a whole while a row differs, and sums what the service shows', async () => {
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber })));
  const groupOf = (name: string) => [leafOf(text(name), 'GrpSts'), leafOf(text(name), 'PmtInfSts')];
  await report('whole.xml', rows);
  expect(groupOf('whole.xml')).toEqual(['ACSC', 'ACSC']);
  await report('other-name.xml', rows, { beside: { differing: 1, moves: new CurrencyCounter() } });
  expect(groupOf('other-name.xml')).toEqual(['PART', 'PART']);
  // One shows 60.00 of 1,200.00, of the other 500.00 came back.
  const moves = new CurrencyCounter();
  const shifts = [
    { status: 'settled', minor: -164_000n },
    { status: 'returned', minor: 50_000n },
  ] as const;
  moves.addMoved(money('GHS 1.00').currency, { shifts, unaccountedMinor: 114_000n });
  await report('less.xml', rows, { beside: { differing: 0, moves } });
  expect(groupOf('less.xml')).toEqual(['PART', 'PART']);
  expect(leafOf(text('less.xml'), 'OrgnlCtrlSum')).toBe('2400.00');
  expect(
    [...text('less.xml').matchAll(/<NbOfTxsPerSts>(.*?)<\/NbOfTxsPerSts>/g)].map(([, one]) => one),
  ).toEqual([
    '<DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACSC</DtldSts><DtldCtrlSum>760.00</DtldCtrlSum>',
    '<DtldNbOfTxs>0</DtldNbOfTxs><DtldSts>RJCT</DtldSts><DtldCtrlSum>500.00</DtldCtrlSum>',
  ]);
  expect(await faultsOf(text('less.xml'))).toEqual([]);
});

it('is not written when lines and ledger part, and nothing stands under its name', async () => {
  const rows = aRowPerState();
  const torn = report('torn.xml', rows.slice(1), { ledger: ledgerTotalsOf(rows) });
  await expect(torn).rejects.toMatchObject({ code: 'report_unwritable' });
  await expect(torn).rejects.toThrow(/The ledger has 12 rows, the report 11 rows\..*Make it again/s);
  expect(names().filter((name) => name.includes('torn.xml'))).toEqual([]);
});

it('stays valid whatever people and the service wrote', async () => {
  const wild = fc.string({ unit: 'binary', minLength: 1, maxLength: 250 });
  const cases = fc.sample(fc.tuple(wild, wild, wild), { numRuns: 40, seed: 7 });
  const rows = cases.flatMap(([name, reason, word], at) => [
    aRow(
      aPayoutIn('failed', {
        rowNumber: 2 * at + 2,
        instruction: { name, reference: word },
        state: { basis: 'ruled', reason },
      }),
    ),
    aRow(
      aPayoutIn('accepted', {
        rowNumber: 2 * at + 3,
        instruction: { name },
        state: { serviceStatus: word },
      }),
    ),
  ]);
  const blank = aRow(
    aPayoutIn('settled', { rowNumber: 500, instruction: { reference: '\u2028', name: ' ' } }),
  );
  const header = aHeader({ batch: aBatch({ name: cases[0]?.[0] ?? '' }) });
  await report('wild.xml', [...rows, blank], { header });
  expect(await faultsOf(text('wild.xml'))).toEqual([]);
});
