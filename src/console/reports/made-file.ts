/**
 * A file that is made to be downloaded: under a random name in the console's folder, removed once it was read or if it
 * cannot be made.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, Visit } from '../server/route.ts';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};
export type Ending = keyof typeof TYPES;

/** When it is its turn, `make` writes the file and gives its name without the ending. `isShown`: the browser opens it. */
export async function download(
  { desk, person }: Pick<Visit, 'desk' | 'person'>,
  ending: Ending,
  make: (path: string) => Promise<string>,
  isShown = false,
): Promise<Answer> {
  const path = join(desk.uploads, `${randomBytes(12).toString('hex')}.${ending}`);
  try {
    const name = await desk.making.take(person.id, () => make(path));
    return { kind: 'download', path, name: `${name}.${ending}`, type: TYPES[ending], isShown };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function template(visit: Visit): Promise<Answer> {
  const { payfile, query, signal } = visit;
  const country = (query.get('country') ?? '').split(',').filter((name) => name.trim() !== '');
  return download(visit, 'xlsx', async (path) => {
    await payfile.lists.template({ output: path, country }, { signal });
    return 'payments';
  });
}

export async function sandboxStatement(visit: Visit): Promise<Answer> {
  return download(visit, 'csv', async (path) => {
    await visit.payfile.sandbox.book({ output: path });
    return 'sandbox-statement';
  });
}
