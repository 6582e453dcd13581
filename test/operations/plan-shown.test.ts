/** A plan as it is shown: which rows are held and why, and which column holds what. */
import { expect, it } from 'vitest';
import { openOffice } from '../builders/office.ts';

const LINES = [
  'First name,Last name,Country,Provider,Account,Net',
  'Wanjiru,Kamau,Kenya,M-PESA,0712345678,25000',
  'Wanjiru,Kamau,Kenya,M-PESA,0712345678,25000',
];

it('lists each row that is held for more than its name', async () => {
  const office = openOffice({ PAYFILE_SOURCE: 'GB' });
  try {
    office.file('list.csv', LINES.join('\n'));
    const words = [
      'plan',
      'list.csv',
      '--sandbox',
      '--batch',
      'b',
      '--map',
      'amount=Net',
      '--set',
      'note=Pay',
    ];
    const { stdout } = await office.payfile(...words);
    expect(stdout).toMatch(
      /^Row 3 {2}possible duplicate {2}May be the same payment as row 2 of batch b, above it/m,
    );
    const { plan } = (await office.payfile(...words, '--json')).json() as { plan: Record<string, unknown> };
    expect(plan['heldRows']).toEqual([
      { row: 3, reasons: [{ kind: 'repeat', text: expect.stringContaining('row 2 of batch b') }] },
    ]);
    const column = (field: string, headers: readonly string[], text: unknown = null, by: unknown = null) => ({
      ...{ field, headers, text, by },
    });
    expect(plan['columns']).toEqual(
      expect.arrayContaining([
        column('name', ['First name', 'Last name']),
        column('account', ['Account']),
        column('amount', ['Net'], null, expect.any(String)),
        column('note', [], 'Pay', expect.any(String)),
      ]),
    );
  } finally {
    office.close();
  }
});
