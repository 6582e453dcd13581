/**
 * Reports on one batch, or on all payments in a period. Also writes a file of unpaid rows to pay again. Moves no money.
 * The exit code says whether the report exists, not how the batch ended.
 */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import {
  type Command,
  command,
  type Flag,
  flagsOf,
  type NextSteps,
  plainPath,
} from '../domain/next-steps/command.ts';
import { reportCommand } from '../domain/next-steps/file-commands.ts';
import type { Deed } from '../domain/people/person.ts';
import { openItemsJson } from '../domain/reporting/accounts-over-days.ts';
import { type GroupTotals, groupsJson } from '../domain/reporting/group-totals.ts';
import type { BatchShare } from '../domain/reporting/left-out.ts';
import { areDays, type Days } from '../domain/reporting/period.ts';
import { PROFILES_OF_JOURNAL, REPORT_FORMATS, showsAccounts } from '../domain/reporting/report.ts';
import { otherZoneTexts } from '../domain/reporting/report-title.ts';
import { FIELDS } from '../domain/rows/row.ts';
import { whole } from '../domain/setting-kinds.ts';
import { saidBy, type Wording } from '../domain/text/message.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { ReportUnwritable } from '../ports/outputs.ts';
import type { AskingReports, PeriodReport, RedoReport } from '../use-cases/report/asked-report.ts';
import type { AuditMade } from '../use-cases/report/audit-batch.ts';
import type { BatchSummary } from '../use-cases/report/batch-view.ts';
import { noteAccountsShown } from '../use-cases/report/show-account.ts';
import { batchJson, summaryJson } from './batch-json.ts';
import { aside, type Block, line, when } from './block.ts';
import type { Context } from './context.ts';
import { choice, day, oneOf, optionalWord, output, overwrite, text, textList } from './fields.ts';
import * as messages from './messages.ts';
import { field, operation } from './operation.ts';
import { outcomeBlocks } from './outcome-blocks.ts';
import { auditBlocks, groupBlocks, openBlocks, shareBlocks, unpaidView } from './report-blocks.ts';
import { attentionJson } from './status.ts';

const input = z.strictObject({
  batch: optionalWord('batch'),
  output: output(),
  overwrite: overwrite(),
  format: oneOf(REPORT_FORMATS, { help: REPORT_FORMATS.join(', '), value: 'format' }),
  only: oneOf(['unpaid'], { help: 'unpaid: only rows that failed or came back', value: 'rows' }),
  asInput: choice('write unpaid rows as a file to run'),
  include: oneOf(['canceled'], {
    help: 'canceled: in a file to run, add rows that a person withdrew',
    value: 'rows',
  }),
  from: day(
    'first day, such as 2026-05-01, of all batches; days are those of the time zone that the ledger keeps',
  ),
  to: day('last day'),
  journalProfile: oneOf(PROFILES_OF_JOURNAL, {
    help: `columns of a journal for the import of ${PROFILES_OF_JOURNAL.slice(1).join(', ')}`,
    value: 'program',
  }),
  keep: textList({
    help: 'a column of the file that also stands in the journal and in a report over days; may be repeated',
    value: 'column',
  }),
  groupBy: field(text.optional(), {
    help: 'a column of the file, such as a cost centre, by which the totals are also given',
    value: 'column',
  }),
  audit: choice('all reports, the journal and how to check them, for an auditor: FILE.zip or a folder'),
  fullAccounts: choice('show full account numbers in formats that mask them'),
  /** Masks account numbers in all formats. Without it, .csv and .json show them in full. */
  maskAccounts: z.boolean({ error: 'true or false' }).default(false),
  /** The journal keeps who got full account numbers. If people have roles, it always does. */
  noteAccounts: z.boolean({ error: 'true or false' }).default(false),
  /** With `asInput`: only this row, with corrected cells. */
  correct: z.strictObject({ row: whole(1), cells: z.partialRecord(z.enum(FIELDS), text) }).optional(),
});
type Asked = z.output<typeof input>;

export interface DaysReport extends PeriodReport {
  readonly period: Days;
}

type Result = { readonly path: string | undefined } & (
  | ({ readonly kind: 'audit' } & AuditMade)
  | ({ readonly kind: 'batch' } & BatchSummary)
  | ({ readonly kind: 'days' } & DaysReport)
  | ({ readonly kind: 'unpaid' } & RedoReport)
);

export const report = operation({
  name: 'report',
  needs: deedsFor,
  input,
  async run(asked, context): Promise<Result> {
    const wanted = reportKindOf(asked);
    try {
      return { path: asked.output, ...(await makeReport(asked, wanted, context)) };
    } catch (error) {
      if (!(error instanceof ReportUnwritable)) throw error;
      throw new ReportUnwritable(saidBy(error), {
        cause: error.cause,
        // A journal that its program cannot hold can be a generic one.
        andThen: reportTo({ fillIn: 'FILE' }, { ...asked, journalProfile: undefined }),
      });
    }
  },
  view,
  json,
  next,
});

