/** A batch as they happen: 48 rows in four currencies, most settled over forty minutes, some of everything else. */
import { decisionsOf } from '../../src/domain/batches/decisions.ts';
import { parseCurrency } from '../../src/domain/money/currency.ts';
import { asTag, asTransferId } from '../../src/domain/payouts/instruction.ts';
import type { Status } from '../../src/domain/payouts/payout.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import type { ReportRow } from '../../src/ports/ledger/reports.ts';
import { aPayoutIn, aPricing, aReason, evidence, money, NO_MATCH, NOW } from './payouts.ts';
import { aRow } from './report-rows.ts';

const MINUTE = 60_000;
const PLACES = [
  ['Ghana', 'GCB Bank', 'GHS 1200.50', '15.5', '1.02'],
  ['Kenya', 'M-Pesa', 'KES 48000.00', '168.2', '2.40'],
  ['Côte d’Ivoire', 'Orange Money', 'XOF 150000', '763.4', '3.15'],
  ['Nigeria', 'Guaranty Trust Bank', 'NGN 950000.00', '2105.7', '0.80'],
] as const;
const UNSENT: readonly Status[] = ['invalid', 'held', 'canceled'];
const TAKEN: readonly Status[] = ['settled', 'accepted', 'returned'];
const NAMES = [
  'Ama Mensah',
  'Wanjiru Kamau',
  'Aïssatou Koné',
  'Chidi Okonkwo',
  'Kofi Boateng',
  'Otieno Odhiambo',
];
const ODD: Readonly<Record<number, Status>> = {
  5: 'failed',
  9: 'held',
  13: 'in_doubt',
  17: 'returned',
  21: 'invalid',
  26: 'canceled',
  30: 'accepted',
  31: 'accepted',
  37: 'failed',
  41: 'sending',
  44: 'held',
  46: 'approved',
};

export function aMixedBatch(): ReportRow[] {
  return Array.from({ length: 48 }, (_, at) => mixedRow(at));
}

function mixedRow(at: number): ReportRow {
  const place = PLACES[at % PLACES.length] ?? PLACES[0];
  const [destinationName, institutionName, amount, rate, fee] = place;
  const name = NAMES[at % NAMES.length] ?? '';
  const number = String(at + 1).padStart(3, '0');
  const instruction = {
    destinationName,
    institutionName,
    name,
    amount: money(amount),
    reference: `SAL-2026-05-${number}`,
    account: new Sensitive(`10111300${number}501`),
  };
  const status = ODD[at] ?? 'settled';
  const sentAt = plusMs(NOW, at * 20_000);
  const facts = {
    ...(status === 'invalid' ? { issues: [ISSUE] } : { pricing: pricingOf(rate, fee, name, status) }),
    ...SAID[status]?.(at),
    ...(UNSENT.includes(status) ? {} : { tag: asTag(`PF-7Q2K${number}A`) }),
    ...(TAKEN.includes(status) ? { transferId: asTransferId(`TRF-20260525-${number}9F`), sentAt } : {}),
    ...(status === 'settled'
      ? { serviceStatus: 'Finished', settledAt: plusMs(sentAt, (at % 7) ** 3 * 5_000 + 8_000) }
      : {}),
  };
  const payout = aPayoutIn(status, { rowNumber: at + 2, id: `p${at + 2}`, instruction, state: facts });
  return aRow(
    { ...payout, attempts: 1 },
    { cells: { 0: instruction.reference, 4: name, 5: '1.200,50', 6: 'GHS' } },
  );
}

const ISSUE = {
  kind: 'amount',
  field: 'amount',
  column: 'Amount',
  columnLetter: 'F',
  seen: '1.200,50',
  expected: 'a number such as 1250.00',
  suggestion: 'Looks like a decimal comma: pass --decimal comma or fix the cell.',
} as const;

function pricingOf(rate: string, fee: string, name: string, status: Status) {
  const sourceCurrency = parseCurrency('GBP');
  const nameCheck =
    status === 'held'
      ? ({ result: 'no_match', resolved: 'Efua Sutherland Darko', reason: 'another family name' } as const)
      : ({ result: 'match', resolved: name.toUpperCase(), reason: 'same name' } as const);
  const quote = { rate, fee, speedSeconds: 30, sourceCurrency, quotedAt: NOW };
  return aPricing({ nameCheck, quote, wireName: name });
}

const SAID: Readonly<Partial<Record<Status, (at: number) => object>>> = {
  failed: (at) =>
    at === 5
      ? {
          basis: 'refused',
          reason: 'Beneficiary account is closed',
          transferId: undefined,
          sentAt: undefined,
        }
      : { serviceStatus: 'Declined', reason: 'the service says Declined', at: plusMs(NOW, 30 * MINUTE) },
  held: () => ({
    reasons: [aReason(NO_MATCH, 'Name: “Wanjiru Kamau” and “Efua Sutherland Darko”: no match')],
  }),
  in_doubt: () => ({ reason: 'no_answer', evidence: evidence({ errorCode: 'ECONNRESET', phase: 'wait' }) }),
  accepted: () => ({ serviceStatus: 'Processing' }),
  returned: () => ({ serviceStatus: 'Reversed', returnedAt: plusMs(NOW, 50 * MINUTE) }),
};

export function someDecisions(text = 'asked her on the phone') {
  const at = NOW;
  const approval = { digest: 'a7a7', by: 'kofi', how: 'typed_total', count: 48 };
  const list = decisionsOf([
    {
      at,
      kind: 'import_begun',
      rowNumber: undefined,
      body: { set: { maker: 'ama', file: { name: 'may payroll.xlsx' } } },
    },
    {
      at: plusMs(at, MINUTE),
      kind: 'release',
      rowNumber: 7,
      body: { release: { saw: [NO_MATCH], by: 'ama', reason: text } },
    },
    {
      at: plusMs(at, MINUTE),
      kind: 'release',
      rowNumber: 8,
      body: { release: { saw: [NO_MATCH], by: 'ama', reason: text } },
    },
    { at: plusMs(at, 2 * MINUTE), kind: 'approved', rowNumber: undefined, body: { set: { approval } } },
    { at: plusMs(at, 3 * MINUTE), kind: 'cancel', rowNumber: 28, body: { by: 'ama', reason: text } },
    {
      at: plusMs(at, 90 * MINUTE),
      kind: 'rule_not_paid',
      rowNumber: 16,
      body: { ruling: { by: 'kofi', evidence: text } },
    },
  ]);
  return { list, more: 0, head: 'c0ffee'.padEnd(64, '0') };
}
