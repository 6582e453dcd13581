/**
 * Scenario settings: how the whole sandbox behaves, as `--scenario NAME[,NAME…]` switches it.
 *
 * Errors:  parseScenario throws a SandboxScenarioError that lists the names there are.
 */

export interface ScenarioSettings {
  /** False: no payment instrument is configured, so every transfer is refused. */
  readonly paymentInstrument: boolean;
  /** True: every refusal carries code 1, whatever its reason. */
  readonly everyRefusalIsCode1: boolean;
  /** Every nth executed transfer loses its answer. */
  readonly loseEveryNth: number | undefined;
  readonly slow: boolean;
  readonly requestsPerSecondMax: number | undefined;
  /** After this many executed transfers every request is answered HTTP 503, until a restart. */
  readonly outageAfter: number | undefined;
  /** Lifetime of a token in seconds, instead of the usual one. */
  readonly sessionSeconds: number | undefined;
  /** True: a login ends every earlier token of its id. */
  readonly oneSession: boolean;
  /** How `code` is written: as each endpoint does it, or one way everywhere. */
  readonly codes: 'by_endpoint' | 'numbers' | 'strings';
  /** Exchange rates are this many per cent lower than usual, so that debits are higher. */
  readonly rateFellPercent: number;
  /** False: scenario accounts are accounts like any other. */
  readonly scenarioAccounts: boolean;
}

export const USUAL_SCENARIO: ScenarioSettings = {
  paymentInstrument: true,
  everyRefusalIsCode1: false,
  loseEveryNth: undefined,
  slow: false,
  requestsPerSecondMax: undefined,
  outageAfter: undefined,
  sessionSeconds: undefined,
  oneSession: false,
  codes: 'by_endpoint',
  rateFellPercent: 0,
  scenarioAccounts: true,
};

export class SandboxScenarioError extends Error {
  override readonly name = 'SandboxScenarioError';
  readonly code = 'sandbox_scenario_unknown';
}

interface GlobalScenario {
  /** As it is typed, with N for a whole number. */
  readonly form: string;
  readonly sentence: string;
  readonly pattern: RegExp;
  readonly settings: (number: number) => Partial<ScenarioSettings>;
}

export const GLOBAL_SCENARIOS: readonly GlobalScenario[] = [
  scenario('usual', 'Everything works, scenario accounts aside.', () => ({})),
  scenario('no-instrument', 'No payment instrument is configured: every transfer is refused.', () => ({
    paymentInstrument: false,
  })),
  scenario('code-1-for-everything', 'Every refusal carries code 1, like a failed login.', () => ({
    everyRefusalIsCode1: true,
  })),
  scenario('lose-every-nth:N', 'Every Nth transfer is executed and its answer lost.', (nth) => ({
    loseEveryNth: nth,
  })),
  scenario('slow', 'Every transfer finishes 15 times later than quoted.', () => ({ slow: true })),
  scenario('rate-limit:N-per-second', 'More than N requests in one second get HTTP 429.', (most) => ({
    requestsPerSecondMax: most,
  })),
  scenario('outage-after:N', 'After N transfers every request is answered HTTP 503.', (after) => ({
    outageAfter: after,
  })),
  scenario('short-sessions', 'A token lasts 5 seconds.', () => ({ sessionSeconds: 5 })),
  scenario('short-sessions:N', 'A token lasts N seconds.', (seconds) => ({ sessionSeconds: seconds })),
  scenario('one-session', 'A login ends every earlier token.', () => ({ oneSession: true })),
  scenario('numeric-codes', 'Every code is a JSON number.', () => ({ codes: 'numbers' })),
  scenario('string-codes', 'Every code is a JSON string.', () => ({ codes: 'strings' })),
  scenario('rate-fell:N', 'Exchange rates are N per cent lower than usual.', (percent) => ({
    rateFellPercent: Math.min(percent, 90),
  })),
  scenario('plain-accounts', 'Scenario accounts behave like any other account.', () => ({
    scenarioAccounts: false,
  })),
];

