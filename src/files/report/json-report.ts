/**
 * The JSON report, in the shape of samples/report.schema.json; one line of text per row, written as they come.
 *
 * `rows` stand before `outcome` and `totals`, because those are known only when all rows were counted.
 * Characters with an effect on a terminal, a page or a script are written as `\\u` escapes: a reader gets exactly the
 * original text, and showing the file is safe.
 * Units:   amounts are exact decimal text; `minorUnits` is the same amount in minor units, as text.
 */

import { parseExactJson } from '../../contract/exact-json.ts';
import type { BatchFile } from '../../domain/batches/batch.ts';
import { styleJson } from '../../domain/money/amount-style.ts';
import { formatDecimal } from '../../domain/money/money.ts';
import type { FamilyMember } from '../../domain/payouts/family.ts';
import { accountsJson, type OpenItems, openItemsJson } from '../../domain/reporting/accounts-over-days.ts';
import { type ControlTotals, takenJson, totalsJson } from '../../domain/reporting/control-totals.ts';
import { unaccountedJson } from '../../domain/reporting/currency-totals.ts';
import { type Debits, type DebitTotal, DebitTotals, driftPercent } from '../../domain/reporting/debits.ts';
import { groupsJson } from '../../domain/reporting/group-totals.ts';
import type { BatchShare } from '../../domain/reporting/left-out.ts';
import type { ReportHeader, ReportSummary } from '../../domain/reporting/report.ts';
import { REPORT_COLUMNS } from '../../domain/reporting/report-columns.ts';
import type { ReportLine } from '../../domain/reporting/report-line.ts';
import { jsonText } from '../../domain/text/printable.ts';
import { WallClock } from '../../domain/time-zone.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { BeginReport } from './report-sink.ts';

export const SCHEMA_VERSION = 1;

/** Rows turned into text at once: few, so that their text soon leaves memory. */
const SLICE = 100;

export const jsonReport: BeginReport = async (header, file) => {
  const keys = originalKeys(header.batch.file.headers);
  const debits = new DebitTotals();
  let isFirst = true;
  await file.write(headText(header));
  return {
    write: async (lines) => {
      for (let at = 0; at < lines.length; at += SLICE) {
        const texts = lines.slice(at, at + SLICE).map((line) => rowText(line, keys));
        const separator = isFirst ? '\n' : ',\n';
        isFirst = false;
        await file.write(separator + texts.join(',\n'));
      }
      for (const line of lines) debits.add(line);
    },
    end: async (summary) =>
      file.write(tailText(summary, header.period === undefined ? debits.finish() : undefined)),
  };
};

function headText({ batch, environment, period, timeZone, linesLeftOut }: ReportHeader): string {
  const { id, name, digest, file } = batch;
  // A report over days names the batch in each row instead.
  const about =
    period === undefined
      ? `"batch":${jsonText({ id, name, digest: digest ?? null })},\n"file":${jsonText(fileOf(file, linesLeftOut))}`
      : `"batch":null,\n"period":${jsonText({ from: period.from, to: period.to, timeZone: new WallClock(timeZone).zone })}`;
  const place = jsonText(environment);
  return `{"schemaVersion":${SCHEMA_VERSION},\n${about},\n"environment":${place},\n"rows":[`;
}

function fileOf(
  { name, sheet, sha256, corrected, amountStyle }: BatchFile,
  leftOut: ReportHeader['linesLeftOut'],
): unknown {
  const file = {
    ...{ name, sheet: sheet ?? null, sha256, amountStyle: styleJson(amountStyle) },
    ...(leftOut === undefined ? {} : { leftOut }),
  };
  if (corrected === undefined) return file;
  const { receivedSha256, cells, by, firstAt, lastAt } = corrected;
  const [first, last] = [formatTimestamp(firstAt), formatTimestamp(lastAt)];
  return { ...file, corrected: { receivedSha256, cells, by, firstAt: first, lastAt: last } };
}

