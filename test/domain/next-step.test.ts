import { expect, it } from 'vitest';
import { isToBeFilledIn } from '../../src/domain/steps/shell-word.ts';
import { typed } from '../../src/faces/cli/call.ts';
import { aPayoutIn } from '../builders/payouts.ts';
import { aBatch, aHeader, aLine, aRow } from '../builders/report-rows.ts';

const step = (row: ReturnType<typeof aRow>, header = aHeader()) => aLine(row, header).texts.next_step;

it.each([
  [
    'invalid',
    "Correct the row in the file and run it again: payfile run 'may payroll.xlsx' --batch may-2026",
  ],
  ['planned', "Ask for name and fee: payfile run 'may payroll.xlsx' --batch may-2026"],
  ['quoted', 'Agree to the plan: payfile approve may-2026'],
  ['approved', 'Send what is approved: payfile send may-2026'],
  ['accepted', 'Ask again how it stands: payfile settle may-2026'],
  ['settled', ''],
  ['returned', 'Correct what made it come back, then pay it again: payfile reissue may-2026 14'],
  ['canceled', 'Nothing; to pay it after all: payfile reissue may-2026 14'],
] as const)('names the command for a row that is %s', (status, expected) => {
  expect(step(aRow(aPayoutIn(status, { rowNumber: 14 })))).toBe(expected);
});

it('sends a person who has a payment that was made otherwise to the statement, not round in a circle', () => {
  const otherwise = aPayoutIn('settled', { rowNumber: 14, state: { discrepancies: ['amount: 5.00'] } });
  expect(step(aRow(otherwise))).toBe(
    'Compare it with your statement: payfile reconcile may-2026 --statement FILE',
  );
});

it('never tells anyone to send a row in doubt again', () => {
  const text = step(aRow(aPayoutIn('in_doubt', { rowNumber: 14 })));
  expect(text).toContain('payfile resolve may-2026 14 --paid TRANSFER_ID');
  expect(text).toContain('payfile resolve may-2026 14 --not-paid --evidence TEXT');
  expect(text).not.toMatch(/payfile (send|reissue|run)/);
});

it('tells from when on a payment that the service called failed may be paid again', () => {
  expect(step(aRow(aPayoutIn('failed', { rowNumber: 14 })))).toBe(
    'Correct the cause, then pay it again from 2026-05-26 06:15 UTC on: ' +
      'payfile reissue may-2026 14 (before that only with --evidence TEXT)',
  );
});

it('lets a refused payment be paid again as soon as its cause is gone', () => {
  const refused = aPayoutIn('failed', { rowNumber: 14, state: { basis: 'refused' } });
  expect(step(aRow(refused))).toBe('Correct the cause, then pay it again: payfile reissue may-2026 14');
});

it('gives a held row both ways on, with what to look at first', () => {
  expect(step(aRow(aPayoutIn('held', { rowNumber: 14 })))).toBe(
    'Ask the beneficiary whose account it is; if it is right: payfile release may-2026 14 --reason TEXT; ' +
      'else: payfile cancel may-2026 14 --reason TEXT',
  );
});

it('puts --sandbox behind commands for a rehearsal, so that they find its ledger', () => {
  expect(step(aRow(aPayoutIn('quoted')), aHeader({ environment: 'sandbox' }))).toBe(
    'Agree to the plan: payfile approve may-2026 --sandbox',
  );
});

it('calls a batch without a name by its id', () => {
  const header = aHeader({ batch: aBatch({ name: undefined }) });
  expect(step(aRow(aPayoutIn('invalid')), header)).toBe(
    "Correct the row in the file and run it again: payfile run 'may payroll.xlsx'",
  );
  expect(step(aRow(aPayoutIn('quoted')), header)).toBe('Agree to the plan: payfile approve b-7Q2K');
});

it('quotes names so that a shell runs nothing in them', () => {
  const header = aHeader({ batch: aBatch({ name: "may'; rm -rf ~; '" }) });
  expect(step(aRow(aPayoutIn('quoted')), header)).toBe(
    "Agree to the plan: payfile approve 'may'\\''; rm -rf ~; '\\'''",
  );
});

it.each([
  ['run may.csv --batch june --repeats may', 'run may.csv --batch june'],
  ["run 'my may.csv' --repeats 'of may' --skip-invalid", "run 'my may.csv' --skip-invalid"],
  ['run may.csv --repeats=may', 'run may.csv'],
  ['run may.csv --max-total GHS=500.00 --max-total KES=1 --batch j', 'run may.csv --batch j'],
  ['resolve may 3 --not-paid --evidence statement --yes', 'resolve may 3 --not-paid --evidence statement'],
  ['approve may --digest 0123456789abcdef --release 3 --release 4', 'approve may'],
  ['approve may --digest DIGEST --release ROW --reason TEXT', undefined],
  ['run may.csv --max-total GHS=AMOUNT --repeats BATCH', undefined],
  ['run yes.csv --batch release', undefined],
])('shows a command without what only a person may say: %s', (words, expected) => {
  expect(typed({ flags: {} }, words)).toBe(`payfile ${expected ?? words}`);
});

it('keeps --yes in the sandbox, where no real money is agreed to', () => {
  const command = typed({ flags: { sandbox: true } }, 'run may.csv --yes --repeats may');
  expect(command).toBe('payfile run may.csv --yes --sandbox');
});

it.each([
  ['payfile release may 3 --reason TEXT', true],
  ['If they are one person: payfile release may 3 --reason TEXT; else look', true],
  ['payfile run may.csv --max-total GHS=AMOUNT', true],
  ['payfile status may', false],
])('knows whether a person has to fill something in: %s', (command, expected) => {
  expect(isToBeFilledIn(command)).toBe(expected);
});
