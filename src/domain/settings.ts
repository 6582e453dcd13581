/**
 * All settings, each once: its name in the configuration file, what it may be, its default, its environment variable,
 * its flag and the flag's help. Configuration, environment, flags and help are made from this list.
 *
 * Why:     policy.ts says for each default which mistake is worse.
 */

import type { Role } from './people/person.ts';

/** What a value may be. `above`: greater than this; `most`: at the most. */
export type Kind =
  /** With `most`: one line of at most so many characters. `orNull`: null says that it is not known yet. */
  | { readonly kind: 'text'; readonly notEmpty?: true; readonly most?: number; readonly orNull?: true }
  | { readonly kind: 'switch' }
  | { readonly kind: 'whole'; readonly least: number; readonly most?: number }
  | { readonly kind: 'number'; readonly above?: 0; readonly least?: number; readonly most?: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'words' }
  | { readonly kind: 'choices'; readonly of: readonly string[] }
  /** Currency → plain amount. */
  | { readonly kind: 'amounts' }
  | { readonly kind: 'answers' }
  /** Name of a person → roles. */
  | { readonly kind: 'people' }
  /** IANA name of a time zone. */
  | { readonly kind: 'zone' }
  /** An https address, or exec:PROGRAM. */
  | { readonly kind: 'target' };

export interface Setting {
  readonly is: Kind;
  readonly default?: unknown;
  readonly variable?: string;
  readonly flag?: { readonly words: string; readonly help: string };
  /** The name that `doctor` shows, where it is another one. */
  readonly shownAs?: string;
}

const TEXT = { kind: 'text' } as const;
const NAME_POLICY = { kind: 'choice', of: ['ok', 'warn', 'hold'] } as const;
const PERCENT = { kind: 'number', least: 0, most: 100 } as const;

/** Of a transfer that is looked up. */
export const LOOK_UP_FIELDS = ['amount', 'institution', 'receiver', 'destination'] as const;
export type LookUpField = (typeof LOOK_UP_FIELDS)[number];

