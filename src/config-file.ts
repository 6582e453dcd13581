/**
 * The configuration file: JSON with the settings below and no others, so that a misspelt name is found.
 *
 * It holds no secret: the password is in a file of its own or in the environment.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { NOTIFY_EXPECTED, notifyTargetOf } from './domain/notify-target.ts';

const NameWord = z.enum(['ok', 'warn', 'hold']);

/** Currency → plain amount; read as money by config-limits.ts. */
const Amounts = z.record(z.string(), z.string());

const ConfigFile = z.strictObject({
  baseUrl: z.string().optional(),
  authUrl: z.string().optional(),
  id: z.string().optional(),
  passwordFile: z.string().optional(),
  source: z.string().optional(),
  ledger: z.strictObject({ path: z.string().optional(), group: z.boolean().optional() }).optional(),
  concurrency: z.int().min(1).max(1024).optional(),
  /** Requests per second. */
  rate: z.number().positive().optional(),
  names: z
    .strictObject({
      match: NameWord.optional(),
      close_match: NameWord.optional(),
      no_match: NameWord.optional(),
      not_found: NameWord.optional(),
      unavailable: NameWord.optional(),
    })
    .optional(),
  duplicateWindowDays: z.number().min(0).max(3650).optional(),
  quote: z.strictObject({ amountIn: z.enum(['destination', 'source']).optional() }).optional(),
  quoteMinutes: z.number().positive().max(10_080).optional(),
  driftPercent: z.number().min(0).max(100).optional(),
  feePercentMax: z.number().min(0).max(100).optional(),
  jumpPercent: z.number().min(0).max(10_000).optional(),
  accountChanges: z.enum(['hold', 'warn']).optional(),
  approvalHours: z.number().positive().max(8_760).optional(),
  fourEyes: z.boolean().optional(),
  limits: z
    .strictObject({
      rowMax: Amounts.optional(),
      batchMax: Amounts.optional(),
      dayMax: Amounts.optional(),
    })
    .optional(),
  maxInDoubt: z.int().min(0).optional(),
  answers: z
    .strictObject({
      refused: z
        .array(z.strictObject({ status: z.int().min(200).max(499), code: z.union([z.string(), z.int()]) }))
        .optional(),
    })
    .optional(),
  statuses: z
    .strictObject({
      failed: z.array(z.string().min(1)).optional(),
      returned: z.array(z.string().min(1)).optional(),
      confirmMinutes: z.number().min(0).max(1_440).optional(),
    })
    .optional(),
  noteMax: z.int().min(12).max(1_000).optional(),
  noteTag: z.boolean().optional(),
  metricsFile: z.string().min(1).optional(),
  notify: z
    .strictObject({
      to: z
        .string()
        .refine((text) => notifyTargetOf(text) !== undefined, `expected ${NOTIFY_EXPECTED}`)
        .optional(),
      on: z.enum(['problem', 'always']).optional(),
    })
    .optional(),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

/** undefined when there is no such file and none was asked for. */
export function readConfigFile(
  path: string,
  options: { readonly isRequired: boolean },
): { readonly path: string; readonly values: ConfigFile } | undefined {
  const text = textOf(path, options.isRequired);
  if (text === undefined) return undefined;
  const parsed = ConfigFile.safeParse(jsonOf(path, text));
  if (parsed.success) return { path, values: parsed.data };
  const lines = parsed.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`,
  );
  throw new ConfigError(`${path} cannot be used:\n${lines.join('\n')}`);
}

function textOf(path: string, isRequired: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && !isRequired) return undefined;
    throw new ConfigError(`The configuration file ${path} cannot be read (${code}).`, { cause: error });
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${error instanceof Error ? error.message : 'unreadable'}.`, {
      cause: error,
    });
  }
}
