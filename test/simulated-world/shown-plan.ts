/**
 * A plan as a person sees it before agreeing to it, row by row, read through the library. It is compared later with what
 * left for the service.
 */

import { concernText, type Release } from '../../src/domain/payouts/concern.ts';
import type { ReportLine } from '../../src/domain/reporting/report-line.ts';
import type { Payfile } from '../../src/payfile.ts';
import { stateOf } from '../builders/batch-state.ts';
import { type FileRow, tableOf } from '../builders/payout-file.ts';
import type { Scheduler } from './scheduler.ts';

export interface ShownRow {
  /** undefined: nobody saw it. */
  readonly payout: number | undefined;
  /** The concerns that were released, as texts. */
  readonly released: readonly string[];
  readonly country: string;
  readonly institution: string;
  /** In the file. */
  readonly account: string;
  /** As the plan shows it; undefined: nobody saw it. */
  readonly shownAccount: string | undefined;
  /** In the file. */
  readonly name: string;
  /** As the service named the holder; empty: it gave none. */
  readonly holder: string;
  readonly nameCheck: string;
  readonly phone: string;
  readonly note: string;
  readonly reference: string;
  readonly amount: string;
  /** In source currency; undefined: nobody saw a price. */
  readonly cost: { readonly fee: number; readonly debit: number } | undefined;
}

export interface ShownPlan {
  readonly batch: string;
  readonly digest: string;
  /** Rows that wait for approval. */
  readonly rows: readonly ShownRow[];
}

/** Keeps the lines of the last report that was written to it. */
export class ReportMemory {
  lines: ReportLine[] = [];

  readonly open = async () => {
    this.lines = [];
    return {
      begin: async () => undefined,
      write: async (page: readonly ReportLine[]) => void this.lines.push(...page),
      end: async () => undefined,
      abort: async () => undefined,
    };
  };
}

/** Somebody who only looks: through a library of their own, which nothing disturbs. */
export interface Onlooker {
  readonly payfile: Payfile;
  readonly report: ReportMemory;
  readonly inTurn: <Result>(look: () => Promise<Result>) => Promise<Result>;
  /** The batches that people may name, as they stand at this moment. */
  readonly batches: () => readonly StandingBatch[];
  /** The rows that wait for approval, by their numbers. */
  readonly waiting: (batch: number) => ReadonlyMap<number, WaitingRow>;
  /** The states of a batch's rows, in the order of the file. */
  readonly statuses: (batch: number) => readonly string[];
}

export type WaitingRow = Pick<ShownRow, 'payout' | 'released'>;

export interface StandingBatch {
  readonly number: number;
  readonly name: string;
  /** Of the file that the batch is made of. */
  readonly sha256: string;
}

/** The lines of a batch's report, with whole accounts. */
export async function linesOf(batch: string, { payfile, report }: Onlooker): Promise<readonly ReportLine[]> {
  await payfile.report({ batch, output: 'report.json', fullAccounts: true });
  return report.lines;
}

/** undefined: what waits is not, or no longer, the plan of this digest. */
export function shownPlan(
  { batch, digest }: Pick<ShownPlan, 'batch' | 'digest'>,
  onlooker: Onlooker,
  scheduler: Scheduler,
): Promise<ShownPlan | undefined> {
  // One after the other: there is one report to write to.
  return onlooker.inTurn(() =>
    scheduler.still(async () => {
      const found = await stateOf(onlooker.payfile, batch);
      if (found.plan?.digest !== digest) return undefined;
      const lines = await linesOf(batch, onlooker);
      const { columns } = found.batch.file;
      const waiting = onlooker.waiting(Number(found.batch.id));
      const rows = lines
        .filter(({ status }) => status === 'quoted')
        .map((line) => ({ ...shownRow(line, columns), ...waiting.get(line.row) }));
      return { batch, digest, rows };
    }),
  );
}

/** Each concern that was released once, in one order. */
export function releasedTexts(releases: readonly Pick<Release, 'saw'>[]): readonly string[] {
  return [...new Set(releases.flatMap(({ saw }) => saw.map(concernText)))].sort();
}

type Columns = ReadonlyMap<string, number>;

function shownRow(line: ReportLine, columns: Columns): ShownRow {
  const cell = (field: string) => line.cells[columns.get(field) ?? -1] ?? '';
  const { texts } = line;
  return {
    ...{ payout: undefined, released: [] },
    ...{ country: line.country, institution: line.institution },
    ...{ account: cell('account'), shownAccount: line.account.reveal() },
    ...{ name: cell('name'), holder: texts.account_name, nameCheck: texts.name_check },
    ...{ phone: cell('phone'), note: cell('note'), reference: cell('reference'), amount: texts.amount },
    cost: texts.debit === '' ? undefined : { fee: Number(texts.fee), debit: Number(texts.debit) },
  };
}

/** The rows of a file that nobody looked at: a ceiling agrees to what is written. */
export function writtenRows(rows: readonly FileRow[]): readonly ShownRow[] {
  return rows.map((row) => ({
    ...{ country: row.country ?? '', institution: row.institution ?? '', account: row.account ?? '' },
    ...{ name: row.name ?? '', holder: '', nameCheck: '', phone: row.phone ?? '', note: row.note ?? '' },
    ...{ reference: row.reference ?? '', amount: row.amount ?? '' },
    ...{ shownAccount: undefined, cost: undefined, payout: undefined, released: [] },
  }));
}

/** Whether each row of the file stands in the report once, in the order of the file. */
export function isWholeFile(lines: readonly ReportLine[], rows: readonly FileRow[]): boolean {
  const { cells } = tableOf(rows);
  return JSON.stringify(lines.map((line) => line.cells)) === JSON.stringify(cells);
}
