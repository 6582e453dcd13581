/**
 * A table for a terminal: columns as wide as they need, numbers on the right, two spaces between.
 */
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

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
}

/** Characters as a person counts them: an accent is not a column of its own. */
function widthOf(text: string): number {
  return [...text.normalize('NFC').replace(/\p{M}/gu, '')].length;
}

/** Long text in lines of a width, each but the first indented. */
export function wrapped(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = lines.length === 0 ? width : width - indent.length;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each, index) => (index === 0 ? each : `${indent}${each}`));
}
