/**
 * People and what they may do. A role is a list of kinds of deeds; what a person does is one kind of deed, wherever it is
 * done from. Which person has which role stands in the configuration, where people who bring files cannot write it.
 */

/** Whoever looks, decides or pays. `id` is kept in the ledger with everything that this person does. */
export interface Person {
  readonly id: string;
  /** As pages show it. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The passkey that this person came in with, by its credential id; undefined: came in with none. */
  readonly cameWith?: string | undefined;
}

/**
 * An id has one spelling: two texts that differ in case, in outer space, in a character that cannot be seen or in a letter
 * of another alphabet are never two people.
 */
const PERSON_ID = /^[a-z0-9_][a-z0-9._@+-]{0,63}$/;

/** Behind “expected”. */
export const PERSON_ID_RULE =
  '1 to 64 small letters a to z, digits or signs . _ @ + -, with a letter, a digit or _ at the beginning';

export function isPersonId(text: unknown): text is string {
  return typeof text === 'string' && PERSON_ID.test(text);
}

/** The id of a login: its name in small letters, or the number of the user if the name is no id. */
export function personOfLogin(name: string | undefined, uid: number | undefined): string {
  const id = name?.toLowerCase();
  return isPersonId(id) ? id : `uid-${uid ?? 'unknown'}`;
}

export const ROLES = ['viewer', 'maker', 'approver', 'operator', 'investigator', 'administrator'] as const;
/** What a person may do: a viewer looks, a maker brings files, an approver agrees, an operator sends. */
export type Role = (typeof ROLES)[number];

/** What can be done, in kinds. Each is in the hands of one role, but for looking, which every role may. */
export const DEEDS = {
  look: ROLES,
  /** Upload a file, fix its cells, plan it, ask to pay a row again. */
  bring: ['maker'],
  /** Ask for names and fees anew, as after a release. */
  price: ['maker', 'approver'],
  /** Agree to a plan; release and withdraw rows. */
  approve: ['approver'],
  /** Send, pause, resume, and ask for outcomes. */
  send: ['operator'],
  /** Say what became of a row in doubt; compare with a statement. */
  rule: ['investigator'],
  /** See whole account numbers; the journal keeps who did. */
  see_accounts: ['maker', 'approver', 'investigator'],
  /** Make tickets for people, remove their passkeys, and accept or copy the ledger as a whole. */
  administer: ['administrator'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Deed = keyof typeof DEEDS;

export const ROLE_SENTENCE: Readonly<Record<Role, string>> = {
  viewer: 'looks at batches and reports, and changes nothing',
  maker: 'uploads files, fixes them, plans them, and asks to pay rows again',
  approver: 'approves plans, and releases and cancels held rows',
  operator: 'sends, pauses, resumes and settles',
  investigator: 'decides rows in doubt and compares batches with statements',
  administrator: 'makes links for people, removes passkeys, and backs up the ledger',
};

export function mayDo({ roles }: Pick<Person, 'roles'>, deed: Deed): boolean {
  return DEEDS[deed].some((role: Role) => roles.includes(role));
}

/** Who has which role, as the configuration says it. */
export type Roster = ReadonlyMap<string, readonly Role[]>;

/**
 * The user of this machine has every role, unless the configuration gives this user some of them. `undefined` is
 * nobody that the configuration knows.
 */
export function personCalled(id: string, { roster, user }: PeopleHere): Person | undefined {
  const roles = roster.get(id) ?? (id === user ? ROLES : undefined);
  return roles === undefined ? undefined : { id, name: id, roles };
}

export interface PeopleHere {
  readonly roster: Roster;
  /** Of the machine, as the system says it. */
  readonly user: string;
}
