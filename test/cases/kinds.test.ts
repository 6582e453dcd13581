/**
 * Other files of the kinds that the cases show: what is asked of each, and who is paid after the answers. The people and the
 * accounts are those of the sandbox.
 */
import { describe, expect, it } from 'vitest';
import { checked, plain, settled } from './a-file-brought.ts';

interface Kind {
  readonly what: string;
  readonly lines: readonly string[];
  /** Codes of the questions without any answer. */
  readonly asks: readonly string[];
  readonly wrong?: readonly number[];
  readonly flags: readonly string[];
  /** Row and amount. */
  readonly paid: readonly (readonly [row: number, amount: string])[];
}

const KCB = 'Kenya,KCB Bank Kenya,1182345670,Peter Mwangi Kariuki';
const MPESA = 'Kenya,M-PESA,0712345678,Wanjiru Kamau';
const HEADER = 'Country,Bank,Account Number,Name';

const KINDS: readonly Kind[] = [
  {
    what: 'two columns of one header, chosen by letter',
    lines: [`${HEADER},Amount,Amount`, `${KCB},48250.00,41000.00`, `${MPESA},22000.00,20000.00`],
    asks: ['which_amount'],
    flags: ['--map', 'amount=F'],
    paid: [
      [2, '41000'],
      [3, '20000'],
    ],
  },
  {
    what: 'remarks that change what is paid, and to whom',
    lines: [
      `${HEADER},Amount,Remarks`,
      `${KCB},48250.00,`,
      `${MPESA},22000.00,less 2000 advance`,
      'Kenya,M-PESA,0722904417,Brian Otieno Odhiambo,19000.00,Account changed - use the new one',
    ],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'Remarks=less,account changed'],
    paid: [[2, '48250']],
  },
  {
    what: 'a payment that is recalled',
    lines: [`${HEADER},Amount,Reversal of`, `${KCB},48250.00,`, `${MPESA},22000.00,TX-99`],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'Reversal of=*'],
    paid: [[2, '48250']],
  },
  {
    what: 'a payment block of an accounting program',
    lines: [`${HEADER},Amount,Pmt Blk`, `${KCB},48250.00,`, `${MPESA},22000.00,A`],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'Pmt Blk=*'],
    paid: [[2, '48250']],
  },
  {
    what: 'remarks under one header, chosen by letter',
    lines: [`${HEADER},Amount,Remarks,Remarks`, `${KCB},48250.00,,`, `${MPESA},22000.00,,HOLD`],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'G=hold'],
    paid: [[2, '48250']],
  },
  {
    what: 'a second table with a header of its own',
    lines: [
      'Name,Country,Bank,Account Number,Amount',
      'Peter Mwangi Kariuki,Kenya,KCB Bank Kenya,1182345670,48250.00',
      'Mobile payments,,,,',
      'Name,Country,Provider,Phone,Gross',
      'Wanjiru Kamau,Kenya,M-PESA,0712345678,25000.00',
    ],
    asks: ['second_table'],
    wrong: [4],
    flags: ['--leave-out', 'Name=Name'],
    paid: [[2, '48250.00']],
  },
  {
    what: 'words beside the table, below no header',
    lines: [`${HEADER},Amount,`, `${KCB},48250.00,PAID`, `${MPESA},22000.00,`, `${MPESA},900.00,ON HOLD`],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'F (no header)=PAID,ON HOLD'],
    paid: [[3, '22000.00']],
  },
  {
    what: 'headings that say that the rows below them are not paid',
    lines: [
      `${HEADER},Amount`,
      'TO BE PAID BY BANK,,,,',
      `${KCB},48250.00`,
      'NOT TO BE PAID (contract ended),,,,',
      'Nairobi,,,,',
      `${MPESA},22000.00`,
      'Field staff,,,,',
      'Kenya,M-PESA,0722904417,Brian Otieno Odhiambo,19000.00',
    ],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'Country=not to be paid'],
    paid: [
      [3, '48250.00'],
      [8, '19000.00'],
    ],
  },
  {
    what: 'a RIB whose parts stand in another order, under other words',
    lines: [
      'Nom;Pays;Banque;Clé;Numéro de compte;Code Agence;Code établissement;Montant',
      "Aya Yao;Côte d'Ivoire;Société Générale Côte d'Ivoire;71;011123456789;01111;CI008;350000",
    ],
    asks: ['account_in_parts'],
    flags: ['--map', 'account=Code établissement+Code Agence+Numéro de compte+Clé'],
    paid: [[2, '350000']],
  },
  {
    what: 'a RIB in four columns',
    lines: [
      'Nom;Pays;Banque;Code Banque;Guichet;Compte;Clé RIB;Montant',
      "Aya Yao;Côte d'Ivoire;Société Générale Côte d'Ivoire;CI008;01111;011123456789;71;350000",
      "Société Cacao du Sud;Côte d'Ivoire;Ecobank Côte d'Ivoire;CI059;01013;002209845712;43;120000",
    ],
    asks: ['account_in_parts'],
    flags: ['--map', 'account=Code Banque+Guichet+Compte+Clé RIB'],
    paid: [
      [2, '350000'],
      [3, '120000'],
    ],
  },
  {
    what: 'a RIB that lost zeros in a spreadsheet: it is no whole account',
    lines: [
      'Nom;Pays;Banque;Code Banque;Guichet;Compte;Clé RIB;Montant',
      'Ibrahima Fall;Sénégal;CBAO Groupe Attijariwafa Bank;SN012;1020;1234567890;7;350000',
    ],
    asks: ['account_in_parts'],
    flags: ['--map', 'account=Code Banque+Guichet+Compte+Clé RIB', '--skip-invalid'],
    paid: [],
  },
  {
    what: 'a bank or a wallet, by a method',
    lines: [
      'Name,Country,Pay Mode,Bank,Bank Account No.,M-Pesa No.,Amount',
      'Peter Mwangi Kariuki,Kenya,Bank Transfer,KCB Bank Kenya,1182345670,,48250.00',
      'Wanjiru Kamau,Kenya,M-PESA,,,0712345678,22000.00',
      'Amina Hassan Juma,Kenya,M-PESA,Equity Bank Kenya,0170199384756,0722904417,61400.00',
    ],
    asks: ['bank_or_mobile'],
    wrong: [3],
    flags: [
      '--map',
      'institution=Bank|Pay Mode',
      '--map',
      'account=Bank Account No.|M-Pesa No.',
      '--skip-invalid',
    ],
    // Row 4 has a bank and the method of a wallet: nobody knows which is meant.
    paid: [
      [2, '48250.00'],
      [3, '22000.00'],
    ],
  },
  {
    what: 'two pairs of a provider and an account',
    lines: [
      'Name,Country,Bank,Account Number,Mobile Money Provider,Mobile Money Number,Amount',
      'Yaw Acheampong,Ghana,GCB Bank,1011130024576,,,1450',
      'Ama Serwaa Boateng,Ghana,,,MTN Mobile Money,0244123456,300',
    ],
    asks: ['bank_or_mobile'],
    flags: [
      '--map',
      'institution=Bank|Mobile Money Provider',
      '--map',
      'account=Account Number|Mobile Money Number',
    ],
    paid: [
      [2, '1450'],
      [3, '300'],
    ],
  },
  {
    what: 'one amount column for each currency, one row with its amount in the other one',
    lines: [
      'Name,Country,Bank,Account,Net Pay (GHS),Net Pay (KES)',
      'Yaw Acheampong,Ghana,GCB Bank,1011130024576,1450.00,0',
      'Peter Mwangi Kariuki,Kenya,KCB Bank Kenya,1182345670,0,48250.00',
      'Wanjiru Kamau,Kenya,M-PESA,0712345678,300.00,',
    ],
    asks: ['amount_per_currency'],
    flags: ['--map', 'amount=Net Pay (GHS)|Net Pay (KES)', '--skip-invalid'],
    paid: [
      [2, '1450.00'],
      [3, '48250.00'],
    ],
  },
  {
    what: 'blank cells that mean the text above',
    lines: [
      `${HEADER},Amount`,
      `${KCB},48250.00`,
      ',M-PESA,0712345678,Wanjiru Kamau,22000.00',
      ',,0722904417,Brian Otieno Odhiambo,19000.00',
      'Ghana,GCB Bank,1011130024576,Yaw Acheampong,1450.00',
      'Total,,,,90700.00',
    ],
    asks: ['blank_as_above'],
    wrong: [3, 4],
    flags: ['--fill-down', 'country,institution'],
    paid: [
      [2, '48250.00'],
      [3, '22000.00'],
      [4, '19000.00'],
      [5, '1450.00'],
    ],
  },
  {
    what: 'blank cells below a row that is left out',
    lines: [
      `${HEADER},Amount,Status`,
      `${KCB},48250.00,due`,
      'Ghana,GCB Bank,1011130024576,Yaw Acheampong,1450.00,already paid',
      ',MTN Mobile Money,0244123456,Ama Serwaa Boateng,300.00,due',
    ],
    asks: ['rows_not_to_pay', 'blank_as_above'],
    flags: ['--fill-down', 'country', '--leave-out', 'Status=already paid'],
    paid: [
      [2, '48250.00'],
      [4, '300.00'],
    ],
  },
  {
    what: 'zeros as an accounting format writes them, and an amount that was forgotten',
    lines: [`${HEADER},Amount`, `${KCB},48250.00`, `${MPESA},-`, `${MPESA},KES 0.00`, `${MPESA},`],
    asks: ['amounts_of_zero'],
    wrong: [3, 4, 5],
    flags: ['--skip-zero', '--skip-invalid'],
    paid: [[2, '48250.00']],
  },
  {
    what: 'names that all carry an employee number',
    lines: [
      `${HEADER},Net Pay`,
      'Kenya,KCB Bank Kenya,1182345670,EMP/0117: Peter Mwangi Kariuki,48250.00',
      'Kenya,M-PESA,0712345678,KAMAU WANJIRU (EMP 0118),22000.00',
    ],
    asks: ['numbers_in_names'],
    flags: ['--names-without-numbers'],
    paid: [
      [2, '48250.00'],
      [3, '22000.00'],
    ],
  },
  {
    what: 'amounts in thousands, by the header',
    lines: [`${HEADER},Amount ('000)`, `${KCB},48.25`, `${MPESA},22.0`],
    asks: ['in_thousands'],
    flags: ['--map', "amount=Amount ('000)", '--scale', "Amount ('000)=1000"],
    paid: [
      [2, '48250'],
      [3, '22000'],
    ],
  },
  {
    what: 'no header line, with semicolons and decimal commas',
    lines: [
      'Peter Mwangi Kariuki;KE;KCB Bank Kenya;1182345670;48250,00',
      'Wanjiru Kamau;KE;M-PESA;0712345678;22000,50',
    ],
    asks: ['no_country', 'no_institution', 'no_account', 'no_amount', 'no_name'],
    flags: ['country=B', 'institution=C', 'account=D', 'amount=E', 'name=A'].flatMap((map) => ['--map', map]),
    paid: [
      [1, '48250.00'],
      [2, '22000.50'],
    ],
  },
  {
    what: 'one country for all rows of a list with a total and a signature',
    lines: [
      'Bank,Account No,Employee Name,Net Pay',
      'KCB Bank Kenya,1182345670,Peter Mwangi Kariuki,48250.00',
      'M-PESA,0712345678,Wanjiru Kamau,22000.00',
      ',,Total,70250.00',
      'Prepared by: Jane,,,',
    ],
    asks: ['no_country'],
    flags: ['--set', 'country=KE'],
    paid: [
      [2, '48250.00'],
      [3, '22000.00'],
    ],
  },
  {
    what: 'a total that counts the rows that a person leaves out',
    lines: [`${HEADER},Amount,Paid?`, `${KCB},48250.00,`, `${MPESA},22000.00,paid`, ',,,Total,70250.00,'],
    asks: ['rows_not_to_pay'],
    flags: ['--leave-out', 'Paid?=paid'],
    paid: [[2, '48250.00']],
  },
  {
    what: 'a list of payslips from Odoo',
    lines: [
      'Reference,Employee,Employee/Bank Account,Bank Name,Country,Basic Wage,Gross Wage,Net Wage',
      'SLIP/001,Peter Mwangi Kariuki,1182345670,KCB Bank Kenya,Kenya,70000.00,82000.00,62849.25',
      'SLIP/002,Wanjiru Kamau,0712345678,M-PESA,Kenya,50000.00,61000.00,49400.00',
    ],
    asks: ['known_export'],
    flags: [
      ...['--map', 'amount=Net Wage', '--map', 'account=Employee/Bank Account'],
      ...['Basic Wage', 'Gross Wage'].flatMap((header) => ['--ignore', header]),
    ],
    paid: [
      [2, '62849.25'],
      [3, '49400.00'],
    ],
  },
  {
    what: 'a bank remittance report of Frappe HRMS, with the account that pays beside that of the employee',
    lines: [
      'Payroll Number,Debit A/C Number,Payment Date,Employee Name,Bank Name,Employee A/C Number,Country,Net Salary Amount',
      'HR-1,0100200300,2026-11-20,Peter Mwangi Kariuki,KCB Bank Kenya,1182345670,Kenya,62849.25',
    ],
    asks: ['known_export'],
    flags: [
      ...['--map', 'account=Employee A/C Number', '--map', 'amount=Net Salary Amount'],
      ...['--ignore', 'Debit A/C Number'],
    ],
    paid: [[2, '62849.25']],
  },
  {
    what: 'a batch template of Wise with rows in the currency that leaves',
    lines: [
      'name,paymentReference,amountCurrency,amount,sourceCurrency,targetCurrency,accountNumber,Bank Name,Country',
      'Peter Mwangi Kariuki,GRANT-7,source,250.00,GBP,KES,1182345670,KCB Bank Kenya,KE',
      'Amina Hassan Juma,GRANT-8,target,41000.00,GBP,KES,0170199384756,Equity Bank Kenya,KE',
    ],
    asks: ['known_export'],
    flags: [
      ...['--map', 'currency=targetCurrency', '--leave-out', 'amountCurrency=source'],
      ...['--ignore', 'sourceCurrency'],
    ],
    paid: [[3, '41000.00']],
  },
];

