/**
 * Looks at a file as it is read now: small ones while the browser waits, large ones as work that a page shows.
 */
import { check } from '../../operations/check.ts';
import { FileHasQuestions } from '../../payfile.ts';
import { isUnderWay } from '../jobs.ts';
import { codeOf, problemText, refusedPage } from '../page/errors.ts';
import { type Answer, address, seeWhyNot, type Visit } from '../server/route.ts';
import type { Found, KeptFile } from './kept-files.ts';

/** `under_way`: it is being read or planned; look again. */
export type Looked = Found | { readonly kind: 'under_way' };

export const jobOf = ({ id }: Pick<KeptFile, 'id'>) => `file:${id}`;
export const pathOf = ({ id }: Pick<KeptFile, 'id'>) => address`/uploads/${id}`;

/** The file that the address names, for the person who uploaded it. */
export async function withFile(
  visit: Visit,
  answer: (file: KeptFile, visit: Visit) => Promise<Answer>,
): Promise<Answer> {
  const { desk, person, part } = visit;
  const file = desk.files.of(part('upload'), person.id);
  return file === undefined ? refusedPage('no_such_page') : answer(file, visit);
}

export const PLANNING = 'Planning';

export function isBeingPlanned(file: Pick<KeptFile, 'id'>, { desk }: Visit): boolean {
  const job = desk.jobs.about(jobOf(file));
  return job?.doing === PLANNING && isUnderWay(job);
}

/**
 * Saves what a person says of the file. The last plan is no plan of that. False while the file is being planned: the batch
 * would not have it.
 */
export function say(
  file: KeptFile,
  visit: Visit,
  next: (now: KeptFile) => Partial<Pick<KeptFile, 'reading' | 'edits'>>,
): boolean {
  if (isBeingPlanned(file, visit)) return false;
  visit.desk.files.change(file.id, (now) => ({ ...next(now), plan: undefined }));
  return true;
}

export function beingPlanned(file: KeptFile): Answer {
  return seeWhyNot(
    pathOf(file),
    'This file is being planned. Nothing was saved. Go back to find what you typed.',
  );
}

export function changedMeanwhile(file: KeptFile): Answer {
  return seeWhyNot(pathOf(file), 'The file is read in another way now. Look at the new result first.');
}

/** How long a browser waits for a page before it shows that the file is being read. */
const PATIENCE_MS = 2_000;

/** `isPatient`: waits to the end, so that nothing that a person typed is lost. */
export async function lookAt(file: KeptFile, visit: Visit, isPatient = false): Promise<Looked> {
  const { desk, payfile, person } = visit;
  const before = desk.files.found(file.id);
  if (before !== undefined) return before;
  const about = jobOf(file);
  const ended = Promise.withResolvers<Found | Error>();
  const begun = desk.jobs.begin({ about, doing: 'Reading', by: person.name }, async (dialogue) => {
    try {
      const { path, reading, edits } = file;
      const asked = { ...reading, file: path, edits, keepRows: ROWS_KEPT, namesHolders: true };
      const found: Found = { kind: 'rows', checked: await payfile.call(check, asked, dialogue) };
      if (isAsReadNow(file, visit)) desk.files.setFound(file.id, found);
      ended.resolve(found);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== undefined && isAsReadNow(file, visit)) desk.files.setFound(file.id, refused);
      ended.resolve(refused ?? (error instanceof Error ? error : new Error(String(error))));
    }
  });
  if (!begun && isPatient) {
    await desk.jobs.ended(about);
    return lookAt(file, visit, isPatient);
  }
  if (!begun) return { kind: 'under_way' };
  const first = await (isPatient ? ended.promise : Promise.race([ended.promise, patience()]));
  if (first instanceof Error) throw first;
  return first;
}

/** Nobody said meanwhile that the file is read in another way. */
export function isAsReadNow({ id, reading, edits, by }: KeptFile, { desk }: Visit): boolean {
  const now = desk.files.of(id, by);
  return now?.reading === reading && now.edits === edits;
}

/** Listed on the page, and as many invalid rows to fix; the rest comes when these are fixed. */
export const ROWS_KEPT = 10_000;

function refusalOf(error: unknown): Found | undefined {
  const why = problemText(error);
  const code = codeOf(error);
  if (code !== 'setting_refused' && code !== 'file_unusable') return undefined;
  return { kind: 'refused', why, questions: error instanceof FileHasQuestions ? error.questions : [] };
}

function patience(): Promise<{ readonly kind: 'under_way' }> {
  return new Promise((resolve) => setTimeout(() => resolve({ kind: 'under_way' }), PATIENCE_MS).unref());
}
