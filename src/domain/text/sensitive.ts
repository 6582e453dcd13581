/**
 * Text that must not be printed by accident: passwords, tokens, account numbers.
 *
 * Printing one in any way (String, JSON, inspect, template) shows a mask with at most the last four
 * characters. `reveal()` is called only where the text has to leave: a request, the ledger, a report.
 */

const inspect = Symbol.for('nodejs.util.inspect.custom');

export class Sensitive {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Every call to this is a place to review. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return maskOf(this.#text);
  }

  toJSON(): string {
    return maskOf(this.#text);
  }

  [inspect](): string {
    return maskOf(this.#text);
  }
}

/** `0241234567` → `••••4567`; anything of six characters or fewer shows nothing of itself. */
export function maskOf(text: string): string {
  return text.length > 6 ? `••••${text.slice(-4)}` : '••••';
}

/**
 * Text of the service without what it must not repeat: a password or token shows nothing of itself, an account at
 * most its last four characters.
 *
 * Services repeat what they were sent in many ways: spaced, broken over lines, in JSON or HTML, percent-encoded, in
 * base64, and in one of these inside another. So the text is read layer by layer, each layer decoding the one
 * before, and a secret that any layer shows is hidden at its place in the original text. Hiding a little too much does
 * no harm.
 */

/** The same for every text in a document; what is neither text, list nor plain object stays as it is. */
export function withoutEchoesIn(document: unknown, echoes: readonly Echo[]): unknown {
  if (typeof document === 'string') return withoutEchoes(document, echoes);
  if (Array.isArray(document)) return document.map((item) => withoutEchoesIn(item, echoes));
  const isPlain = document !== null && typeof document === 'object' && isPlainObject(document);
  if (!isPlain) return document;
  return Object.fromEntries(
    Object.entries(document).map(([key, item]) => [key, withoutEchoesIn(item, echoes)]),
  );
}

function isPlainObject(document: object): boolean {
  const made = Object.getPrototypeOf(document);
  return made === null || made === Object.prototype;
}

/** One spelling of what must not be repeated. */
export interface Echo {
  readonly text: string;
  readonly mask: string;
  readonly compared: 'exact' | 'folded';
}

/** Anything shorter stands in too many words by chance. */
const SECRET_MIN = 3;
const ACCOUNT_MIN = 5;
const ENCODED_MIN = 6;
/** How many digits at the end of a number are the same with a country code and without. */
const LOCAL_DIGITS = 9;
const LAYERS = 4;
/** Text beyond this length is not searched, so it is not shown either. */
const LOOKED_AT = 16_384;
/** How much of the beginning of a secret at the end of a text that was cut is taken for it. */
const BEGINNING_MIN = 4;

/** `isWhole` false: more may have followed, so that the text can end within a secret. */
export function withoutEchoes(text: string, echoes: readonly Echo[], isWhole = true): string {
  const looked = text.slice(0, LOOKED_AT);
  const mayEndWithin = !isWhole || looked.length < text.length;
  if (!mayEndWithin && isUnencoded(looked) && !shows(looked, echoes)) return looked;
  const found: Found[] = [];
  let layer = layerOf(looked);
  for (let depth = 0; depth <= LAYERS; depth += 1) {
    const readings = { exact: layer, folded: folded(layer) };
    for (const echo of echoes) found.push(...findIn(readings[echo.compared], echo, mayEndWithin));
    const next = decoded(layer);
    if (next.text === layer.text) break;
    layer = next;
  }
  return masked(looked, found);
}

/** Nothing in it is encoded, and folded as a whole it reads as it does folded letter by letter: nearly every answer. */
function isUnencoded(text: string): boolean {
  return PLAIN_TEXT.test(text) && !ENCODING.test(text);
}

function shows(text: string, echoes: readonly Echo[]): boolean {
  const readings = { exact: text, folded: foldedText(text) };
  return echoes.some((echo) => readings[echo.compared].includes(echo.text));
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** A reading of the text: its characters, and where each stands in the text as it came. */
interface Layer {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Of a password or a token. */
export function echoesOfSecret(secret: string): readonly Echo[] {
  return spellings(secret, SECRET_MIN, maskOf(''));
}

export function echoesOfAccount(account: string): readonly Echo[] {
  const mask = maskOf(account);
  const digits = /^\+?\d+$/.test(account) ? account.replace(/\D/g, '') : '';
  // The same number has other forms: with a country code, without its zero.
  const forms = digits.length > LOCAL_DIGITS ? [digits.replace(/^0+/, ''), digits.slice(-LOCAL_DIGITS)] : [];
  return [...new Set([account, ...forms])].flatMap((form) => spellings(form, ACCOUNT_MIN, mask));
}

/** The text itself, its bytes in hexadecimal, and in base64 wherever in a longer text it began. */
function spellings(text: string, min: number, mask: string): readonly Echo[] {
  if (text.length < min) return [];
  const plain = foldedText(text);
  const bytes = Buffer.from(text);
  const binary = bytes.toString('latin1');
  const encoded = [bytes.toString('hex'), ...[0, 1, 2].map((before) => base64Of(binary, before))].map(
    foldedText,
  );
  const folds = [
    ...(plain.length < min ? [] : [plain]),
    ...encoded.filter(({ length }) => length >= ENCODED_MIN),
  ];
  const echoes = folds.map((fold): Echo => ({ text: fold, mask, compared: 'folded' }));
  // A text of marks alone may leave nothing to compare.
  return plain.length < min ? [{ text, mask, compared: 'exact' }, ...echoes] : echoes;
}

/** The characters that these bytes alone decide, with so many others in front of them. */
function base64Of(binary: string, before: number): string {
  const whole = btoa('\0'.repeat(before) + binary);
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + binary.length) * 8) / 6));
}

