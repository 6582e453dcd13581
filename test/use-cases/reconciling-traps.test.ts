/**
 * Statements that look as if they proved something: a tag that was cut off, two tags in one line, a transfer that
 * another row has. Nothing is ruled on any of them.
 */
import { describe, expect, it } from 'vitest';
import { bookEndOf, WHOLE_BOOK } from '../../src/domain/statement/line.ts';
import { accept, around, type Line, reconcileWith, sentBatch, told } from '../builders/statement-file.ts';

const changed = (lines: readonly Line[], which: number, changes: Line): readonly Line[] =>
  lines.map((line, index) => (index === which ? { ...line, ...changes } : line));

describe('a row in doubt whose line cannot be recognised', () => {
  it.each([
    ['the tag is cut off', 'VIR 0001234 PF-7AJF'],
    ['the tag is broken in two', 'PF-7AJF 9DPF salary'],
    ['there is no narration', ''],
  ])('is not called unpaid while a line shows its amount: %s', async (_, Narration) => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
    const ourAccount = { Id: '', Account: '0001112223', Narration };
    const reconciled = await reconcileWith(place, batch, around(at, changed(lines, 1, ourAccount)));
    expect(reconciled.findings).toMatchObject([
      { kind: 'matched' },
      {
        kind: 'still_in_doubt',
        text: expect.stringMatching(/^line 4 shows the (same amount|beginning of its tag)/),
      },
    ]);
    expect(await accept(place, reconciled)).toEqual([]);
    expect(await place.stand(batch)).toMatchObject({ in_doubt: 1 });
  });

  it.each([
    ['is long past', { Date: '2020-01-01' }],
    ['has the tag of another payment of ours', { Narration: 'PF-00000001 salary' }],
    ['shows money that came in', { Direction: 'in' }],
  ])('may be ruled unpaid when the only line with its amount %s', async (_, changes: Line) => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
    const [first] = lines;
    const row = await place.row(batch, 3);
    const Amount = row.instruction === undefined ? '' : String(Number(row.instruction.amount.minor) / 100);
    const written = 'Direction' in changes ? { Amount: '', Credit: Amount } : { Amount };
    const alike = { ...first, Id: '', Account: '', Narration: 'x', ...written, ...changes };
    const reconciled = await reconcileWith(place, batch, around(at, [...lines, alike]));
    const [ruling] = reconciled.findings.filter(({ kind }) => kind === 'propose_not_paid');
    expect(ruling).toMatchObject({ weakness: undefined });
  });
});

describe('a line that names more than one payment', () => {
  it('rules on none of those in doubt, neither paid nor unpaid', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after', 'lose_before']);
    const tags = [await place.row(batch, 3), await place.row(batch, 4)].map(({ state }) =>
      'tag' in state ? state.tag : '',
    );
    const both = changed(lines, 1, { Narration: `collective order ${tags.join(' ')}` });
    const reconciled = await reconcileWith(place, batch, around(at, both));
    expect(told(reconciled.findings)).toEqual(['matched 2', 'still_in_doubt 3', 'still_in_doubt 4']);
    expect(await accept(place, reconciled)).toEqual([]);
  });
});

describe('a line with the tag of one row and the transfer of another', () => {
  it('says which row has the transfer, and is not ruled on', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_after']);
    const crossed = changed(lines, 1, { Id: String(lines[0]?.['Id']) });
    const reconciled = await reconcileWith(place, batch, around(at, crossed));
    expect(reconciled.findings).toMatchObject([
      { kind: 'matched' },
      { kind: 'propose_paid', weakness: expect.stringContaining('transfer tr-1, which row 2 has') },
    ]);
    expect(await accept(place, reconciled)).toEqual([]);
  });

  it('is no agreement when both are settled', async () => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'accept']);
    const crossed = changed(lines, 1, { Id: String(lines[0]?.['Id']) });
    const reconciled = await reconcileWith(place, batch, around(at, crossed));
    expect(reconciled.findings).toMatchObject([
      { kind: 'matched' },
      { kind: 'differs', text: expect.stringContaining('transfer tr-1, which row 2 has') },
    ]);
  });
});

it('names the flag for a date column that goes by a name nobody knows', async () => {
  const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before']);
  const renamed = around(at, lines).map(({ Date: when = '', ...rest }) => ({ ...rest, 'Le jour': when }));
  const { span, findings } = await reconcileWith(place, batch, renamed);
  expect(span.doubt).toContain('--map date="Header"');
  expect(told(findings)).toEqual(['matched 2', 'still_in_doubt 3']);
});

it.each([
  ['its own', bookEndOf('ours'), bookEndOf('ours'), 'propose_not_paid'],
  ['another one', bookEndOf('other'), bookEndOf('ours'), 'still_in_doubt'],
  ['nobody knows which', WHOLE_BOOK, bookEndOf('ours'), 'still_in_doubt'],
  ['a live one', bookEndOf('ours'), undefined, 'still_in_doubt'],
])(
  'the last line of the sandbox’s book is believed in its own ledger alone (of %s)',
  async (_whose, Narration, ownBookEnd, kind) => {
    const { place, batch, at, lines } = await sentBatch(['accept', 'lose_before'], {
      daysLater: 1,
    });
    const end = { Date: new Date(at + 3_600_000).toISOString(), Amount: '0.00', Narration };
    const { findings } = await reconcileWith(place, batch, [...lines, end], { ownBookEnd });
    expect(findings[1]).toMatchObject({ kind });
  },
);
