/**
 * Builds the next command for a file, with the same reading flags and expected totals. Without them, the command could
 * read other columns or pay other rows.
 */

import { formatDecimal, type Money } from '../domain/money/money.ts';
import { answerFlags } from '../domain/next-steps/answer-flags.ts';
import {
  type Command,
  command,
  type Flag,
  flagsOf,
  plainPath,
  type Word,
} from '../domain/next-steps/command.ts';
import { textFlags } from '../domain/next-steps/file-commands.ts';
import { isAskedEachTime } from '../domain/reading/answer.ts';
import type { OpenRowsOptions } from '../ports/row-source.ts';
import { type AnswersGiven, answersOf } from './answer-fields.ts';

export interface FileWords {
  /** Path of a fix file to use instead: a workbook with the same columns. */
  readonly correctedPath?: string | undefined;
  /** Flags to append. Each replaces the same flag of the call. */
  readonly more?: readonly Flag[];
  /** The call ended before it kept the reading that it was to save. */
  readonly isUnsaved?: boolean;
}

interface Layout
  extends AnswersGiven,
    Pick<OpenRowsOptions, 'sheet' | 'headerRow' | 'delimiter' | 'encoding'> {}

export interface FileNamed extends Layout {
  readonly file?: Word | undefined;
  readonly source?: string | undefined;
  readonly batch?: string | undefined;
  readonly reading?: string | undefined;
  readonly saveReading?: string | undefined;
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
  { correctedPath, more = [], isUnsaved = false }: FileWords = {},
): Command {
  // payfile cannot read standard input twice, so the user must save it as a file first.
  const read = correctedPath ?? (file === '-' ? ({ fillIn: 'FILE' } as const) : file);
  const { source, batch, skipInvalid, expectCount, expectTotal = [], reading, saveReading } = asked;
  const said = more.map(([name]) => name);
  const others = [
    ...flagsOf({ '--skip-invalid': skipInvalid, '--expect-count': expectCount }),
    ...expectTotal.map((each): Flag => ['--expect-total', `${each.currency}=${formatDecimal(each)}`]),
    ...flagsOf({ '--batch': batch }),
    ...(verb === 'run' && asked.yes === true ? [['--yes'] as const] : []),
  ].filter(([name]) => !said.includes(name));
  const text = correctedPath === undefined ? textFlags(asked) : {};
  const answers = answersOf(asked);
  const isKept = saveReading !== undefined && !isUnsaved;
  const save = isKept ? {} : { '--save-reading': saveReading };
  const layout = [
    ...flagsOf({ '--sheet': asked.sheet, '--header-row': asked.headerRow }),
    // What is kept counts without being said again.
    ...answerFlags(isKept ? answers.filter(isAskedEachTime) : answers),
    ...flagsOf({ '--source': source, '--reading': reading, ...save, ...text }),
  ];
  const word = typeof read === 'string' ? plainPath(read) : read;
  return command(verb, [word], [...layout, ...others, ...more]);
}

interface StatementLayout extends Pick<Layout, 'sheet' | 'headerRow' | 'delimiter' | 'encoding'> {
  readonly map?: ReadonlyMap<string, string> | undefined;
}

/** Flags about the layout of a statement: `--sheet May --map amount=Net`. */
export function layoutFlags({
  sheet,
  headerRow,
  map = new Map(),
  ...text
}: StatementLayout): readonly Flag[] {
  const maps = [...map].map(([field, header]): Flag => ['--map', `${field}=${header}`]);
  return [...flagsOf({ '--sheet': sheet, '--header-row': headerRow }), ...maps, ...flagsOf(textFlags(text))];
}
