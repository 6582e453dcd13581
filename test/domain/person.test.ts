/** Who may do what: by role, and by nothing else. */
import { describe, expect, it } from 'vitest';
import {
  DEEDS,
  type Deed,
  isPersonId,
  mayDo,
  personCalled,
  personOfLogin,
  ROLES,
} from '../../src/domain/people/person.ts';

const KINDS = Object.keys(DEEDS) as Deed[];

describe('an id', () => {
  it('has one spelling: no capitals, no outer space, nothing that cannot be seen, no other alphabet', () => {
    for (const id of ['ada', 'kofi.mensah', 'eve+pay@shop.example', '_www', 'uid-1000', 'a'.repeat(64)])
      expect([id, isPersonId(id)]).toEqual([id, true]);
    const others = [
      'Ada',
      'ada ',
      ' ada',
      '\u0430da',
      'ada\u200b',
      'a\u00adda',
      'ad\uff41',
      'e\u0301ve',
      'éve',
      'ada\n',
    ];
    for (const text of [...others, '', '.', '-x', 'a b', 'a/b', 'a'.repeat(65), undefined, 7])
      expect([text, isPersonId(text)]).toEqual([text, false]);
  });

  it('is the name of a login in small letters, or the number of the user where that is no id', () => {
    expect(personOfLogin('Ada', 501)).toBe('ada');
    expect(personOfLogin('José', 501)).toBe('uid-501');
    expect(personOfLogin('', 65_534)).toBe('uid-65534');
    expect(personOfLogin(undefined, undefined)).toBe('uid-unknown');
  });
});

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
