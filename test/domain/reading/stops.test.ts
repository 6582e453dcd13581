/** Rows that say that they are not to be paid, by a status, a remark or a date. */
import { describe, expect, it } from 'vitest';
import { isLeftOut } from '../../../src/domain/reading/leave-out.ts';
import { LaterDates, saysWhenToPay } from '../../../src/domain/reading/pay-date.ts';
import { stopWordOf } from '../../../src/domain/reading/stop-words.ts';
import { answers, asked, codes, words } from './asked.ts';

const sheet = (header: string, ...cells: readonly string[]): readonly string[] => [
  `Name;Country;Bank;Account;Amount;${header}`,
  ...cells.map((cell, at) => `Person ${at};Kenya;KCB;118234567${at};5;${cell}`),
];

describe('a status', () => {
  it.each([
    ['Status', ['Paid', 'Unpaid', 'Paid'], ['Paid']],
    ['Status', ['Sent', 'Sent', 'Sent'], ['Sent']],
    ['action', ['approve', 'reject', 'on hold'], ['reject', 'on hold']],
    ['Payment status', ['Settled', 'Open', 'Cancelled'], ['Settled', 'Cancelled']],
    ['Payment status', ['Completed', 'Failed', 'Pending'], ['Completed', 'Failed']],
    ['Decision', ['Approved', 'Pending', 'Approved'], ['Pending']],
    ['Employment status', ['Active', 'Resigned', 'Terminated'], ['Resigned', 'Terminated']],
    ['Paid?', ['Yes', 'No', ''], ['Yes']],
    ['On hold', ['N', 'Y', 'N'], ['Y']],
    ['Approved', ['Yes', 'No', 'Yes'], ['No']],
    ['Pay this month', ['TRUE', 'FALSE', 'TRUE'], ['FALSE']],
    ['Stop payment', ['', 'x', ''], ['x']],
    ['Withheld', ['✓', '', ''], ['✓']],
    ['Payment Method', ['Bank', 'Cash', 'M-PESA'], ['Cash']],
    ['Mode de paiement', ['Virement', 'Espèces', 'Chèque'], ['Espèces', 'Chèque']],
    ['Statut', ['Payé', 'Annulé', 'À payer'], ['Payé', 'Annulé']],
    ['Estado', ['Pago', 'Por pagar', 'Cancelado'], ['Pago', 'Cancelado']],
    ['Aprovado', ['Sim', 'Não', 'Sim'], ['Não']],
    ['Comment', ['ok', 'STOP!', 'Cancel.'], ['STOP!', 'Cancel.']],
    ['Result', ['Success', 'Insufficient funds', ''], ['Success']],
    ['Type', ['Payment', 'Reversal', 'Refund'], ['Reversal', 'Refund']],
    ['Dr/Cr', ['CR', 'DR', 'CR'], ['DR']],
    ['Payment Status', ['Unpaid', 'Partially paid', 'Unpaid'], ['Partially paid']],
    ['Salary Withheld', ['0', '1', '0'], ['1']],
  ])('“%s” with %j says of %j that they are not to be paid', (header, cells, stops) => {
    const questions = asked(sheet(header, ...cells));
    expect(codes(questions)).toEqual(['rows_not_to_pay']);
    for (const stop of stops) expect(words(questions)).toContain(`“${stop}”`);
    expect(answers(questions)).toEqual([
      [{ kind: 'leave_out', header, words: stops }],
      [{ kind: 'pay_anyway', header }],
    ]);
  });

  it.each([
    ['Status', ['Pending', 'Pending', 'Unpaid']],
    ['Status', ['Active', 'Active', 'Active']],
    ['Status', ['Approved', 'Approved', 'Ready']],
    ['Approved', ['Yes', 'Yes', 'Yes']],
    ['Paid?', ['No', 'No', 'No']],
    ['KYC status', ['Complete', 'Complete', 'Complete']],
    ['Payslip sent', ['Yes', 'Yes', 'Yes']],
    ['Department', ['Cash Office', 'Stop Centre', 'Sent desk']],
    ['Modality', ['Cash', 'Cash', 'Cash']],
    ['Remarks', ['Paid leave', 'November wages', 'Cash advance']],
    ['Remarks', ['To be paid on 30/11', 'Not paid', 'not yet sent']],
    ['Reason', ['November wages', 'November wages', 'Bonus']],
    ['Training', ['Completed', 'Completed', 'Completed']],
    ['Remarks', ['hold baggage', 'Hold released', 'en attente de paiement']],
    ['Purpose', ['Refund', 'Refund', 'Refund']],
    ['Exit Date', ['2026-08-31', '2026-08-31', '2026-08-31']],
    ['Dr/Cr', ['DR', 'DR', 'DR']],
  ])('“%s” with %j says nothing of the kind', (header, cells) => {
    expect(words(asked(sheet(header, ...cells)))).toBe('');
  });

  it('is answered with the words that say it, and not with a whole sentence', () => {
    const questions = asked(sheet('Remarks', 'DO NOT PAY, resigned', 'do not pay: see mail', ''));
    expect(words(questions)).toContain('“DO NOT PAY, resigned” in 2 rows');
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'leave_out', header: 'Remarks', words: ['do not pay'] },
    ]);
  });

  it('is found in sentences, and the offered answer leaves out each of them', () => {
    const cells = ['deceased', 'pls hold until contract signed', 'en attente de dossier', 'aguardar', 'ok'];
    const [first] = answers(asked(sheet('Remarks', ...cells)))?.[0] ?? [];
    const isOut = isLeftOut(first?.kind === 'leave_out' ? first.words : []);
    expect(cells.filter((cell) => !isOut(cell))).toEqual(['ok']);
  });

  it('is a date or a number that only some rows have', () => {
    for (const header of ['Exit Date', 'Transaction ID'])
      expect(answers(asked(sheet(header, '', '2026-08-31', '')))?.[0]).toEqual([
        { kind: 'leave_out', header, words: ['*'] },
      ]);
  });

  it('stands beside a name', () => {
    const lines = [
      'Name;Country;Bank;Account;Amount',
      'Jane Hold;Kenya;KCB;1;5',
      'Joy (STOP PAY);Kenya;KCB;2;5',
    ];
    expect(answers(asked(lines))?.[0]).toEqual([{ kind: 'leave_out', header: 'Name', words: ['stop pay'] }]);
  });

  it('counts the rows of each word', () => {
    expect(words(asked(sheet('Status', 'Paid', 'Paid', 'Rejected', 'Open')))).toContain(
      '“Paid” in 2 rows and “Rejected” in 1 row. Are these 3 rows to be paid?',
    );
  });

  it('is asked about once where a reason stands beside it', () => {
    const lines = sheet('action;rejection_reason', 'approve;', 'reject;not this person', 'on hold;');
    expect(codes(asked(lines))).toEqual(['rows_not_to_pay']);
    const alone = asked(sheet('rejection_reason', '', 'not this person', ''));
    expect(answers(alone)?.[0]).toEqual([{ kind: 'leave_out', header: 'rejection_reason', words: ['*'] }]);
    expect(codes(asked(sheet('Date paid', '', '03/11/2026')))).toEqual(['rows_not_to_pay']);
  });

  it('is decided by leaving out or by paying anyway', () => {
    const lines = sheet('Status', 'Paid', 'Open');
    expect(codes(asked(lines, { said: [{ kind: 'pay_anyway', header: 'Status' }] }))).toEqual([]);
    expect(codes(asked(lines, { said: [{ kind: 'leave_out', header: 'status', words: ['Paid'] }] }))).toEqual(
      [],
    );
    expect(codes(asked(lines, { said: [{ kind: 'ignore', header: 'Status' }] }))).toEqual([]);
  });
});

