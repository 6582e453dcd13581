/**
 * The report as an ISO 20022 payment status report, pain.002.001.10: one original payment information per batch,
 * one transaction per row, written as the lines come.
 *
 * Its counts stand above its lines, so they are what the ledger counted before; where the lines turn out to differ
 * there is no report, because this message has no place to say that it contradicts itself. Account numbers are left
 * out: rows are found by reference, tag and transfer id.
 * Source:  ISO 20022 message definition of CustomerPaymentStatusReport.
 */

import { decimalsOf } from '../../domain/money/currency.ts';
import { formatDecimal, type Money } from '../../domain/money/money.ts';
import type { LedgerTotal } from '../../domain/reporting/currency-totals.ts';
import { maskedName, withoutAccount } from '../../domain/reporting/hidden-accounts.ts';
import { groupCodeOf, TRANSACTION_CODES } from '../../domain/reporting/iso-codes.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';

import { formatTimestamp } from '../../domain/timestamp.ts';
import { ReportFormatUnknown, ReportUnwritable } from '../../ports/outputs.ts';
import { cut, escaped, linesOf, oneLine } from '../escape-text.ts';
import type { BeginReport } from './report-sink.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10';
const ID_MAX = 35;
const NAME_MAX = 140;
const REASON = { length: 105, lines: 4 };
/** Who takes the fee. */
const CHARGED_BY = 'Cross-Border Transfer Service';
/** What ISO 20022 writes where nobody gave an end-to-end id. */
const NOT_PROVIDED = 'NOTPROVIDED';
/** Fraction digits that sums over currencies are counted in; no currency has more. */
const SCALE = 4;
const DIGITS_MAX = 18;
const SLICE = 100;

export const pain002Report: BeginReport = async (header, file) => {
  if (header.period !== undefined)
    throw new ReportFormatUnknown('A pain.002 report is about one batch; make one for each.');
  await file.write(headText(header));
  return {
    write: async (lines) => {
      for (let at = 0; at < lines.length; at += SLICE) {
        const texts = lines.slice(at, at + SLICE).map((line) => transaction(line, header.batch.id));
        await file.write(texts.join(''));
      }
    },
    end: async (summary) => {
      refuseContradiction(header.before?.asked ?? [], summary);
      await file.write('</OrgnlPmtInfAndSts>\n</CstmrPmtStsRpt>\n</Document>\n');
    },
  };
};

function headText({ batch, madeAt, organization = '', before: counted }: ReportHeader): string {
  const { asked = [], shown = [], isAsAsked = true } = counted ?? {};
  const { id, name, file, createdAt } = batch;
  const isShort = name !== undefined && Array.from(name).length <= ID_MAX;
  const message = firstOf(isShort ? name : '', id);
  const codes = asked.filter(({ count }) => count > 0).map(({ status }) => TRANSACTION_CODES[status]);
  const cameBack = asked.some(({ status, count }) => status === 'returned' && count > 0);
  const group = groupCodeOf(codes, isAsAsked && !cameBack);
  const payer = cut(organization, NAME_MAX);
  const original = [
    leaf('OrgnlNbOfTxs', asked.reduce((sum, { count }) => sum + count, 0).toString()),
    sumText('OrgnlCtrlSum', asked),
  ].join('');
  const stands = (element: string) => (group === undefined ? '' : leaf(element, group));
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">\n<CstmrPmtStsRpt>\n`,
    `<GrpHdr>${idLeaf('MsgId', `PF-${id}-${madeAt.toString(36).toUpperCase()}`)}`,
    `${leaf('CreDtTm', formatTimestamp(madeAt))}`,
    payer === '' ? '' : `<InitgPty>${leaf('Nm', payer)}</InitgPty>`,
    '</GrpHdr>\n',
    `<OrgnlGrpInfAndSts>${idLeaf('OrgnlMsgId', message)}${idLeaf('OrgnlMsgNmId', file.format)}`,
    `${leaf('OrgnlCreDtTm', formatTimestamp(createdAt))}${original}${stands('GrpSts')}</OrgnlGrpInfAndSts>\n`,
    `<OrgnlPmtInfAndSts>${idLeaf('OrgnlPmtInfId', id)}${original}${stands('PmtInfSts')}`,
    `${perCode(shown)}\n`,
  ].join('');
}

