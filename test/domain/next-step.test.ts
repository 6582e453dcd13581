import { expect, it } from 'vitest';
import { SET_BACK_REASON } from '../../src/domain/batches/batch.ts';
import { command, commandText, helpOn, isToFillIn, nextSteps } from '../../src/domain/next-steps/command.ts';
import { plusMs } from '../../src/domain/timestamp.ts';
import { type FileNamed, fileCommand } from '../../src/operations/file-commands.ts';
import { aPayoutIn, money, NOW, OVER_LIMIT } from '../builders/payouts.ts';
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
  ['accepted', 'Ask for its status again: payfile settle may-2026'],
  ['settled', ''],
  ['canceled', 'Nothing; to pay it after all: payfile reissue may-2026 14'],
] as const)('names the command for a row that is %s', (status, expected) => {
  expect(step(aRow(aPayoutIn(status, { rowNumber: 14 })))).toBe(expected);
});

it.each([
  ['funds are low', 'Once you know why, let it go on: payfile resume may-2026'],
  [SET_BACK_REASON, 'See why: payfile status may-2026'],
])('never tells anyone to send a row of a batch that is paused: %s', (reason, expected) => {
  const header = aHeader({ batch: aBatch({ pause: { reason, by: 'ben', at: NOW } }) });
  const text = `The batch is paused. ${expected}`;
  expect(step(aRow(aPayoutIn('approved', { rowNumber: 14 })), header)).toBe(text);
});

it('asks for evidence before a withdrawn row is paid that was shown as paid, because paying it is refused without', () => {
  const shown = aPayoutIn('canceled', { rowNumber: 14, state: { isShownAsPaid: true } });
  expect(step(aRow(shown))).toBe(
    'It was shown as paid. Only if it is proven that nobody was paid: payfile reissue may-2026 14 --evidence TEXT',
  );
});

it('sends a person who has a payment that was made otherwise to the statement, not round in a circle', () => {
  const otherwise = aPayoutIn('settled', { rowNumber: 14, state: { discrepancies: ['amount: 5.00'] } });
  expect(step(aRow(otherwise))).toBe(
    'Compare it with your statement: payfile reconcile may-2026 --statement FILE; once you know why, accept the difference: payfile resolve may-2026 14 --difference accepted --reason TEXT',
  );
});

it('sends a person who has a late payment that differs to the statement first, and then to the service', () => {
  const way = { status: 'accepted', discrepancies: ['amount: 5.00'] } as const;
  const payout = aPayoutIn('accepted', { rowNumber: 14, state: way });
  const compare =
    'Compare it with your statement: payfile reconcile may-2026 --statement FILE; once you know why, accept the difference: payfile resolve may-2026 14 --difference accepted --reason TEXT; ';
  const settle = 'ask for its status again: payfile settle may-2026';
  expect(step(aRow(payout))).toBe(`${compare}${settle}`);
  const late = { ...payout, look: { at: NOW, times: 3, concern: 'late' } } as const;
  const { transferId } = payout.state;
  expect(step(aRow(late))).toBe(
    `${compare}ask the service what became of transfer ${transferId}. Then ${settle.replace('its', 'the')}`,
  );
});

it('never tells anyone to send a row in doubt again', () => {
  const text = step(aRow(aPayoutIn('in_doubt', { rowNumber: 14 })));
  expect(text).toContain('payfile resolve may-2026 14 --paid TRANSFER_ID');
  expect(text).toContain('payfile resolve may-2026 14 --not-paid --evidence TEXT');
  expect(text).not.toMatch(/payfile (send|reissue|run)/);
});

it.each(['failed', 'returned'] as const)(
  'tells from when on a payment that the service called %s may be paid again',
  (status) => {
    expect(step(aRow(aPayoutIn(status, { rowNumber: 14 })))).toBe(
      'Wait until 2026-05-26 06:15 UTC: it may still turn out paid. ' +
        'Then, if account, name or amount must change, correct the row in a file of the unpaid rows, and run that file: ' +
        'payfile report may-2026 --only unpaid --as-input -o may-2026-redo.xlsx; ' +
        'if nothing changes, pay the very same payment again, to the same account: ' +
        'payfile reissue may-2026 14 (before that only with evidence)',
    );
  },
);

it('tells when a payment that was called failed once is asked about again, and never to pay it again', () => {
  const at = (ms: number) => ({ suspicion: { word: 'Failed', firstAt: plusMs(NOW, ms) } });
  const suspected = (ms: number) => step(aRow(aPayoutIn('accepted', { rowNumber: 14, state: at(ms) })));
  expect(suspected(0)).toBe(
    'A run that is going asks again at 2026-05-25 06:25 UTC; if none is, ask from then on: payfile settle may-2026',
  );
  expect(suspected(1_000)).toContain('at 2026-05-25 06:26 UTC');
});

