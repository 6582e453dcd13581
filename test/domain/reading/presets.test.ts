/** Exports that are known by their headers: what is taken, what is proposed, and what is never taken silently. */
import { describe, expect, it } from 'vitest';
import data from '../../../src/data/reading-presets.json' with { type: 'json' };
import type { Answer } from '../../../src/domain/reading/answer.ts';
import { bindColumns } from '../../../src/domain/reading/bind-columns.ts';
import { Looker } from '../../../src/domain/reading/look.ts';
import { presetFor } from '../../../src/domain/reading/presets.ts';
import { askPreset } from '../../../src/domain/reading/questions/preset.ts';
import { FIELDS } from '../../../src/domain/rows/row.ts';
import { IN_A_PROGRAM, textOf } from '../../../src/domain/text/message.ts';
import { DIRECTORY } from './asked.ts';

const HOPE =
  'payment_id;collector_name;country;fsp_name;account_number;currency;entitlement_quantity;entitlement_quantity_usd';
const HOPE_ROW = 'R-1;Moussa Ndiaye;Senegal;Orange Money;785520314;XOF;35000;61.74';

function asked(header: string, rows: readonly string[], said: readonly Answer[] = []) {
  const binding = bindColumns(header.split(';'), said);
  const looker = new Looker(binding, {
    isSaid: (field) => binding.said.has(field),
    ignored: binding.ignored,
    today: '2026-11-27',
  });
  for (const [at, row] of rows.entries()) looker.see({ rowNumber: at + 2, cells: row.split(';') }, undefined);
  return askPreset(looker.look(), said, DIRECTORY);
}

const words = (...given: Parameters<typeof asked>) =>
  asked(...given)
    .map(({ text }) => textOf(text.pieces, IN_A_PROGRAM))
    .join();

describe('a known export', () => {
  it('is known by its headers in any order, with columns of its own beside them', () => {
    const turned = [...HOPE.split(';').reverse(), 'Ward'];
    expect(presetFor(turned)?.name).toBe('HOPE payment list');
    expect(presetFor(['Name', 'Amount'])).toBeUndefined();
  });

  it('names the person, and says so', () => {
    const { columns, notes } = bindColumns(HOPE.split(';'), []);
    expect(columns.get('name')).toBe(1);
    expect(notes[0]).toBe('read as a HOPE payment list');
  });

  it('gives way to what a person said', () => {
    const said: Answer = { kind: 'map', field: 'name', headers: ['payment_id'] };
    expect(bindColumns(HOPE.split(';'), [said]).columns.get('name')).toBe(0);
    const ignored: Answer = { kind: 'ignore', header: 'collector_name' };
    expect(bindColumns(HOPE.split(';'), [ignored]).columns.has('name')).toBe(false);
  });

  it('settles two columns that are both called the name', () => {
    const register = ['Salary Slip ID', 'Employee', 'Employee Name', 'Net Pay'];
    const { columns, faults } = bindColumns(register, []);
    expect(columns.get('name')).toBe(2);
    expect(faults.filter(({ kind }) => kind === 'rivals')).toEqual([]);
  });

  it('never decides about money by itself: one question proposes all of it', () => {
    const [question] = asked(HOPE, [HOPE_ROW]);
    expect(bindColumns(HOPE.split(';'), []).columns.has('amount')).toBe(false);
    expect(question).toMatchObject({ code: 'known_export', settles: ['amount', 'institution'] });
    expect(question?.choices).toHaveLength(1);
    expect(question?.choices[0]?.answers).toEqual([
      { kind: 'map', field: 'amount', headers: ['entitlement_quantity'] },
      { kind: 'map', field: 'institution', headers: ['fsp_name'] },
      { kind: 'ignore', header: 'entitlement_quantity_usd' },
    ]);
    expect(words(HOPE, [HOPE_ROW])).toBe(
      'Is this a HOPE payment list? Then G “entitlement_quantity” (35000) is the amount, D “fsp_name” (Orange Money) is the ' +
        'institution, H “entitlement_quantity_usd” (61.74) is not used and B “collector_name” (Moussa Ndiaye) is the name.',
    );
  });

  it('asks about what is left once a person said a part of it, and nothing more then', () => {
    const amount: Answer = { kind: 'map', field: 'amount', headers: ['entitlement_quantity'] };
    const institution: Answer = { kind: 'map', field: 'institution', headers: ['fsp_name'] };
    expect(asked(HOPE, [HOPE_ROW], [amount])).toMatchObject([{ settles: ['institution'] }]);
    expect(asked(HOPE, [HOPE_ROW], [amount, institution])).toEqual([]);
  });

  it('leaves out rows by a word only if it stands there', () => {
    const wise = 'name;amountCurrency;amount;sourceCurrency;targetCurrency;accountNumber;Bank Name;Country';
    const row = (word: string) => `Peter;${word};250.00;GBP;KES;1182345670;KCB;KE`;
    expect(words(wise, [row('source'), row('target')])).toContain(
      'rows with “source” in “amountCurrency” are not paid',
    );
    expect(asked(wise, [row('target')])).toEqual([]);
  });

  it('says one country for every row where the export is of one', () => {
    const kopo = 'Account Name;Account Number;Bank Paybill Number;Amount;Nickname;Reason';
    expect(words(kopo, ['Peter;1182345670;522522;23400;Peter;Wages'])).toContain(
      'the country of every row is KE',
    );
  });

  it('shows no account', () => {
    const list = 'Mobile Number*;Amount*;First Name;Last Name;Id Number;Remarks*;User Type*;Country;Operator';
    const row = '771234567;35000;Aminata;Diop;1;Nov;subscriber;SN;Orange Money';
    expect(words(list, [row])).toContain('“Mobile Number*” (••••4567) is the account');
  });
});

describe('the data of the presets', () => {
  it.each(data)(
    '$name names fields that there are, and takes names alone',
    ({ takes, proposes, ...others }) => {
      for (const field of Object.keys({ ...proposes, ...('sets' in others ? others.sets : {}) }))
        expect(FIELDS).toContain(field);
      expect(Object.keys(takes).filter((field) => field !== 'name')).toEqual([]);
      expect(others.has.length).toBeGreaterThan(1);
    },
  );
});
