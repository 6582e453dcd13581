/**
 * Comments on the cells of a sheet (notes), by row: “hold”, “do not pay”. They are read as the last column of the table, so
 * that they are asked about, left out and reported as any remark is.
 */
import { stopWordOf } from '../../domain/reading/stop-words.ts';
import { readRelations, readWhole, type SheetPart } from './workbook-parts.ts';
import type { ZipArchive } from './zip-entries.ts';

/** Row → what its comments say, one a line. Threaded comments have their text here too. */
export async function readCellComments(
  zip: ZipArchive,
  { path }: SheetPart,
  name: string,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string[]>();
  const parts = (await readRelations(zip, path, name)).filter(({ type }) => type === 'comments');
  for (const part of parts.filter((each) => zip.names.has(each.path))) {
    let row = Number.NaN;
    let text = '';
    let isText = false;
    await readWhole(zip, part.path, name, {
      open(element, { ref = '' }) {
        isText = element === 't';
        if (element !== 'comment') return;
        row = Number(/\d+$/.exec(ref)?.[0]);
        text = '';
      },
      text(piece) {
        if (isText && text.length < LONGEST) text += piece;
      },
      close(element) {
        isText = false;
        const words = withoutAuthor(text).trim().slice(0, LONGEST);
        if (element === 'comment' && words !== '') found.set(row, [...(found.get(row) ?? []), words]);
      },
    });
  }
  return new Map([...found].map(([row, texts]) => [row, stopsFirst(texts).join('\n')]));
}

/** In characters. */
const LONGEST = 2_000;

/** A word such as “hold” counts where a text begins with it. */
const stopsFirst = (texts: readonly string[]) =>
  texts.toSorted((one, other) => Number(isStop(other)) - Number(isStop(one)));
const isStop = (text: string) => stopWordOf(text) !== undefined;

/** Programs put the author's name above a note, and above a threaded comment that older ones cannot show it. */
const withoutAuthor = (text: string) =>
  text.replace(/^\s*\[[^\]]*\][\s\S]*?linkid=\d+\s*/, '').replace(/^[^\n:]{1,60}:[ \t]*\r?\n/, '');
