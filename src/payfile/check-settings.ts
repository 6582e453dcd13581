/**
 * The settings of a library, checked and copied as the configuration of a command is.
 *
 * Errors:  ConfigError: which setting, what was seen, what was expected.
 */
import { z } from 'zod';
import type { Role } from '../domain/people/person.ts';
import { POLICY_SETTINGS, type Policy } from '../domain/policy.ts';
import { isSetting, type SettingTable } from '../domain/setting.ts';
import { RUN_SETTINGS } from '../domain/settings.ts';
import type { Log } from '../ports/log.ts';
import { ConfigError } from '../setup/config-file.ts';
import { requireOneMeaning } from '../setup/status-lists.ts';
import type { Dialogue } from '../use-cases/dialogue.ts';
import { callback, like, options, personId, problemOf, type Shape, words, yesOrNo } from './value-kinds.ts';

/** What `createPayfile` opens: a service or the sandbox, a ledger, and who acts. */
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

/** Every setting may be left out. */
function optional(table: SettingTable): z.ZodType {
  const each = Object.entries(table).map(([name, is]) => [
    name,
    isSetting(is) ? (is.inProgram ?? is.is) : optional(is),
  ]);
  return options(Object.fromEntries(each) as z.ZodRawShape).optional();
}

const payfileOptions = z.strictObject({
  service: z.strictObject({ baseUrl: words, authUrl: words, id: words, password: words }).optional(),
  sandbox: yesOrNo.optional(),
  ledger: words,
  ledgerPassword: words.optional(),
  createLedger: yesOrNo.optional(),
  source: words.optional(),
  policy: optional(POLICY_SETTINGS),
  actor: personId,
  people: RUN_SETTINGS.people.is.optional(),
  onProgress: callback.optional(),
  log: like(
    (log) => typeof (log as PayfileOptions['log'])?.write === 'function',
    'an object with a method write',
  ).optional(),
} satisfies Shape<PayfileOptions>);

/** A copy of the options of `createPayfile`. Errors: ConfigError. */
export function checkedSettings(given: PayfileOptions): PayfileOptions {
  const parsed = payfileOptions.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(`createPayfile: ${problemOf(parsed.error, given, payfileOptions)}`);
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
export function policyOver(base: Policy, given: NonNullable<PayfileOptions['policy']>): Policy {
  return requireOneMeaning(
    over(base, given, POLICY_SETTINGS),
    'createPayfile',
    (list) => `policy.${list}Words`,
  );
}

function over<Values extends object>(base: Values, given: object, table: SettingTable): Values {
  const said = Object.entries(given).flatMap(([key, value]) => {
    const { [key]: of } = table;
    if (value === undefined || of === undefined) return [];
    return [[key, isSetting(of) ? value : over(base[key as keyof Values] as object, value, of)]];
  });
  return { ...base, ...Object.fromEntries(said) };
}
