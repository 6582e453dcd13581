/**
 * Advice to beneficiaries as files: a page to print, a page for each payment, or a table for mail merge and messages. The
 * file or the folder appears whole or not at all.
 *
 * Errors:  ReportUnwritable with the place, the reason and what to do.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADVICE_COLUMNS, type Advice } from '../../domain/reporting/advice.ts';
import { said } from '../../domain/text/message.ts';
import type { AdviceSink, AdviceTarget, OutputGuard } from '../../ports/outputs.ts';
import { ADVICE_END, ADVICE_HEAD, adviceCard } from '../../views/advice.ts';
import { shownCsv, UTF8_MARK } from './csv-report.ts';
import { openReportFile } from './report-file.ts';
import { openReportFolder } from './report-folder.ts';
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

async function folderSink(path: string, mayWrite: (place: string) => Promise<void>): Promise<AdviceSink> {
  const { beside, tried, putInPlace, abort } = await openReportFolder(path, 'advice', { mayWrite });
  return {
    begin: async () => undefined,
    async write(advice) {
      for (const each of advice) {
        const text = `${ADVICE_HEAD}${adviceCard(each)}${ADVICE_END}`;
        await tried(writeFile(join(beside, pageName(each)), text, OWN_FILE));
      }
    },
    end: putInPlace,
    abort,
  };
}

/** `row-4-PAY-001.html`: found by row and reference, and fit for any file system. */
function pageName({ advice_row: row, reference }: Advice): string {
  const words = ['row', row, ...reference.slice(0, 40).split(/[^A-Za-z0-9]+/)];
  return `${words.filter((word) => word !== '').join('-')}.html`;
}
