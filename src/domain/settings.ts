/**
 * The other settings, each in one place, and the list of all. The configuration file, variables, flags, `doctor` and
 * `payfile help settings` are made from it.
 */
import { POLICY_SETTINGS } from './policy.ts';
import {
  type FlagsOf,
  PRICING,
  SENDING,
  type Setting,
  type SettingFlag,
  type SettingTable,
  settingsIn,
} from './setting.ts';
import {
  above0,
  choice,
  filled,
  notifyTarget,
  people,
  refusedAnswers,
  text,
  whole,
} from './setting-kinds.ts';

/** What payfile goes by on this machine, whatever the payments are. */
export const RUN_SETTINGS = {
  /** Country of rows that name none. */
  source: {
    is: text,
    inSandbox: 'GB',
    variable: 'PAYFILE_SOURCE',
    flag: {
      name: 'source',
      value: 'country',
      help: 'country that the money comes from',
      on: ['check', ...PRICING],
    },
    help: 'the country that the money comes from',
  },
  requestsPerSecond: {
    is: above0(),
    file: 'rate',
    flag: {
      name: 'rate',
      value: 'n',
      help: 'requests a second, at the most',
      on: [...PRICING, ...SENDING],
    },
    help:
      'requests a second, at the most. With a ledger on a server, all processes that use the same login keep it ' +
      'together. The slowest `rate` of those at work holds for all',
  },
  answersRefused: {
    is: refusedAnswers,
    default: [],
    file: 'answers.refused',
    help: 'answers that prove a refusal before anything was executed, such as `[{"status": 400, "code": "51"}]`',
  },
  /** Who may do what, besides the user of the machine. */
  people: {
    is: people,
    help: 'who may do what, such as `{"eve": ["approver"], "ben": ["maker", "operator"]}`. See below',
  },
  /** How many parts of sendings all workers together have at a time, each with `concurrency` transfers in flight. */
  lanes: {
    is: whole(1, 64),
    default: 8,
    variable: 'PAYFILE_LANES',
    help: 'parts of sendings that all workers have at a time',
    page: 'fleet',
  },
  /** Written at the end of every command that works on a batch. */
  metricsFile: {
    is: filled,
    flag: {
      name: 'metricsFile',
      value: 'file',
      help: 'write metrics there for Prometheus: at the beginning and the end; a worker every 15 seconds',
      on: [...SENDING, 'doctor'],
    },
    help: 'where metrics for Prometheus go',
    page: 'monitoring',
  },
  notify: {
    to: {
      is: notifyTarget,
      isSecret: true,
      flag: {
        name: 'notify',
        value: 'target',
        help: 'when something is wrong (not for 4 and 75), POST JSON to an https address, or run exec:PROGRAM with it',
        on: [...SENDING, 'doctor'],
      },
      help: 'who is notified: an https address, or exec:PROGRAM',
      page: 'monitoring',
    },
    /** `problem`: only when the exit code is not 0. */
    on: {
      is: choice('problem', 'always'),
      default: 'problem',
      help: '`problem` or `always`: when a notification is sent',
      page: 'monitoring',
    },
  },
} as const satisfies SettingTable;

/** Which service and which ledger. */
export const PLACE_SETTINGS = {
  baseUrl: {
    is: text,
    variable: 'PAYFILE_BASE_URL',
    isLive: true,
    help: 'the service. https, or http on a loopback address',
  },
  authUrl: { is: text, variable: 'PAYFILE_AUTH_URL', isLive: true, help: 'the login address of the service' },
  id: { is: text, variable: 'PAYFILE_ID', isLive: true, help: 'who logs in' },
  password: {
    is: text,
    file: false,
    variable: 'PAYFILE_PASSWORD',
    isLive: true,
    isSecret: true,
    help: 'the password of that login. It wins over a password file',
  },
  passwordFile: {
    is: text,
    variable: 'PAYFILE_PASSWORD_FILE',
    isLive: true,
    help: 'a file with the password. payfile looks for a relative one in the folder of the configuration file',
  },
  ledger: {
    path: {
      is: text,
      variable: 'PAYFILE_LEDGER',
      isSecret: true,
      flag: { name: 'ledger', value: 'file', help: 'ledger file, or postgres://…', on: 'all' },
      help:
        'path of the ledger. Default `$XDG_STATE_HOME/payfile/ledger.db` (usually `~/.local/state/payfile/ledger.db`). ' +
        'Only the user who made a ledger file can read it: files of mode 0600 in a folder of mode 0700',
    },
    passwordFile: {
      is: text,
      variable: 'PAYFILE_LEDGER_PASSWORD_FILE',
      help: 'a file with the password of a ledger on a server',
      page: 'server',
    },
    id: {
      is: filled.nullable(),
      isLive: true,
      help: 'the one ledger that this machine works with. payfile opens no other one and makes none',
    },
  },
} as const satisfies SettingTable;

/** Names the configuration file, so it cannot stand in it. */
export const CONFIG_SETTING = {
  is: text,
  file: false,
  variable: 'PAYFILE_CONFIG',
  flag: {
    name: 'config',
    value: 'file',
    help: 'configuration file in place of ~/.config/payfile/config.json',
    on: 'all',
  },
  help: 'path of the configuration file',
} as const satisfies Setting;

/** `--names` sets several settings at once. */
export const NAMES_FLAG = {
  name: 'names',
  value: 'outcome=policy,…',
  help: 'ok, warn or hold for match, close_match, no_match, not_found, unavailable',
  on: PRICING,
} as const satisfies SettingFlag;

/** Every setting that the configuration or a variable has, in the order of the guide. */
export const ALL_SETTINGS = settingsIn(
  PLACE_SETTINGS,
  { config: CONFIG_SETTING },
  RUN_SETTINGS,
  POLICY_SETTINGS,
);

/** The values that flags of a call give. */
export type SettingFlags = FlagsOf<typeof POLICY_SETTINGS> &
  FlagsOf<typeof RUN_SETTINGS> &
  FlagsOf<typeof RUN_SETTINGS.notify> &
  FlagsOf<typeof PLACE_SETTINGS.ledger> & {
    readonly config?: string | undefined;
    readonly names?: { readonly [Outcome in keyof typeof POLICY_SETTINGS.names]?: string } | undefined;
  };