/** A file with full account numbers needs the right to see accounts. */
function deedsFor(asked: Asked): readonly Deed[] {
  const { output: path } = asked;
  if (asked.audit) return asked.fullAccounts ? ['look', 'see_accounts'] : ['look'];
  const hasFullAccounts = asked.asInput || (path !== undefined && showsAccounts(path, asked));
  return hasFullAccounts ? ['look', 'see_accounts'] : ['look'];
}

type ReportKind =
  | { readonly kind: 'audit'; readonly batch: string; readonly path: string }
  | { readonly kind: 'batch'; readonly batch: string }
  | { readonly kind: 'days'; readonly period: Days }
  | { readonly kind: 'unpaid'; readonly batch: string; readonly path: string };

/** Errors: RequestRefused. */
function reportKindOf(asked: Asked): ReportKind {
  const { batch, output: path, asInput, only: rows, from, to } = asked;
  if (asked.audit) return { kind: 'audit', ...auditIn(asked) };
  if (asked.journalProfile !== undefined && asked.format !== 'journal')
    throw new RequestRefused(messages.profileOfJournal);
  if (batch === undefined || from !== undefined || to !== undefined)
    return { kind: 'days', period: requireDays(asked) };
  const { include: also } = asked;
  const redo = reportTo('redo.xlsx', { batch, only: 'unpaid', asInput: true, include: also });
  if ((rows !== undefined) !== asInput) throw new RequestRefused(messages.unpaidAsInput, redo);
  if (also !== undefined && !asInput) throw new RequestRefused(messages.includeAlone, redo);
  if (path === undefined && asInput) throw new RequestRefused(messages.unpaidNeedsFile, redo);
  if (path === undefined && asked.format !== undefined) throw new RequestRefused(messages.formatNeedsFile);
  return path === undefined || !asInput ? { kind: 'batch', batch } : { kind: 'unpaid', batch, path };
}

function auditIn({ batch, output: path, format, from, to, only: rows, asInput, ...asked }: Asked) {
  const { journalProfile, groupBy, maskAccounts } = asked;
  const example = reportTo('audit.zip', { batch: batch ?? 'BATCH', audit: true });
  const others = [format, from, to, rows, journalProfile, groupBy].some((each) => each !== undefined);
  if (batch === undefined || others || asInput || maskAccounts)
    throw new RequestRefused(messages.auditAlone, example);
  if (path === undefined || path === '-') throw new RequestRefused(messages.auditNeedsFile, example);
  return { batch, path };
}

function requireDays({ batch, from, to, only: rows, asInput }: Asked): Days {
  const example = reportTo('may.xlsx', { from: '2026-05-01', to: '2026-05-31' });
  if (from === undefined && to === undefined) throw new RequestRefused(messages.batchOrDays, example);
  if (batch !== undefined) throw new RequestRefused(messages.batchAndDays, command('report', [batch]));
  if (from === undefined || to === undefined) throw new RequestRefused(messages.daysTogether, example);
  if (rows !== undefined || asInput) throw new RequestRefused(messages.unpaidOfOneBatch, command('status'));
  if (!areDays({ from, to })) throw new RequestRefused(messages.daysTurned(from, to), example);
  return { from, to };
}

async function makeReport(asked: Asked, wanted: ReportKind, context: Context) {
  const reports = await import('../use-cases/report/asked-report.ts');
  const ports = await reportingPorts(context);
  const hasRoles = context.people.roster.size > 0;
  const { output: path, overwrite: isReplaced, format: as, fullAccounts, maskAccounts } = asked;
  const { journalProfile, keep: keptColumns, groupBy } = asked;
  const hasFullAccounts =
    wanted.kind === 'audit'
      ? fullAccounts
      : wanted.kind === 'unpaid' || (path !== undefined && showsAccounts(path, asked));
  const isNoted = asked.noteAccounts || (hasRoles && hasFullAccounts);
  const shown = { fullAccounts, maskAccounts, journalProfile, keptColumns, groupBy };
  const file = { path, isReplaced, format: as, isNoted, ...shown };
  switch (wanted.kind) {
    case 'audit': {
      const { auditOf } = await import('../use-cases/report/audit-batch.ts');
      const audit = { ...file, path: wanted.path, by: context.user };
      const { openAuditSink } = context;
      return { kind: 'audit', ...(await auditOf(wanted.batch, audit, { ...ports, openAuditSink })) } as const;
    }
    case 'batch':
      return { kind: 'batch', ...(await reports.reportOf(wanted.batch, file, ports)) } as const;
    case 'days': {
      const { period } = wanted;
      return { kind: 'days', period, ...(await reports.reportDays(period, file, ports)) } as const;
    }
    case 'unpaid': {
      const unpaid = {
        ...file,
        path: wanted.path,
        withCanceled: asked.include !== undefined,
        only: asked.correct,
      };
      return { kind: 'unpaid', ...(await reports.reportUnpaid(wanted.batch, unpaid, ports)) } as const;
    }
  }
}

