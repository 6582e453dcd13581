/** What is offered for a column that no header names: only what its cells can be, the likeliest first. */
import { expect, it } from 'vitest';
import { checked } from './a-file-brought.ts';

const flagsOffered = async (lines: readonly string[], flags: readonly string[] = []) =>
  (await checked({ name: 'offers.csv', lines }, flags)).offered;

it('offers a phone number for the account, and neither ages nor other numbers of a person', async () => {
  const lines = [
    'Beneficiary Name,Age,National ID,Country,Mobile Money Provider,Phone Number,Amount',
    'Aminata Diop,34,1751199012345,Senegal,Ecobank Sénégal,771234567,35000',
    'Fatou Sarr,41,1751198512345,Senegal,Wave,764419025,35000',
  ];
  expect(await flagsOffered(lines)).toEqual(["--map 'account=Phone Number'"]);
});

it('offers for the account no column whose cells are no account of any institution of the rows', async () => {
  const lines = [
    'Name,Country,Provider,Phone,Remarks,Amount',
    'Wanjiru Kamau,Kenya,M-PESA,0712345678,Contract 20261104,25000',
    'Brian Otieno Odhiambo,Kenya,M-PESA,0722904417,see invoice 10023,19000',
  ];
  expect(await flagsOffered(lines)).toEqual(['--map account=Phone']);
});

it('says with which flag what it advises is said, also where two things are wrong with one row', async () => {
  const lines = [
    'Name,Country,Bank,Account,Amount,Invoice Currency',
    'Peter Mwangi Kariuki,Kenya,KCB Bank Kenya,1182345670,48.250,USD',
  ];
  const { text } = await checked({ name: 'advice.csv', lines });
  expect(text).toContain('Say that the decimal mark is a comma (--decimal comma) if 48250 is meant');
  expect(text).toContain('say that the column is not used (--ignore "Invoice Currency")');
  const said = ['--decimal', 'comma', '--ignore', 'Invoice Currency'];
  expect((await checked({ name: 'advice.csv', lines }, said)).code).toBe(0);
});

it('offers the country that all phone numbers are of, and no column of serial numbers', async () => {
  const lines = [
    'S/N,Receiver MSISDN,Receiver Name,Amount,Document Type',
    '1,256752123456,Grace Nakato,120000,01',
    '2,256701640917,Sarah Namubiru,95000,01',
  ];
  expect(await flagsOffered(lines)).toEqual([
    '--set country=UG',
    '--set country=TEXT',
    '--set institution=TEXT',
    "--map 'account=Receiver MSISDN'",
  ]);
});

it('offers the country whose list alone has the institutions, and places as places', async () => {
  const lines = [
    'EmpCode,Name,BankName,BankBranch,AccNo,NetPay',
    '001,Peter Mwangi Kariuki,KCB Bank Kenya,Moi Avenue,1182345670,48250.00',
    '002,Amina Hassan Juma,Equity Bank Kenya,Kimathi,0170199384756,61400.00',
  ];
  expect(await flagsOffered(lines)).toEqual([
    '--set country=KE',
    '--map country=BankBranch',
    '--set country=TEXT',
    '--map account=AccNo',
  ]);
});

it('offers the country of the local currency beside that of the sender', async () => {
  const lines = [
    'Name,Bank,Account Number,Amount,targetCurrency,sourceCurrency',
    'Peter Mwangi Kariuki,KCB Bank,1182345670,48250.00,KES,GBP',
  ];
  expect(await flagsOffered(lines)).toContain('--set country=KE');
});

it('finds countries, institutions and names without a header line', async () => {
  const lines = [
    'Peter Mwangi Kariuki,Kenya,KCB Bank Kenya,1182345670,48250.00',
    'Amina Hassan Juma,Kenya,Equity Bank Kenya,0170199384756,61400.00',
  ];
  const offered = await flagsOffered(lines);
  expect(offered.filter((flags) => flags.startsWith('--map'))).toEqual([
    '--map country=B',
    '--map institution=C',
    '--map account=D',
    '--map amount=E',
    '--map name=A',
  ]);
});

it('offers amounts, and neither rates nor what is taken off', async () => {
  const lines = [
    'Supplier,Country,Bank,Account,Invoice Amount,WHT 5%,Rate,Amount less WHT',
    'Peter Mwangi Kariuki,Kenya,KCB Bank Kenya,1182345670,100000.00,5000.00,5,95000.00',
  ];
  expect(await flagsOffered(lines)).toEqual([
    "--map 'amount=Invoice Amount'",
    "--map 'amount=Amount less WHT'",
  ]);
});

it('offers both columns where institutions stand under a header for accounts', async () => {
  const lines = ['Name,Country,Wallet,Phone Number,Amount', 'Wanjiru Kamau,Kenya,M-PESA,0712345678,22000.00'];
  expect(await flagsOffered(lines)).toContain("--map institution=Wallet --map 'account=Phone Number'");
});