function tailText(summary: ReportSummary, debits: Debits | undefined): string {
  const { outcome, totals } = summary;
  const sums = {
    totals: totalsJson(totals),
    ...unaccountedJson(totals),
    ...takenOrBooked(totals, summary.openItems),
    ...(debits === undefined ? {} : { debits: debits.totals.flatMap(debitTotalOf) }),
  };
  const groups = summary.grouped === undefined ? {} : { grouped: groupsJson(summary.grouped) };
  const shares = summary.shares === undefined ? {} : { batches: summary.shares.map(shareOf) };
  const ending = { outcome: outcome.word, exitCode: outcome.exitCode, ...shares, ...sums, ...groups };
  // Named only when there is something to name: a report that ties has exactly the published shape.
  const whole = totals.ties ? ending : { ...ending, parts: totals.parts };
  return `\n],\n${jsonText(whole).slice(1)}\n`;
}

/** A month has what was booked in it instead of what its payments took. */
function takenOrBooked(totals: ControlTotals, openItems: OpenItems | undefined) {
  if (totals.accounts === undefined) return { staysTaken: takenJson(totals) };
  return {
    accounts: accountsJson(totals.accounts),
    ...(openItems === undefined ? {} : { openItems: openItemsJson(openItems) }),
  };
}

/** Rows of the batch, in the report and left out of it. */
function shareOf({ batch, allRows, rows, leftOut }: BatchShare): unknown {
  return { batch: batch.id, batch_name: batch.name, all_rows: allRows, rows, left_out: leftOut };
}

/**
 * Planned by the quotes that were agreed to, and at the rates of sending; decimals as text, of the account that pays.
 * What is known unpaid is left out.
 */
function debitTotalOf(total: DebitTotal): readonly unknown[] {
  const { currency, from, sent, inDoubt, unsent } = total;
  const parts = [sent, inDoubt, unsent];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) return [];
  const text = (minor: bigint) => formatDecimal({ minor, currency: from });
  return [
    {
      currency,
      debitCurrency: from,
      count,
      planned: text(parts.reduce((sum, part) => sum + part.planned, 0n)),
      sent: {
        count: sent.count,
        planned: text(sent.planned),
        atSend: text(sent.atSend),
        driftPercent: driftPercent(total) ?? null,
      },
    },
  ];
}

function rowText(line: ReportLine, keys: readonly string[]): string {
  const row: Record<string, unknown> =
    line.batch === undefined ? {} : { batch: line.batch.id, batch_name: line.batch.name };
  for (const column of REPORT_COLUMNS) row[column] = line.texts[column] === '' ? null : line.texts[column];
  row.row = line.row;
  row.attempts = line.attempts;
  row.reason = line.texts.reason;
  row.next_step = line.texts.next_step;
  row.difference = line.difference ?? null;
  row.reference = line.reference === '' ? null : line.reference;
  row.country = line.country;
  row.institution = line.institution;
  row.account = line.account.reveal();
  row.name = line.name === '' ? null : line.name;
  if (line.paidAgain !== undefined) row.paid_again = paidAgainOf(line.paidAgain);
  const cells = keys.map((key, at) => `${key}${jsonText(line.cells[at] ?? '')}`);
  return `${jsonText(row).slice(0, -1)},"original":{${cells.join(',')}}}`;
}

function paidAgainOf({ batchId, batchName, rowNumber, status }: FamilyMember): unknown {
  return { batch: batchId, batch_name: batchName, row: rowNumber, status };
}

/**
 * `"Amount":` for each column. Names must differ within an object, or a reader would lose a cell: a second
 * `Amount` is called `Amount (2)`, a column without a name `column 7`. Written as text, so that no name
 * (`__proto__`) means anything to us.
 */
function originalKeys(headers: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return headers.map((header, at) => {
    const name = header.trim() === '' ? `column ${at + 1}` : header;
    let key = name;
    for (let nth = 2; taken.has(key); nth += 1) key = `${name} (${nth})`;
    taken.add(key);
    return `${jsonText(key)}:`;
  });
}

/** A JSON text that names one key twice with different values, or is nested too deeply: JSON.parse takes both. */

/** In words what is wrong and what to do; undefined when nothing is. The text was read by JSON.parse already. */
export function contradictionIn(text: string): string | undefined {
  try {
    parseExactJson(text);
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    const name = cause instanceof Error ? /^Duplicate key '(.*?)'/.exec(cause.message)?.[1] : undefined;
    if (name === undefined) return `it is ${message}`;
    return `it says “${name}” twice, and not the same. Put what both say under one “${name}”`;
  }
}
