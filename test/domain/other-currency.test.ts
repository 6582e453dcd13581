/** An amount in another currency than the row is paid in is an issue of the row, whatever says so. */
import { describe, expect, it } from 'vitest';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import type { Answer } from '../../src/domain/reading/answer.ts';
import { bindColumns } from '../../src/domain/reading/bind-columns.ts';
import { otherCurrencyIn } from '../../src/domain/rows/other-currency.ts';

const BESIDE = 'Name;Country;Bank;Account';

/** The header of the column that says another currency; undefined: none does. */
function other(
  headers: string,
  row: string,
  paidIn = 'KES',
  said: readonly Answer[] = [],
): string | undefined {
  const binding = bindColumns(`${BESIDE};${headers}`.split(';'), said);
  const currency = parseCurrency(paidIn);
  if (currency === undefined) throw new Error(paidIn);
  const issue = otherCurrencyIn(binding, binding.ignored)(
    `Ann;Kenya;KCB;1182345670;${row}`.split(';'),
    currency,
  );
  return issue === undefined ? undefined : binding.headers[issue.at ?? -1];
}

describe('a column that names another currency', () => {
  it.each([
    ['Amount;Invoice Currency', '850.00;USD'],
    ['Amount;Cur.', '850.00;USD'],
    ['Amount;Ccy of invoice', '850.00;EUR'],
    ['Amount;Devise de facture', '850,00;EUR'],
    ['Amount;Moeda da fatura', '850,00;USD'],
    ['Amount;Invoice Currency', '850.00;US$'],
    ['Amount;Invoice Currency', '850.00;dollars'],
    ['Amount;Quoted in', '850.00;USD'],
    ['Amount;amountCurrency', '250.00;source'],
    ['Amount;applies_to_currency', '250.00;source_currency'],
    ['Amount;sourceCurrency', '250.00;GBP'],
    ['Amount;Paid in', '850.00;€'],
  ])('is an issue: %s', (headers, row) => {
    expect(other(headers, row)).toBe(headers.split(';')[1]);
  });

  it.each([
    ['Amount;Invoice Currency', '850.00;KES'],
    ['Amount;Cur.', '850.00;Ksh'],
    ['Amount;Cur.', '850.00;'],
    ['Amount;amountCurrency;sourceCurrency;targetCurrency', '41000;target;GBP;KES'],
    ['Amount;Origin Currency;Beneficiary Currency', '18500;GBP;KES'],
    ['Amount;Currency;Debit currency', '18500;KES;USD'],
    ['Amount;Sex', '18500;F'],
    ['Amount;Department', '18500;PHP'],
    ['Amount;Remarks', '18500;USD account closed'],
    ['Amount;Group', '18500;ALL'],
    ['Amount;Amount USD of grant', '18500;142'],
  ])('is none: %s', (headers, row) => {
    expect(other(headers, row)).toBeUndefined();
  });

  it('counts where the amount is what leaves, also when a person named it', () => {
    const headers = 'Origin Currency;Beneficiary Currency;Send Amount;Receive Amount';
    const send: Answer = { kind: 'map', field: 'amount', headers: ['Send Amount'] };
    const receive: Answer = { kind: 'map', field: 'amount', headers: ['Receive Amount'] };
    expect(other(headers, 'GBP;KES;95.00;18500', 'KES', [send])).toBe('Origin Currency');
    expect(other(headers, 'GBP;KES;95.00;18500', 'KES', [receive])).toBeUndefined();
  });

  it('does not count once a person took it out', () => {
    const said: Answer = { kind: 'ignore', header: 'Invoice Currency' };
    expect(other('Amount;Invoice Currency', '850.00;USD', 'KES', [said])).toBeUndefined();
  });
});

describe('the header of the amount', () => {
  const named = (header: string): readonly Answer[] => [{ kind: 'map', field: 'amount', headers: [header] }];

  it.each(['Send Amount (GBP)', 'Amount (USD)', 'Amount $', 'Montant en euros', 'amount_usd'])(
    'is an issue of rows in another currency: %s',
    (header) => {
      expect(other(header, '850.00', 'KES', named(header))).toBe(header);
    },
  );

  it.each([
    ['Amount (KES)', 'KES'],
    ['Net Pay (KSh)', 'KES'],
    ['Montant FCFA', 'XAF'],
    ['Montant FCFA', 'XOF'],
    ['Amount (local currency)', 'KES'],
  ])('is none in its own currency: %s and %s', (header, currency) => {
    expect(other(header, '850.00', currency, named(header))).toBeUndefined();
  });
});
