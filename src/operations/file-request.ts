/** Options to read and place a file, from the inputs of a call. */
import type { Flag } from '../domain/next-steps/command.ts';
import type { SaidBy } from '../domain/reading/answer.ts';
import type { ReadingAsked } from '../domain/reading/reading.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { batchNameOf, nameOfFile } from '../use-cases/intake/batch-name.ts';
import type { FileRequest } from '../use-cases/intake/bring-file.ts';
import type { FixFile } from '../use-cases/intake/fix-file.ts';
import type { ReadOptions } from '../use-cases/intake/read-pass.ts';
import { untilStopped } from '../use-cases/user-questions.ts';
import { answersOf, saidNow } from './answer-fields.ts';
import type { Context } from './context.ts';
import { fileCommand } from './file-commands.ts';
import type { CheckAsked, PlanAsked, ReadAsked } from './file-fields.ts';
import {
  fixFileIsInput,
  fixFileIsWorkbook,
  fixFileUnnamed,
  nameNeeded,
  yesIsForSandboxFile,
} from './messages-files.ts';

/** Checks configuration, ledger and file in this order, so that a script always gets the same error. */
export async function fileRequestOf(
  asked: PlanAsked & { readonly yes?: boolean | undefined },
  context: Context,
): Promise<FileRequest> {
  const { file: path, batch, yes, fileSha256, repeats, skipInvalid, edits } = asked;
  const { environment, holder } = context;
  const { signal, onProgress, ask: asker } = context.dialogue;
  context.requireService();
  if (batch !== undefined) batchNameOf(batch);
  const ledger = await context.workingLedger(asked.newLedger);
  await context.requireFile(path);
  const ask = untilStopped(asker, signal);
  // With `yes`, payfile asks nothing.
  const naming = { name: batch, path, environment, ask: yes === true ? undefined : ask };
  const name = await nameOfFile(naming, { ledger, clock: context });
  const expected = { count: asked.expectCount, totals: asked.expectTotal ?? [] };
  return {
    ...{ name, expected, fileSha256, repeats, skipInvalid, edits, ask, onProgress, signal, holder },
    fixFile: await fixFileMaker(asked, context),
    read: await readOptionsOf(asked, context),
  };
}

export async function readOptionsOf(asked: ReadAsked, context: Context): Promise<ReadOptions> {
  const { file: path, sheet, headerRow, delimiter, encoding } = asked;
  const { files, dialogue } = context;
  // The next command reads the configuration itself, so only a typed country is a flag.
  const typedSource = asked.source ?? (files.source.isTyped ? files.source.country : undefined);
  const ask = untilStopped(dialogue.ask, dialogue.signal);
  const saidBy = saidByOf(context);
  return {
    open: { path, sheet, headerRow, delimiter, encoding, asked: await readingAskedOf(asked, context) },
    source: asked.source ?? files.source.country,
    typed: {
      folder: files.folderOf(path),
      reading: { sheet, headerRow, delimiter, encoding, source: typedSource },
    },
    signal: dialogue.signal,
    answering: ask && { ask, saidBy },
    today: localDay(context.now()),
    memory: { store: await context.readings(), name: asked.saveReading },
  };
}

/** What the call says of the file, with the readings that are kept. Errors: RequestRefused for an unknown name. */
export async function readingAskedOf(
  asked: Partial<ReadAsked>,
  context: Pick<Context, 'readings' | 'saver' | 'now'>,
): Promise<ReadingAsked> {
  const { readingNamed, requireReadingName } = await import('../use-cases/intake/save-reading.ts');
  const { reading: use, saveReading, forgetReading, edits = [] } = asked;
  if (saveReading !== undefined) requireReadingName(saveReading);
  const store = await context.readings();
  if (forgetReading !== undefined) await store.forget(readingNamed(forgetReading, await store.all()).name);
  const kept = await store.all();
  if (use !== undefined) readingNamed(use, kept);
  const { encoding: name } = asked;
  // Else it is an input of this call alone, as for all files that are read.
  const encoding =
    saveReading === undefined || name === undefined ? [] : [{ kind: 'encoding', name } as const];
  return { answers: saidNow([...answersOf(asked), ...encoding], saidByOf(context)), edits, kept, use };
}

export const saidByOf = ({ saver, now }: Pick<Context, 'saver' | 'now'>): SaidBy => {
  const { by, cameWith } = saver;
  return { by, ...(cameWith === undefined ? {} : { cameWith }), at: now() };
};

/** `2026-11-27`, where the person is. */
function localDay(now: Timestamp): string {
  const at = new Date(now);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export async function fixFileMaker(
  { file: source, fixFile: path }: Pick<CheckAsked, 'file' | 'fixFile'>,
  { outputs, openFixSink }: Context,
): Promise<(() => FixFile) | undefined> {
  if (typeof path !== 'string') return undefined;
  await outputs.check(path, 'fix');
  const { createFixFile } = await import('../use-cases/intake/fix-file.ts');
  return () => createFixFile(openFixSink, path, { source });
}

/** Resolves the path of the fix file before reading anything. Errors: RequestRefused. */
export async function withFixFile<Asked extends CheckAsked>(asked: Asked, context: Context): Promise<Asked> {
  const { file: source, fixFile } = asked;
  const { files, outputs } = context;
  if (fixFile === true) {
    if (source === '-') throw new RequestRefused(fixFileUnnamed);
    return { ...asked, fixFile: files.freeFixPath(source) };
  }
  if (fixFile === undefined) return asked;
  if (fixFile === '-' || !/\.xlsx$/i.test(fixFile)) throw new RequestRefused(fixFileIsWorkbook(fixFile));
  if (source !== '-' && (await outputs.same([source, fixFile])) !== undefined)
    throw new RequestRefused(fixFileIsInput(source));
  return asked;
}

const NAME: Flag = ['--batch', { fillIn: 'NAME' }];
const CEILING: Flag = ['--max-total', { before: 'CUR=', fillIn: 'AMOUNT' }];

/**
 * Real money needs consent to its total. Without a terminal, a live batch needs a name. Checks usage before
 * configuration, ledger and file, so that a script always gets the same error.
 */
export function requireRunnable(
  asked: PlanAsked & { readonly yes?: boolean | undefined },
  verb: 'plan' | 'run',
  { environment, dialogue: { ask } }: Context,
): void {
  if (environment === 'sandbox') return;
  if (asked.yes === true)
    throw new RequestRefused(yesIsForSandboxFile, fileCommand(asked, 'plan', { isUnsaved: true }));
  if (asked.batch !== undefined || ask !== undefined) return;
  throw new RequestRefused(
    nameNeeded,
    fileCommand(asked, 'check', { isUnsaved: true }),
    fileCommand(asked, verb, { more: verb === 'run' ? [NAME, CEILING] : [NAME], isUnsaved: true }),
  );
}
