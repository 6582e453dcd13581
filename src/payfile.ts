/**
 * payfile as a library: the stages of the command line as functions over the same ports. Nothing here prints,
 * takes settings from the environment or ends the process; progress comes as typed events.
 *
 * Errors:  set-up and files throw the documented errors (ConfigError, LedgerError, FileRefused,
 *          ServiceUnavailable, CredentialsRefused, BatchBusy); what becomes of payments are values.
 */
import { hostname } from 'node:os';
import type { Batch } from './domain/batches/batch.ts';
import type { Money } from './domain/money/money.ts';
import type { BatchId } from './domain/payouts/instruction.ts';
import { DEFAULT_POLICY, type Policy } from './domain/policy.ts';
import type { RowIssue } from './domain/rows/row.ts';
import { Sensitive } from './domain/text/sensitive.ts';
import { plusMs } from './domain/timestamp.ts';
import type { LeaseHolder } from './ports/ledger/leases.ts';
import type { Log } from './ports/log.ts';
import { compose, type Parts } from './setup/compose.ts';
import { ConfigError } from './setup/config-file.ts';
import { locationsOf } from './setup/places.ts';
import type { Settings } from './setup/settings.ts';
import { type Approved, approveBatch } from './use-cases/approve/approve-batch.ts';
import { choosePayout } from './use-cases/decide/choose-payouts.ts';
import { type Resolved, type RulingRequest, resolveDoubt } from './use-cases/decide/resolve-doubt.ts';
import { type CheckedFile, checkFile } from './use-cases/intake/check-file.ts';
import { type PlacedFile, type PlannedBatch, placeFile, planBatch } from './use-cases/intake/plan-file.ts';
import type { ReadOptions } from './use-cases/intake/read-rows.ts';
import { type Reported, reportBatch } from './use-cases/report/report-batch.ts';
import { type Consent, type Run, runBatch } from './use-cases/run-batch.ts';
import { recoverBatch } from './use-cases/send/recover-batch.ts';
import { type SendBatchResult, sendBatch } from './use-cases/send/send-batch.ts';
import { type SettleResult, settleBatch } from './use-cases/settle/settle-batch.ts';
import { BatchBusy, orBusy, type Tell, type World, withLease } from './use-cases/world.ts';

export interface PayfileOptions {
  /** Where payments go; leave out and set `sandbox` to rehearse. */
  readonly service?: {
    readonly baseUrl: string;
    readonly authUrl: string;
    readonly id: string;
    readonly password: string;
  };
  /** The embedded sandbox: no real money. */
  readonly sandbox?: boolean;
  /** Path of the ledger, or `:memory:` with the sandbox. */
  readonly ledger: string;
  /** Create a live ledger that is not there. False by default: a lost ledger forgets every payment. */
  readonly createLedger?: boolean;
  /** Originating country of rows that name none: name, ISO code or service id. */
  readonly source?: string;
  readonly policy?: Partial<Policy>;
  /** Who makes, approves and rules; kept in the ledger. */
  readonly actor: string;
  readonly onProgress?: Tell;
  readonly log?: Log;
}

export interface FileOptions extends Partial<Omit<ReadOptions['open'], 'path'>> {
  readonly decimal?: 'point' | 'comma';
  readonly source?: string;
  readonly signal?: AbortSignal;
}

export interface Payfile {
  /** Reads and validates; keeps nothing. */
  check(
    path: string,
    options?: FileOptions,
  ): Promise<
    CheckedFile & {
      readonly issues: readonly { readonly row: number; readonly issues: readonly RowIssue[] }[];
    }
  >;
  /** Reads, places, checks names and quotes; kept in the ledger. `plan` is undefined for a file that was finished or refused. */
  plan(
    path: string,
    options?: FileOptions & { readonly batch?: string },
  ): Promise<PlacedFile & { readonly plan: PlannedBatch | undefined }>;
  /** Agrees to the plan with this digest. */
  approve(batch: string, digest: string, options?: { readonly signal?: AbortSignal }): Promise<Approved>;
  send(batch: string, options?: { readonly signal?: AbortSignal }): Promise<SendBatchResult>;
  /** Looks transfers up until all are final or the time is over. */
  settle(
    batch: string,
    options: { readonly forMs: number; readonly signal?: AbortSignal },
  ): Promise<SettleResult>;
  /** Plan, consent, send and settle in one go; safe to run again. */
  run(path: string, options: RunFileOptions): Promise<PlacedFile & { readonly run: Run | undefined }>;
  /**
   * Writes the reconciliation report (csv, json, xlsx, html, or xml for pain.002, by its name); without a path only the
   * totals. A file that is there already is replaced only where it is such a report.
   */
  report(batch: string, path?: string): Promise<Reported>;
  /** A person's ruling on a row in doubt, by row number or reference. */
  resolve(batch: string, row: string, ruling: WithoutBy<RulingRequest>): Promise<Resolved>;
  batches(): Promise<readonly Batch[]>;
  close(): Promise<void>;
}

