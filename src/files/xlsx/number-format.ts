/**
 * What a number format does to a number, so that nobody is paid another amount, or on another account, than the
 * cell shows.
 *
 * Source:  ECMA-376 part 1, 18.8.31. Only the first section counts, for amounts and accounts are positive; all of them where a
 *          condition chooses.
 */

export interface NumberFormat {
  readonly isDate: boolean;
  readonly isPercent: boolean;
  /**
   * Another number is shown: without thousands (`#,##0,`) or all but the first few digits (`0.00E+00`), with digits,
   * a sign or a word that make it another (`0"000"`, `(0)`, `0"k"`), or with a mark in a place of its own (`0\,00`).
   */
  readonly isScaled: boolean;
  /** Decimals shown at most; undefined: as many as there are. */
  readonly decimals: number | undefined;
  /** Places and marks of a format that shows leading zeros: `000 000 0000`, `"0"###`. */
  readonly picture: readonly Piece[] | undefined;
  /** A currency sign, code, or other words around the number. */
  readonly words: string | undefined;
  /** `;;;` shows nothing at all. */
  readonly showsNothing: boolean;
  /** What it shows of a text: `;;;` nothing, `@"0"` and `;;;"paid"` another one. */
  readonly ofText: 'same' | 'nothing' | 'other';
}

type Piece =
  | { readonly kind: 'place'; readonly isForced: boolean }
  | { readonly kind: 'literal'; readonly text: string };

const MOST_REMEMBERED = 1_000;
// Spreadsheets allow no longer one; reading a longer one would take time that grows with the square of its length.
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

