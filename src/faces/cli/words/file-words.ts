/**
 * The file of a call as the next command has to name it, to be typed as it is shown: with the flags that say how it is
 * read and what was expected of it. Without them the next command would look for other columns, or pay other rows.
 */
import type { BatchFile } from '../../../domain/batches/batch.ts';
import { formatDecimal } from '../../../domain/money/money.ts';
import { fieldOfHeader } from '../../../domain/rows/columns.ts';
import type { Field } from '../../../domain/rows/row.ts';
import { pathWord, shellWord } from '../../../domain/steps/shell-word.ts';
import { argument, type Call, typed } from '../call.ts';
import type { Flags } from './options.ts';

export interface FileWords {
  /** The path of a fix file that takes the place of the one that was read. */
  readonly mended?: string | undefined;
  /** What comes behind, ready to be typed; a flag in it stands for the same flag of the call. */
  readonly more?: string;
}

/** `payfile run may.csv --map 'amount=Net Pay' --batch may --sandbox`, with whatever of the call the command takes. */
export function typedForFile(call: Call, command: 'check' | 'plan' | 'run', words: FileWords = {}): string {
  const { mended, more = '' } = words;
  const said = more.split(' ');
  const rest = [
    ...expectedFlags(call.flags),
    ...(command === 'check' ? [] : [flag('--batch', call.flags.batch)]),
    command === 'run' && call.flags.yes === true ? '--yes' : '',
  ]
    .filter((each) => each !== '' && !said.includes(each.split(' ')[0] ?? ''))
    .map((each) => ` ${each}`);
  const behind = more === '' ? '' : ` ${more}`;
  return typed(call, `${command} ${fileWords(call, mended)}${rest.join('')}${behind}`);
}

/**
 * `may.csv --map 'amount=Net Pay' --encoding windows-1252`. A fix file that takes its place is a workbook with
 * the same columns.
 */
export function fileWords(call: Call, fixFile?: string): string {
  const { decimal, source } = call.flags;
  const flags = [...tableFlags(call), flag('--decimal', decimal), flag('--source', source)];
  const ofText = fixFile === undefined ? textFlags(call) : [];
  return [pathWord(fixFile ?? argument(call, 0)), ...flags, ...ofText]
    .filter((word) => word !== '')
    .join(' ');
}

/** Where things stand in a file, for commands that take no more: ` --sheet May --map amount=Net`. */
export function layoutWords(call: Pick<Call, 'flags'>): string {
  return spaced([...tableFlags(call), ...textFlags(call)]);
}

/** The columns of a batch's file that go by no name that is known: ` --map 'source=Paid from'`. */
export function mapWords({ headers, columns }: Pick<BatchFile, 'headers' | 'columns'>): string {
  const named = [...columns].flatMap(([field, at]): readonly (readonly [Field, string])[] => {
    const header = headers[at] ?? '';
    const alike = headers.filter((each) => fieldOfHeader(each) === field).length;
    return fieldOfHeader(header) === field && alike === 1 ? [] : [[field, header]];
  });
  return spaced(named.map(([field, header]) => flag('--map', `${field}=${header}`)));
}

function tableFlags({ flags }: Pick<Call, 'flags'>): readonly string[] {
  const { sheet, headerRow, map } = flags;
  return [
    flag('--sheet', sheet),
    flag('--header-row', headerRow?.toString()),
    ...[...(map ?? [])].map(([field, header]) => flag('--map', `${field}=${header}`)),
  ];
}

function textFlags({ flags }: Pick<Call, 'flags'>): readonly string[] {
  return [flag('--delimiter', flags.delimiter), flag('--encoding', flags.encoding)];
}

function expectedFlags({ skipInvalid, expectCount, expectTotal }: Flags): readonly string[] {
  return [
    skipInvalid === true ? '--skip-invalid' : '',
    flag('--expect-count', expectCount?.toString()),
    ...moneyFlags('--expect-total', expectTotal),
  ];
}

function moneyFlags(name: string, money: Flags['expectTotal'] = []): readonly string[] {
  return money.map((each) => flag(name, `${each.currency}=${formatDecimal(each)}`));
}

/** With `=` where the value itself would be taken for a flag. */
function flag(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return `${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
}

function spaced(flags: readonly string[]): string {
  return flags
    .filter((each) => each !== '')
    .map((each) => ` ${each}`)
    .join('');
}
