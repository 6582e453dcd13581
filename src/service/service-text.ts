/**
 * Words of the service, made fit to be kept and shown: no control characters, no secrets, bounded.
 */
import { cutText, printable as shown } from '../domain/text/printable.ts';
import { type Echo, withoutEchoes } from '../domain/text/sensitive.ts';

const MESSAGE_CHARACTERS_MAX = 500;
const FRAGMENT_CHARACTERS_MAX = 4096;
/** Enough to find what the fragment must not show, also where it goes on behind the fragment. */
const FRAGMENT_BYTES_READ = 65_536;

/** One line of at most 500 characters. */
export function printable(text: string): string {
  return cutText(shown(text).trim(), MESSAGE_CHARACTERS_MAX);
}

/** The same, without what it must not repeat. That is looked for first: a cut or a mark could tear it in two. */
export function printableWithout(echoes: readonly Echo[], text: string): string {
  return printable(withoutEchoes(text, echoes));
}

/** The beginning of an answer's body, as evidence. */
export function fragmentOf(body: Uint8Array, echoes: readonly Echo[], isWhole: boolean): string {
  const text = lenientUtf8.decode(body.subarray(0, FRAGMENT_BYTES_READ));
  return withoutEchoes(text, echoes, isWhole).slice(0, FRAGMENT_CHARACTERS_MAX);
}

/** Strict UTF-8; undefined when the bytes are not. */
export function textOf(body: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(body);
  } catch {
    return undefined;
  }
}

const lenientUtf8 = new TextDecoder();
// The byte order mark is left in place for parseExactJson, which tolerates it.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