/** Rows and money under each code; invalid rows count as rows only. A part that came back adds an amount, and no row. */
function perCode(shown: readonly LedgerTotal[]): string {
  const some = shown.filter(({ count, minor }) => count > 0 || minor !== 0n);
  return [...new Set(Object.values(TRANSACTION_CODES))]
    .map((code) => ({ code, of: some.filter(({ status }) => TRANSACTION_CODES[status] === code) }))
    .filter(({ of }) => of.length > 0)
    .map(({ code, of }) => {
      const count = of.reduce((sum, total) => sum + total.count, 0);
      const counted = `${leaf('DtldNbOfTxs', count.toString())}${leaf('DtldSts', code)}`;
      return `<NbOfTxsPerSts>${counted}${sumText('DtldCtrlSum', of)}</NbOfTxsPerSts>`;
    })
    .join('');
}

function transaction(line: ReportLine, batchId: string): string {
  const { status, texts, fee } = line;
  const isTaken = status === 'accepted' || status === 'settled' || status === 'returned';
  const endToEnd = firstOf(line.reference, texts.tag, NOT_PROVIDED);
  return [
    `<TxInfAndSts>${idLeaf('StsId', `${batchId}-${line.row}`)}`,
    texts.tag === '' ? '' : idLeaf('OrgnlInstrId', texts.tag),
    idLeaf('OrgnlEndToEndId', endToEnd),
    leaf('TxSts', TRANSACTION_CODES[status]),
    reason(line),
    isTaken && fee !== undefined ? charged(fee) : '',
    isTaken && line.sentAt !== undefined ? leaf('AccptncDtTm', formatTimestamp(line.sentAt)) : '',
    oneLine(texts.transfer_id) === '' ? '' : idLeaf('AcctSvcrRef', texts.transfer_id),
    original(line),
    '</TxInfAndSts>\n',
  ].join('');
}

/** Where there is nothing to say, there is no code. */
function reason(line: ReportLine): string {
  const more = linesOf(withoutAccount(line.texts.reason, line), REASON).map((text) => leaf('AddtlInf', text));
  if (more.length === 0) return '';
  return `<StsRsnInf><Rsn>${leaf('Cd', line.reasonCode)}</Rsn>${more.join('')}</StsRsnInf>`;
}

/** As quoted: no answer of the service shows what it took. */
function charged(fee: Money): string {
  const agent = `<Agt><FinInstnId>${leaf('Nm', CHARGED_BY)}</FinInstnId></Agt>`;
  return `<ChrgsInf><Amt Ccy="${fee.currency}">${formatDecimal(fee)}</Amt>${agent}</ChrgsInf>`;
}

/** No amount for an invalid row: nothing was ever going to be paid, and sums above leave it out. */
function original(line: ReportLine): string {
  const { amount, status } = line;
  const money =
    amount === undefined || status === 'invalid'
      ? ''
      : `<Amt><InstdAmt Ccy="${amount.currency}">${formatDecimal(amount)}</InstdAmt></Amt>`;
  const creditor = cut(maskedName(line.name, line), NAME_MAX);
  const party = creditor === '' ? '' : `<Cdtr><Pty>${leaf('Nm', creditor)}</Pty></Cdtr>`;
  return money + party === '' ? '' : `<OrgnlTxRef>${money}${party}</OrgnlTxRef>`;
}

/** The sum whatever the currencies, as ISO 20022 defines it; left out when it has more digits than are allowed. */
function sumText(element: string, totals: readonly LedgerTotal[]): string {
  const sum = totals.reduce(
    (all, { minor, currency }) =>
      currency === undefined ? all : all + minor * 10n ** BigInt(SCALE - decimalsOf(currency)),
    0n,
  );
  const digits = sum.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0{1,2}$/, '');
  const whole = digits.slice(0, -SCALE);
  return whole.length + fraction.length > DIGITS_MAX ? '' : leaf(element, `${whole}.${fraction}`);
}

function refuseContradiction(before: readonly LedgerTotal[], { totals }: ReportSummary): void {
  const counted = new Map<string, number>();
  for (const { status, count } of before) counted.set(status, (counted.get(status) ?? 0) + count);
  const isSame = Object.entries(totals.counts).every(
    ([status, count]) => (counted.get(status) ?? 0) === count,
  );
  if (isSame && totals.ties) return;
  const why = totals.parts[0] ?? 'The batch was being worked on while the report was read.';
  throw new ReportUnwritable(
    `There is no pain.002 report, because it would contradict itself. ${why} Make it again when the batch rests, or as .json.`,
  );
}

/** The first of which something is left when it is made fit for XML. */
function firstOf(...texts: readonly string[]): string {
  return texts.find((text) => oneLine(text) !== '') ?? '';
}

function idLeaf(element: string, text: string): string {
  return leaf(element, cut(text, ID_MAX));
}

function leaf(element: string, text: string): string {
  return `<${element}>${escaped(text)}</${element}>`;
}
