/** What a setting is, and how values are read from tables of settings. */
import type { z } from 'zod';

export interface Setting {
  /** Its value as the configuration, a variable and a flag give it. */
  readonly is: z.ZodType;
  /** As a program gives it, where that differs. */
  readonly inProgram?: z.ZodType;
  readonly default?: unknown;
  /** The default in the sandbox: its transfers end within seconds. */
  readonly inSandbox?: unknown;
  /** What is written, times this, is the value. */
  readonly times?: number;
  /** Its name in the configuration, where it is another one. false: it is not read from there. */
  readonly file?: string | false;
  readonly variable?: string;
  readonly flag?: SettingFlag;
  /** It says which service and ledger pay: the sandbox has its own. */
  readonly isLive?: true;
  /** A wrong value is not repeated. */
  readonly isSecret?: true;
  /** Its line in the guide. Without one it is explained elsewhere in the guide, or for programs only. */
  readonly help?: string;
  /** The topic of the guide that says more. */
  readonly page?: string;
}

export interface SettingFlag {
  readonly name: string;
  /** What stands for its value in the help. */
  readonly value: string;
  readonly help: string;
  /** The commands that take it. */
  readonly on: readonly string[] | 'all';
}

export interface SettingTable {
  readonly [name: string]: Setting | SettingTable;
}

/** Commands that ask for names and fees. */
export const PRICING = ['plan', 'run'];
export const SENDING = ['run', 'send', 'settle', 'worker'];

type Fixed<Value> = Value extends readonly (infer Member)[] ? readonly Member[] : Value;
type Known<Of> = Of extends { readonly is: z.ZodType } ? Fixed<z.output<Of['is']>> : never;

export type ValueOf<Of> = Of extends { readonly default: unknown } ? Known<Of> : Known<Of> | undefined;

/** The values of a table: one for each setting, in the same groups. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly is: z.ZodType }
    ? ValueOf<Table[Name]>
    : ValuesOf<Table[Name]>;
};

/** The values of its flags, by the names of the flags. */
export type FlagsOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly flag: { readonly name: infer Flag } }
    ? Flag & string
    : never]?: Known<Table[Name]> | undefined;
};

export interface NamedSetting extends Setting {
  /** As the configuration has it: `ledger.path`. */
  readonly name: string;
}

export const isSetting = (each: Setting | SettingTable): each is Setting =>
  'is' in each && typeof each['is'] === 'object' && 'safeParse' in each['is'];

export function valuesOf<Table extends SettingTable>(
  table: Table,
  read: (setting: NamedSetting) => unknown,
  within = '',
): ValuesOf<Table> {
  const values = Object.entries(table).map(([key, each]) => {
    const path = `${within}${key}`;
    if (!isSetting(each)) return [key, valuesOf(each, read, `${path}.`)];
    const { file = path } = each;
    return [key, read({ ...each, name: file === false ? path : file })];
  });
  return Object.fromEntries(values) as ValuesOf<Table>;
}

/** All settings of tables, without their groups. */
export function settingsIn(...tables: readonly SettingTable[]): readonly NamedSetting[] {
  const found: NamedSetting[] = [];
  for (const table of tables) valuesOf(table, (setting) => found.push(setting));
  return found;
}

/** Where a value is used. */
export interface Use {
  readonly isSandbox?: boolean;
}

export function defaultOf(setting: Setting, { isSandbox = false }: Use = {}): unknown {
  if (isSandbox && setting.inSandbox !== undefined) return setting.inSandbox;
  return inUnit(setting, setting.default);
}

/** The value of what is written. */
export function inUnit({ times }: Setting, written: unknown): unknown {
  return times === undefined || typeof written !== 'number' ? written : written * times;
}