describe('a word that payfile does not know', () => {
  it.each([
    ['PAY_STATUS', ['A', 'H', 'A', 'T', 'A'], ['H', 'T']],
    ['State', ['Active', 'On leave', 'Active', 'DNP', 'Active'], ['DNP']],
    ['Statut', ['', 'X', ''], ['X']],
    ['Remarks', ['', 'See HR first', '', ''], ['See HR first']],
    ['F (no header)', ['', 'wait', '', ''], ['wait']],
    ['Status', ['A', 'H'], ['H']],
  ])('in “%s” with %j is asked about, with its rows', (header, cells, first) => {
    const questions = asked(sheet(header, ...cells));
    expect(codes(questions)).toEqual(['status_unknown']);
    for (const word of first) expect(words(questions)).toContain(`“${word}” in `);
    expect(answers(questions)).toContainEqual([{ kind: 'leave_out', header, words: first }]);
    expect(answers(questions)).toContainEqual([{ kind: 'pay_anyway', header }]);
  });

  it('is asked about beside those that it knows, which can be left out alone', () => {
    const questions = asked(sheet('Status', 'Paid', 'H', 'Open', 'Open'));
    expect(words(questions)).toContain(
      '“Paid” in 1 row and “H” in 1 row. payfile does not know what “H” means',
    );
    expect(answers(questions)?.slice(0, 2)).toEqual([
      [{ kind: 'leave_out', header: 'Status', words: ['Paid'] }],
      [{ kind: 'leave_out', header: 'Status', words: ['H', 'Paid'] }],
    ]);
  });

  it.each([
    ['Status', ['A', 'A', 'A']],
    ['Employment status', ['Permanent', 'Contract', 'Permanent']],
    ['Marital status', ['M', 'S', 'M']],
    ['Remarks', ['Lunch with clients', 'Overtime', 'Bus']],
    ['A (no header)', ['1', '2', '']],
    ['Status', ['Not paid', 'Unpaid', 'À payer']],
  ])('is none in “%s” with %j', (header, cells) => {
    expect(words(asked(sheet(header, ...cells)))).toBe('');
  });
});

