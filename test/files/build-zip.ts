/** Builds zip archives byte by byte, so that tests can also build broken and hostile ones. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  /** Lies about the part, for hostile archives. */
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly method?: number;
  /** Written as to a pipe: checksum and sizes follow the data, as Google Sheets does. */
  readonly isStreamed?: boolean;
  /** Points the directory at another part's bytes. */
  readonly offset?: number;
}

export function buildZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = deflateRawSync(content);
    const name = Buffer.from(part.name, 'utf8');
    const fields = (signature: number, isDirectory: boolean) => {
      const at = isDirectory ? 4 : 2;
      const header = Buffer.alloc(isDirectory ? 46 : 30);
      header.writeUInt32LE(signature, 0);
      header.writeUInt16LE(20, 4);
      const isLater = part.isStreamed === true && !isDirectory;
      header.writeUInt16LE(part.flags ?? (part.isStreamed === true ? 8 : 0), at + 4);
      header.writeUInt16LE(part.method ?? 8, at + 6);
      header.writeUInt32LE(isLater ? 0 : (part.crc ?? crc32(content)), at + 12);
      header.writeUInt32LE(isLater ? 0 : packed.length, at + 16);
      header.writeUInt32LE(isLater ? 0 : (part.size ?? content.length), at + 20);
      header.writeUInt16LE(name.length, at + 24);
      if (isDirectory) header.writeUInt32LE(part.offset ?? offset, 42);
      return header;
    };
    const behind = part.isStreamed === true ? descriptor(content, packed.length) : Buffer.alloc(0);
    const local = Buffer.concat([fields(0x04034b50, false), name, packed, behind]);
    locals.push(local);
    directory.push(fields(0x02014b50, true), name);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listing, end]);
}

function descriptor(content: Buffer, packedLength: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc32(content), 4);
  bytes.writeUInt32LE(packedLength, 8);
  bytes.writeUInt32LE(content.length, 12);
  return bytes;
}

export interface WorkbookXml {
  /** Inner XML of each worksheet, by sheet name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly sharedStrings?: string;
  readonly styles?: string;
  readonly hidden?: readonly string[];
  readonly is1904?: boolean;
}

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of a workbook around hand-written sheet XML. */
export function workbookParts({
  sheets,
  sharedStrings,
  styles,
  hidden = [],
  is1904 = false,
}: WorkbookXml): ZipPart[] {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`;
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
  );
  const relations = [
    ...names.map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/anything${index}.xml`)),
    ...(sharedStrings === undefined ? [] : [relation('x', 'sharedStrings', '/xl/sharedStrings.xml')]),
    ...(styles === undefined ? [] : [relation('y', 'styles', 'styles.xml')]),
  ];
  return [
    {
      name: '_rels/.rels',
      content: `<Relationships>${relation('w', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${relations.join('')}</Relationships>` },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="r"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
    },
    ...names.map((name, index) => ({
      name: `xl/worksheets/anything${index}.xml`,
      content: `<worksheet>${sheets[name]}</worksheet>`,
    })),
    ...(sharedStrings === undefined
      ? []
      : [{ name: 'xl/sharedStrings.xml', content: `<sst>${sharedStrings}</sst>` }]),
    ...(styles === undefined
      ? []
      : [{ name: 'xl/styles.xml', content: `<styleSheet>${styles}</styleSheet>` }]),
  ];
}