export const SETTINGS = {
  baseUrl: { is: TEXT, variable: 'PAYFILE_BASE_URL' },
  authUrl: { is: TEXT, variable: 'PAYFILE_AUTH_URL' },
  id: { is: TEXT, variable: 'PAYFILE_ID' },
  passwordFile: {
    is: TEXT,
    variable: 'PAYFILE_PASSWORD_FILE',
    shownAs: 'password file',
  },
  source: {
    is: TEXT,
    variable: 'PAYFILE_SOURCE',
    flag: { words: '--source <country>', help: 'country that the money comes from' },
  },
  organization: { is: { kind: 'text', notEmpty: true, most: 100 } },
  timeZone: {
    is: { kind: 'zone' },
    flag: {
      words: '--time-zone <zone>',
      help: 'zone of the times on pages and in workbooks, such as Africa/Nairobi',
    },
  },
  'ledger.path': {
    is: TEXT,
    variable: 'PAYFILE_LEDGER',
    flag: { words: '--ledger <file>', help: 'ledger file, or postgres://…' },
    shownAs: 'ledger',
  },
  'ledger.passwordFile': {
    is: TEXT,
    variable: 'PAYFILE_LEDGER_PASSWORD_FILE',
    shownAs: 'ledger password file',
  },
  'ledger.id': { is: { kind: 'text', notEmpty: true, orNull: true } },
  concurrency: {
    is: { kind: 'whole', least: 1, most: 1_024 },
    default: 8,
    variable: 'PAYFILE_CONCURRENCY',
    flag: { words: '--concurrency <n>', help: 'transfers at once (8)' },
  },
  rate: {
    is: { kind: 'number', above: 0 },
    flag: { words: '--rate <n>', help: 'requests a second, at the most' },
  },
  'names.match': { is: NAME_POLICY, default: 'ok' },
  'names.close_match': { is: NAME_POLICY, default: 'hold' },
  'names.no_match': { is: NAME_POLICY, default: 'hold' },
  'names.not_found': { is: NAME_POLICY, default: 'hold' },
  'names.unavailable': { is: NAME_POLICY, default: 'warn' },
  duplicateWindowDays: {
    is: { kind: 'number', least: 0, most: 3_650 },
    default: 14,
  },
  'quote.amountIn': { is: { kind: 'choice', of: ['destination', 'source'] }, default: 'destination' },
  quoteMinutes: { is: { kind: 'number', above: 0, most: 10_080 }, default: 30 },
  nameHours: { is: { kind: 'number', above: 0, most: 8_760 }, default: 24 },
  repeatHours: { is: { kind: 'number', least: 0, most: 8_760 }, default: 20 },
  driftPercent: { is: PERCENT, default: 1 },
  feePercentMax: { is: PERCENT, default: 20 },
  jumpPercent: { is: { kind: 'number', least: 0, most: 10_000 }, default: 50 },
  accountChanges: { is: { kind: 'choice', of: ['hold', 'warn'] }, default: 'hold' },
  approvalHours: { is: { kind: 'number', above: 0, most: 8_760 }, default: 24 },
  fourEyes: { is: { kind: 'switch' }, default: false },
  approvalPasskey: { is: { kind: 'switch' }, default: false },
  people: { is: { kind: 'people' } },
  lanes: { is: { kind: 'whole', least: 1, most: 64 }, default: 8, variable: 'PAYFILE_LANES' },
  'limits.rowMax': { is: { kind: 'amounts' } },
  'limits.batchMax': { is: { kind: 'amounts' } },
  'limits.dayMax': { is: { kind: 'amounts' } },
  maxInDoubt: { is: { kind: 'whole', least: 0 } },
  'answers.refused': { is: { kind: 'answers' } },
  'answers.lookup': { is: { kind: 'choices', of: LOOK_UP_FIELDS }, default: LOOK_UP_FIELDS },
  watchDays: { is: { kind: 'number', least: 0, most: 3_650 }, default: 14 },
  'statuses.finished': { is: { kind: 'words' }, default: [] },
  'statuses.failed': {
    is: { kind: 'words' },
    default: ['failed', 'declined', 'rejected', 'cancelled', 'canceled'],
  },
  'statuses.returned': {
    is: { kind: 'words' },
    default: ['reversed', 'returned', 'refunded'],
  },
  'statuses.pending': {
    is: { kind: 'words' },
    default: [
      'pending',
      'processing',
      'in progress',
      'in_progress',
      'queued',
      'initiated',
      'created',
      'submitted',
      'accepted',
    ],
  },
  'statuses.confirmMinutes': { is: { kind: 'number', least: 0, most: 1_440 }, default: 10 },
  noteMax: { is: { kind: 'whole', least: 12, most: 1_000 }, default: 100 },
  noteTag: { is: { kind: 'switch' }, default: true },
  metricsFile: {
    is: { kind: 'text', notEmpty: true },
    flag: {
      words: '--metrics-file <file>',
      help: 'write metrics there for Prometheus: at the beginning and the end; a worker every 15 seconds',
    },
  },
  'notify.to': {
    is: { kind: 'target' },
    flag: {
      words: '--notify <target>',
      help: 'when something is wrong (not for 4 and 75), POST JSON to an https address, or run exec:PROGRAM with it',
    },
  },
  'notify.on': {
    is: { kind: 'choice', of: ['problem', 'always'] },
    default: 'problem',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Only in the environment: the configuration file, a secret, and rarely used settings. */
export const VARIABLES = {
  PAYFILE_CONFIG: { is: TEXT },
  PAYFILE_PASSWORD: { is: TEXT },
  PAYFILE_POST_TIMEOUT_MS: { is: { kind: 'whole', least: 1_000, most: 600_000 }, default: 120_000 },
  PAYFILE_POLL_MIN_MS: { is: { kind: 'whole', least: 10, most: 600_000 }, default: 2_000 },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

export type ValueOf<Is extends Kind> = Is extends { readonly kind: 'switch' }
  ? boolean
  : Is extends { readonly kind: 'whole' | 'number' }
    ? number
    : Is extends { readonly kind: 'choice'; readonly of: readonly (infer Word)[] }
      ? Word
      : Is extends { readonly kind: 'choices'; readonly of: readonly (infer Word)[] }
        ? readonly Word[]
        : Is extends { readonly kind: 'words' }
          ? readonly string[]
          : Is extends { readonly kind: 'amounts' }
            ? Readonly<Record<string, string>>
            : Is extends { readonly kind: 'answers' }
              ? readonly { readonly status: number; readonly code: string | number }[]
              : Is extends { readonly kind: 'people' }
                ? Readonly<Record<string, readonly Role[]>>
                : string;

export type SettingValue<Name extends SettingName> = ValueOf<(typeof SETTINGS)[Name]['is']>;

/** `ledger.path` stands in the file as `{"ledger": {"path": …}}`. */
export function partsOfName(name: SettingName): readonly [group: string | undefined, key: string] {
  const [first = '', second] = name.split('.');
  return second === undefined ? [undefined, first] : [first, second];
}
