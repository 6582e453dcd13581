/**
 * The settings of a library, checked and copied as the configuration of a command is.
 *
 * Errors:  ConfigError: which setting, what was seen, what was expected.
 */
import { z } from 'zod';
import { NAME_RESULTS } from '../domain/names/name-check.ts';
import type { Role } from '../domain/people/person.ts';
import type { Policy } from '../domain/policy.ts';
import { type Kind, SETTINGS, type SettingName, VARIABLES } from '../domain/settings.ts';
import { sums } from '../operations/money-fields.ts';
import type { Log } from '../ports/log.ts';
import { ConfigError, schemaOf } from '../setup/config-file.ts';
import { withOneMeaning } from '../setup/status-lists.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import {
  callback,
  DAY_MS,
  like,
  options,
  personId,
  problemOf,
  type Shape,
  words,
  yesOrNo,
} from './value-kinds.ts';

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
  /** Path of the ledger, or `:memory:` with the sandbox; or `postgres://USER@HOST:PORT/DATABASE?schema=NAME`. */
  readonly ledger: string;
  /** Of the user of the ledger's server; without it that of PGPASSFILE. */
  readonly ledgerPassword?: string;
  /** Create a live ledger that is not there. False by default: a lost ledger forgets every payment. */
  readonly createLedger?: boolean;
  /** Originating country of rows that name none: name, ISO code or service id. */
  readonly source?: string;
  /** What is left out keeps its default, also in `names` and `limits`. */
  readonly policy?: Partial<Omit<Policy, 'names' | 'limits'>> & {
    readonly names?: Partial<Policy['names']> | undefined;
    readonly limits?: Partial<Policy['limits']> | undefined;
  };
  /**
   * Who makes, approves and rules: an id, kept in the ledger. May do everything, unless `people` names this person. Under
   * four eyes it only refuses: the login of the process counts as a maker too, and an approval needs a passkey.
   */
  readonly actor: string;
  /** Who may do what. */
  readonly people?: Readonly<Record<string, readonly Role[]>>;
  readonly onProgress?: Dialogue['onProgress'];
  readonly log?: Log;
}

const of = (name: SettingName) => schemaOf(SETTINGS[name].is);
const number = (least: number, most: number) => schemaOf({ kind: 'number', least, most } satisfies Kind);

const policy = options({
  organization: of('organization'),
  concurrency: of('concurrency'),
  duplicateWindowDays: of('duplicateWindowDays'),
  names: options(
    Object.fromEntries(NAME_RESULTS.map((result) => [result, of(`names.${result}`)])) as Shape<
      Policy['names']
    >,
  ),
  amountIn: of('quote.amountIn'),
  quoteMinutes: of('quoteMinutes'),
  nameHours: of('nameHours'),
  repeatHours: of('repeatHours'),
  driftPercent: of('driftPercent'),
  feePercentMax: of('feePercentMax'),
  jumpPercent: of('jumpPercent'),
  accountChanges: of('accountChanges'),
  approvalHours: of('approvalHours'),
  limits: options({ rowMax: sums, batchMax: sums, dayMax: sums } satisfies Shape<Policy['limits']>),
  fourEyes: of('fourEyes'),
  approvalPasskey: of('approvalPasskey'),
  maxInDoubt: of('maxInDoubt'),
  lookUpFields: of('answers.lookup'),
  finishedWords: of('statuses.finished'),
  failedWords: of('statuses.failed'),
  returnedWords: of('statuses.returned'),
  pendingWords: of('statuses.pending'),
  failConfirmMs: number(0, DAY_MS),
  watchDays: of('watchDays'),
  reissueAfterHours: number(0, 8_760),
  noteMax: of('noteMax'),
  noteTag: of('noteTag'),
  pollMinMs: schemaOf(VARIABLES.PAYFILE_POLL_MIN_MS.is),
  pollMaxMs: number(10, DAY_MS),
  outageWaitMs: number(0, DAY_MS),
  postTimeoutMs: schemaOf(VARIABLES.PAYFILE_POST_TIMEOUT_MS.is),
} satisfies Shape<Policy>);

const payfileOptions = z.strictObject({
  service: z.strictObject({ baseUrl: words, authUrl: words, id: words, password: words }).optional(),
  sandbox: yesOrNo.optional(),
  ledger: words,
  ledgerPassword: words.optional(),
  createLedger: yesOrNo.optional(),
  source: words.optional(),
  policy: policy.optional(),
  actor: personId,
  people: of('people').optional(),
  onProgress: callback.optional(),
  log: like(
    (log) => typeof (log as PayfileOptions['log'])?.write === 'function',
    'an object with a method write',
  ).optional(),
} satisfies Shape<PayfileOptions>);

/** A copy of the options of `createPayfile`. Errors: ConfigError. */
export function checkedSettings(given: PayfileOptions): PayfileOptions {
  const parsed = payfileOptions.safeParse(given);
  if (!parsed.success) throw new ConfigError(`createPayfile: ${problemOf(parsed.error, given, '')}`);
  const { service, sandbox } = parsed.data;
  if (service === undefined && sandbox !== true)
    throw new ConfigError('Give createPayfile a `service`, or `sandbox: true` to rehearse.');
  if (service !== undefined && sandbox === true)
    throw new ConfigError(
      'Give createPayfile a `service` to pay, or `sandbox: true` to rehearse, and not both.',
    );
  return parsed.data as PayfileOptions;
}

/** A part of a policy over the defaults, key by key; a key that is undefined says nothing. Errors: ConfigError. */
export function policyOver(
  base: Policy,
  { names, limits, ...given }: NonNullable<PayfileOptions['policy']>,
): Policy {
  const policy = {
    ...{ ...base, ...set(given) },
    names: { ...base.names, ...set(names ?? {}) },
    limits: { ...base.limits, ...set(limits ?? {}) },
  };
  return withOneMeaning(policy, 'createPayfile', (list) => `policy.${list}Words`);
}

function set<Values extends object>(
  values: Values,
): { readonly [Key in keyof Values]?: NonNullable<Values[Key]> } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { readonly [Key in keyof Values]?: NonNullable<Values[Key]> };
}
