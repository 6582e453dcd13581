/**
 * The ledger's promises that keep a payment from being made twice: the memory of payments, the guard inside the
 * commit, one living instruction per family.
 */
import { expect } from 'vitest';
import type { Concern } from '../../src/domain/payouts/concern.ts';
import { asTransferId, type PayoutId, type Quote } from '../../src/domain/payouts/instruction.ts';
import type { Objection } from '../../src/domain/payouts/objection.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import type { PayoutEvent } from '../../src/domain/payouts/payout-event.ts';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import { type Timestamp, timestampOf } from '../../src/domain/timestamp.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import { type MoveRules, NotReplaceable, type Recorded } from '../../src/ports/ledger/moves.ts';
import {
  again,
  all,
  approvalOf,
  batchOf,
  eventsTo,
  later,
  moved,
  moveOf,
  only,
  released,
  row,
  rulesOf,
  walkedTo,
} from '../builders/ledger-batches.ts';
import { anEvent, anInstruction, money, NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

const LONG_AGO = timestampOf(0);
type Compared = NonNullable<MoveRules['sending']> & Pick<MoveRules, 'narration'>;

/** Rules under which a row that was approved as usual may not be sent. */
const CHANGED: readonly (readonly [string, Objection['kind'], (usual: Compared) => Partial<Compared>])[] = [
  [
    'whose narration is another one than was agreed to',
    'order_differs',
    ({ narration }) => ({ narration: { ...narration, noteMax: 3 } }),
  ],
  [
    'that was approved too long ago',
    'approval_expired',
    ({ policy }) => ({ policy: { ...policy, approvalMs: -1 } }),
  ],
  [
    'whose name was asked for too long ago',
    'terms_old',
    ({ policy }) => ({ policy: { ...policy, nameMs: -1 } }),
  ],
  ['whose quote is too old', 'terms_old', ({ policy }) => ({ policy: { ...policy, quoteMs: -1 } })],
  [
    'whose source country has another name now',
    'terms_differ',
    ({ live }) => ({ live: { ...live, place: { ...live.place, sourceName: 'Jersey' } } }),
  ],
  [
    'whose country has another name now',
    'terms_differ',
    ({ live }) => ({ live: { ...live, place: { ...live.place, countryName: 'Niger' } } }),
  ],
  [
    'that costs more now',
    'costs_more',
    ({ live }) => ({ live: { ...live, quote: { ...(live.quote as Quote), fee: '250' } } }),
  ],
  [
    'whose institution is listed no more',
    'concerns',
    ({ live }) => ({ live: { ...live, place: { ...live.place, institution: undefined } } }),
  ],
];

const HOUR_MS = 3_600_000;

/** The concerns for which nothing was recorded. */
function openIn(recorded: Recorded): readonly Concern[] {
  const isOpen = recorded.kind === 'objection' && recorded.objection.kind === 'concerns';
  return isOpen ? recorded.objection.reasons.map(({ concern }) => concern) : [];
}

export function moneyContract(ledger: () => Ledger): void {
  const alone = async (changes: Parameters<typeof row>[1], name?: string): Promise<Payout> =>
    only(ledger(), await batchOf(ledger(), [row(1, changes)], name), 2);
  const approve = async (payout: Payout, at = NOW): Promise<Recorded> => {
    const quoted = payout.state.status === 'quoted' ? payout : await walkedTo(ledger(), payout, 'quoted', at);
    const event = eventsTo('approved', quoted, ledger(), at)[1];
    if (event === undefined) throw new TypeError('approve is the second event');
    return ledger().record(moveOf(quoted, event));
  };
  const begin = (payout: Payout, settledSince?: Timestamp) => {
    const event = anEvent('begin_attempt');
    const { rules } = rulesOf(payout, event);
    const asked =
      rules === undefined || settledSince === undefined
        ? rules
        : { ...rules, repeatWindow: { ...rules.repeatWindow, settledSince } };
    return ledger().record(moveOf(payout, event, asked === undefined ? {} : { rules: asked }));
  };
  const repeatOf = ({ id }: Payout, isUnknown = false): Concern => ({ kind: 'repeat', of: id, isUnknown });
  const doubted = (approved: Payout) =>
    moved(ledger(), approved, ...eventsTo('in_doubt', approved, ledger()).slice(2));
  const ruled = { ruling: { by: 'ama', evidence: 'statement of May' }, at: NOW };
  const finished = { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW } as const;

  it('remembers the same reference, and whether it pays the same', async () => {
    const paid = await walkedTo(ledger(), await alone({}, 'may'), 'settled');
    const same = await alone({});
    const other = await alone({ amount: money('GHS 7.00') });
    const unlike = await alone({ reference: 'X' });
    const pointer = { payoutId: paid.id, batchName: 'may', rowNumber: 2, status: 'settled', at: NOW };
    expect(await ledger().repeatsOf(same.id)).toMatchObject([{ isSamePayment: true, pointer }]);
    expect(await ledger().repeatsOf(other.id)).toMatchObject([{ isSamePayment: false, pointer }]);
    expect(await ledger().repeatsOf(unlike.id)).toEqual([]);
  });

  it('[B6] remembers the same payment for a row without a reference', async () => {
    await walkedTo(ledger(), await alone({}), 'in_doubt');
    const none = await alone({ reference: undefined });
    expect(await ledger().repeatsOf(none.id)).toMatchObject([
      { isSamePayment: true, pointer: { status: 'in_doubt' } },
    ]);
    expect(
      await ledger().repeatsOf((await alone({ reference: undefined, amount: money('GHS 9.00') })).id),
    ).toEqual([]);
  });

  it('remembers nothing that was not agreed to, was refused or came to nothing', async () => {
    await walkedTo(ledger(), await alone({}), 'quoted');
    await walkedTo(ledger(), await alone({}), 'refused');
    await moved(ledger(), await walkedTo(ledger(), await alone({}), 'approved'), {
      kind: 'cancel',
      by: 'ama',
      reason: 'no',
      at: NOW,
    });
    expect(await ledger().repeatsOf((await alone({})).id)).toEqual([]);
  });

  it.each<[string, (payout: Payout) => Promise<Payout>]>([
    [
      'was turned away, and its approval is gone',
      async (payout) =>
        moved(
          ledger(),
          await walkedTo(ledger(), payout, 'sending'),
          ...[anEvent('turn_away'), anEvent('unapprove')],
        ),
    ],
    [
      'was turned away and withdrawn',
      async (payout) =>
        moved(
          ledger(),
          await walkedTo(ledger(), payout, 'sending'),
          ...[anEvent('turn_away'), anEvent('cancel')],
        ),
    ],
    [
      'is held, because a statement shows it',
      async (payout) => {
        const quoted = await walkedTo(ledger(), payout, 'quoted');
        const evidence = 'statement may.csv, line 3';
        const reasons = [{ concern: { kind: 'maybe_paid', evidence } as const, text: evidence }];
        return moved(ledger(), quoted, { kind: 'hold', reasons, pricing: undefined, at: NOW });
      },
    ],
    [
      'was held because a statement shows it, and is withdrawn',
      async (payout) => {
        const quoted = await walkedTo(ledger(), payout, 'quoted');
        const evidence = 'statement may.csv, line 3';
        const reasons = [{ concern: { kind: 'maybe_paid', evidence } as const, text: evidence }];
        const hold = { kind: 'hold', reasons, pricing: undefined, at: NOW } as const;
        return moved(ledger(), quoted, hold, anEvent('cancel'));
      },
    ],
    [
      'failed, and is paid after all',
      async (payout) => {
        const failed = await walkedTo(ledger(), payout, 'refused');
        await ledger().note(
          payout.batchId,
          'incident',
          { payout: payout.id, row: 2, what: 'paid after all' },
          NOW,
        );
        return failed;
      },
    ],
  ])('remembers a payment that %s, as one of unknown outcome', async (_, make) => {
    const { id } = await make(await alone({}, 'may'));
    const expected = [{ isSamePayment: true, mayBePaid: true, pointer: { payoutId: id } }];
    expect(await ledger().repeatsOf((await alone({})).id)).toMatchObject(expected);
    expect(await ledger().repeatsOf((await alone({ reference: 'other' })).id)).toMatchObject(expected);
    const copy = await walkedTo(ledger(), await alone({}), 'quoted');
    expect(openIn(await approve(copy))).toEqual([{ kind: 'repeat', of: id, isUnknown: true }]);
  });

  it.each(['failed', 'returned'] as const)(
    'remembers a payment that the service called %s until it could be paid again',
    async (status) => {
      const failed = await walkedTo(ledger(), await alone({}, 'may'), status, later(-HOUR_MS));
      const fresh = [{ pointer: { payoutId: failed.id, status, at: later(-HOUR_MS) } }];
      expect(await ledger().repeatsOf((await alone({})).id)).toMatchObject(fresh);
      const copy = await walkedTo(ledger(), await alone({}), 'quoted');
      expect(openIn(await approve(copy))).toEqual([{ kind: 'repeat', of: failed.id, isUnknown: true }]);
      const nextWeek = await walkedTo(ledger(), await alone({}), 'quoted', later(7 * 24 * HOUR_MS));
      expect((await approve(nextWeek, later(7 * 24 * HOUR_MS))).kind).toBe('recorded');
    },
  );

  it('forgets no payment that was made while the row waited, however long it waits', async () => {
    const waiting = await walkedTo(ledger(), await alone({}), 'quoted');
    const paid = await walkedTo(ledger(), await alone({}, 'may'), 'settled', later(HOUR_MS));
    const { kind, ...objected } = await approve(waiting, later(90 * 24 * HOUR_MS));
    expect(kind).toBe('objection');
    expect(openIn({ kind, ...objected } as Recorded)).toEqual([
      { kind: 'repeat', of: paid.id, isUnknown: false },
    ]);
  });

  it('forgets no payment of the same batch', async () => {
    const copy = { ...row(1), rowNumber: 3 };
    const both = await batchOf(ledger(), [row(1), copy], 'may');
    const [first, second] = [await only(ledger(), both, 2), await only(ledger(), both, 3)];
    await walkedTo(ledger(), first, 'settled');
    expect(await ledger().repeatsOf(second.id)).toMatchObject([{ isOfItsTime: true }]);
  });

  it('lists the newest repeat first', async () => {
    const old = await walkedTo(ledger(), await alone({}), 'accepted');
    const seen = await released(ledger(), await alone({}), repeatOf(old));
    const recent = await walkedTo(ledger(), seen, 'accepted', later(1_000));
    const repeats = await ledger().repeatsOf((await alone({})).id);
    expect(repeats.map(({ pointer }) => pointer.payoutId)).toEqual([recent.id, old.id]);
  });

  it('refuses to approve a payment that lives elsewhere, and changes nothing', async () => {
    const paid = await walkedTo(ledger(), await alone({}), 'accepted');
    const second = await walkedTo(ledger(), await alone({}), 'quoted');
    expect(openIn(await approve(second))).toEqual([repeatOf(paid)]);
    expect(await again(ledger(), second.id)).toStrictEqual(second);
  });

  it('counts a settled payment only while it is young, in the approval and in the intent', async () => {
    const paid = await walkedTo(ledger(), await alone({}), 'settled');
    const longAfter = later(15 * 86_400_000);
    const approved = await walkedTo(ledger(), await alone({}), 'approved', longAfter);
    expect(openIn(await begin(approved, LONG_AGO))).toEqual([repeatOf(paid)]);
    expect(await again(ledger(), approved.id)).toStrictEqual(approved);
    expect((await begin(approved, later(1))).kind).toBe('recorded');
  });

  it('lets a repeat go that a person saw, and no repeat of any other payment', async () => {
    const may = await walkedTo(ledger(), await alone({}), 'settled');
    const elsewhere = await walkedTo(
      ledger(),
      await released(ledger(), await alone({}), repeatOf(may)),
      'in_doubt',
    );
    const june = await walkedTo(ledger(), await released(ledger(), await alone({}), repeatOf(may)), 'quoted');
    expect(openIn(await approve(june))).toEqual([repeatOf(elsewhere, true)]);
    await moved(ledger(), elsewhere, { kind: 'rule_not_paid', ...ruled });
    const approved = await walkedTo(ledger(), june, 'approved');
    expect((await begin(approved)).kind).toBe('recorded');
  });

  it('refuses the intent when a payment that a person saw is in doubt by now', async () => {
    const first = await walkedTo(ledger(), await alone({}), 'approved');
    const second = await walkedTo(
      ledger(),
      await released(ledger(), await alone({}), repeatOf(first)),
      'approved',
    );
    await doubted(first);
    expect(openIn(await begin(second))).toEqual([repeatOf(first, true)]);
    expect((await again(ledger(), second.id)).state.status).toBe('approved');
  });

  it('sends a payment beside one in doubt where a person saw the doubt', async () => {
    const first = await walkedTo(ledger(), await alone({}), 'in_doubt');
    const seen = await released(ledger(), await alone({}), repeatOf(first, true));
    expect((await begin(await walkedTo(ledger(), seen, 'approved'))).kind).toBe('recorded');
  });

  it('[L22] sends exactly one of two equal payments that two batches begin at the same moment', async () => {
    const first = await walkedTo(ledger(), await alone({}), 'approved');
    const second = await walkedTo(
      ledger(),
      await released(ledger(), await alone({}), repeatOf(first)),
      'approved',
    );
    const answers = await Promise.all([begin(second), begin(first)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['recorded', 'objection']);
    expect(answers.flatMap(openIn)).toEqual([repeatOf(second, true)]);
  });

  it.each([
    ['without a reference', { reference: undefined }, {}],
    ['with a reference', {}, { reference: undefined }],
  ])(
    'approves one payment alone of two equal ones of which just one has a reference, the first %s',
    async (_, one, other) => {
      const first = await walkedTo(ledger(), await alone(one), 'approved');
      expect(openIn(await approve(await alone(other)))).toEqual([repeatOf(first)]);
      expect((await begin(first)).kind).toBe('recorded');
    },
  );

  it('blocks a payment that was given a reference after it was paid without one', async () => {
    const paid = await walkedTo(ledger(), await alone({ reference: undefined }), 'settled');
    expect(openIn(await approve(await alone({ reference: 'NEW-1' })))).toEqual([repeatOf(paid)]);
  });

  it('blocks a payment under another reference while the outcome of its equal is not known', async () => {
    const unknown = await walkedTo(ledger(), await alone({ reference: 'OLD-1' }), 'in_doubt');
    const renamed = await walkedTo(ledger(), await alone({ reference: 'NEW-1' }), 'quoted');
    expect(openIn(await approve(renamed))).toEqual([repeatOf(unknown, true)]);
    // Another reference on a payment that is known to be paid is another invoice.
    const transferId = asTransferId('tr-ruled');
    await moved(ledger(), unknown, { kind: 'rule_paid', transferId, ...ruled }, finished);
    expect((await begin(await walkedTo(ledger(), renamed, 'approved'))).kind).toBe('recorded');
  });

  it('blocks it in the intent too when the doubt came after the approval', async () => {
    const first = await walkedTo(ledger(), await alone({ reference: 'OLD-1' }), 'approved');
    const second = await walkedTo(ledger(), await alone({ reference: 'NEW-1' }), 'approved');
    await doubted(first);
    expect(openIn(await begin(second))).toEqual([repeatOf(first, true)]);
  });

  it('remembers the same payment to another bank and to another spelling of the account', async () => {
    const paid = await walkedTo(ledger(), await alone({ reference: undefined }), 'settled');
    const renamed = { institutionId: asInstitutionId('i-other'), institutionName: 'Other Bank' };
    for (const changes of [renamed, { account: '233244000001' }])
      expect(openIn(await approve(await alone({ ...changes, reference: undefined })))).toEqual([
        repeatOf(paid),
      ]);
  });

  const twins = async (changes: Parameters<typeof row>[1] = { reference: undefined }) => {
    const account = '0244000001';
    const id = await batchOf(
      ledger(),
      [1, 2, 3].map((n) => row(n, { account, ...changes })),
    );
    return { id, rows: await Promise.all([2, 3, 4].map((number) => only(ledger(), id, number))) };
  };

  it('[F22] names the unsent rows above a row of the same file that may be the same, the nearest first', async () => {
    const { id, rows } = await twins();
    const above = await ledger().rowsAbove(id);
    const named = rows.map((payout) => above.get(payout.id)?.map(({ pointer }) => pointer.rowNumber));
    expect(named).toEqual([undefined, [2], [3, 2]]);
    expect(above.get(rows[1]?.id as PayoutId)).toMatchObject([
      { isSamePayment: true, pointer: { status: 'planned' } },
    ]);
    await moved(ledger(), rows[0] as Payout, anEvent('cancel'));
    expect((await ledger().rowsAbove(id)).get(rows[1]?.id as PayoutId)).toBeUndefined();
  });

  it('names no row above one that has a reference of its own', async () => {
    const { id } = await twins({});
    expect(await ledger().rowsAbove(id)).toEqual(new Map());
  });

  it('approves equal rows of one file one by one: each repeats those that were approved before it', async () => {
    const [first, second, third] = (await twins()).rows as [Payout, Payout, Payout];
    await walkedTo(ledger(), first, 'approved');
    expect(openIn(await approve(second))).toEqual([repeatOf(first)]);
    const seen = await released(ledger(), third, repeatOf(first), repeatOf(second));
    expect((await begin(await walkedTo(ledger(), seen, 'approved'))).kind).toBe('recorded');
  });

  it('lets no equal row of one file begin while another one is on the wire, unless a person saw that', async () => {
    const [first, second] = (await twins()).rows as [Payout, Payout, Payout];
    const one = await walkedTo(ledger(), first, 'approved');
    const other = await released(ledger(), second, repeatOf(first));
    const sending = await walkedTo(ledger(), other, 'sending');
    expect(openIn(await begin(one))).toEqual([repeatOf(sending, true)]);
  });

  it('sends the row that the ledger has, and not what somebody read before', async () => {
    const approved = await walkedTo(ledger(), await alone({}), 'approved');
    const forged = { ...approved, instruction: anInstruction({ account: '0244666666' }) } as Payout;
    const begun = await begin(forged);
    expect(begun).toMatchObject({
      kind: 'recorded',
      payout: { id: approved.id, state: { status: 'sending' } },
    });
    const account = begun.kind === 'recorded' ? begun.payout.instruction?.account.reveal() : undefined;
    expect(account).toBe('0244000001');
  });

  it.each(CHANGED)('sends nothing of a row %s', async (_, kind, rulesFor) => {
    const approved = await walkedTo(ledger(), await alone({}), 'approved');
    const { rules } = rulesOf(approved, anEvent('begin_attempt'));
    if (rules?.sending === undefined) throw new TypeError('an intent has rules');
    const usual = { ...rules.sending, narration: rules.narration };
    const { narration, ...sending } = { ...usual, ...rulesFor(usual) };
    const asked = moveOf(approved, anEvent('begin_attempt'), { rules: { ...rules, narration, sending } });
    expect(await ledger().record(asked)).toMatchObject({ kind: 'objection', objection: { kind } });
    expect(await again(ledger(), approved.id)).toStrictEqual(approved);
  });

  it('approves a row as it was shown, and not as it became between the plan and the commit', async () => {
    const quoted = await walkedTo(ledger(), await alone({}), 'quoted');
    const event = approvalOf(quoted, ledger());
    const shown = { ...event, leaf: 'of another account' } as PayoutEvent;
    expect(await ledger().record(moveOf(quoted, shown))).toEqual({ kind: 'stale' });
    expect((await ledger().record(moveOf(quoted, event))).kind).toBe('recorded');
  });

  it('takes neither an approval nor an intent without its rules', async () => {
    const quoted = await walkedTo(ledger(), await alone({}), 'quoted');
    const { rules: _, ...bare } = moveOf(quoted, approvalOf(quoted, ledger()));
    await expect(ledger().record(bare)).rejects.toThrow(TypeError);
    const approved = await walkedTo(ledger(), quoted, 'approved');
    const { rules: __, ...intent } = moveOf(approved, anEvent('begin_attempt'));
    await expect(ledger().record(intent)).rejects.toThrow(TypeError);
  });

  it('counts a payment that was long on its way from the word that it is settled', async () => {
    const accepted = await walkedTo(ledger(), await alone({}, 'may'), 'accepted');
    await moved(ledger(), accepted, { ...finished, at: later(1_000) });
    const next = await batchOf(ledger(), [row(1, { reference: 'N' }), row(1)], 'june');
    const [, same] = await all(ledger(), next);
    const found = same === undefined ? [] : await ledger().repeatsOf(same.id);
    expect(found).toMatchObject([{ pointer: { status: 'settled', at: later(1_000) } }]);
    const overlaps = await ledger().overlaps(next, later(1_000));
    expect(overlaps).toMatchObject([{ batch: { name: 'may' }, rows: 1, lastSentAt: NOW }]);
    expect(await ledger().alike(next, later(1_000))).toMatchObject([{ batch: { name: 'may' }, count: 1 }]);
    expect(await ledger().overlaps(next, later(1_001))).toEqual([]);
    expect(await ledger().alike(next, later(1_001))).toEqual([]);
  });

  it('names the batches that a new file repeats, most rows first', async () => {
    const may = await batchOf(ledger(), [row(1), row(2), row(3)], 'may');
    for (const payout of await all(ledger(), may)) await walkedTo(ledger(), payout, 'settled');
    const june = await batchOf(ledger(), [row(4)], 'june');
    for (const payout of await all(ledger(), june)) await walkedTo(ledger(), payout, 'accepted');
    const next = await batchOf(ledger(), [row(1), row(2), row(4), row(5)]);
    const overlaps = await ledger().overlaps(next, LONG_AGO);
    expect(overlaps.map(({ batch, rows }) => [batch.name, rows])).toEqual([
      ['may', 2],
      ['june', 1],
    ]);
    expect(overlaps.map(({ lastSentAt }) => lastSentAt)).toEqual([NOW, NOW]);
    expect(await ledger().overlaps(next, later(1))).toEqual([]);
  });

  it('puts a replacement in the place of a failed payment', async () => {
    const id = await batchOf(ledger(), [row(1), row(2)]);
    const failed = await walkedTo(ledger(), await only(ledger(), id, 2), 'failed');
    const fresh = await ledger().addReplacement(failed.id, 'ben', later(9));
    expect(fresh).toMatchObject({
      rowNumber: 2,
      version: 0,
      state: { status: 'planned' },
      instruction: { replaces: failed.id },
    });
    expect((await all(ledger(), id)).map((payout) => payout.id)).toEqual([fresh.id, expect.any(String)]);
    expect(await ledger().replacementsOf(failed.id)).toStrictEqual([fresh]);
    const report = [];
    for await (const page of ledger().reportRows(id)) report.push(...page);
    expect(report.map(({ payout, replaced }) => [payout.id, replaced.map((one) => one.id)])).toEqual([
      [fresh.id, [failed.id]],
      [expect.any(String), []],
    ]);
    expect(await ledger().repeatsOf(fresh.id)).toEqual([]);
    await expect(ledger().addReplacement(failed.id, 'ben', NOW)).rejects.toThrow(NotReplaceable);
    await expect(ledger().addReplacement(fresh.id, 'ben', NOW)).rejects.toThrow(NotReplaceable);
  });

  it('lets at most one instruction of a family live, across batches', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'approved');
    const redo = await walkedTo(ledger(), await alone({ replaces: failed.id }), 'quoted');
    const approve = eventsTo('approved', redo, ledger())[1];
    if (approve === undefined) throw new TypeError('approve is the second event');
    expect(await ledger().record(moveOf(redo, approve))).toMatchObject({
      kind: 'taken',
      what: 'root',
      by: { payoutId: fresh.id },
    });
  });

  it('always takes down that a failed payment was paid after all, and lets no replacement begin then', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'approved');
    const settled = await moved(ledger(), failed, {
      kind: 'settle',
      serviceStatus: 'Finished',
      discrepancies: [],
      at: NOW,
    });
    expect(settled.state).toMatchObject({ status: 'settled', incident: true });
    expect(await begin(fresh)).toMatchObject({ kind: 'taken', what: 'root', by: { payoutId: failed.id } });
  });

  it('takes down that a failed payment was paid after all even while its replacement is on the wire', async () => {
    const failed = await walkedTo(ledger(), await alone({}), 'failed');
    const fresh = await walkedTo(ledger(), await ledger().addReplacement(failed.id, 'ben', NOW), 'sending');
    await moved(ledger(), failed, { kind: 'settle', serviceStatus: 'Finished', discrepancies: [], at: NOW });
    const accept = eventsTo('accepted', fresh, ledger()).at(-1);
    if (accept === undefined) throw new TypeError('accept is the last event');
    expect((await moved(ledger(), fresh, accept)).state.status).toBe('accepted');
  });
}
