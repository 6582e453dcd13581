/**
 * A second reader, written apart from the program's and as plainly as can be: what a careful person would read.
 * It is the judge of the fuzz tests: where the program pays, it must have read what this reads.
 */

/** A formula that only holds a text: how programs keep a spreadsheet from changing the text. Quotes around it may be missing. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** Cells of a comma- or otherwise separated text, by the letter of RFC 4180; undefined where it breaks it. */
export function carefulCsv(text: string, delimiter: string): readonly (readonly string[])[] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start';
  const endCell = () => {
    row.push(TEXT_FORMULA.exec(cell)?.[1] ?? cell);
    cell = '';
    state = 'start';
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const isEnd = character === '\n' || character === '\r';
    if (state === 'quoted') {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else state = 'closed';
    } else if (character === delimiter) endCell();
    else if (isEnd) {
      if (character === '\r' && text[at + 1] === '\n') at += 1;
      endRow();
    } else if (character === '"' && state === 'start') state = 'quoted';
    else if (character === '"' && cell === '=') cell += character;
    else if (character === '"' && TEXT_FORMULA.test(`${cell}"`)) {
      cell += character;
      state = 'closed';
    } else if (character === '"' || state === 'closed') return undefined;
    else {
      cell += character;
      state = 'bare';
    }
  }
  if (state === 'quoted') return undefined;
  if (cell !== '' || row.length > 0 || state !== 'start') endRow();
  return rows;
}

const GROUPS = [',', '.', ' ', "'"];

/** Every number that the text may stand for, as a plain decimal without needless zeros; empty when it is none. */
export function carefulAmounts(text: string): ReadonlySet<string> {
  const readings = new Set<string>();
  const written = text
    .trim()
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replaceAll('\u2019', "'")
    .replace(/^\+(?=[\d.,])/, '')
    .replace(/^(?=[.,]\d)/, '0');
  for (const mark of ['.', ',']) {
    const parts = written.split(mark);
    if (parts.length > 2) parts.splice(0, parts.length, written);
    for (const [whole, fraction] of [[parts[0] ?? '', parts[1]] as const, [written, undefined] as const]) {
      if (fraction !== undefined && !isDigits(fraction)) continue;
      if (fraction === undefined && whole !== written) continue;
      for (const group of [undefined, ...GROUPS.filter((each) => fraction === undefined || each !== mark)]) {
        const digits = ungrouped(whole, group);
        if (digits !== undefined) readings.add(tidy(digits, fraction ?? ''));
      }
    }
  }
  return readings;
}

function ungrouped(whole: string, group: string | undefined): string | undefined {
  const parts = group === undefined ? [whole] : whole.split(group);
  if (group !== undefined && parts.length < 2) return undefined;
  if (!parts.every(isDigits)) return undefined;
  if (parts.length > 1 && ((parts[0]?.length ?? 0) > 3 || !parts.slice(1).every((part) => part.length === 3)))
    return undefined;
  const digits = parts.join('');
  return digits.length > 1 && digits.startsWith('0') ? undefined : digits;
}

const isDigits = (text: string): boolean =>
  text !== '' && [...text].every((each) => each >= '0' && each <= '9');

/** `12.50` → `12.5`, `7.00` → `7`. */
export function tidy(whole: string, fraction: string): string {
  let kept = fraction;
  while (kept.endsWith('0')) kept = kept.slice(0, -1);
  return kept === '' ? whole : `${whole}.${kept}`;
}

export function tidyDecimal(plain: string): string {
  const [whole = '', fraction = ''] = plain.split('.');
  return tidy(whole, fraction);
}

/** A number as the cell shows it in a few common formats; the program must not pay anything else. */
export function carefulDisplay(raw: string, format: string): string {
  const fixed = (decimals: number, useGrouping: boolean) =>
    new Intl.NumberFormat('en', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping,
    }).format(raw as Intl.StringNumericLiteral);
  switch (format) {
    case '0':
      return fixed(0, false);
    case '0.00':
      return fixed(2, false);
    case '#,##0':
      return fixed(0, true);
    case '#,##0.00':
      return fixed(2, true);
    case '0000000000':
      return fixed(0, false).padStart(10, '0');
    default:
      return raw;
  }
}