type WithoutBy<Request> = Request extends unknown ? Omit<Request, 'by'> : never;

export interface RunFileOptions extends FileOptions {
  readonly batch?: string;
  readonly consent: Consent;
  readonly skipInvalid?: boolean;
  readonly maxTotals?: readonly Money[];
  /** So many rows go first, and the rest when they are settled; kept for the batch, 0 lifts it. */
  readonly canary?: number;
  /** How long to wait for transfers to become final; 15 minutes unless told. */
  readonly settleForMs?: number;
}

const SETTLE_MS = 15 * 60_000;
const ISSUES_MAX = 100_000;
const SILENT: Log = { write: () => undefined };

export function createPayfile(options: PayfileOptions): Payfile {
  const parts = compose(settingsOf(options), { log: options.log ?? SILENT });
  const open = { create: options.createLedger === true };
  const world = () => parts.world(options.onProgress ?? (() => undefined), open);
  const leased = async <Result>(
    batchId: BatchId,
    work: (opened: World, leaseLost: AbortSignal) => Promise<Result>,
  ) => {
    const opened = await world();
    return orBusy(
      await withLease(batchId, holderOf(options), opened, (leaseLost) => work(opened, leaseLost)),
    );
  };
  return {
    ...fileStages(parts, options, { world, leased }),
    approve: (batch, digest, { signal } = {}) =>
      onBatch(batch, world, (id) =>
        leased(id, (opened) =>
          approveBatch(id, { by: options.actor, how: 'library', digest, signal }, opened),
        ),
      ),
    send: (batch, { signal } = {}) =>
      onBatch(batch, world, (id) =>
        leased(id, async (opened, leaseLost) => {
          await recoverBatch(id, opened);
          return sendBatch(id, opened, { signal, leaseLost });
        }),
      ),
    settle: (batch, { forMs, signal }) =>
      onBatch(batch, world, (id) =>
        leased(id, (opened) =>
          settleBatch(id, opened, { deadline: plusMs(opened.clock.now(), forMs), signal }),
        ),
      ),
    report: (batch, path) => onBatch(batch, world, (id) => reportOf(id, path, parts)),
    resolve: (batch, row, ruling) =>
      onBatch(batch, world, (id) =>
        leased(id, async (opened) => {
          const payout = await choosePayout(id, row, opened);
          return resolveDoubt(payout, { ...ruling, by: options.actor } as RulingRequest, opened);
        }),
      ),
    batches: async () => (await parts.ledger(open)).batches(),
    close: () => parts.close(),
  };
}

