/**
 * JSON of the payment service, read without losing anything: numbers stay text, an object that names the
 * same key twice with different values is refused, nesting is bounded.
 *
 * Why:     JSON.parse turns the id 12345678901234567890 into 12345678901234567000, and lets the last of
 *          two contradicting keys win.
 * Errors:  ExactJsonError for anything that is not one well-formed JSON document.
 */
import { isLosslessNumber, parse } from 'lossless-json';

/** A JSON number, as the digits that stood in the document. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class ExactJsonError extends Error {
  override readonly name = 'ExactJsonError';
}

const DEPTH_MAX = 32;

/** Parses one JSON document; every number in it comes back as a NumberText. A leading byte order mark is tolerated. */
export function parseExactJson(text: string): unknown {
  const document = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (depthOf(document) > DEPTH_MAX) throw new ExactJsonError(`nested deeper than ${DEPTH_MAX}`);
  try {
    return withNumberTexts(parse(document, undefined, undefined));
  } catch (error) {
    throw new ExactJsonError('not one well-formed JSON document', { cause: error });
  }
}

/** The inverse of parseExactJson: the digits of every number as they stood. */
export function exactJsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member instanceof NumberText ? rawNumber(member.text) : member,
  );
}

// JSON.rawJSON is in Node's engine and not yet in the compiler's library.
function rawNumber(digits: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}

function withNumberTexts(value: unknown): unknown {
  if (isLosslessNumber(value)) return new NumberText(value.toString());
  if (Array.isArray(value)) return value.map(withNumberTexts);
  if (value !== null && typeof value === 'object') {
    // A null prototype, so that a key named __proto__ is only a key.
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, member] of Object.entries(value)) copy[key] = withNumberTexts(member);
    return copy;
  }
  return value;
}

/** The deepest nesting of brackets outside strings; cheap, and safe on documents made to exhaust the stack. */
function depthOf(document: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < document.length; index += 1) {
    const code = document.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
