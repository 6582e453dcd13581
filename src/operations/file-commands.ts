/**
 * Builds the next command for a file, with the same reading flags and expected totals. Without them, the command could
 * read other columns or pay other rows.
 */

import { formatDecimal, type Money } from '../domain/money/money.ts';
import {
  type Command,
  command,
  type Flag,
  flagsOf,
  plainPath,
  type Word,
} from '../domain/next-steps/command.ts';
import { mapFlag, textFlags } from '../domain/next-steps/file-commands.ts';
import type { OpenRowsOptions } from '../ports/row-source.ts';

export interface FileWords {
  /** Path of a fix file to use instead: a workbook with the same columns. */
  readonly correctedPath?: string | undefined;
  /** Flags to append. Each replaces the same flag of the call. */
  readonly more?: readonly Flag[];
}

interface Layout extends Pick<OpenRowsOptions, 'sheet' | 'headerRow' | 'delimiter' | 'encoding'> {
  readonly map?: ReadonlyMap<string, string> | undefined;
}

export interface FileNamed extends Layout {
  readonly file?: Word | undefined;
  readonly decimal?: string | undefined;
  readonly source?: string | undefined;
  readonly batch?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly expectCount?: number | undefined;
  readonly expectTotal?: readonly Money[] | undefined;
}

/**
 * `payfile run may.csv --map 'amount=Net Pay' --batch may --sandbox`, with all flags of the call that the command
 * accepts.
 */
export function fileCommand(
  { file = '', ...asked }: FileNamed,
  verb: 'check' | 'plan' | 'run',
  { correctedPath, more = [] }: FileWords = {},
): Command {
  // payfile cannot read standard input twice, so the user must save it as a file first.
  const read = correctedPath ?? (file === '-' ? ({ fillIn: 'FILE' } as const) : file);
  const { decimal, source, batch, skipInvalid, expectCount, expectTotal = [] } = asked;
  const said = more.map(([name]) => name);
  const others = [
    ...flagsOf({ '--skip-invalid': skipInvalid, '--expect-count': expectCount }),
    ...expectTotal.map((each): Flag => ['--expect-total', `${each.currency}=${formatDecimal(each)}`]),
    ...flagsOf({ '--batch': batch }),
    ...(verb === 'run' && asked.yes === true ? [['--yes'] as const] : []),
  ].filter(([name]) => !said.includes(name));
  const text = correctedPath === undefined ? textFlags(asked) : {};
  const layout = [...tableFlags(asked), ...flagsOf({ '--decimal': decimal, '--source': source, ...text })];
  const word = typeof read === 'string' ? plainPath(read) : read;
  return command(verb, [word], [...layout, ...others, ...more]);
}

/** Flags about the layout of a file, for commands that accept only these: `--sheet May --map amount=Net`. */
export function layoutFlags(asked: Layout): readonly Flag[] {
  return [...tableFlags(asked), ...flagsOf(textFlags(asked))];
}

function tableFlags({ sheet, headerRow, map = new Map() }: Layout): readonly Flag[] {
  const maps = [...map].map(([field, header]) => mapFlag(field, header));
  return [...flagsOf({ '--sheet': sheet, '--header-row': headerRow }), ...maps];
}