describe('words that the last file left out', () => {
  const proposed = (header: string, ...left: readonly string[]) => ({
    proposed: [{ kind: 'leave_out', header, words: left }] as const,
  });

  it.each([
    ['Grade', ['7', 'H', 'T'], ['h', 't']],
    ['Bank', ['KCB', 'Cheque'], ['cheque']],
    ['Note to us', ['H, see mail', 'H'], ['h']],
  ])('are asked about again, whatever they mean: %s', (header, cells, left) => {
    const lines = sheet(header, ...cells).map((line) =>
      header === 'Bank' ? line.replace('KCB;', '').replace('Bank;', '') : line,
    );
    const questions = asked(lines, proposed(header, 'H', 'T', 'Cheque'));
    expect(answers(questions)?.[0]).toEqual([{ kind: 'leave_out', header, words: left }]);
  });

  it('are no question where the file has none of them', () => {
    expect(codes(asked(sheet('Grade', '7', '8'), proposed('Grade', 'H')))).toEqual([]);
    expect(codes(asked(sheet('Grade', '7', '8'), proposed('Grade', 'after 2026-10-31')))).toEqual([]);
  });
});

describe('a remark', () => {
  it.each([
    ['DO NOT PAY - resigned 14 Nov', 'do not pay'],
    ['paid cash on 20/11', 'paid cash'],
    ['to be paid cash', 'paid cash'],
    ['PAID - 20/11', 'paid'],
    ['Paid 3 Nov', 'paid'],
    ['Hold: documents missing', 'hold'],
    ['Salary stopped', 'salary stopped'],
    ['Already paid in October', 'already paid'],
    ['Rejected by the bank', 'rejected'],
    ['Don’t pay', 'don t pay'],
    ['Déjà payé le 3', 'deja paye'],
    ['Ne pas payer svp', 'ne pas payer'],
    ['payé en espèces', 'paye en especes'],
    ['NÃO PAGAR', 'nao pagar'],
    ['Pago em dinheiro', 'pago em dinheiro'],
  ])('“%s” says “%s”', (cell, said) => {
    expect(stopWordOf(cell)).toBe(said);
  });

  it.each([
    'Not paid',
    'To be paid on 30/11',
    'not yet paid',
    'Replacement for cancelled invoice 33',
    'no longer suspended',
    'Prepaid meter',
    'Stop & shop refurbishment',
    'paid on behalf of head office',
    'Non payé',
    'não pago',
    '',
  ])('“%s” says nothing', (cell) => {
    expect(stopWordOf(cell)).toBeUndefined();
  });

  it('is found among very many different ones', () => {
    const cells = Array.from({ length: 60 }, (_, at) =>
      at % 20 === 19 ? `DO NOT PAY, case ${at}` : `Order ${at}`,
    );
    const questions = asked(sheet('Remarks', ...cells));
    expect(words(questions)).toContain('“DO NOT PAY, case 19” in 3 rows');
    expect(answers(questions)?.[0]).toEqual([
      { kind: 'leave_out', header: 'Remarks', words: ['do not pay'] },
    ]);
    expect(cells.filter(isLeftOut(['do not pay']))).toHaveLength(3);
  });
});

