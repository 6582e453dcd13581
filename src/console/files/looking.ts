/**
 * Looks at a file as it is read now: small ones while the browser waits, large ones as work that a page shows.
 */
import { check } from '../../operations/check.ts';
import { FileHasQuestions, FileRefused } from '../../payfile.ts';
import { isUnderWay } from '../jobs.ts';
import { codeOf, problemText, refusedPage } from '../page/errors.ts';
import { type Answer, address, seeWhyNot, type Visit } from '../server/route.ts';
import type { Found, KeptFile, Reading } from './kept-files.ts';

/** `under_way`: it is being read or planned; look again. */
export type Looked = Found | { readonly kind: 'under_way' };

export const jobOf = ({ id }: Pick<KeptFile, 'id'>) => `file:${id}`;
export const pathOf = ({ id }: Pick<KeptFile, 'id'>) => address`/uploads/${id}`;

/** How the file is opened, without how its cells are read. */
export function layoutOf({
  reading: { sheet, headerRow, delimiter, answers },
}: Pick<KeptFile, 'reading'>): Pick<Reading, 'sheet' | 'headerRow' | 'delimiter' | 'answers'> {
  return { sheet, headerRow, delimiter, answers };
}

/** The file that the address names, for whoever brought it. */
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
 * Keeps how a person says that the file is read; the last plan is no plan of that. False while it is being planned: what
 * is said then would not be in the batch.
 */
export function say(
  file: KeptFile,
  visit: Visit,
  next: (now: KeptFile) => Partial<Pick<KeptFile, 'reading' | 'edits' | 'drafts'>>,
): boolean {
  if (isBeingPlanned(file, visit)) return false;
  visit.desk.files.change(file.id, (now) => ({ ...next(now), plan: undefined }));
  return true;
}

export function beingPlanned(file: KeptFile): Answer {
  return seeWhyNot(pathOf(file), 'It is being planned just now. Nothing of this was kept.');
}

export function changedMeanwhile(file: KeptFile): Answer {
  return seeWhyNot(pathOf(file), 'The file is read in another way by now. Look at what was found first.');
}

/** How long a browser waits for a page rather than being shown that the file is being read. */
const PATIENCE_MS = 2_000;

export async function lookAt(file: KeptFile, visit: Visit): Promise<Looked> {
  const { desk, payfile, person } = visit;
  const before = desk.files.found(file.id);
  if (before !== undefined) return before;
  const about = jobOf(file);
  const ended = Promise.withResolvers<Found | Error>();
  const begun = desk.jobs.begin({ about, doing: 'Reading', by: person.name }, async (dialogue) => {
    try {
      const { path, reading, edits } = file;
      const asked = { ...reading, file: path, edits, keepRows: ROWS_KEPT };
      const checked = await payfile.call(check, asked, dialogue);
      const found: Found = { kind: 'rows', checked, edits };
      if (isAsReadNow(file, visit)) desk.files.setFound(file.id, found);
      ended.resolve(found);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== undefined && isAsReadNow(file, visit)) desk.files.setFound(file.id, refused);
      ended.resolve(refused ?? (error instanceof Error ? error : new Error(String(error))));
    }
  });
  if (!begun) return { kind: 'under_way' };
  const first = await Promise.race([ended.promise, patience()]);
  if (first instanceof Error) throw first;
  return first;
}

/** Nobody said meanwhile that the file is read in another way. */
export function isAsReadNow({ id, reading, edits, by }: KeptFile, { desk }: Visit): boolean {
  const now = desk.files.of(id, by);
  return now?.reading === reading && now.edits === edits;
}

/** For whoever mends them; the rest comes when these are mended. */
const ROWS_KEPT = 10_000;

function refusalOf(error: unknown): Found | undefined {
  const why = problemText(error);
  if (codeOf(error) === 'setting_refused')
    return { kind: 'refused', why, isAboutColumns: false, questions: [] };
  if (!(error instanceof FileRefused) || error.code !== 'file_unusable') return undefined;
  const isAboutColumns = error.isAboutColumns || error.sheets !== undefined;
  const questions = error instanceof FileHasQuestions ? error.questions : [];
  return { kind: 'refused', why, isAboutColumns, questions };
}

function patience(): Promise<{ readonly kind: 'under_way' }> {
  return new Promise((resolve) => setTimeout(() => resolve({ kind: 'under_way' }), PATIENCE_MS).unref());
}
