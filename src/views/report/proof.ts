/** Who decided what and why, from the journal; and where all of this comes from, each with the hash that binds it. */
import { correctedText, receivedSha256 } from '../../domain/batches/batch.ts';
import type { Decisions } from '../../domain/batches/decisions.ts';
import { styleText } from '../../domain/money/amount-style.ts';
import { shownCommand } from '../../domain/next-steps/command.ts';
import { commandsFor } from '../../domain/next-steps/next-step.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import { otherZoneTexts } from '../../domain/reporting/report-title.ts';
import { countText } from '../../domain/text/printable.ts';
import { WallClock } from '../../domain/time-zone.ts';
import type { Timestamp } from '../../domain/timestamp.ts';
import { DECISION_COLUMNS, decisionLine } from '../decision-columns.ts';
import { type Html, html, instantText, NOTHING, section } from '../html.ts';
import { shownColumns, stackedTable } from '../table.ts';

export const AUDIT_COLUMNS = shownColumns(DECISION_COLUMNS);

export function auditSection(decisions: Decisions | undefined, clock = new WallClock()): Html {
  const { list = [], more = 0 } = decisions ?? {};
  const caption = `Decisions and incidents, oldest first; times in ${clock.zone}`;
  const lines = list.map((decision) => decisionLine(decision, clock));
  const body =
    lines.length === 0
      ? html`<p>Nothing was decided yet.</p>\n`
      : stackedTable('audit', caption, AUDIT_COLUMNS, lines);
  const left =
    more === 0 ? NOTHING : html`<p class="note">… and ${countText(more)} later entries of the journal.</p>\n`;
  return section('audit', 'Decisions', [body, left]);
}

export type Facts = readonly (readonly [name: string, text: string])[];

/** File, plan and ledger, each with its hash; the same on the page and in the workbook. */
export function sourceFacts(header: ReportHeader, head: string | undefined): Facts {
  const { batch, environment, madeAt, period, timeZone } = header;
  const { file, approval } = batch;
  const clock = new WallClock(timeZone);
  const time = (at: Timestamp) => `${instantText(clock.shown(at))} ${clock.zone}`;
  const zone = otherZoneTexts(header).map((text) => ['Time zone', text] as const);
  const made = ['Made at', time(madeAt)] as const;
  if (period !== undefined)
    return [[`Days (${clock.zone}, both included)`, batch.name], ['Read from', file.name], ...zone, made];
  const { forBatch, place } = commandsFor(header);
  const isCorrected = file.corrected !== undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Batch', `${batch.name ?? ''}, id ${batch.id}, revision ${batch.revision}`],
    ['Environment', environment],
    ['File', file.sheet === undefined ? file.name : `${file.name}, sheet “${file.sheet}”`],
    ['How amounts were read', file.amountStyle && styleText(file.amountStyle)],
    [`SHA-256 of the file${isCorrected ? ', as received' : ''}`, receivedSha256(file)],
    ['Corrected beside the file', correctedText(file)],
    ['SHA-256 of the file, with its corrections', isCorrected ? file.sha256 : undefined],
    ['Digest of the rows', batch.digest],
    ['Digest of the last approved plan', approval?.digest],
    ['Head of the batch in the ledger', head],
    ['Prepared by', `${batch.maker}, ${time(batch.createdAt)}`],
    ['Approved by', approval === undefined ? 'nobody yet' : `${approval.by}, ${time(approval.at)}`],
    ['Proved by', shownCommand(forBatch('verify'), place).text],
    ...zone,
    made,
  ];
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

export function sourceSection(header: ReportHeader, decisions: Decisions | undefined): Html {
  const facts = sourceFacts(header, decisions?.head).map(
    ([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`,
  );
  return section('source', 'Where this comes from', html`<dl>\n${facts}</dl>\n`);
}