it('asks for evidence where the service’s word does not count', () => {
  const suspicion = { word: 'Failed', firstAt: NOW, unproven: ['does not show the receiver'] };
  expect(step(aRow(aPayoutIn('accepted', { rowNumber: 14, state: { suspicion } })))).toBe(
    'Ask the service what became of it. Once it is proven that nobody was paid: payfile reissue may-2026 14 --evidence TEXT',
  );
});

it('lets a refused payment be paid again as soon as its cause is gone', () => {
  const refused = aPayoutIn('failed', { rowNumber: 14, state: { basis: 'refused' } });
  expect(step(aRow(refused))).toBe(
    'If account, name or amount must change, correct the row in a file of the unpaid rows, and run that file: ' +
      'payfile report may-2026 --only unpaid --as-input -o may-2026-redo.xlsx; ' +
      'if nothing changes, pay the very same payment again, to the same account: payfile reissue may-2026 14',
  );
});

it('lets a payment that was ruled not paid be paid again as it is: nobody refused it', () => {
  const ruled = aPayoutIn('failed', { rowNumber: 14, state: { basis: 'ruled' } });
  expect(step(aRow(ruled))).toBe(
    'Pay the very same payment again, to the same account: payfile reissue may-2026 14; ' +
      'if account, name or amount must change, correct the row in a file of the unpaid rows, and run that file: ' +
      'payfile report may-2026 --only unpaid --as-input -o may-2026-redo.xlsx',
  );
});

it('gives a held row both ways on, with what to look at first', () => {
  expect(step(aRow(aPayoutIn('held', { rowNumber: 14 })))).toBe(
    'Ask the beneficiary whose account it is; if it is right: payfile release may-2026 14 --reason TEXT; ' +
      'otherwise: payfile cancel may-2026 14 --reason TEXT',
  );
});

it('names what a held row waits for, where somebody released it for something else before', () => {
  const releases = [{ saw: [OVER_LIMIT], by: 'ben', reason: 'a bonus', at: NOW }];
  expect(step(aRow(aPayoutIn('held', { rowNumber: 14, state: { releases } })))).toContain(
    'payfile release may-2026 14 --kind name --reason TEXT',
  );
});

it('puts --sandbox behind commands for a rehearsal, so that they find its ledger', () => {
  expect(step(aRow(aPayoutIn('quoted')), aHeader({ environment: 'sandbox' }))).toBe(
    'Agree to the plan: payfile approve may-2026 --sandbox',
  );
});

it('quotes names so that a shell runs nothing in them', () => {
  const header = aHeader({ batch: aBatch({ name: "may'; rm -rf ~; '" }) });
  expect(step(aRow(aPayoutIn('quoted')), header)).toBe(
    "Agree to the plan: payfile approve 'may'\\''; rm '\\-'rf ~; '\\'",
  );
});

const AGREED = {
  yes: true,
  repeats: 'may',
  batch: 'june',
  skipInvalid: true,
  maxTotal: [money('GHS 500.00')],
};
const called = (asked: FileNamed) => ({ ...asked, file: 'my may.csv' });

it('shows a command without what only a person may say, even where it was given', () => {
  expect(commandText(fileCommand(called(AGREED), 'run'), {})).toBe(
    "payfile run 'my may.csv' --skip-invalid --batch june",
  );
});

it('keeps --yes in the sandbox, where no real money is agreed to', () => {
  expect(commandText(fileCommand(called({ yes: true }), 'run'), { sandbox: true })).toBe(
    "payfile run 'my may.csv' --yes --sandbox",
  );
});

it('names service and ledger behind every command, but not behind help or a command of another place', () => {
  const place = { sandbox: true, ledger: 'my ledger.db', config: 'p.json' };
  expect(commandText(command('status'), place)).toBe(
    "payfile status --sandbox --ledger 'my ledger.db' --config p.json",
  );
  expect(commandText(helpOn('run'), place)).toBe('payfile run --help');
});

it('parts a flag from its value so that the value is never a flag itself', () => {
  expect(commandText(command('run', ['-'], [['--sheet', '-May']]), {})).toBe(
    "payfile run \\- \\-'-sheet=-May'",
  );
});

it('knows whether a person has to fill something in, whatever a batch is called', () => {
  expect(isToFillIn(command('release', ['may', 3], [['--reason', { fillIn: 'TEXT' }]]))).toBe(true);
  expect(isToFillIn(command('run', [{ fillIn: 'FILE' }]))).toBe(true);
  expect(isToFillIn(command('status', ['NAME']))).toBe(false);
  const open = command('resolve', ['may', 3], [['--paid', { fillIn: 'TRANSFER_ID' }]]);
  expect(nextSteps(open)).toEqual({ next: undefined, andThen: open });
});
