/**
 * A batch in the sandbox with a row for each thing that a person has to decide: settled, held, in doubt (the money moved, and
 * it did not), refused. Its ledger is a file, so that the sandbox keeps a book.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../src/operations/run.ts';
import type { Payfile } from '../../src/payfile.ts';
import { readBook } from '../../src/sandbox/book.ts';
import { bookStatement } from '../../src/sandbox/book-statement.ts';

/** Row numbers of the file. */
export const ROWS = { settled: 2, held: 3, doubtPaid: 4, doubtUnpaid: 5, refused: 6 } as const;
/** Of the row in doubt that was paid; whole nowhere. */
export const ACCOUNT = '1011130990030';

const FILE = `Reference,Country,Institution,Account,Name,Amount
D-1,GH,GCB Bank,1011130024501,,100.00
D-2,GH,GCB Bank,1011130990002,Efua <b>Sutherland</b> Darko,200.00
D-3,GH,GCB Bank,${ACCOUNT},,300.00
D-4,GH,GCB Bank,1011130990031,,400.00
D-5,GH,GCB Bank,1011130990020,,500.00
`;

export interface Place {
  readonly folder: string;
  readonly ledger: string;
  readonly file: string;
  /** What the sandbox executed, as a statement. */
  readonly statement: () => string;
  readonly transferOf: (account: string) => string;
}

/** `content`: the text of the file. `atEnd` gets the function that removes the folder. */
export function aPlace(content = FILE, atEnd: (end: () => void) => void = onTestFinished): Place {
  const folder = mkdtempSync(join(tmpdir(), 'doubtful-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'may.csv');
  writeFileSync(file, content);
  const book = () => readBook(join(folder, 'ledger-book.jsonl'));
  return {
    folder,
    file,
    ledger: join(folder, 'ledger.db'),
    statement: () => bookStatement(book(), { now: Date.now(), closing: 'all of it' }),
    transferOf: (account) =>
      book()
        .entries()
        .find((entry) => entry.account === account)?.id ?? '',
  };
}

/** Sent, and not waited for: two rows are in doubt. */
export async function sendDoubtful(payfile: Payfile, { file }: Pick<Place, 'file'>): Promise<void> {
  await payfile.call(run, {
    file,
    batch: 'may',
    consent: async () => ({ kind: 'agreed', how: 'library' }),
    deadline: 0,
  });
}
