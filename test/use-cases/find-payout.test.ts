/** Somebody on the telephone gives a name: the row is found by it, and where several fit, nobody guesses. */

import { expect, it } from 'vitest';
import { command } from '../../src/domain/next-steps/command.ts';
import { findPayoutByText } from '../../src/use-cases/decide/choose-payouts.ts';
import { aRow } from '../builders/payout-file.ts';
import { aWorkplace } from '../builders/workplace.ts';

async function found(text: string): Promise<number> {
  const place = await aWorkplace();
  const { batch } = await place.place(
    [
      aRow(1, { name: 'Ama Mensah' }),
      aRow(2, { name: 'Kofi Owusu', reference: 'Mensah' }),
      aRow(3, { name: 'Kwame Mensah-Boateng' }),
      aRow(4, { name: 'Zoé Ākwei' }),
    ],
    'may',
  );
  await place.price(batch.id);
  return (await findPayoutByText(batch, text, place.world)).rowNumber;
}

it.each([
  ['3', 3],
  ['GH-001', 2],
  ['kwame', 4],
  ['boateng kwame', 4],
  ['zoe akw', 5],
  // A reference comes before a name.
  ['Mensah', 3],
])('finds the row of %s', async (text, row) => {
  expect(await found(text)).toBe(row);
});

it('lists the rows where a name fits several', async () => {
  await expect(found('mens')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/“mens” fits \d rows: row 2 \(Ama Mensah, GHS 1,200.00, .*row 4 \(Kwame/),
    next: command('explain', ['may', 2]),
  });
});

it('says so where no row, reference or name fits', async () => {
  await expect(found('Adjoa')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('No row, reference or name “Adjoa” in batch may'),
  });
});
