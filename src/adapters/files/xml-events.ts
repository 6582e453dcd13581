/**
 * The door to saxes: XML bytes → elements and text, without entities, document types or other encodings.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER } from './file-kind.ts';

export interface XmlHandlers {
  /** Names come without their namespace prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Only for XML that is whole. */
const SAVED_AGAIN = 'Open the workbook in a spreadsheet program and save it again.';

/** Between two elements; a longer text would be held in memory whole. */
const LONGEST_PIECE = 8 * 1024 * 1024;

/** Yields after each chunk of bytes, when the handlers have seen what it held. `where` begins error messages. */
export async function* readXml(
  bytes: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
  where: string,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const refuse = (what: string, cause?: unknown, advice = FROM_ITS_MAKER): never => {
    throw new FileRefused(`${where}: ${what}. ${advice}`, { cause });
  };
  parser.on('error', (error) => refuse('its XML is damaged', error));
  parser.on('doctype', () => refuse('it has a document type, which no workbook needs'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding))
      refuse(`its XML is in ${encoding}, not UTF-8`, undefined, SAVED_AGAIN);
  });
  let unsaid = 0;
  parser.on('opentag', (tag: SaxesTagPlain) => {
    unsaid = 0;
    handlers.open(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag: SaxesTagPlain) => handlers.close(localName(tag.name)));
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
    if (unsaid > LONGEST_PIECE)
      refuse('it has a text or a comment of more than 8 MB', undefined, SAVED_AGAIN);
    parser.write(decode(chunk));
    yield;
  }
  parser.write(decode(undefined));
  parser.close();
  yield;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
