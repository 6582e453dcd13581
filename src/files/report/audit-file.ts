/**
 * An audit file: the reports of a batch, the chain of its journal as text, a list of their hashes, and a page that says what
 * they are and how to check them without payfile. A .zip or a folder, there whole or not at all.
 *
 * Errors:  ReportUnwritable.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { batchLabel } from '../../domain/batches/batch.ts';
import { decisionRows } from '../../domain/batches/decisions.ts';
import type { ReconciliationTable } from '../../domain/statement/reconciliation-tables.ts';
import { said } from '../../domain/text/message.ts';
import { counted } from '../../domain/text/printable.ts';
import { WallClock } from '../../domain/time-zone.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import type { AuditPage, AuditSink, AuditTarget, OutputGuard } from '../../ports/outputs.ts';
import { instantText } from '../../views/html.ts';
import { auditCheck } from '../../views/report/audit-check.ts';
import { sourceFacts } from '../../views/report/proof.ts';
import { pageOf } from './reconciliation-report.ts';
import { openReportFile, type ReportFile, writeReportFile } from './report-file.ts';
import { openReportFolder, type ReportFolder } from './report-folder.ts';
import { zippedFolder } from './zip-file.ts';

const WHAT = 'audit file';
const LIST = 'SHA256SUMS';
const OWN_FILE = { flag: 'wx', mode: 0o600, flush: true };

export async function openAuditSink(
  { path, isReplaced }: AuditTarget,
  guard: OutputGuard,
): Promise<AuditSink> {
  const mayWrite = (place: string) => guard.check(place, 'audit', isReplaced);
  const isZip = /\.zip$/i.test(path);
  const folder = await openReportFolder(path, WHAT, { mayWrite, isOnlyBeside: isZip });
  const { beside, tried, abort } = folder;
  const placeOf = (name: string) => join(beside, name);
  const written = { what: WHAT, advice: said`Make it again elsewhere, or as a folder.` };
  return {
    placeOf,
    abort,
    async write(name, work) {
      const file = await openReportFile(placeOf(name), { written });
      return whole(file, () => work((text) => file.write(text)));
    },
    async end(page) {
      await writeReportFile(placeOf('check.html'), auditPage(page), { written });
      const list = await tried(listOf(folder));
      await tried(writeFile(placeOf(LIST), list, OWN_FILE));
      if (isZip) {
        const file = await openReportFile(path, { written, mayWrite });
        const at = new Date(page.header.madeAt);
        await whole(file, async () => {
          for await (const bytes of zippedFolder(beside, (await readdir(beside)).toSorted(), at))
            await file.write(bytes);
        });
        await abort();
      } else await folder.putInPlace();
      return createHash('sha256').update(list).digest('hex');
    },
  };
}

async function whole<Result>(file: ReportFile, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await file.whileWritable(work());
    await file.commit();
    return result;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** As `sha256sum` writes it and `sha256sum -c` reads it. */
async function listOf({ beside }: ReportFolder): Promise<string> {
  let list = '';
  for (const name of (await readdir(beside)).toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(beside, name)), hash);
    list += `${hash.digest('hex')}  ${name}\n`;
  }
  return list;
}

function auditPage({ header, by, decisions, compared, proof, missing }: AuditPage): string {
  const { batch, environment, madeAt } = header;
  const clock = new WallClock(header.timeZone);
  const time = (at: Timestamp) => `${instantText(clock.shown(at))} ${clock.zone}`;
  const found =
    proof.problems.length === 0
      ? [
          `payfile proved the chain as it wrote it: ${counted(proof.entries, 'entry', 'entries')}, no problem.`,
        ]
      : [
          'payfile found that the ledger is not as it was written. What it found:',
          ...proof.problems.map((problem) => `• ${problem}`),
        ];
  const content = {
    ...{ title: `Audit file of ${batchLabel(batch)}`, environment, madeAt },
    facts: [...sourceFacts(header, proof.head), ['Made by', by] as const],
    notes: [...found, ...missing.map(({ name, why }) => `There is no ${name}: ${why}`)],
    tables: [...decisionTables(decisions, time), comparisonTable(compared, time)],
  };
  const missed = new Set(missing.map(({ name }) => name));
  return pageOf(content, { generator: 'payfile audit', more: auditCheck(proof.head, missed) });
}

type Time = (at: Timestamp) => string;

function decisionTables({ list }: AuditPage['decisions'], time: Time): readonly ReconciliationTable[] {
  const isApproval = ({ kind }: (typeof list)[number]) => kind === 'approved';
  const approvals = list.filter(isApproval).map(({ at, by, why }) => [time(at), by, why]);
  const others = list
    .filter((each) => !isApproval(each))
    .map(({ at, what, rows, by, why }) => [time(at), what, decisionRows(rows), by || 'payfile', why]);
  return [
    { name: 'Approvals', heads: ['When', 'Who', 'What was agreed to'], rows: approvals },
    { name: 'Decisions', heads: ['When', 'What', 'Rows', 'Who', 'Why'], rows: others },
  ];
}

function comparisonTable(compared: AuditPage['compared'], time: Time): ReconciliationTable {
  const rows = compared.map(({ at, body: { by, name, sha256, first = '', last = first, ...body } }) => [
    ...[time(at), by, name, sha256, first === last ? first : `${first} to ${last}`],
    ...[body.isComplete ? 'yes' : 'not proven', body.lines, body.matched, body.open],
  ]);
  const heads = ['When', 'Who', 'Statement', 'SHA-256', 'Days', 'Complete by its balances', 'Lines'];
  return { name: 'Comparisons with statements', heads: [...heads, 'Matched', 'To look at'], rows };
}