describe('a word to leave out', () => {
  it.each([
    [['Paid'], 'PAID', true],
    [['Paid'], 'Paid - 20/11', true],
    [['Paid'], 'Unpaid', false],
    [['Paid'], 'Not paid', false],
    [['on hold', 'reject'], 'Reject', true],
    [['*'], 'whatever', true],
    [['*'], ' ', false],
    [['after 2026-11-27'], '15/03/2027', true],
    [['after 2026-11-27'], '27/11/2026', false],
  ])('%j stands for “%s”: %s', (given, cell, isOut) => {
    expect(isLeftOut(given)(cell)).toBe(isOut);
  });
});

describe('a date to pay', () => {
  it.each([
    'Date to Send',
    'Pay on',
    'Value date',
    'Action date',
    'payment_date',
    'Date de paiement',
    'Data de pagamento',
    'Scheduled for',
  ])('is asked about where it is later than today: %s', (header) => {
    const questions = asked(sheet(header, '26/11/2026', '15/03/2027'));
    expect(codes(questions)).toEqual(['dates_to_come']);
    expect(words(questions)).toContain('in 1 row, such as “15/03/2027”');
    expect(answers(questions)).toEqual([
      [{ kind: 'leave_out', header, words: ['after 2026-11-27 day first'] }],
      [{ kind: 'pay_anyway', header }],
    ]);
    expect(codes(asked(sheet(header, '26/11/2026', '27/11/2026')))).toEqual([]);
  });

  it.each(['Due date', 'Invoice date', 'Date of birth', 'Contract end date', 'Last payment date', 'Date'])(
    'is no “%s”',
    (header) => {
      expect(saysWhenToPay(header)).toBe(false);
    },
  );

  it.each([
    ['15 March 2027', true],
    ['15-Mar-27', true],
    ['2027-03-15', true],
    ['15.03.27', true],
    ['1 décembre 2026', true],
    ['15 de março de 2027', true],
    ['27/11/2026', false],
    ['November', false],
  ])('“%s” is later: %s', (cell, isLater) => {
    const dates = new LaterDates('2026-11-27');
    dates.see(cell);
    expect(dates.found() !== undefined).toBe(isLater);
    expect(isLeftOut(['after 2026-11-27'])(cell)).toBe(isLater);
  });

  it('is read in the order that another date of the column proves, and else in both', () => {
    expect(codes(asked(sheet('Pay on', '12/11/2026', '26/11/2026')))).toEqual([]);
    expect(codes(asked(sheet('Pay on', '12/11/2026', '11/26/2026')))).toEqual(['dates_to_come']);
    expect(answers(asked(sheet('Pay on', '12/11/2026')))?.[0]).toEqual([
      { kind: 'leave_out', header: 'Pay on', words: ['after 2026-11-27'] },
    ]);
    expect(isLeftOut(['after 2026-11-27 day first'])('12/11/2026')).toBe(false);
    expect(isLeftOut(['after 2026-11-27 month first'])('12/11/2026')).toBe(true);
  });
});
