/**
 * Tables for a terminal: columns fit their content, numbers align right, two spaces separate columns. A table that is
 * too wide changes its layout, because a broken number is a wrong number.
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

/** If the table is too wide, prints each row as a block: the first cell, then titles with values. */
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

/**
 * If the table is too wide, prints the last column, which is prose, below its row. If it is still too wide, prints
 * blocks.
 */
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
  const below = (prose: string) => wrapText(prose, width - 4, '').map((line) => `    ${line}`);
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
 * Wraps text for a terminal. Breaks only between words, and never inside a command. A command gets its own line, so
 * that users can copy it. The terminal breaks longer commands itself, which keeps copies correct.
 */

/** Matches a command. Quoted words stay whole. A `;`, a bracket or the end of the line ends it. */
const COMMAND = /(?<=^|: |then )(?:payfile|chmod|export)(?: (?:'[^']*'|\\.|[^\s'\\;()])+)+/g;
/** A table line, or another line with aligned parts. */
const ALIGNED_LINE = /\S {2,}\S/;
/** JSON of the service, which users may copy. */
const JSON_LINE = /^\s*["{}[\]]/;

/** Visible width: accents and colours take no column. */
export function widthOf(text: string): number {
  return [...stripVTControlCharacters(text).normalize('NFC').replace(/\p{M}/gu, '')].length;
}

/** Wraps text to a width. Indents commands and continued lines, so that text after a command does not look like one. */
export function wrapText(text: string, width: number, indent: string): string[] {
  if (widthOf(text) <= width) return [text];
  return partsOf(text).flatMap(({ isCommand, words }, at) => {
    const isIndented = isCommand && at > 0;
    const lines = isCommand ? [words] : linesOf(words, width, widthOf(indent));
    return lines.map((line, below) => (isIndented || below > 0 ? `${indent}${line}` : line));
  });
}

/** Wraps a whole message. Lines that fit and aligned lines stay unchanged. */
export function wrapMessage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const plain = stripVTControlCharacters(line);
      if (widthOf(plain) <= width || ALIGNED_LINE.test(plain.trim()) || JSON_LINE.test(plain)) return [line];
      const lead = /^ */.exec(line)?.[0] ?? '';
      const rest = wrapText(line.slice(lead.length), width - lead.length, '  ');
      return rest.map((each) => lead + each);
    })
    .join('\n');
}

interface Part {
  readonly isCommand: boolean;
  readonly words: string;
}

/** Splits text into prose and commands. Drops a separator after a command, because its line ends there. */
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

function linesOf(words: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(' ')) {
    const room = lines.length === 0 ? width : width - indent;
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