/** `lose-every-nth:10,short-sessions` → settings. */
export function parseScenario(text: string): ScenarioSettings {
  let settings = USUAL_SCENARIO;
  for (const part of text.split(',').map((name) => name.trim())) {
    settings = { ...settings, ...settingsOf(part) };
  }
  return settings;
}

function settingsOf(part: string): Partial<ScenarioSettings> {
  for (const { pattern, settings } of GLOBAL_SCENARIOS) {
    const match = pattern.exec(part);
    if (match) return settings(Number(match[1] ?? 0));
  }
  const names = GLOBAL_SCENARIOS.map(({ form }) => form).join(', ');
  throw new SandboxScenarioError(
    `The sandbox has no scenario "${part.slice(0, 60)}". Write one of these, N being a whole number ` +
      `from 1 up, or several with commas between them: ${names}`,
  );
}

function scenario(form: string, sentence: string, settings: GlobalScenario['settings']): GlobalScenario {
  return { form, sentence, pattern: new RegExp(`^${form.replace('N', '([1-9]\\d{0,8})')}$`), settings };
}

/**
 * Scenario accounts: the last six digits of an account say what the sandbox does with it.
 *
 * Why:     six digits, because shorter endings turn up by chance in a real payroll rehearsed here.
 */

/** `executes`: whether money moves, as the sandbox's book has it. The sentence is for help texts. */
const LINES = [
  // ending, scenario, executes, title, sentence
  ['990001', 'account_closed', false, 'account closed', 'The name resolves, but the transfer is refused.'],
  ['990002', 'name_differs', true, 'name differs', 'The account belongs to somebody else.'],
  [
    '990003',
    'name_not_found',
    true,
    'name not found',
    'No name is found; a transfer that carries Name is taken.',
  ],
  [
    '990004',
    'name_unavailable',
    true,
    'name lookup down',
    'The name lookup answers HTTP 503; transfers work.',
  ],
  ['990010', 'slow', true, 'slow', 'The transfer finishes 15 times later than quoted.'],
  ['990011', 'never_finishes', true, 'never finishes', 'The transfer stays Processing for ever.'],
  ['990012', 'failed_later', true, 'failed later', 'The transfer is taken, and is Failed after its speed.'],
  [
    '990013',
    'returned_later',
    true,
    'returned later',
    'Finished after its speed, Reversed after twice as long.',
  ],
  ['990014', 'amount_differs', true, 'amount differs', 'Half of the amount asked for is paid.'],
  ['990020', 'refused', false, 'refused', 'The transfer is refused with a code of its own (51).'],
  [
    '990021',
    'refused_by_code_1',
    false,
    'refused by code 1',
    'Refused with code 1, though the session is good.',
  ],
  ['990022', 'rate_limited', false, 'rate limited', 'HTTP 429 with Retry-After once, then it goes.'],
  [
    '990023',
    'session_expires',
    false,
    'session expires',
    'The token ends and HTTP 401 is answered once, then it goes.',
  ],
  [
    '990024',
    'balance_empty',
    false,
    'balance empty',
    'From here on every transfer is refused, until a restart.',
  ],
  [
    '990030',
    'answer_lost_after',
    true,
    'answer lost, money moved',
    'Executed, then the connection breaks without an answer.',
  ],
  [
    '990031',
    'answer_lost_before',
    false,
    'answer lost, nothing moved',
    'The connection breaks; nothing was executed.',
  ],
  [
    '990032',
    'answer_cut',
    true,
    'answer cut',
    'Executed, then the connection breaks in the middle of the answer.',
  ],
  [
    '990033',
    'bad_gateway_after',
    true,
    'HTTP 502, money moved',
    'Executed, then a gateway answers HTTP 502.',
  ],
] as const;

export type AccountScenario = (typeof LINES)[number][1];

export const SCENARIOS = LINES.map(([ending, scenario, executes, title, sentence]) => ({
  ...{ ending, scenario, executes, title, sentence },
}));

const byEnding = new Map<string, AccountScenario>(
  SCENARIOS.map((account) => [account.ending, account.scenario]),
);

/** The scenario of an account's ending; undefined for an ordinary account. */
export function scenarioOf(account: string): AccountScenario | undefined {
  return byEnding.get(account.slice(-6));
}
