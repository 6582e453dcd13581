/**
 * Policy: what the rules of payments go by. Each of its settings stands here once, as setting.ts describes.
 *
 * Units:   names end in the unit.
 */
import type { NameResult } from './names/name-check.ts';
import {
  defaultOf,
  PRICING,
  SENDING,
  type Setting,
  type SettingTable,
  type Use,
  type ValuesOf,
  valuesOf,
} from './setting.ts';
import {
  above0,
  accountRules,
  amounts,
  choice,
  choices,
  number,
  sums,
  visibleLine,
  whole,
  words,
  yesOrNo,
  zone,
} from './setting-kinds.ts';

const DAY_MS = 86_400_000;
const NAME_POLICY = choice('ok', 'warn', 'hold');
const PERCENT = number(0, 100);

/** Of a transfer that is looked up. */
export const LOOK_UP_FIELDS = ['amount', 'institution', 'receiver', 'destination'] as const;
export type LookUpField = (typeof LOOK_UP_FIELDS)[number];

/** What the rules of payments go by. A program gives them as `policy`. */
export const POLICY_SETTINGS = {
  /** Whose payments these are; at the head of reports. */
  organization: {
    is: visibleLine,
    help: 'whose payments these are. It stands at the head of the page and of the workbook',
  },
  /** Accounts that the journal of a report books to, for all batches or for those whose names begin alike. */
  journalAccounts: {
    is: accountRules,
    default: [],
    help:
      'the accounts of your books, such as `[{"paying": "1010 Wallet"}, {"batches": "payroll", "owed": "2100 Net wages"}]`. ' +
      'Others are `fees`, `fx_difference`, `on_its_way`, `suspense` and `lost`. `batches` is how the names of the batches begin, ' +
      '`currency` the currency of the account that pays',
    page: 'reports',
  },
  /** Of times on pages and in workbooks, and of days. Times in files for programs are UTC. A new ledger keeps it. */
  timeZone: {
    is: zone,
    flag: {
      name: 'timeZone',
      value: 'zone',
      help: 'zone of times on pages and in workbooks, and of days, such as Africa/Nairobi',
      on: ['run', 'send', 'settle', 'report', 'advice'],
    },
    help:
      'the zone of times on pages and in workbooks, and of days, such as `Africa/Nairobi`. Without it, the zone that the ' +
      'ledger kept when it was made: this setting, else the zone of the machine. Times in files for programs are UTC',
  },
  /** Transfers under way at once. */
  concurrency: {
    is: whole(1, 1_024),
    default: 8,
    variable: 'PAYFILE_CONCURRENCY',
    flag: { name: 'concurrency', value: 'n', help: 'transfers at once (8)', on: [...PRICING, ...SENDING] },
    help: 'transfers under way at once',
  },
  /** Days. A row that was paid within them waits for a person. */
  duplicateWindowDays: {
    is: number(0, 3_650),
    default: 14,
    help:
      'how long a settled payment counts as a repeat. A payment that the service called failed or returned counts for ' +
      '24 hours. If the service then shows something else, it counts until the service calls it failed or returned ' +
      'again. Others count whatever their age',
  },
  /** Years. Law on books asks for them; law on personal data asks for no more. */
  retentionYears: {
    is: whole(1, 100),
    default: 7,
    help: 'how many years names and accounts of payments are kept at least. Later, `payfile erase` may erase them',
    page: 'privacy',
  },
  /** What each outcome of the name check does. */
  names: {
    match: { is: NAME_POLICY, default: 'ok' },
    close_match: {
      is: NAME_POLICY,
      default: 'hold',
      help:
        'what an outcome of the name check does: `ok`, `warn` or `hold`. The others are `names.match` (ok), ' +
        '`names.no_match` (hold), `names.not_found` (hold) and `names.unavailable` (warn)',
      page: 'approving',
    },
    no_match: { is: NAME_POLICY, default: 'hold' },
    not_found: { is: NAME_POLICY, default: 'hold' },
    unavailable: { is: NAME_POLICY, default: 'warn' },
  } satisfies Record<NameResult, Setting>,
  /** The currency in which the service counts the amount of an estimate. */
  amountIn: {
    is: choice('destination', 'source'),
    default: 'destination',
    file: 'quote.amountIn',
    help: '`source` if the service counts the amount of an estimate in the currency that pays',
  },
  /** How old a quote may be when its row is sent. */
  quoteMinutes: {
    is: above0(10_080),
    default: 30,
    help: 'how old a quote may be when its row is sent. An older one is asked for again',
  },
  /** How old the name of an account holder may be when its row is sent. */
  nameHours: {
    is: above0(8_760),
    default: 24,
    help: 'how old the name of an account holder may be when its row is sent. An older one is asked for again',
  },
  /** A batch pays the rows of another one for a new period only so long after that one was first sent. */
  repeatHours: {
    is: number(0, 8_760),
    default: 20,
    help: 'how long after its first sending a batch is not paid for a new period',
  },
  /** A cost that rises by more than this needs one more approval. */
  driftPercent: { is: PERCENT, default: 1, help: 'how far the cost may rise before a person agrees again' },
  /** A fee above this share of the debit holds the row. */
  feePercentMax: { is: PERCENT, default: 20, help: 'a fee above this share of the debit holds the row' },
  /** An amount that moved by more than this since the last batch of the kind is shown to the approver. */
  jumpPercent: {
    is: number(0, 10_000),
    default: 50,
    help: 'an amount that moved by more than this is shown to the approver',
  },
  /** A known person with another account: held until a person releases the row, or only shown with the plan. */
  accountChanges: {
    is: choice('hold', 'warn'),
    default: 'hold',
    help: 'a known person with another account: `hold` or `warn`',
  },
  /** How long an approval lasts. */
  approvalHours: { is: above0(8_760), default: 24, help: 'how long an approval lasts' },
  /** The most that a row, a batch and a day pay, for each currency. */
  limits: {
    /** A row above it waits for a person. */
    rowMax: {
      is: amounts,
      inProgram: sums,
      default: [],
      help: 'a row above it waits for a person, such as `{"GHS": "12500.00"}`',
    },
    /** Of one batch, all runs together. */
    batchMax: { is: amounts, inProgram: sums, default: [], help: 'the most that one batch pays' },
    /** Of all batches of the ledger. */
    dayMax: { is: amounts, inProgram: sums, default: [], help: 'the most that all batches of a day pay' },
  },
  /** The person who made a file cannot approve it. */
  fourEyes: {
    is: yesOrNo,
    default: false,
    help: 'the person who made a file cannot approve it',
    page: 'approving',
  },
  /** A live plan is approved with a passkey, and in no other way. */
  approvalPasskey: {
    is: yesOrNo,
    default: false,
    help: 'a live plan is approved with a passkey in the console, and in no other way',
    page: 'approving',
  },
  /** Rows in doubt since the last resume that pause a batch. */
  maxInDoubt: {
    is: whole(0),
    help:
      'rows in doubt that pause a batch. Default: the larger of `concurrency` and 0.5 % of the batch. Where workers ' +
      'send, the larger of `lanes` × `concurrency` and 0.5 %',
  },
  /** What the service shows of a transfer. A payment is payable again only if all that tells whose it is was shown. */
  lookUpFields: {
    is: choices(LOOK_UP_FIELDS),
    default: LOOK_UP_FIELDS,
    file: 'answers.lookup',
    help: 'what this service shows of a transfer that is looked up. Leave out what it never shows',
    page: 'doubt',
  },
  /** Words of the service for a payment that is paid, beside Finished. Letter case does not count. */
  finishedWords: { is: words, default: [], file: 'statuses.finished' },
  failedWords: {
    is: words,
    default: ['failed', 'declined', 'rejected', 'cancelled', 'canceled'],
    file: 'statuses.failed',
  },
  returnedWords: { is: words, default: ['reversed', 'returned', 'refunded'], file: 'statuses.returned' },
  /** A word in no list is pending too, but a person has to look. */
  pendingWords: {
    is: words,
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
    file: 'statuses.pending',
  },
  /** Milliseconds. Two equal failure words so far apart make a failure; a shorter time trusts a temporary word. */
  failConfirmMs: {
    is: number(0, 1_440),
    inProgram: number(0, DAY_MS),
    default: 10,
    times: 60_000,
    inSandbox: 1_000,
    file: 'statuses.confirmMinutes',
  },
  /** How long the service is asked again about what it called finished, failed or returned. */
  watchDays: {
    is: number(0, 3_650),
    default: 14,
    help: 'for how many days payfile asks again about what is settled, failed or returned',
  },
  /** A failure that the service reports may be paid again after this time without further evidence. */
  reissueAfterHours: { is: number(0, 8_760), default: 24, file: false },
  /** Characters of the narration. */
  noteMax: { is: whole(12, 1_000), default: 100, help: 'length of the narration' },
  /** The tag stands in front of the narration. */
  noteTag: {
    is: yesOrNo,
    default: true,
    help: 'whether the tag stands in front of the narration. Without the tag a row in doubt is hard to find in a statement',
  },
  /** Milliseconds: the shortest time between two looks at a transfer. */
  pollMinMs: {
    is: whole(10, 600_000),
    default: 2_000,
    inSandbox: 200,
    file: false,
    variable: 'PAYFILE_POLL_MIN_MS',
    help: 'shortest time between two looks at a transfer, in milliseconds',
  },
  pollMaxMs: { is: number(10, DAY_MS), default: 5 * 60_000, file: false },
  /** Milliseconds: how long a service that is away is asked before the batch stops with rows still approved. */
  outageWaitMs: { is: number(0, DAY_MS), default: 2 * 60_000, inSandbox: 10_000, file: false },
  /** Milliseconds: how long payfile waits for the answer to a transfer. */
  postTimeoutMs: {
    is: whole(1_000, 600_000),
    default: 120_000,
    inSandbox: 10_000,
    file: false,
    variable: 'PAYFILE_POST_TIMEOUT_MS',
    help: 'how long payfile waits for the answer to a transfer, in milliseconds. In the sandbox 10000',
  },
} as const satisfies SettingTable;

/** The rules by which payments are held, sent and watched. Units are in the names: `…Ms`, `…Days`, `…Percent`. */
export type Policy = ValuesOf<typeof POLICY_SETTINGS>;

export const defaultPolicy = (use?: Use): Policy =>
  valuesOf(POLICY_SETTINGS, (setting) => defaultOf(setting, use));

/** The policy of a live service without settings. */
export const DEFAULT_POLICY = defaultPolicy();

const LATE_ANSWER_MS_MAX = 60_000;

/**
 * How long after its timeout a late answer is still listened for. A ruling “not paid” waits as long, so the two must be one
 * number.
 */
export function lateAnswerMs(postTimeoutMs: number): number {
  return Math.min(LATE_ANSWER_MS_MAX, postTimeoutMs / 2);
}

const HOUR_MS = 3_600_000;

export const daysMs = (days: number): number => days * 24 * HOUR_MS;
export const hoursMs = (hours: number): number => hours * HOUR_MS;