const TOWNS = [
  'Name,Duty Station,Bank,Account Number,Amount',
  'Yaw Acheampong,Accra,GCB Bank,1011130024576,1450.00',
  'Peter Mwangi Kariuki,Nairobi,KCB Bank Kenya,1182345670,48250.00',
];

it('asks which country each town is in, and pays by what was said', async () => {
  const mapped = ['--map', 'country=Duty Station'];
  expect(await flagsOffered(TOWNS)).toContain("--map 'country=Duty Station'");
  const asked = await checked({ name: 'offers.csv', lines: TOWNS }, mapped);
  expect(asked.questions).toEqual(['country_unknown', 'country_unknown']);
  expect(asked.text).toContain('--value \\"Accra=COUNTRY\\"');
  expect(asked.offered).toContain('--set country=TEXT');
  const said = [...mapped, '--value', 'Accra=Ghana', '--value', 'Nairobi=Kenya'];
  const answered = await checked({ name: 'offers.csv', lines: TOWNS }, said);
  expect([answered.code, answered.questions]).toEqual([0, []]);
});

it('offers institutions of the country for each word that plainly means none', async () => {
  const lines = [
    'Name,Country,Bank,Account Number,Amount',
    'Yaw Acheampong,Ghana,130101,1011130024576,1450.00',
    'Peter Mwangi Kariuki,Kenya,Coop,1182345670,48250.00',
    'Amina Hassan Juma,Kenya,KCB,1182345671,61400.00',
  ];
  const offered = await flagsOffered(lines);
  expect(offered[0]).toBe("--value 'KE/KCB=KCB Bank Kenya'");
  expect(offered.filter((flags) => flags.includes('GH/130101='))).toHaveLength(3);
  expect(offered.filter((flags) => flags.includes('KE/Coop='))).toHaveLength(3);
  expect(offered).toContain("--value 'KE/Coop=Co-operative Bank of Kenya'");
});

it.each([
  [
    'a remark',
    [
      'Country,Bank,Account Number,Name,Amount,Remarks',
      'Kenya,M-PESA,0712345678,Wanjiru Kamau,4825.00,paid 0733218560 already',
      'Kenya,M-PESA,0722904417,Peter Mwangi,2200.00,do not pay 0733 218 560',
    ],
  ],
  [
    'swapped columns',
    [
      'Country,Bank,Account,Name,Amount',
      'Kenya,0733218560,M-PESA,Wanjiru Kamau,4825.00',
      'Kenya,0733 218 560,M-PESA,Peter Mwangi,2200.00',
      '+254 733 218 560,M-PESA,0722904417,Ann Otieno,100.00',
    ],
  ],
  [
    'the cell of a bank that is plainly meant',
    ['Country,Bank,Account,Name,Amount', 'Kenya,M-PESA (0733218560),0722904417,Wanjiru Kamau,4825.00'],
  ],
])('shows no account number whole that stands in %s, and offers no flag with it', async (_, lines) => {
  const { text, offered } = await checked({ name: 'accounts.csv', lines });
  expect(text.replace(/[ -]/g, '')).not.toContain('733218560');
  expect(text).toContain('••••8560');
  expect(offered.join()).not.toMatch(/8560/);
});

it('shows no account number whole of a payment that is taken for the header', async () => {
  const lines = ['Country,Bank,Account,Name,Amount', 'Kenya,M-PESA,0733218560,Ann Otieno,100.00'];
  lines.push('Kenya,M-PESA,0722904417,Wanjiru Kamau,4825.00');
  const { text, offered } = await checked({ name: 'accounts.csv', lines }, ['--header-row', '2']);
  expect(text).not.toContain('0733218560');
  expect(offered.join()).not.toContain('0733218560');
});

it('advises to change the header of an amount that names another currency, and the file is then accepted', async () => {
  const lines = (header: string) => [
    `Name,Country,Provider,Account,${header}`,
    'Moses Okello,Uganda,MTN Mobile Money,0772123456,22000',
  ];
  const flags = ['--map', 'amount=Amount (KES)'];
  const { text } = await checked({ name: 'advice.csv', lines: lines('Amount (KES)') }, flags);
  expect(text).toContain('If the amount is in UGX, take the other one out of the header.');
  expect((await checked({ name: 'advice.csv', lines: lines('Amount') })).code).toBe(0);
});

it('repeats in the next command what no column can hold as one text for all rows', async () => {
  const lines = ['Name,Bank,Account,Amount', 'Peter Mwangi Kariuki,KCB Bank Kenya,1182345670,48250'];
  expect((await checked({ name: 'next.csv', lines })).text).toContain('--set country=TEXT --sandbox');
});
