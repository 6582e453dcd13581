/** The payment status report: valid against its schema whatever the rows hold, and true about every state. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Concern } from '../../../src/domain/payouts/concern.ts';
import { asPayoutId } from '../../../src/domain/payouts/instruction.ts';
import { type Payout, STATUSES } from '../../../src/domain/payouts/payout.ts';
import { CurrencyCounter } from '../../../src/domain/reporting/currency-totals.ts';
import type { RowIssue } from '../../../src/domain/rows/row.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
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

it('says of each state no more than is known: a doubt is pending, what came back was paid once', async () => {
  await report('codes.xml', aRowPerState());
  const told = transactions(text('codes.xml')).map((each) => leafOf(each, 'TxSts'));
  expect(STATUSES.map((status, at) => [status, told[at]])).toEqual([
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
    ['returned', 'ACSC'],
    ['canceled', 'RJCT'],
  ]);
});

describe('the reason of a row', () => {
  const issue = (field: RowIssue['field']) => ({
    ...{ field, kind: 'wrong', column: 'C', columnLetter: 'C', seen: 'x', expected: 'y' },
    suggestion: undefined,
  });
  const invalid = (...fields: readonly RowIssue['field'][]) =>
    aPayoutIn('invalid', { state: { issues: fields.map(issue) } });
  const refused = (reason: string) => aPayoutIn('failed', { state: { basis: 'refused', reason } });
  const heldFor = (...concerns: readonly Concern[]) =>
    aPayoutIn('held', { state: { reasons: concerns.map((concern) => ({ concern, text: 'Look at it.' })) } });
  const repeat: Concern = { kind: 'repeat', of: asPayoutId('p-1'), isUnknown: false };

  it.each<[code: string, what: string, payout: Payout]>([
    ['AC01', 'a wrong account', invalid('account', 'account')],
    ['AM12', 'a wrong amount', invalid('amount')],
    ['AM11', 'a wrong currency', invalid('currency')],
    ['RC01', 'a wrong institution', invalid('institution')],
    ['NARR', 'two different faults', invalid('account', 'amount')],
    ['NARR', 'a fault without a code', invalid('name')],
    ['AM04', 'no money', refused('Insufficient wallet balance')],
    ['AC04', 'a closed account', refused('The account has been closed')],
    ['AC06', 'a blocked account', refused('Beneficiary account blocked')],
    ['AC01', 'an unknown account', refused('Account number does not exist')],
    ['NARR', 'a refusal that nobody can read for certain', refused('Error 5005')],
    ['NARR', 'a refusal with two readings', refused('Account closed or insufficient funds')],
    ['DUPL', 'a repeat', heldFor(repeat)],
    ['NARR', 'a repeat without a quote', heldFor(repeat, { kind: 'no_quote' })],
    ['DS02', 'a withdrawal', aPayoutIn('canceled')],
    ['NARR', 'a doubt', aPayoutIn('in_doubt')],
    ['NARR', 'a return', aPayoutIn('returned')],
  ])('has the code %s for %s, and its text', async (code, _what, payout) => {
    await report('reason.xml', [aRow(payout)]);
    const [one = ''] = transactions(text('reason.xml'));
    expect([leafOf(one, 'Cd'), one.includes('<AddtlInf>')]).toEqual([code, true]);
    expect(await faultsOf(text('reason.xml'))).toEqual([]);
  });

  it('has the day of a return, and nothing where a settled payment has no reason', async () => {
    const state = { returnedAt: timestampOf(Date.UTC(2026, 4, 20, 9)) };
    await report('back.xml', [
      aRow(aPayoutIn('returned', { rowNumber: 2, state })),
      aRow(aPayoutIn('settled', { rowNumber: 3 })),
    ]);
    const [returned = '', settled = ''] = transactions(text('back.xml'));
    expect(leafOf(returned, 'AddtlInf')).toContain('came back on 2026-05-20');
    expect(settled).not.toContain('StsRsnInf');
    expect(leafOf(text('back.xml'), 'GrpSts')).toBe('PART');
  });
});

it('names who pays and what the service charges for what it took', async () => {
  const header = aHeader({ organization: 'Ubuntu Foundation & Sons' });
  await report('charged.xml', [aRow(aPayoutIn('settled')), aRow(aPayoutIn('planned', { rowNumber: 9 }))], {
    header,
  });
  const [head = ''] = text('charged.xml').split('<TxInfAndSts>');
  const [settled = '', planned] = transactions(text('charged.xml'));
  expect(head).toContain('<InitgPty><Nm>Ubuntu Foundation &amp; Sons</Nm></InitgPty>');
  const charges = /<ChrgsInf><Amt Ccy="(\w+)">([^<]+)<.*?<Nm>([^<]+)</.exec(settled)?.slice(1);
  expect(charges).toEqual(['GBP', '1.02', 'Cross-Border Transfer Service']);
  expect(planned).not.toContain('ChrgsInf');
  expect(await faultsOf(text('charged.xml'))).toEqual([]);
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
  expect(doubt.replace(/<\/AddtlInf><AddtlInf>/g, ' ')).toContain('statement for PF-');
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

it('masks an account that stands in the place of a name', async () => {
  await report('swapped.xml', [aRow(aPayoutIn('settled', { instruction: { name: '2087654399' } }))]);
  expect(text('swapped.xml')).toContain('<Cdtr><Pty><Nm>••••4399</Nm></Pty></Cdtr>');
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
  ).toEqual(['<DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACSC</DtldSts><DtldCtrlSum>1260.00</DtldCtrlSum>']);
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
