/** What every ledger promises about tickets, passkeys and signed approvals. */
import { expect } from 'vitest';
import { asDigest } from '../../src/domain/payouts/instruction.ts';
import type { ApprovalProof } from '../../src/domain/people/passkey.ts';
import type { Ledger } from '../../src/ports/ledger/ledger.ts';
import type { PeopleFact } from '../../src/ports/ledger/people.ts';
import { batchOf, later, row } from '../builders/ledger-batches.ts';
import { NOW } from '../builders/payouts.ts';
import { it } from './chosen-tests.ts';

const TICKET = {
  kind: 'ticket_made',
  body: { ticketHash: 't1', person: 'eve', by: 'ada', until: later(9), isFromTerminal: false },
} as const satisfies PeopleFact;
const MADE = { ticketHash: 't1', person: 'eve', credentialId: 'c1', publicKey: 'k1', allowedWith: 'c0' };
const PROOF: ApprovalProof = {
  nonce: 'n1',
  credentialId: 'c1',
  authenticatorData: 'a1',
  clientDataJson: 'j1',
  signature: 's1',
  figures: { rows: 1, beneficiariesGet: ['GHS 100'], wePay: ['GBP 9'] },
};

export function peopleContract(ledger: () => Ledger, reopen: () => Promise<Ledger | undefined>): void {
  it('keeps tickets and passkeys in its own journal, oldest first, also when it is opened again', async () => {
    expect(await ledger().peopleEntries()).toEqual([]);
    expect(await ledger().recordPeople(TICKET, NOW, 0)).toBe('recorded');
    const [first] = await ledger().peopleEntries();
    const registered = { kind: 'passkey_registered', body: MADE } as const;
    expect(await ledger().recordPeople(registered, later(1), first?.seq ?? 0)).toBe('recorded');
    const now = (await reopen()) ?? ledger();
    const entries = await now.peopleEntries();
    expect(entries).toMatchObject([
      { ...TICKET, at: NOW },
      { ...registered, at: later(1) },
    ]);
    // Nothing of a batch: neither its decisions nor its notes know of it.
    expect(await now.batches()).toEqual([]);
  });

  it('takes one of two that know the same newest entry, so that a ticket is used once', async () => {
    await ledger().recordPeople(TICKET, NOW, 0);
    const since = (await ledger().peopleEntries()).at(-1)?.seq ?? 0;
    const use = (credentialId: string) =>
      ledger().recordPeople({ kind: 'passkey_registered', body: { ...MADE, credentialId } }, later(1), since);
    expect((await Promise.all([use('c1'), use('c2')])).toSorted()).toEqual(['recorded', 'stale']);
    expect(await use('c3')).toBe('stale');
    expect(await ledger().peopleEntries()).toHaveLength(2);
  });

  it('keeps what a passkey signed beside the approval, of each approval', async () => {
    const may = await batchOf(ledger(), [row(1)], 'may');
    const june = await batchOf(ledger(), [row(2)], 'june');
    const approval = { digest: asDigest('d9'), by: 'eve', at: NOW, how: 'typed_total', count: 1 } as const;
    await ledger().recordApproval(may, approval);
    await ledger().recordApproval(june, approval);
    await ledger().recordApproval(may, { ...approval, at: later(1) }, PROOF);
    const kept = { digest: 'd9', by: 'eve', count: 1 };
    expect(await ledger().approvals(may)).toMatchObject([
      { ...kept, batchId: may, at: NOW, proof: undefined },
      { ...kept, batchId: may, at: later(1), proof: PROOF },
    ]);
    expect((await ledger().approvals()).map(({ batchId }) => batchId)).toEqual([may, june, may]);
    expect((await ledger().batch(may))?.approval).toEqual({ ...approval, at: later(1) });
  });
}
