/** A question too many is a fault as well: ordinary sheets are read without one. */
import { expect, it } from 'vitest';
import { asked, words } from './asked.ts';

const SHEETS: Readonly<Record<string, readonly string[]>> = {
  'a payroll register': [
    'Emp No;Employee Name;Department;Grade;Basic Salary;House Allowance;Overtime;Gross Pay;PAYE;NSSF;SHIF;Pension;Loan;Total Deductions;Net Pay;Country;Bank;Bank Branch;Sort Code;Account No',
    'E-01;Peter Mwangi;Finance;J4;70000;12000;0;82000;17150.75;2000;2255;0;5000;26405.75;55594.25;Kenya;KCB Bank Kenya;Moi Avenue;01100;1182345670',
    'E-02;Amina Juma;Cash Office;J3;50000;9000;2000;61000;9800;1800;1677;0;0;13277;47723;Kenya;Equity Bank Kenya;Westlands;68019;0170199384756',
  ],
  'a French payroll': [
    'Matricule;Nom;Prénom;Fonction;Salaire de base;Primes;Salaire brut;IPRES;CSS;IR;Retenues;Net à payer;Pays;Banque;Agence;N° de compte',
    '001;Diop;Aminata;Comptable;300000;20000;320000;17920;3500;21000;42420;277580;Sénégal;CBAO;Plateau;SN0120102000123456789007',
    '002;Sarr;Fatou;Chauffeur;150000;0;150000;8400;3500;4000;15900;134100;Sénégal;Ecobank Sénégal;Médina;SN0940100100045219873040',
  ],
  'a Portuguese payroll': [
    'Nº;Nome;Cargo;Salário base;Subsídios;INSS;IRPS;Descontos;Líquido a receber;País;Banco;Balcão;NIB',
    '1;Ana Mondlane;Contabilista;45000;5000;1350;2500;3850;46150;Moçambique;BCI;Maputo;000800000123456789012',
    '2;José Machava;Motorista;20000;0;600;0;600;19400;Moçambique;BCI;Beira;000800000987654321012',
  ],
  'suppliers with invoices': [
    'Supplier;Invoice no;Invoice date;Due date;PO number;Description;Country;Bank;Account;Amount;Currency;Terms;Department',
    'Lagos Print Works;INV-9;01/11/2026;31/12/2026;PO-1;Printing of leaflets;Nigeria;United Bank for Africa;2045133978;98000;NGN;30 days;Procurement',
    'Rift Valley Packaging;INV-12;03/11/2026;15/01/2027;PO-7;Boxes, paid leave cards;Kenya;KCB Bank Kenya;1182345670;45000;KES;60 days;Stores',
  ],
  'grants of an aid organisation': [
    'Household ID;Name;Sex;Age;Village;District;Household size;Status;Country;Provider;Mobile money number;Amount;Cycle;Modality',
    'H-1;Aminata Diop;F;41;Thiès Nones;Thiès;6;Active;Senegal;Wave;771234567;35000;3;Cash',
    'H-2;Fatou Sarr;F;33;Mbour;Mbour;4;Active;Senegal;Wave;764419025;35000;3;Cash',
  ],
  'approved and verified rows': [
    'Name;Country;Bank;Account Number;Amount;Approved;Approval status;KYC status;Prepared by',
    'Peter Mwangi;Kenya;KCB Bank Kenya;1182345670;48250;Yes;Approved;Complete;Ann',
    'Amina Juma;Kenya;Equity Bank Kenya;0170199384756;61400;Yes;Approved;Complete;Ann',
  ],
  'pending payments': [
    'Payee;Country;Bank;Account;Amount;Status;Payment method;Date;Payment date;Remarks',
    'Peter Mwangi;Kenya;KCB Bank Kenya;1182345670;48250;Pending;Bank transfer;30/11/2026;27/11/2026;To be paid on 30/11',
    'Amina Juma;Kenya;Equity Bank Kenya;0170199384756;61400;Unpaid;Bank transfer;30/11/2026;27/11/2026;Not paid last month',
  ],
  'allowances by the day': [
    'Name;Phone;Country;Network;Account;Days;Rate;Amount;Town;Purpose',
    'Moses Okello;0772123456;Uganda;MTN Mobile Money;0772123456;3;40000;120000;Soroti;Census',
    'Sarah Nakato;0788640917;Uganda;MTN Mobile Money;0788640917;2;40000;80000;Mbale;Census',
  ],
  'a currency column that agrees': [
    'Name;Country;Bank;Account;Amount;Cur.;Exchange rate;Year;Employee number;ID Number;Nationality',
    'Ngozi Eze;Nigeria;Access Bank;1433221101;100000;NGN;1.00;2026;117;29001234;Ghanaian',
    'Folake Adeyemi;Nigeria;Zenith Bank;1004829134;210000;NGN;1.00;2026;118;29001235;Nigerian',
  ],
  'history beside what is due': [
    'Name;Country;Bank;Account;Old account;Previous month net;YTD net pay;Leave balance;Loan balance;Net pay',
    'Ngozi Eze;Nigeria;Access Bank;1433221101;0239874514;98000;1078000;12;50000;100000',
    'Folake Adeyemi;Nigeria;Zenith Bank;1004829134;;200000;2210000;5;0;210000',
  ],
  'a debit account that is clearly ours': [
    'Debit account;Beneficiary name;Beneficiary account;Beneficiary bank;Beneficiary country;Amount;Payment reference;Charges',
    '0100200300400;Peter Mwangi;1182345670;KCB Bank Kenya;Kenya;48250;P-1;OUR',
    '0100200300400;Amina Juma;0170199384756;Equity Bank Kenya;Kenya;61400;P-2;OUR',
  ],
  'destination without a trip': [
    'Beneficiary;Destination;Bank or wallet;Account number;Amount;Reference;Category',
    'Peter Mwangi;Kenya;KCB Bank Kenya;1182345670;48250;G-1;Salary',
    'Sarah Nakato;Uganda;MTN Mobile Money;0772123456;900000;G-2;Bonus',
  ],
};

it.each(Object.entries(SHEETS))('%s is read without a question', (_, lines) => {
  expect(words(asked(lines))).toBe('');
});
