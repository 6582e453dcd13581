/** What is offered for a column that no header names: only what its cells can be, the likeliest first. */
import { expect, it } from 'vitest';
import { checked } from './a-file-brought.ts';

const flagsOffered = async (lines: readonly string[], flags: readonly string[] = []) =>
  (await checked({ name: 'offers.csv', lines }, flags)).offered;

it('offers a phone number for the account, and neither ages nor other numbers of a person', async () => {
  const lines = [
    'Beneficiary Name,Age,National ID,Country,Mobile Money Provider,Phone Number,Amount',
    'Aminata Diop,34,1751199012345,Senegal,Orange Money,771234567,35000',
    'Fatou Sarr,41,1751198512345,Senegal,Wave,764419025,35000',
  ];
  expect(await flagsOffered(lines)).toEqual(["--map 'account=Phone Number'"]);
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
