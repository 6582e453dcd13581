/** Flags of settings, and the list of settings for the guide. Both come from the setting tables. */
import type { NamedSetting, SettingFlag } from '../../domain/setting.ts';
import { fromText } from '../../domain/setting-kinds.ts';
import { ALL_SETTINGS, NAMES_FLAG } from '../../domain/settings.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { faultText } from '../../domain/text/value-fault.ts';
import { wrapText } from '../terminal/table.ts';
import { namePolicies } from './flag-values.ts';
import type { OptionSpec } from './option-spec.ts';
import { flagOf } from './option-spec.ts';

/** Names of the flags after parsing. */
export const SETTING_FLAGS = [...ALL_SETTINGS.flatMap(({ flag }) => flag ?? []), NAMES_FLAG].map(
  ({ name }) => name,
);

/** Setting flags of a command; `all` for flags that every command takes. */
export function settingFlags(command: string): readonly OptionSpec[] {
  const isTaken = ({ on }: SettingFlag) => (on === 'all' ? command === 'all' : on.includes(command));
  const ofSettings = ALL_SETTINGS.flatMap((setting) => {
    const { flag } = setting;
    return flag !== undefined && isTaken(flag) ? [optionOf(flag, parserOf(flag, setting))] : [];
  });
  return [...ofSettings, ...(isTaken(NAMES_FLAG) ? [optionOf(NAMES_FLAG, namePolicies)] : [])];
}

const optionOf = ({ name, value, help }: SettingFlag, parse: OptionSpec['parse']): OptionSpec => ({
  flags: `${flagOf(name)} <${value}>`,
  text: help,
  ...(parse && { parse }),
});

function parserOf({ name }: SettingFlag, { is, isSecret }: NamedSetting): OptionSpec['parse'] {
  return (typed) => {
    const read = fromText(is, typed);
    if ('value' in read) return read.value;
    throw new RequestRefused(faultText(read.issue, { value: typed, whole: flagOf(name), isSecret }));
  };
}

const LINE = 98;

/** Lines such as: - `concurrency` (8), also `PAYFILE_CONCURRENCY` and `--concurrency`: transfers at a time. */
export function settingList(): string {
  const lines = ALL_SETTINGS.flatMap(({ help, page, ...setting }) => {
    if (help === undefined) return [];
    const more = page === undefined ? '' : ` See payfile help ${page}.`;
    return wrapText(`- ${namesOf(setting)}: ${help}.${more}`, LINE, '  ');
  });
  return `${lines.join('\n')}\n`;
}

function namesOf({ name, file, default: usual, variable, flag }: NamedSetting): string {
  const names = [file === false ? [] : name, variable ?? [], flag === undefined ? [] : flagOf(flag.name)];
  const [first = '', ...others] = names.flat().map((each) => `\`${each}\``);
  const isShown = ['number', 'boolean', 'string'].includes(typeof usual);
  const also = others.length === 0 ? '' : `, also ${others.join(' and ')}`;
  return `${first}${isShown ? ` (${String(usual)})` : ''}${also}`;
}