interface Opened {
  readonly world: () => Promise<World>;
  readonly leased: <Result>(
    batchId: BatchId,
    work: (opened: World, leaseLost: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
}

function fileStages(
  parts: Parts,
  options: PayfileOptions,
  { world, leased }: Opened,
): Pick<Payfile, 'check' | 'plan' | 'run'> {
  const place = async (path: string, file: FileOptions & { readonly batch?: string }) => {
    const placing = { maker: options.actor, name: file.batch, holder: holderOf(options) };
    const read = { ...readOptions(path, file, options), ...placing };
    const placedFile = await placeFile(parts.openRows, read, await world());
    if (placedFile.placed.kind === 'busy') throw new BatchBusy(placedFile.placed.busy);
    return { ...placedFile, placed: placedFile.placed };
  };
  return {
    async check(path, file = {}) {
      const issues: { row: number; issues: readonly RowIssue[] }[] = [];
      const listener = {
        invalid: (row: number, found: readonly RowIssue[]) => {
          if (issues.length < ISSUES_MAX) issues.push({ row, issues: found });
        },
        held: () => undefined,
      };
      const paymentService = await parts.paymentService();
      const questions = { paymentService, tell: options.onProgress ?? (() => undefined) };
      const checked = await checkFile(parts.openRows, readOptions(path, file, options), listener, questions);
      return { ...checked, issues };
    },
    async plan(path, file = {}) {
      const placedFile = await place(path, file);
      const { placed } = placedFile;
      if (placed.kind === 'refused' || placed.kind === 'finished') return { ...placedFile, plan: undefined };
      const { id } = placed.batch;
      const plan = await leased(id, (opened) => planBatch(id, opened, { signal: file.signal }));
      return { ...placedFile, plan };
    },
    async run(path, file) {
      const placedFile = await place(path, file);
      const { placed } = placedFile;
      if (placed.kind === 'refused' || placed.kind === 'finished') return { ...placedFile, run: undefined };
      const { id } = placed.batch;
      const deadline = () => plusMs(parts.clock.now(), file.settleForMs ?? SETTLE_MS);
      const { consent, skipInvalid = false, maxTotals: ceilings, canary, signal } = file;
      const stages = { consent, skipInvalid, ceilings, canary };
      const run = await leased(id, (opened, leaseLost) =>
        runBatch(id, opened, { ...stages, by: options.actor, deadline, signal, leaseLost }),
      );
      return { ...placedFile, run };
    },
  };
}

async function reportOf(batchId: BatchId, path: string | undefined, parts: Parts): Promise<Reported> {
  const ledger = await parts.ledger();
  const batch = await ledger.batch(batchId);
  if (batch === undefined) throw new ConfigError(`No batch ${batchId} in this ledger.`);
  const header = {
    batch,
    environment: ledger.identity.environment,
    madeAt: parts.clock.now(),
    reissueAfterMs: parts.settings.policy.reissueAfterHours * 3_600_000,
  };
  const target = path === undefined ? undefined : { path, format: undefined, fullAccounts: false };
  return reportBatch(header, { ledger, openSink: parts.openReportSink }, { target });
}

async function onBatch<Result>(
  text: string,
  world: () => Promise<World>,
  work: (id: BatchId) => Promise<Result>,
): Promise<Result> {
  const found = await (await world()).ledger.findBatch(text);
  if (found.kind === 'found') return work(found.batch.id);
  if (found.kind === 'none') throw new ConfigError(`No batch “${text}” in this ledger.`);
  throw new ConfigError(
    `“${text}” fits several batches: ${found.candidates.map(({ id, name }) => name ?? id).join(', ')}.`,
  );
}

function readOptions(path: string, file: FileOptions, options: PayfileOptions): ReadOptions {
  const { decimal, source, signal, ...open } = file;
  return { open: { ...open, path }, decimal, source: source ?? options.source, signal };
}

function holderOf({ actor }: PayfileOptions): LeaseHolder {
  return { pid: process.pid, host: hostname(), user: actor, command: 'library' };
}

function settingsOf(options: PayfileOptions): Settings {
  if (options.service === undefined && options.sandbox !== true) {
    throw new ConfigError('Give createPayfile a `service`, or `sandbox: true` to rehearse.');
  }
  const { service, source } = options;
  return {
    environment: options.sandbox === true ? 'sandbox' : 'live',
    service: service === undefined ? undefined : { ...service, password: new Sensitive(service.password) },
    missing: [],
    ledgerPath: options.ledger,
    ledgerGroup: false,
    locations: locationsOf({ env: process.env, cwd: process.cwd(), home: process.env.HOME ?? '/' }),
    files: [],
    source,
    policy: { ...DEFAULT_POLICY, ...options.policy },
    requestsPerSecond: undefined,
    answersRefused: [],
    metricsFile: undefined,
    notify: { to: undefined, on: 'problem' },
    origins: new Map(),
    warnings: [],
  };
}
