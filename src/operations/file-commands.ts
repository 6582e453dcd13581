/**
 * The file of a call as the next command has to name it: with how it is read and which totals were expected. Without
 * them the next command would look for other columns, or pay other rows.
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

export interface FileWords {
  /** The path of a fix file that takes the place of the one that was read: a workbook with the same columns. */
  readonly mended?: string | undefined;
  /** What comes behind; a flag in it stands for the same flag of the call. */
  readonly more?: readonly Flag[];
}

interface Layout {
  readonly sheet?: string | undefined;
  readonly headerRow?: number | undefined;
  readonly map?: ReadonlyMap<string, string> | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
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

/** `payfile run may.csv --map 'amount=Net Pay' --batch may --sandbox`, with whatever of the call the command takes. */
export function fileCommand(
  { file = '', ...asked }: FileNamed,
  verb: 'check' | 'plan' | 'run',
  { mended, more = [] }: FileWords = {},
): Command {
  // What came from standard input is gone: it has to be saved first.
  const read = mended ?? (file === '-' ? ({ fillIn: 'FILE' } as const) : file);
  const { decimal, source, batch, skipInvalid, expectCount, expectTotal = [] } = asked;
  const said = more.map(([name]) => name);
  const others = [
    ...flagsOf({ '--skip-invalid': skipInvalid, '--expect-count': expectCount }),
    ...expectTotal.map((each): Flag => ['--expect-total', `${each.currency}=${formatDecimal(each)}`]),
    ...flagsOf({ '--batch': batch }),
    ...(verb === 'run' && asked.yes === true ? [['--yes'] as const] : []),
  ].filter(([name]) => !said.includes(name));
  const text = mended === undefined ? textFlags(asked) : {};
  const layout = [...tableFlags(asked), ...flagsOf({ '--decimal': decimal, '--source': source, ...text })];
  const word = typeof read === 'string' ? plainPath(read) : read;
  return command(verb, [word], [...layout, ...others, ...more]);
}

/** Where things stand in a file, for commands that take no more: `--sheet May --map amount=Net`. */
export function layoutFlags(asked: Layout): readonly Flag[] {
  return [...tableFlags(asked), ...flagsOf(textFlags(asked))];
}

function tableFlags({ sheet, headerRow, map = new Map() }: Layout): readonly Flag[] {
  const maps = [...map].map(([field, header]) => mapFlag(field, header));
  return [...flagsOf({ '--sheet': sheet, '--header-row': headerRow }), ...maps];
}
