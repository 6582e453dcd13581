/**
 * The settings of a sandbox, and their defaults.
 */
import { randomBytes } from 'node:crypto';
import { type ScenarioSettings, USUAL_SCENARIO } from './scenarios.ts';

export interface SandboxCredentials {
  readonly id: string;
  readonly password: string;
}

export interface SandboxOptions {
  /** 0, the default, takes any free port. Always on 127.0.0.1. */
  readonly port?: number | undefined;
  /** A JSON-lines file that the book is kept in; without one it is forgotten at the end. */
  readonly bookPath?: string | undefined;
  /**
   * Names depend on the seed (1 unless told). Transfer ids do so only when a seed is given: otherwise each
   * new book has ids of its own, so that two sandboxes started after one another never issue the same id.
   */
  readonly seed?: number | undefined;
  readonly scenario?: Partial<ScenarioSettings> | undefined;
  /** Every answer waits this long; a transfer is executed before it waits. */
  readonly latencyMs?: number | undefined;
  /** One line per request, without secrets and whole account numbers. */
  readonly log?: ((line: string) => void) | undefined;
  readonly credentials?: SandboxCredentials | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
  readonly tokenTtlSeconds?: number | undefined;
  /** The zone that expiry, fetched and Date are written in, east of UTC. */
  readonly zoneOffsetMinutes?: number | undefined;
  /** How many times faster than in reality transfers finish; the quoted speed is the faster one. */
  readonly speedFactor?: number | undefined;
  /** Transfers are refused once the book has this many entries. */
  readonly bookEntriesMax?: number | undefined;
  /** Accounts belong to whom `knowHolders` says. False, the default: to invented people alone. */
  readonly takesHolders?: boolean | undefined;
  /** False: the process may end although its sandbox still listens. */
  readonly keepProcessAlive?: boolean | undefined;
}

/** As the endpoints use them. */
export type SandboxSettings = Readonly<ReturnType<typeof settingsFrom>>;

export const SANDBOX_CREDENTIALS: SandboxCredentials = { id: 'sandbox', password: 'sandbox-password' };

export function settingsFrom(options: SandboxOptions) {
  return {
    seed: String(options.seed ?? 1),
    /** What transfer ids are derived from in a new book. */
    newBookSeed: options.seed === undefined ? randomBytes(16).toString('hex') : `seed ${options.seed}`,
    scenario: { ...USUAL_SCENARIO, ...options.scenario } satisfies ScenarioSettings,
    latencyMs: positive(options.latencyMs ?? 0, 'latencyMs', 0),
    log: options.log,
    credentials: options.credentials ?? SANDBOX_CREDENTIALS,
    clock: options.clock ?? Date.now,
    takesHolders: options.takesHolders === true,
    tokenTtlSeconds: positive(options.tokenTtlSeconds ?? 1200, 'tokenTtlSeconds', 1),
    zoneOffsetMinutes: options.zoneOffsetMinutes ?? 60,
    // Nominal speeds are 20 to 90 seconds, so that transfers finish within three.
    speedFactor: positive(options.speedFactor ?? 30, 'speedFactor', 0.001),
    // About half a kilobyte each: a full book is a quarter of a gigabyte.
    bookEntriesMax: positive(options.bookEntriesMax ?? 500_000, 'bookEntriesMax', 1),
  };
}

function positive(value: number, name: string, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new RangeError(`The sandbox's ${name} is ${value}; it must be a number from ${least} up.`);
}
