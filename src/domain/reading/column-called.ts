/** The column that a person named by its header. Write the header as it stands, or so that a person takes it for the same. */
import { isSameHeader } from '../rows/column-names.ts';

/** undefined: no column, or more than one. */
export function columnCalled(headers: readonly string[], header: string): number | undefined {
  const found = columnsCalled(headers, header);
  return found.length === 1 ? found[0] : undefined;
}

export function columnsCalled(headers: readonly string[], header: string): readonly number[] {
  const where = (isCalled: (each: string) => boolean) =>
    headers.flatMap((each, at) => (isCalled(each) ? [at] : []));
  const exact = where((each) => each === header.trim());
  return exact.length > 0 ? exact : where((each) => isSameHeader(each, header));
}
