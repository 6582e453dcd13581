/**
 * Who an account belongs to: every plausible account has a holder. A host may name it; else it is invented, and always the
 * same one for a seed.
 */

import fixedAccounts from '../data/sandbox-accounts.json' with { type: 'json' };
import namePools from '../data/sandbox-names.json' with { type: 'json' };
import { institutionById, institutionIdOf, type SandboxInstitution } from './directory.ts';
import { scenarioOf } from './scenarios.ts';
import { seededBytes } from './seeded.ts';

/**
 * Accounts whose holders are always the same, whatever the seed: for sample files, demos and tests. The people are made up.
 * Source:  shapes as they are used: ten-digit mobile money numbers (nine in Senegal), NUBAN with its check digit in
 *          Nigeria, RIB with its key in Senegal and Côte d'Ivoire.
 */
export interface FixedAccount {
  readonly iso: string;
  /** Exactly as the directory lists it. */
  readonly institution: string;
  readonly account: string;
  readonly name: string;
}

export const FIXED_ACCOUNTS: readonly FixedAccount[] = fixedAccounts;

type HolderLookup =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unavailable' };

interface HolderQuestion {
  readonly institution: SandboxInstitution;
  readonly account: string;
  readonly seed: string;
  /** Whether the endings of scenario accounts have their effect. */
  readonly scenarioAccounts: boolean;
  /** The name that a host gave for the account with this key. */
  readonly named?: ((key: string) => string | undefined) | undefined;
}

// An account number or a username: 5 to 34 characters, 34 being the longest IBAN.
const PLAUSIBLE = /^\+?[A-Za-z0-9][A-Za-z0-9._@-]{4,33}$/;

// No sample file, and hardly any other file, pays this person.
const SOMEBODY_ELSE = 'Theophilus Quansah-Ocloo';

const fixedNames = new Map(
  FIXED_ACCOUNTS.flatMap(({ iso, institution: name, account, name: holder }) => {
    const institution = institutionById(institutionIdOf(iso, name) ?? '');
    return institution ? [[holderKey(institution, account), holder] as const] : [];
  }),
);

export function isPlausibleAccount(account: string): boolean {
  return PLAUSIBLE.test(account);
}

export function holderOf(question: HolderQuestion): HolderLookup {
  const { institution, account, seed } = question;
  if (!isPlausibleAccount(account)) return { kind: 'not_found' };
  const scenario = question.scenarioAccounts ? scenarioOf(account) : undefined;
  if (scenario === 'name_not_found') return { kind: 'not_found' };
  if (scenario === 'name_unavailable') return { kind: 'unavailable' };
  if (scenario === 'name_differs') return { kind: 'found', name: SOMEBODY_ELSE };
  const key = holderKey(institution, account);
  return {
    kind: 'found',
    name: question.named?.(key) ?? fixedNames.get(key) ?? madeUpName(institution, key, seed),
  };
}

/** One wallet may be written in three ways: 0712345678, 254712345678 and +254712345678 end alike. */
export function holderKey(institution: SandboxInstitution, account: string): string {
  const isNumber = institution.kind === 'wallet' && /^\+?\d{8,}$/.test(account);
  return `${institution.id} ${isNumber ? account.slice(-8) : account}`;
}

function madeUpName(institution: SandboxInstitution, key: string, seed: string): string {
  const pool = namePoolOf(institution.country.iso);
  const bytes = seededBytes(seed, 'holder', key);
  const pick = (from: readonly string[], at: number) => from[(bytes[at] ?? 0) % from.length] ?? '';
  const family = pick(pool.family, 0);
  // Businesses have bank accounts; hardly any of them is paid into a wallet.
  const isBusiness = institution.kind === 'bank' && (bytes[1] ?? 0) % 8 === 0;
  if (isBusiness) return pick(pool.business, 2).replace('*', family);
  const first = pick(pool.given, 3);
  const second = (bytes[4] ?? 0) % 3 === 0 ? pick(pool.given, 5) : first;
  const given = second === first ? first : `${first} ${second}`;
  return institution.kind === 'bank' ? `${family} ${given}`.toUpperCase() : `${given} ${family}`;
}

/** Given and family names by part of Africa. In names of businesses `*` stands for a family name. */
type NamePool = (typeof namePools)[number];

const POOL_OF: ReadonlyMap<string, NamePool> = new Map(
  namePools.flatMap((pool) => pool.countries.map((iso) => [iso, pool] as const)),
);

/** The names of a country; every country with institutions has a pool of its own or its neighbours'. */
function namePoolOf(iso: string): NamePool {
  const pool = POOL_OF.get(iso) ?? namePools[0];
  if (pool === undefined) throw new TypeError('The sandbox has no names');
  return pool;
}
