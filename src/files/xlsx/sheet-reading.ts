/** The rows of one sheet, out of the archive. */
import { FileRefused } from '../../ports/row-source.ts';
import { FROM_ITS_MAKER } from '../opened-file.ts';
import { readXml } from '../xml-events.ts';
import type { SheetReading } from './choose-sheet.ts';
import { SheetReader, type SheetRow } from './sheet-rows.ts';
import type { SheetPart, Workbook } from './workbook-parts.ts';
import type { ZipArchive } from './zip-entries.ts';

export interface SheetPlace {
  readonly zip: ZipArchive;
  readonly workbook: Workbook;
  readonly part: SheetPart;
  /** Of the file, for messages. */
  readonly name: string;
}

export function sheetRows({ zip, workbook, part, name }: SheetPlace): SheetReading {
  const where = `${name}, sheet “${part.name}”`;
  const reader = new SheetReader(workbook, (what) => new FileRefused(`${where}: ${what}. ${FROM_ITS_MAKER}`));
  async function* rows(): AsyncGenerator<SheetRow[]> {
    for await (const _chunk of readXml(zip.read(part.path), reader, where)) {
      const taken = reader.take();
      if (taken.length > 0) yield taken;
    }
  }
  return { rows: rows(), facts: reader.facts };
}