describe('another file of a known kind', () => {
  it.each(KINDS)('$what', { timeout: 120_000 }, async (kind) => {
    const brought = { name: 'list.csv', lines: kind.lines };
    const first = await checked(brought);
    expect(first.questions, first.text).toEqual(kind.asks);
    if (kind.wrong !== undefined) expect(first.wrongRows).toEqual(kind.wrong);
    const { paid } = await settled(brought, kind.flags);
    const rows = kind.paid.map(([row, amount]) => [row, plain(amount)]);
    expect(paid.map(([row, , amount]) => [row, amount])).toEqual(rows);
  });
});

it('leaves subtotals out that agree, also while a row above them cannot be paid', {
  timeout: 60_000,
}, async () => {
  const lines = [
    'Name,Bank,Account Number,Amount',
    'NAIROBI OFFICE,,,',
    'Peter Mwangi Kariuki,KCB Bank Kenya,1182345670,48250.00',
    'Amina Hassan Juma,Equity Bnk,0170199384756,61400.00',
    'Sub-total Nairobi,,,109650.00',
    'KISUMU OFFICE,,,',
    'Wanjiru Kamau,M-PESA,0712345678,22000.00',
    'Daniel Kiptoo Rono,M-PESA,0722904417,3000.00',
    'Sub-total Kisumu,,,25000.00',
    'GRAND TOTAL,,,134650.00',
  ];
  const { wrongRows, text } = await checked({ name: 'wages.csv', lines }, ['--set', 'country=Kenya']);
  expect(wrongRows, text).toEqual([4]);
});
