/**
 * The door to saxes: XML bytes → elements and text, without entities, document types or other encodings.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { FileRefused } from '../ports/row-source.ts';
import { FROM_ITS_MAKER } from './opened-file.ts';

export interface XmlHandlers {
  /** Names of the root's own namespace come without a prefix; all others with one, `mc:Choice`, or with `:` alone. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** What the XML is, for messages. */
export interface XmlKind {
  readonly what: string;
  /** What to do about XML that is whole, and that is not read. */
  readonly advice: string;
}

const WORKBOOK: XmlKind = {
  what: 'workbook',
  advice: 'Open the workbook in a spreadsheet program and save it again.',
};

/** Between two elements; a longer text would be held in memory whole. */
const LONGEST_PIECE = 8 * 1024 * 1024;
/** Workbooks and statements need about ten levels; the parser remembers every element that is open. */
const MOST_LEVELS = 64;

/** Yields after each chunk of bytes, when the handlers have seen what it held. `where` begins error messages. */
export async function* readXml(
  bytes: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
  where: string,
  { what: kind, advice: savedAgain }: XmlKind = WORKBOOK,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const refuse = (what: string, cause?: unknown, advice = FROM_ITS_MAKER): never => {
    throw new FileRefused(`${where}: ${what}. ${advice}`, { cause });
  };
  parser.on('error', (error) => refuse('its XML is damaged', error));
  parser.on('doctype', () => refuse(`it has a document type, which no ${kind} needs`));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding))
      refuse(`its XML is in ${encoding}, not UTF-8`, undefined, savedAgain);
  });
  let unsaid = 0;
  const names = new ElementNames();
  parser.on('opentag', (tag: SaxesTagPlain) => {
    unsaid = 0;
    const name = names.open(tag);
    if (names.depth > MOST_LEVELS)
      refuse(`its elements are nested more than ${MOST_LEVELS} levels deep, as in no ${kind}`);
    handlers.open(name, tag.attributes);
  });
  parser.on('closetag', () => handlers.close(names.close()));
  parser.on('text', (text) => handlers.text(text));
  parser.on('cdata', (text) => handlers.text(text));
  const decode = (chunk: Buffer | undefined): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      return refuse('its XML is not UTF-8', error);
    }
  };
  for await (const chunk of bytes) {
    unsaid += chunk.length;
    if (unsaid > LONGEST_PIECE) refuse('it has a text or a comment of more than 8 MB', undefined, savedAgain);
    parser.write(decode(chunk));
    yield;
  }
  parser.write(decode(undefined));
  parser.close();
  yield;
}

type Scope = ReadonlyMap<string, string>;

/**
 * Names of elements by their namespace: a program may write `<x:c>` for a cell, and another program's `<z:c>` is none.
 * saxes can tell them apart too, but refuses a prefix that is not declared.
 */
class ElementNames {
  readonly #scopes: Scope[] = [];
  /** Of the elements that are open. */
  readonly #names: string[] = [];
  #own: string | undefined;

  get depth(): number {
    return this.#scopes.length;
  }

  open({ name, attributes }: SaxesTagPlain): string {
    const scope = declaredIn(attributes, this.#scopes.at(-1) ?? NO_SCOPE);
    this.#scopes.push(scope);
    this.#own ??= namespaceOf(name, scope) ?? '';
    const named = this.#named(name, scope);
    this.#names.push(named);
    return named;
  }

  /** saxes sees to it that it is the one that was opened last. */
  close(): string {
    this.#scopes.pop();
    return this.#names.pop() ?? '';
  }

  #named(name: string, scope: Scope): string {
    const colon = name.indexOf(':');
    const namespace = namespaceOf(name, scope);
    const isOwn = namespace === undefined || namespace === this.#own;
    if (isOwn) return colon === -1 ? name : name.slice(colon + 1);
    return colon === -1 ? `:${name}` : name;
  }
}

const NO_SCOPE: Scope = new Map();

function declaredIn(attributes: Readonly<Record<string, string>>, outer: Scope): Scope {
  let scope: Map<string, string> | undefined;
  for (const key in attributes) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(key.slice('xmlns:'.length), attributes[key] ?? '');
  }
  return scope ?? outer;
}

/** undefined for a prefix that is never declared, as careless writers leave it. */
function namespaceOf(name: string, scope: Scope): string | undefined {
  const colon = name.indexOf(':');
  return colon === -1 ? (scope.get('') ?? '') : scope.get(name.slice(0, colon));
}
