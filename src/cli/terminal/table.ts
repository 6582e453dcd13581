/**
 * A table for a terminal: columns as wide as they need, numbers on the right, two spaces between. One that is wider
 * than the terminal is shown another way, because a broken number is a wrong number.
 */
import { stripVTControlCharacters } from 'node:util';

export interface Column {
  readonly title: string;
  readonly right?: boolean;
}

/** Lines without a newline at the end; empty when there are no rows. */
export function tableOf(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, at) =>
    [titles, ...rows].reduce((width, row) => Math.max(width, widthOf(row[at] ?? '')), 0),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ right }, at) => pad(cells[at] ?? '', widths[at] ?? 0, right === true))
      .join('  ')
      .trimEnd();
  return [line(titles), ...rows.map(line)];
}

/** Where the table is too wide: each row as a block, its first cell above, the others by their titles. */
export function tableOrBlocks(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const table = tableOf(columns, rows);
  if (fits(table, width)) return table;
  const titleWidth = Math.max(...columns.map(({ title }) => widthOf(title)));
  return rows.flatMap((cells) =>
    cells.flatMap((cell, at) => {
      if (at === 0) return [cell];
      return cell === '' ? [] : [`  ${pad(columns[at]?.title ?? '', titleWidth, false)}  ${cell}`];
    }),
  );
}

/** Where the table is too wide: the last column, which is prose, below its row; if that is too wide too, blocks. */
export function tableWithProse(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const table = tableOf(columns, rows);
  if (fits(table, width)) return table;
  const [titles = '', ...heads] = tableOf(
    columns.slice(0, -1),
    rows.map((cells) => cells.slice(0, -1)),
  );
  if (!fits([titles, ...heads], width)) return tableOrBlocks(columns, rows, width);
  const below = (prose: string) => wrapped(prose, width - 4, '').map((line) => `    ${line}`);
  return [titles, ...heads.flatMap((head, at) => [head, ...below(rows[at]?.at(-1) ?? '')])];
}

export function fits(lines: readonly string[], width: number): boolean {
  return lines.every((line) => widthOf(line) <= width);
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}

/**
 * Text in lines of a width, for people at a terminal: broken between words only, and never inside a command that is
 * shown to be typed. Such a command stands on a line of its own, so that it can be copied; where it is longer than
 * the terminal, the terminal itself breaks it, which a copy does not show.
 */

/** Quoted words are whole; a `;`, a bracket or the end of the line ends the command. */
const COMMAND = /(?<=^|: |then )(?:payfile|chmod|export)(?: (?:'[^']*'|\\.|[^\s'\\;()])+)+/g;
/** A table, or another line whose parts stand below those of other lines. */
const LAID_OUT = /\S {2,}\S/;
/** JSON of the service, to be copied. */
const JSON_LINE = /^\s*["{}[\]]/;

/** Characters as a person counts them: an accent is not a column of its own, and a colour is none at all. */
export function widthOf(text: string): number {
  return [...stripVTControlCharacters(text).normalize('NFC').replace(/\p{M}/gu, '')].length;
}

/** Long text in lines of a width, each but the first indented. */
export function wrapped(text: string, width: number, indent: string): string[] {
  if (widthOf(text) <= width) return [text];
  const lines = linesOf(partsOf(text), width, widthOf(indent));
  return lines.map((line, at) => (at === 0 ? line : `${indent}${line}`));
}

/** A whole notice for a terminal; lines that fit, and lines that are laid out, stay as they are. */
export function fitted(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const plain = stripVTControlCharacters(line);
      if (widthOf(plain) <= width || LAID_OUT.test(plain.trim()) || JSON_LINE.test(plain)) return [line];
      const lead = /^ */.exec(line)?.[0] ?? '';
      const rest = wrapped(line.slice(lead.length), width - lead.length, '  ');
      return rest.map((each) => lead + each);
    })
    .join('\n');
}

interface Part {
  readonly isCommand: boolean;
  readonly words: string;
}

/** Prose and commands in turn; a separator behind a command is not needed where its line ends. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const prose = (words: string) => {
    const left = (at === 0 ? words : words.replace(/^[;,.]/, '').trimStart()).trimEnd();
    if (left !== '') parts.push({ isCommand: false, words: left });
  };
  for (const match of text.matchAll(COMMAND)) {
    prose(text.slice(at, match.index));
    parts.push({ isCommand: true, words: match[0] });
    at = match.index + match[0].length;
  }
  prose(text.slice(at));
  return parts;
}

function linesOf(parts: readonly Part[], width: number, indent: number): string[] {
  const lines: string[] = [];
  for (const { isCommand, words } of parts) {
    let line = '';
    for (const word of isCommand ? [words] : words.split(' ')) {
      const room = lines.length === 0 ? width : width - indent;
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}