function layerOf(text: string): Layer {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text, starts, ends: starts.map((at) => at + 1) };
}

// Between the characters of a secret these may come and go: breaks, spaces, marks that cannot be seen, and what
// escapes, quotes or groups.
const PASSED_OVER = /[\s\p{Cc}\p{Cf}\p{M}\\"'+=-]/gu;
/** The same among the characters of `PLAIN_TEXT`, which Unicode's tables leave as they are: nearly every text. */
const PASSED_OVER_PLAIN = /[\t\n\r \\"'+=-]/g;
const PLAIN_TEXT = /^[\t\n\r -~]*$/;

/** One character as it is compared. */
function foldedText(text: string): string {
  // Of letters and digits alone, as nearly every account is.
  if (/^[A-Za-z0-9]*$/.test(text)) return text.toLowerCase();
  if (PLAIN_TEXT.test(text)) return text.toLowerCase().replace(PASSED_OVER_PLAIN, '').replaceAll('_', '/');
  return text.normalize('NFKD').toLowerCase().replace(PASSED_OVER, '').replaceAll('_', '/');
}

/** What each plain character becomes; asked for every character of every answer. */
const PLAIN = Array.from({ length: 128 }, (_, code) => foldedText(String.fromCharCode(code)));

function folded(layer: Layer): Layer {
  const [starts, ends]: [number[], number[]] = [[], []];
  let text = '';
  for (let at = 0; at < layer.text.length; ) {
    const code = layer.text.codePointAt(at) ?? 0;
    const next = at + (code > 0xff_ff ? 2 : 1);
    const become = PLAIN[code] ?? foldedText(String.fromCodePoint(code));
    text += become;
    for (let unit = 0; unit < become.length; unit += 1) {
      starts.push(layer.starts[at] ?? 0);
      ends.push(layer.ends[next - 1] ?? 0);
    }
    at = next;
  }
  return { text, starts, ends };
}

/** Each name with its character behind it. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  [
    ...'amp& lt< gt> quot" apos\' plus+ sol/ bsol\\ num# commat@ period. comma, colon:'.split(' '),
    ...'excl! dollar$ percnt% ast* equals= lowbar_ quest? semi; lpar( rpar) grave` hat^'.split(' '),
    ...['nbsp ', 'tab\t', 'newline\n'],
  ].map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);
const ESCAPES = [
  /\\+u\{([0-9a-f]{1,6})\}/,
  /\\+u([0-9a-f]{4})/,
  /\\+x([0-9a-f]{2})/,
  /\\+[nrtbfv]/,
  /&#x0*([0-9a-f]{1,6});?/,
  /&#0*(\d{1,7});?/,
  /&([a-z]{2,7});/,
  /((?:[%=][89a-f][0-9a-f])+)/,
  /[%=]([0-7][0-9a-f])/,
  /<\/?[a-z][^<>]{0,60}>/,
];
/** What every one of them has. */
const ENCODING = /[\\%=&<]/;
const ESCAPED = new RegExp(ESCAPES.map(({ source }) => source).join('|'), 'gi');

function decoded(layer: Layer): Layer {
  if (!ENCODING.test(layer.text)) return layer;
  return rewritten(layer, ESCAPED, (whole, groups) => {
    const [braced, unit, byte, hex, decimal, name, bytes, ascii] = groups;
    const code = braced ?? unit ?? byte ?? hex ?? ascii;
    if (code !== undefined) return characterOf(Number.parseInt(code, 16));
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
    if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
    if (bytes === undefined) return '';
    return new TextDecoder().decode(
      Uint8Array.from(bytes.slice(1).split(/[%=]/), (pair) => Number.parseInt(pair, 16)),
    );
  });
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

type Rewrite = (whole: string, groups: readonly (string | undefined)[]) => string;

/** The layer with each match rewritten; what comes of a match stands where the match stood. */
function rewritten(layer: Layer, pattern: RegExp, rewrite: Rewrite): Layer {
  const [parts, starts, ends]: [string[], number[], number[]] = [[], [], []];
  const add = (text: string, place: (at: number) => readonly [number, number]) => {
    parts.push(text);
    for (let at = 0; at < text.length; at += 1) {
      const [start, end] = place(at);
      starts.push(start);
      ends.push(end);
    }
  };
  const kept = (from: number, to: number) =>
    add(layer.text.slice(from, to), (at) => [layer.starts[from + at] ?? 0, layer.ends[from + at] ?? 0]);
  let done = 0;
  for (const match of layer.text.matchAll(pattern)) {
    const [whole, ...groups] = match;
    kept(done, match.index);
    done = match.index + whole.length;
    const place = [layer.starts[match.index] ?? 0, layer.ends[done - 1] ?? 0] as const;
    add(rewrite(whole, groups), () => place);
  }
  kept(done, layer.text.length);
  return { text: parts.join(''), starts, ends };
}

function findIn(layer: Layer, { text, mask }: Echo, mayEndWithin: boolean): Found[] {
  const found: Found[] = [];
  const add = (from: number, to: number) =>
    found.push({ start: layer.starts[from] ?? 0, end: layer.ends[to - 1] ?? 0, mask });
  for (let at = layer.text.indexOf(text); at >= 0; at = layer.text.indexOf(text, at + 1))
    add(at, at + text.length);
  if (!mayEndWithin) return found;
  for (let length = Math.min(text.length - 1, layer.text.length); length >= BEGINNING_MIN; length -= 1) {
    if (!layer.text.endsWith(text.slice(0, length))) continue;
    add(layer.text.length - length, layer.text.length);
    break;
  }
  return found;
}

/** Places that touch or overlap become one; what shows nothing wins over what shows an end. */
function masked(text: string, found: readonly Found[]): string {
  const merged: Found[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else {
      const mask = last.mask.length <= next.mask.length ? last.mask : next.mask;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end), mask };
    }
  }
  let done = 0;
  const parts = merged.flatMap(({ start, end, mask }) => {
    const before = text.slice(done, start);
    done = end;
    return [before, mask];
  });
  return [...parts, text.slice(done)].join('');
}

/** Also a phone in groups: `0712 345 678`, `+254-712-345-678`. A date has fewer digits, and an amount no zero in front. */
const LONG_NUMBERS = /\d{8,}|(?<!\d)[+0]\d(?:[ .-]?\d){7,}/g;

/** Words in which long numbers are masked: where columns were swapped, an account stands for a name. */
export function maskedWords(text: string, isHarmless: (number: string) => boolean = () => false): string {
  return text.replace(LONG_NUMBERS, (number) => (isHarmless(number) ? number : maskOf(number)));
}

/** Something in the text may be an account number. */
export const mayHoldAccount = (text: string): boolean => maskedWords(text) !== text;
