/**
 * Whatever people, cron and the service do: what the book of the service shows is exactly what somebody saw and agreed to, and
 * nothing twice. Drawn histories of two batches: files that are corrected and copied, moved rates, fees, names and ids, time
 * that passes, old digests, releases, repeats, lost answers and edits in the table. SOAK=1 draws hundreds of longer ones.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histories } from './agreed-actions.ts';
import { playHistory } from './agreed-history.ts';
import { type Evidence, type Execution, faultsOf, type WorldSeen, type WrittenLine } from './agreed-judge.ts';

const IS_SOAK = process.env['SOAK'] === '1';
const [RUNS, ACTIONS] = IS_SOAK ? [400, 24] : [8, 12];
const LIMIT_MS = 3_600_000;

it(
  'pays exactly what somebody saw and agreed to, and nothing twice',
  async () => {
    let payments = 0;
    const pays = fc.asyncProperty(histories(ACTIONS), async (actions) => {
      const evidence = await playHistory(actions);
      payments += evidence.book.length;
      expect(faultsOf(evidence)).toEqual([]);
    });
    await fc.assert(pays, { numRuns: RUNS });
    // Otherwise a program that pays nothing would pass.
    expect(payments).toBeGreaterThan(RUNS / 2);
  },
  LIMIT_MS,
);

describe('the judge of these histories', () => {
  const line: WrittenLine = {
    ...{ note: 'N1', account: '0244000001', amount: '20.00', name: 'Kofi Owusu', phone: '', reference: '' },
  };
  const world: WorldSeen = { rate: 2, fee: 1, bank: 'GCB Bank', holders: { [line.account]: 'Kofi Owusu' } };
  /** GHS 20.00 at 2, and ZAR 1.00: ZAR 11.00. */
  const paid: Execution = {
    ...{ id: 'tr-1', source: 'ZA', destination: 'GH', countryName: 'Ghana', at: 2, command: 1 },
    ...{ institution: 'gh-1', institutionName: 'GCB Bank', note: 'PF-1 N1', debit: 1_100, fee: 100 },
    ...{ account: line.account, name: line.name, phone: '', amount: '20', isAnswerLost: false },
    ...{ batch: 'may', line, holder: 'Kofi Owusu' },
  };
  const judged = (book: readonly Execution[], more: Partial<Evidence> = {}) =>
    faultsOf({
      book,
      agreements: ['may', 'june'].map((batch) => ({
        ...{ batch, lines: [line, { ...line, note: 'N2' }], world, at: 1 },
        most: (amount) => (amount / 2 + 1) * 100,
      })),
      ...{ releases: [], namesReleased: new Set(), canceled: [], sameAccount: (one, other) => one === other },
      ...more,
    });
  const later = { ...paid, batch: 'june', at: 3, command: 2 };
  const released = (doubtful: readonly string[]) => ({
    releases: [
      {
        of: 'june N1',
        fee: -1,
        amount: '20',
        repeats: new Set(['may N1']),
        doubtful: new Set(doubtful),
        at: 2,
      },
    ],
  });

  it('has nothing to say of what was agreed to', () => {
    expect(judged([paid])).toEqual([]);
    expect(judged([{ ...paid, debit: 1_111 }])).toEqual([]);
    expect(judged([paid, later], released([]))).toEqual([]);
  });

  it.each<[string, readonly Execution[], Partial<Evidence>]>([
    ['another account', [{ ...paid, account: '233244000001' }], {}],
    ['another phone', [{ ...paid, phone: '+233201111111' }], {}],
    ['another amount', [{ ...paid, amount: '20.01' }], {}],
    ['another name', [{ ...paid, name: 'Yaa Asante' }], {}],
    ['another holder', [{ ...paid, holder: 'Yaa Asante' }], {}],
    ['another bank under the id', [{ ...paid, institutionName: 'Fidelity Bank' }], {}],
    ['a debit above the drift', [{ ...paid, debit: 1_113 }], {}],
    ['a fee that nobody released', [{ ...paid, debit: 1_100, fee: 300 }], {}],
    ['a line that was agreed to later', [{ ...paid, at: 0 }], {}],
    ['a cancelled line', [paid], { canceled: [{ of: 'may N1', line, at: 1 }] }],
    ['the same line twice', [paid, { ...paid, at: 3 }], {}],
    ['a repeat that nobody released', [paid, later], {}],
    ['a repeat that became doubtful', [{ ...paid, isAnswerLost: true }, later], released([])],
  ])('finds %s', (_, book, more) => {
    expect(judged(book, more)).not.toEqual([]);
  });
});