/** A section for some numbers only: `[<1000]0;0.0,"k"`. */
const CONDITION = /^(?:"[^"]*"|\\.|[^"\\])*?\[[<>=]/;

function read(code: string): NumberFormat {
  const first = readSection(code);
  const sections = sectionsOf(code);
  const ofText = shownOfText(sections);
  if (!CONDITION.test(code)) return { ...first, ofText };
  const others = sections.slice(1).map(readSection);
  const decimals = [first, ...others].flatMap((each) => each.decimals ?? []);
  return {
    ...first,
    isScaled: first.isScaled || others.some((each) => each.isScaled),
    isPercent: first.isPercent || others.some((each) => each.isPercent),
    decimals: decimals.length === 0 ? undefined : Math.min(...decimals),
    words: first.words ?? others.find((each) => each.words !== undefined)?.words,
    showsNothing: first.showsNothing || others.some((each) => each.showsNothing),
    ofText,
  };
}

/** Each with what stands behind it. */
function sectionsOf(code: string): readonly string[] {
  const [section = ''] = FIRST_SECTION.exec(code) ?? [];
  return section.length < code.length ? [code, ...sectionsOf(code.slice(section.length + 1))] : [code];
}

/** The fourth section is for texts; without one, whichever has the text in it. */
function shownOfText(sections: readonly string[]): NumberFormat['ofText'] {
  const shown = sections.map(textSection);
  const { texts, hasMore } = shown[TEXT_SECTION] ?? shown.find((each) => each.texts > 0) ?? ONLY_THE_TEXT;
  if (hasMore || texts > 1) return 'other';
  return texts === 1 ? 'same' : 'nothing';
}

const TEXT_SECTION = 3;
const ONLY_THE_TEXT = { texts: 1, hasMore: false };

function textSection(code: string): { readonly texts: number; readonly hasMore: boolean } {
  const [section = ''] = FIRST_SECTION.exec(code) ?? [];
  let texts = 0;
  let hasMore = false;
  for (const token of section.matchAll(TOKENS)) {
    const [all, quoted, escaped, bracket, general, , place, , , , bare] = token;
    if (all === '@' || general) texts += 1;
    else if (place || /^\*[\p{L}\p{N}]/u.test(all)) hasMore = true;
    else hasMore ||= (quoted ?? escaped ?? bare ?? signIn(bracket) ?? '').trim() !== '';
  }
  return { texts, hasMore };
}

/** `[$€-407]` → `€`; undefined for colours and conditions. */
function signIn(bracket: string | undefined): string | undefined {
  return bracket?.startsWith('$') ? bracket.slice(1).replace(/-[0-9a-f]*$/i, '') : undefined;
}

function readSection(code: string): Omit<NumberFormat, 'ofText'> {
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
  let isText = false;
  // The number as a skeleton: 0 for each place, and what is written around them.
  let skeleton = '';
  for (const token of section.matchAll(TOKENS)) {
    const [, quoted, escaped, bracket, general, exponent, place, point, comma, percent, bare] = token;
    const literal = quoted ?? escaped ?? bare;
    const sign = signIn(bracket);
    if (/^\*\d/.test(token[0])) skeleton += token[0].slice(1);
    if (token[0] === '@') isText = true;
    skeleton += place || general ? PLACE : point ? POINT : (literal ?? sign ?? '');
    if (literal !== undefined) {
      pieces.push({ kind: 'literal', text: literal });
      words += literal;
    } else if (sign !== undefined) words += sign;
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
  const showsNumber = hasPlaces || isGeneral || isText || isDateFormat(section);
  const isWhole = isPlain && !found.point && found.commas + found.groups === 0;
  const hasWords = /[\p{L}\p{N}\p{Sc}]/u.test(words);
  const picture = hasPlaces && isWhole && showsZeros(pieces) ? pieces : undefined;
  const isOther = picture === undefined && (showsNumber ? showsAnother(skeleton) : hasWords);
  return {
    isDate: isDateFormat(code),
    isPercent: found.percent,
    isScaled: (hasPlaces && (found.commas > 0 || found.exponent)) || isOther,
    decimals: hasPlaces && isPlain ? found.decimals : undefined,
    picture,
    words: hasWords ? words.trim() : undefined,
    showsNothing: (section === '' && code.startsWith(';')) || (section !== '' && !showsNumber && !hasWords),
  };
}

const PLACE = '\u0000';
const POINT = '\u0001';
const TIMES =
  /^(?:k|m|b|t|mm|mn|mln|mio|mrd|md|bn|bln|tn|mil|hundred|thousand|million|billion|lakh|lac|crore|cr|dozen|cent|mille|millier|milliard|milhão|milhões|milhar|bilhão|bilhões)s?$/iu;

/** Whether what a format writes around the places makes another number of what it shows. */
function showsAnother(skeleton: string): boolean {
  const first = skeleton.indexOf(PLACE);
  if (first === -1) return false;
  const last = Math.max(skeleton.lastIndexOf(PLACE), skeleton.lastIndexOf(POINT));
  const [before, inside, behind] = [
    skeleton.slice(0, first),
    skeleton.slice(first, last + 1),
    skeleton.slice(last + 1),
  ];
  const isSigned = /[-−–(]\s*$/.test(before) || /^\s*[-−–]/.test(behind);
  const isTimes = /[%‰\p{N}]/u.test(behind) || behind.split(/[^\p{L}]+/u).some((word) => TIMES.test(word));
  return isSigned || isTimes || /\p{N}/u.test(before) || isBroken(inside);
}

/** Anything between the places but marks of thousands: a point of another kind, or digits that the number does not have. */
function isBroken(inside: string): boolean {
  const [whole = '', ...decimals] = inside.split(POINT);
  return !THOUSANDS.test(whole) || decimals.some((part) => !ONLY_PLACES.test(part));
}

/** Groups of three; those before the last one may be of two, as in India. */
const THOUSANDS = /^\0*(?:(?:[, '\u2019\u00a0\u2009\u202f]\0{2,3})*[, '\u2019\u00a0\u2009\u202f]\0{3})?$/;
const ONLY_PLACES = /^\0*$/;

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
