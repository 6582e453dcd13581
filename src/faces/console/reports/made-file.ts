/**
 * A file that is made to be downloaded: under a random name in the desk's folder, gone once it was read, or when it cannot
 * be made.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, Visit } from '../server/route.ts';

export type Ending = 'csv' | 'html' | 'json' | 'xlsx' | 'xml';

const TYPES: Readonly<Record<Ending, string>> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

/** When it is its turn, `make` writes the file and says what it is called, without its ending. */
export async function download(
  { desk, person }: Pick<Visit, 'desk' | 'person'>,
  ending: Ending,
  make: (path: string) => Promise<string>,
): Promise<Answer> {
  const path = join(desk.uploads, `${randomBytes(12).toString('hex')}.${ending}`);
  try {
    const name = await desk.making.take(person.id, () => make(path));
    return { kind: 'download', path, name: `${name}.${ending}`, type: TYPES[ending] };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function template(visit: Visit): Promise<Answer> {
  const { payfile, query, signal } = visit;
  const countries = (query.get('country') ?? '').split(',').filter((name) => name.trim() !== '');
  return download(visit, 'xlsx', async (path) => {
    await payfile.template(path, { signal, ...(countries.length === 0 ? {} : { countries }) });
    return 'payments';
  });
}

export async function sandboxStatement(visit: Visit): Promise<Answer> {
  return download(visit, 'csv', async (path) => {
    await visit.payfile.sandboxStatement(path);
    return 'sandbox-statement';
  });
}
