/**
 * What a number format does to a number, so that nobody is paid another amount, or on another account, than the
 * cell shows.
 *
 * Source:  ECMA-376 part 1, 18.8.31. Only the first section counts: amounts and accounts are positive.
 */

export interface NumberFormat {
  readonly isDate: boolean;
  readonly isPercent: boolean;
  /** Digits are left out: thousands (`#,##0,`) or all but the first few (`0.00E+00`). */
  readonly isScaled: boolean;
  /** Decimals shown at most; undefined: as many as there are. */
  readonly decimals: number | undefined;
  /** Places and marks of a format that shows leading zeros: `000 000 0000`, `"0"###`. */
  readonly picture: readonly Piece[] | undefined;
  /** A currency sign, code, or other words around the number. */
  readonly words: string | undefined;
  /** `;;;` shows nothing at all. */
  readonly showsNothing: boolean;
}

type Piece =
  | { readonly kind: 'place'; readonly isForced: boolean }
  | { readonly kind: 'literal'; readonly text: string };

const MOST_REMEMBERED = 1_000;
// Spreadsheets allow no longer one; reading it takes the square of its length.
const LONGEST_CODE = 255;
const remembered = new Map<string, NumberFormat>();

export function numberFormat(code: string): NumberFormat {
  const known = remembered.get(code);
  if (known) return known;
  const format = read(code.length > LONGEST_CODE ? 'General' : code);
  if (remembered.size < MOST_REMEMBERED) remembered.set(code, format);
  return format;
}

/** An integer's digits as the picture shows them. */
export function pictured(digits: string, picture: readonly Piece[]): string {
  const firstPlace = picture.findIndex((piece) => piece.kind === 'place');
  const firstForced = picture.findIndex((piece) => piece.kind === 'place' && piece.isForced);
  let left = digits;
  let shown = '';
  for (let at = picture.length - 1; at >= 0; at -= 1) {
    const piece = picture[at];
    if (piece?.kind === 'literal') shown = piece.text + shown;
    else if (at === firstPlace) shown = (left === '' && firstForced === at ? '0' : left) + shown;
    else if (left !== '') {
      shown = left.slice(-1) + shown;
      left = left.slice(0, -1);
    } else if (firstForced !== -1 && firstForced <= at) shown = `0${shown}`;
  }
  return shown;
}

const FIRST_SECTION = /^(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*/;
const TOKENS =
  /"([^"]*)"|\\(.)|[_*].|@|\[(\$[^\]]*|[^\]]*)\]|(General)|(E[+-])|([0#?])|([.])|(,)|(%)|([^;])/giu;

function read(code: string): NumberFormat {
  const [section = ''] = FIRST_SECTION.exec(code) ?? [];
  const found = {
    percent: false,
    exponent: false,
    point: false,
    decimals: 0,
    places: 0,
    commas: 0,
    groups: 0,
  };
  const pieces: Piece[] = [];
  let words = '';
  let isGeneral = false;
  for (const token of section.matchAll(TOKENS)) {
    const [, quoted, escaped, bracket, general, exponent, place, point, comma, percent, bare] = token;
    const literal = quoted ?? escaped ?? bare;
    if (literal !== undefined) {
      pieces.push({ kind: 'literal', text: literal });
      words += literal;
    } else if (bracket?.startsWith('$')) words += bracket.slice(1).replace(/-[0-9a-f]*$/i, '');
    else if (general) isGeneral = true;
    else if (exponent) found.exponent = true;
    else if (point) found.point = true;
    else if (percent) found.percent = true;
    else if (comma) found.commas += 1;
    else if (place) {
      // A comma between places groups thousands; only those behind the last place leave digits out.
      found.groups += found.commas;
      found.commas = 0;
      found.places += 1;
      if (found.point) found.decimals += 1;
      pieces.push({ kind: 'place', isForced: place === '0' });
    }
  }
  const hasPlaces = found.places > 0;
  const isPlain = !found.percent && !found.exponent && !isGeneral;
  const isWhole = isPlain && !found.point && found.commas + found.groups === 0;
  return {
    isDate: isDateFormat(code),
    isPercent: found.percent,
    isScaled: hasPlaces && (found.commas > 0 || found.exponent),
    decimals: hasPlaces && isPlain ? found.decimals : undefined,
    picture: hasPlaces && isWhole && showsZeros(pieces) ? pieces : undefined,
    words: /[\p{L}\p{N}\p{Sc}]/u.test(words) ? words.trim() : undefined,
    showsNothing: section === '' && code.startsWith(';'),
  };
}

/** Zeros that the number itself does not have; `#,##0` and plain `0` add none. */
function showsZeros(pieces: readonly Piece[]): boolean {
  const literals = pieces.flatMap((piece) => (piece.kind === 'literal' ? [piece.text] : [])).join('');
  const first = pieces.findIndex((piece) => piece.kind === 'place' && piece.isForced);
  const forced = first === -1 ? 0 : pieces.slice(first).filter((piece) => piece.kind === 'place').length;
  return /^[0-9+\-() /.]*$/.test(literals) && (forced > 1 || /[0-9+]/.test(literals));
}

/** Whether a number format shows a date or a time. */
export function isDateFormat(format: string): boolean {
  // Text in quotes, escaped characters, colours and currencies are no part of the pattern; [h] is.
  const pattern = format
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replace(/General/gi, '');
  // E+ is an exponent; the e of some calendars stands without a sign.
  return /[ymdhs]/i.test(pattern);
}
