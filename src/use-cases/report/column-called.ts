/** Finds a column of a file that a person named by its header. */
import { isSameHeader } from '../../domain/rows/column-names.ts';
import { closest, didYouMean } from '../../domain/text/likeness.ts';
import { input, message } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';

const HEADERS_NAMED = 30;

/** `asked`: the input that names it. Errors: RequestRefused. */
export function columnCalled(named: string, headers: readonly string[], asked: string): number {
  const found = headers.flatMap((header, at) => (isSameHeader(header, named) ? [at] : []));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const quoted = (header: string) => `“${printable(header)}”`;
  const hint = didYouMean(closest(named, headers, (header) => header).map(quoted));
  const listed = ` The columns are ${headers.slice(0, HEADERS_NAMED).map(quoted).join(', ')}.`;
  const problem = `${only === undefined ? 'no column is' : 'two columns are'} called ${quoted(named)}.`;
  throw new RequestRefused(
    message('column_unknown')`${input(asked)}: ${problem}${only === undefined ? hint || listed : ''}`,
  );
}
