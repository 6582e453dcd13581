/**
 * The column that a person named by its header. Write the header as it stands, or so that a person takes it for the same. A
 * column that shares its header with another one is named by its letter.
 */
import { columnLetters, isSameHeader } from '../rows/column-names.ts';

/** undefined: no column, or more than one. */
export function columnCalled(headers: readonly string[], header: string): number | undefined {
  const found = columnsCalled(headers, header);
  return found.length === 1 ? found[0] : undefined;
}

export function columnsCalled(headers: readonly string[], header: string): readonly number[] {
  const where = (isCalled: (each: string) => boolean) =>
    headers.flatMap((each, at) => (isCalled(each) ? [at] : []));
  const exact = where((each) => each === header.trim());
  const alike = exact.length > 0 ? exact : where((each) => isSameHeader(each, header));
  if (alike.length > 0) return alike;
  const lettered = headers.findIndex((each, at) => each !== '' && columnLetters(at) === header.trim());
  return lettered !== -1 && columnCalled(headers, headers[lettered] ?? '') === undefined ? [lettered] : [];
}

/** What names this column and no other one. */
export function nameOfColumn(headers: readonly string[], at: number): string {
  const header = headers[at] ?? '';
  return columnsCalled(headers, header).length > 1 ? columnLetters(at) : header;
}
