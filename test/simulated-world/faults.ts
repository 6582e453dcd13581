/**
 * The kinds of faults and of troublesome people, how often each strikes where it can, which of them this history
 * has, and when they strike. A history turns each on with an even chance (swarm), so that rare ones meet in every
 * mixture. Every strike is written down, with the payout it struck where that is known.
 */
import type { Random } from '../builders/random.ts';

export interface FaultKind {
  /** Probability of striking at one opportunity, when it is on. */
  readonly rate: number;
  readonly sentence: string;
}

export const FAULTS = {
  // Before a byte leaves
  connect_fails: { rate: 0.1, sentence: 'no connection can be opened' },
  login_fails: { rate: 0.12, sentence: 'the login is not answered' },
  credentials_refused: { rate: 0.1, sentence: 'the login is refused' },
  dies_before_write: { rate: 0.1, sentence: 'the connection closes between the intent and the first byte' },
  // The transfer and its answer
  request_lost: { rate: 0.14, sentence: 'the request never arrives' },
  answer_lost: { rate: 0.14, sentence: 'executed, and the answer never comes' },
  answer_cut: { rate: 0.14, sentence: 'executed, and the answer is cut' },
  server_error_executed: { rate: 0.14, sentence: '5xx after executing' },
  server_error_unexecuted: { rate: 0.14, sentence: '5xx without executing' },
  odd_answer: { rate: 0.14, sentence: 'an answer of the table that proves nothing' },
  token_revoked: { rate: 0.14, sentence: '401 or code 1, because the token ended' },
  code_one_refusal: { rate: 0.14, sentence: 'code 1 with a good token' },
  unauthorized_though_good: { rate: 0.14, sentence: '401 with a good token' },
  rate_limited: { rate: 0.18, sentence: '429' },
  refused: { rate: 0.17, sentence: 'refused before executing' },
  duplicate_id: { rate: 0.16, sentence: 'the id of another transfer' },
  late_execution: { rate: 0.16, sentence: 'executed after the patience had ended' },
  late_answer: { rate: 0.17, sentence: 'answered after the patience had ended' },
  refuses_after_executing: { rate: 0.14, sentence: 'executed, then refused (counted apart)' },
  doubled: { rate: 0.18, sentence: 'a middlebox delivers the request twice (counted apart)' },
  foreign_id: { rate: 0, sentence: 'the id of a transfer that another program made' },
  // What becomes of a transfer
  status_flaps: { rate: 0.3, sentence: 'status words go back and forth' },
  status_fails: { rate: 0.35, sentence: 'failed after it was accepted' },
  failed_then_finished: { rate: 0.75, sentence: 'failed, and later finished' },
  returned: { rate: 0.6, sentence: 'came back' },
  contradicts: { rate: 0, sentence: 'the service says one thing after the other (told-judge.ts)' },
  status_unavailable: { rate: 0.2, sentence: 'the status cannot be asked' },
  status_not_found: { rate: 0.3, sentence: 'a known id is not found at first' },
  // Questions
  questions_unavailable: { rate: 0.025, sentence: 'names, quotes and lists are not answered' },
  name_differs: { rate: 0.1, sentence: 'another name, or none' },
  quote_declined: { rate: 0.05, sentence: 'no quote for this payment' },
  fee_jumps: { rate: 0.12, sentence: 'a fee far above what is allowed' },
  rate_moves: { rate: 0.2, sentence: 'the rate moves' },
  // The ledger and its disk
  ledger_full: { rate: 0.012, sentence: 'the disk is full' },
  ledger_io_error: { rate: 0.006, sentence: 'the disk reports an error' },
  ledger_busy: { rate: 0.02, sentence: 'somebody else holds the ledger' },
  ambiguous_commit: { rate: 0.008, sentence: 'committed, and reported as failed' },
  sidecar_fails: { rate: 1, sentence: 'the emergency file cannot be written' },
  // The process and the machine
  crash: { rate: 0.002, sentence: 'the process dies between two steps' },
  crash_before_commit: { rate: 0.006, sentence: 'the process dies before a commit' },
  crash_after_commit: { rate: 0.006, sentence: 'the process dies after a commit' },
  suspended: { rate: 0.0015, sentence: 'the process is stopped for a while' },
  clock_step: { rate: 0.001, sentence: 'the wall clock is set' },
  interrupted: { rate: 0.15, sentence: 'the person presses Ctrl-C' },
  second_process: { rate: 1, sentence: 'two processes at once on one batch' },
  lease_taken_over: { rate: 0, sentence: 'a lease is taken over (follows from crash and suspension)' },
  // People
  pauses: { rate: 0.25, sentence: 'somebody pauses and resumes' },
  cancels: { rate: 0.3, sentence: 'somebody withdraws rows' },
  releases: { rate: 0.4, sentence: 'somebody lets held rows go' },
  rules_right: { rate: 1, sentence: 'a person rules rightly' },
  rules_wrong: { rate: 1, sentence: 'a person rules wrongly (counted apart)' },
  reissues: { rate: 1, sentence: 'somebody pays failed rows again' },
  same_file_again: { rate: 0.5, sentence: 'the same file once more' },
  edited_file: { rate: 0.6, sentence: 'the file with allowed edits' },
  forbidden_edit: { rate: 0.7, sentence: 'the file with an edit of an agreed row' },
  second_batch: { rate: 0.5, sentence: 'the same rows under another name' },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** Decides which faults a history has, and at which of their opportunities they strike. */
export interface FaultPlan {
  has(kind: FaultName): boolean;
  /** One opportunity of the kind; `times` more likely than usual. */
  strikes(kind: FaultName, payout: number | undefined, times: number): boolean;
}

const INTENSITIES = [0.3, 1, 1, 3] as const;

/** Each kind with an even chance, all of them as often as the history has it. */
export function swarm(random: Random): FaultPlan {
  const rates = new Map<FaultName, number>();
  const intensity = random.pick(INTENSITIES);
  for (const kind of FAULT_NAMES)
    if (random.chance(0.5)) rates.set(kind, Math.min(1, FAULTS[kind].rate * intensity));
  return {
    has: (kind) => rates.has(kind),
    strikes(kind, _payout, times) {
      const rate = rates.get(kind);
      return rate !== undefined && random.chance(Math.min(1, rate * times));
    },
  };
}

/**
 * Where the sending itself is what a history is about: what ends a run before anything is sent strikes less often. And on a
 * server all go by its clock, which nobody sets.
 */
export function letsSend(plan: FaultPlan, random: Random): FaultPlan {
  const early: readonly FaultName[] = ['login_fails', 'credentials_refused', 'questions_unavailable'];
  return {
    has: (kind) => kind !== 'clock_step' && plan.has(kind),
    strikes: (kind, payout, times) =>
      kind !== 'clock_step' &&
      plan.strikes(kind, payout, times) &&
      (!early.includes(kind) || random.chance(0.2)),
  };
}

export class Faults {
  readonly #plan: FaultPlan;
  readonly #struck = new Set<FaultName>();
  readonly #hits = new Map<number, Set<FaultName>>();
  readonly #onStrike: (kind: FaultName, payout: number | undefined) => void;
  #isHealed = false;

  constructor(plan: FaultPlan, onStrike: (kind: FaultName, payout: number | undefined) => void) {
    this.#plan = plan;
    this.#onStrike = onStrike;
  }

  isOn(kind: FaultName): boolean {
    return !this.#isHealed && this.#plan.has(kind);
  }

  /** Whether this history has it, healed or not: prices and people change on good days too. */
  knows(kind: FaultName): boolean {
    return this.#plan.has(kind);
  }

  /** Whether it strikes now. */
  strikes(kind: FaultName, payout?: number, times = 1): boolean {
    if (this.#isHealed || !this.#plan.strikes(kind, payout, times)) return false;
    this.note(kind, payout);
    return true;
  }

  /** It has happened, whoever decided it. */
  note(kind: FaultName, payout?: number): void {
    this.#struck.add(kind);
    if (payout !== undefined) this.hit(kind, payout);
    this.#onStrike(kind, payout);
  }

  hit(kind: FaultName, payout: number): void {
    const hits = this.#hits.get(payout);
    if (hits === undefined) this.#hits.set(payout, new Set([kind]));
    else hits.add(kind);
  }

  struck(): ReadonlySet<FaultName> {
    return this.#struck;
  }

  hitsOf(payout: number): ReadonlySet<FaultName> {
    return this.#hits.get(payout) ?? NONE;
  }

  heal(): void {
    this.#isHealed = true;
  }

  isHealed(): boolean {
    return this.#isHealed;
  }
}

const NONE: ReadonlySet<FaultName> = new Set();
