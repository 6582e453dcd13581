/** Who may do what: by role, and by nothing else. */
import { describe, expect, it } from 'vitest';
import { DEEDS, type Deed, mayDo, personCalled, ROLES } from '../../src/domain/people/person.ts';

const KINDS = Object.keys(DEEDS) as Deed[];

describe('roles', () => {
  it('let each person look, and do what is of their role', () => {
    const may = Object.fromEntries(
      ROLES.map((role) => [role, KINDS.filter((deed) => mayDo({ roles: [role] }, deed))]),
    );
    expect(may).toEqual({
      viewer: ['look'],
      maker: ['look', 'bring', 'price', 'see_accounts'],
      approver: ['look', 'price', 'approve', 'see_accounts'],
      operator: ['look', 'send'],
      investigator: ['look', 'rule', 'see_accounts'],
      administrator: ['look', 'administer'],
    });
    expect(KINDS.filter((deed) => mayDo({ roles: [] }, deed))).toEqual([]);
  });

  it('are all of the user of the machine, where the configuration does not say which', () => {
    const roster = new Map([['eve', ['approver']]] as const);
    expect(personCalled('ada', { roster, user: 'ada' })?.roles).toEqual(ROLES);
    expect(personCalled('eve', { roster, user: 'ada' })).toEqual({
      id: 'eve',
      name: 'eve',
      roles: ['approver'],
    });
    expect(personCalled('eve', { roster, user: 'eve' })?.roles).toEqual(['approver']);
    expect(personCalled('mallory', { roster, user: 'ada' })).toBeUndefined();
  });
});
