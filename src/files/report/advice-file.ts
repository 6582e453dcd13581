/**
 * Advice to beneficiaries as files: a page to print, a page for each payment, or a table for mail merge and messages. The
 * file or the folder appears whole or not at all.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */
import { mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ADVICE_COLUMNS, type Advice } from '../../domain/reporting/advice.ts';
import { said } from '../../domain/text/message.ts';
import type { AdviceSink, AdviceTarget, OutputGuard } from '../../ports/outputs.ts';
import { ADVICE_END, ADVICE_HEAD, adviceCard } from '../../views/advice.ts';
import { shownCsv, UTF8_MARK } from './csv-report.ts';
import { openReportFile, unwritable } from './report-file.ts';
import { type Begin, sinkOf } from './report-sink.ts';

export async function openAdviceSink(
  { path, format, isReplaced }: AdviceTarget,
  guard?: OutputGuard,
): Promise<AdviceSink> {
  const mayWrite = async (place: string) => guard?.check(place, 'advice', isReplaced);
  if (format === 'folder') return folderSink(path, mayWrite);
  const written = { what: 'advice', advice: said`Make it again elsewhere.` };
  return sinkOf(await openReportFile(path, { written, mayWrite }), format === 'csv' ? table : page);
}

type BeginAdvice = Begin<void, Advice>;

const page: BeginAdvice = async (_, file) => {
  await file.write(ADVICE_HEAD);
  return {
    write: (advice) => file.write(advice.map(adviceCard).join('')),
    end: () => file.write(ADVICE_END),
  };
};

const table: BeginAdvice = async (_, file) => {
  await file.write(UTF8_MARK + shownCsv([ADVICE_COLUMNS]));
  return {
    write: (advice) => file.write(shownCsv(advice.map((each) => ADVICE_COLUMNS.map((name) => each[name])))),
    end: () => undefined,
  };
};

const OWN_FILE = { flag: 'wx', mode: 0o600, flush: true };

/** Written beside its place, then renamed. A folder with files is never replaced: old advice would stay among the new. */
async function folderSink(path: string, mayWrite: (place: string) => Promise<unknown>): Promise<AdviceSink> {
  const written = { what: 'advice', advice: said`Name a folder that is new or empty.` };
  const tried = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((cause) => {
      throw unwritable(path, cause, written);
    });
  await mayWrite(path);
  const target = join(await tried(realpath(dirname(resolve(path)))), basename(resolve(path)));
  await tried(requireFree(target));
  const beside = await tried(mkdtemp(join(dirname(target), `.${basename(target)}.`)));
  return {
    begin: async () => undefined,
    async write(advice) {
      for (const each of advice) {
        const text = `${ADVICE_HEAD}${adviceCard(each)}${ADVICE_END}`;
        await tried(writeFile(join(beside, pageName(each)), text, OWN_FILE));
      }
    },
    async end() {
      await mayWrite(path);
      await tried(rename(beside, target));
    },
    abort: () => rm(beside, { recursive: true, force: true }),
  };
}

async function requireFree(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' });
}

/** `row-4-PAY-001.html`: found by row and reference, and fit for any file system. */
function pageName({ advice_row: row, reference }: Advice): string {
  const words = ['row', row, ...reference.slice(0, 40).split(/[^A-Za-z0-9]+/)];
  return `${words.filter((word) => word !== '').join('-')}.html`;
}
