/** Statements of a bank in GBP, written after the public descriptions of camt.053 and MT940. */

/** One entry: minus for money that went out. */
export interface Booking {
  readonly amount: string;
  readonly text: string;
  readonly date?: string;
  readonly id?: string;
  readonly bankReference?: string;
  readonly account?: string;
  readonly status?: string;
  /** Payments that the entry holds. */
  readonly payments?: readonly { readonly amount: string; readonly text: string; readonly id?: string }[];
  readonly count?: number;
}

export interface BankStatement {
  readonly opening: string;
  readonly closing: string;
  readonly bookings: readonly Booking[];
  readonly from?: string;
  readonly until?: string;
}

const element = (name: string, text: string, attributes = '') =>
  text === '' ? '' : `<${name}${attributes}>${text}</${name}>`;
const sideOf = (amount: string) => (amount.startsWith('-') ? 'DBIT' : 'CRDT');
const sizeOf = (amount: string) => amount.replace('-', '');

/** `message`: `053.001.02`; the names of some elements depend on the version. */
export function camt(
  statements: readonly BankStatement[],
  { message = '053.001.02', prefix = '' }: { readonly message?: string; readonly prefix?: string } = {},
): string {
  const isNew = Number(message.slice(-2)) >= 8;
  const [root, one] = { '052': ['BkToCstmrAcctRpt', 'Rpt'], '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'] }[
    message.slice(0, 3)
  ] ?? ['BkToCstmrStmt', 'Stmt'];
  const amount = (text: string) => element('Amt', sizeOf(text), ' Ccy="GBP"');
  const party = (name: string) =>
    isNew ? `<Cdtr><Pty><Nm>${name}</Nm></Pty></Cdtr>` : `<Cdtr><Nm>${name}</Nm></Cdtr>`;
  const details = (id: string, text: string, account: string, own = '') =>
    `<TxDtls><Refs><EndToEndId>${id === '' ? 'NOTPROVIDED' : id}</EndToEndId></Refs>${own}<RltdPties>${party('Kofi Mensah')}${element('CdtrAcct', account === '' ? '' : `<Id><Othr><Id>${account}</Id></Othr></Id>`)}</RltdPties><RmtInf>${[text.slice(0, 140), text.slice(140)].map((part) => element('Ustrd', part)).join('')}</RmtInf></TxDtls>`;
  const entry = (booking: Booking) => {
    const { text, date = '2026-11-20', id = '', bankReference = '', account = '', payments, count } = booking;
    const inside =
      payments?.map((each) => details(each.id ?? '', each.text, '', amount(each.amount))).join('') ??
      (count === undefined ? details(id, text, account) : '');
    const state = booking.status ?? 'BOOK';
    const batch = count === undefined ? '' : `<Btch><NbOfTxs>${count}</NbOfTxs></Btch>`;
    return `<Ntry>${amount(booking.amount)}<CdtDbtInd>${sideOf(booking.amount)}</CdtDbtInd><Sts>${isNew ? `<Cd>${state}</Cd>` : state}</Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt>${element('AcctSvcrRef', bankReference)}<NtryDtls>${batch}${inside}</NtryDtls>${element('AddtlNtryInf', payments === undefined && count === undefined ? '' : text)}</Ntry>`;
  };
  const balance = (code: string, text: string, date: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(text)}<CdtDbtInd>${sideOf(text)}</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  const body = statements
    .map(({ opening, closing, bookings, from = '2026-11-01', until = '2026-11-30' }, at) => {
      const balances =
        message.slice(0, 3) === '054' ? '' : balance('OPBD', opening, from) + balance('CLBD', closing, until);
      return `<${one}><Id>S-${at + 1}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${until}T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>GB29NWBK60161331926819</IBAN></Id><Ccy>GBP</Ccy></Acct>${balances}${bookings.map(entry).join('\n')}</${one}>`;
    })
    .join('\n');
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${message}`;
  const document = `<Document xmlns="${namespace}"><${root}><GrpHdr><MsgId>M-1</MsgId></GrpHdr>${body}</${root}></Document>`;
  const written =
    prefix === ''
      ? document
      : document.replace(/<(\/?)([A-Z])/g, `<$1${prefix}:$2`).replace('xmlns=', `xmlns:${prefix}=`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written}\n`;
}

export function mt940(statements: readonly BankStatement[]): string {
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const sum = (text: string) => sizeOf(text).replace('.', ',');
  const mark = (text: string) => (text.startsWith('-') ? 'D' : 'C');
  return statements
    .map(({ opening, closing, bookings, from = '2026-11-01', until = '2026-11-30' }, at) =>
      [
        ...[
          '{1:F01NWBKGB2LAXXX0000000000}{2:I940}{4:',
          ':20:STARTUMS',
          ':25:60161331926819',
          `:28C:${at + 1}/1`,
        ],
        `:60F:${mark(opening)}${short(from)}GBP${sum(opening)}`,
        ...bookings.flatMap(({ amount, text, date = '2026-11-20', id = '', bankReference = 'NONREF' }) => [
          `:61:${short(date)}${short(date).slice(2)}${mark(amount)}${sum(amount)}NTRF${'NONREF'}//${bankReference}`,
          // The bank breaks a line after 65 characters, also within a word.
          `:86:${(`/EREF/${id === '' ? 'NOTPROVIDED' : id}/REMI/${text}`.match(/.{1,65}/g) ?? []).join('\r\n')}`,
        ]),
        `:62F:${mark(closing)}${short(until)}GBP${sum(closing)}`,
        '-}',
      ].join('\r\n'),
    )
    .join('\r\n');
}