async function reportingPorts(context: Context): Promise<AskingReports> {
  const { user: by, openRedoSink, dialogue } = context;
  return {
    ...(await context.readingPorts()),
    openRedoSink,
    note: async ({ id }, where) =>
      noteAccountsShown(id, { by, where }, { ledger: await context.ledger(), clock: context }),
    signal: dialogue.signal,
  };
}

function view(result: Result): readonly Block[] {
  if (result.kind === 'unpaid') return unpaidView(result);
  const { path } = result;
  if (result.kind === 'audit') return auditBlocks(result, path);
  const written = when(path, (at) => [line(`Report: ${at}`)]);
  if (result.kind === 'batch') {
    const label = batchLabel(result.batch);
    const listedBy = command('status', [label]);
    const shown = outcomeBlocks({ ...result, title: `Batch ${label}`, listedBy });
    return [...shown, ...groupBlocks(result.grouped, false), ...written];
  }
  const { period, environment, totals, outcome } = result;
  const title = `Payments from ${period.from} to ${period.to}, both days included (${result.timeZone})`;
  const attention = { attention: [], attentionLeft: 0 };
  return [
    ...outcomeBlocks({ title, environment, outcome, totals, ...attention }),
    ...otherZoneTexts(result).map((text) => aside(text)),
    ...openBlocks(result.openItems),
    ...groupBlocks(result.grouped, true),
    ...shareBlocks(result),
    ...written,
  ];
}

const groupedJson = ({ grouped }: { readonly grouped?: GroupTotals | undefined }) =>
  grouped === undefined ? {} : { grouped: groupsJson(grouped) };

function json(result: Result, wording: Wording): ReportJson {
  const { environment, path } = result;
  if (result.kind === 'unpaid') {
    const { batch, rows, unpaid, leftOut } = result;
    const redo = { path, rows, unpaid, leftOut: Object.fromEntries(leftOut) };
    return { environment, batch: batchJson(batch), redo };
  }
  if (result.kind === 'audit') {
    const { batch, sha256, missing, problems } = result;
    return { environment, batch: batchJson(batch), audit: { path, sha256, missing, problems } };
  }
  const reports = path === undefined ? [] : [{ path }];
  if (result.kind === 'batch') {
    const { batch, attention } = result;
    const looked = { attention: attentionJson(attention, wording) };
    return {
      environment,
      batch: batchJson(batch),
      ...summaryJson(result),
      ...groupedJson(result),
      ...looked,
      reports,
    };
  }
  const { period, batches } = result;
  return {
    environment,
    period: { ...period, timeZone: result.timeZone },
    batches: batches.map(shareJson),
    ...summaryJson(result),
    openItems: openItemsJson(result.openItems),
    ...groupedJson(result),
    reports,
  };
}

/** JSON of a report. Each kind has some of the keys. */
export interface ReportJson extends Partial<ReturnType<typeof summaryJson>> {
  readonly environment: 'live' | 'sandbox';
  readonly batch?: ReturnType<typeof batchJson>;
  readonly attention?: ReturnType<typeof attentionJson>;
  readonly period?: Days & { readonly timeZone: string };
  readonly batches?: readonly ReturnType<typeof shareJson>[];
  readonly reports?: readonly { readonly path: string }[];
  readonly openItems?: ReturnType<typeof openItemsJson>;
  readonly grouped?: ReturnType<typeof groupsJson>;
  readonly audit?: Pick<AuditMade, 'sha256' | 'missing' | 'problems'> & { readonly path: string | undefined };
  readonly redo?: Pick<RedoReport, 'rows' | 'unpaid'> & {
    readonly path: string | undefined;
    /** How many rows were left out, per reason. */
    readonly leftOut: Readonly<Record<string, number>>;
  };
}

function shareJson({ batch, allRows, rows, leftOut }: BatchShare) {
  return { id: batch.id, name: batch.name, rows, allRows, leftOut };
}

/** The user corrects the rows first. The new batch name keeps the file apart from other batches. */
function next(result: Result): NextSteps {
  const { path } = result;
  if (result.kind === 'unpaid') {
    const { rows, batchName } = result;
    if (path === undefined || rows === 0) return {};
    return { andThen: command('plan', [plainPath(path)], [['--batch', batchName]]) };
  }
  if (path !== undefined || result.kind === 'audit') return {};
  if (result.kind === 'batch') return { next: reportCommand(result.batch) };
  const { from, to } = result.period;
  return { next: reportTo('payments.xlsx', { from, to }) };
}

/** The command that writes this report to a file. */
function reportTo(path: string | { readonly fillIn: 'FILE' }, asked: Partial<Asked>): Command {
  const { batch, from, to, format: as, only: rows, asInput, include: also, fullAccounts } = asked;
  const days = { '--from': from, '--to': to, '--format': as, '--only': rows, '--as-input': asInput };
  const flags = flagsOf({
    ...days,
    '--include': also,
    '--audit': asked.audit,
    '--full-accounts': fullAccounts,
    '--journal-profile': asked.journalProfile,
    '-o': path,
  });
  const kept = (asked.keep ?? []).map((column): Flag => ['--keep', column]);
  return command('report', batch === undefined ? [] : [batch], [...flags, ...kept]);
}
