/**
 * What whoever agrees to a plan sees beside it: what people decided about its rows before (corrected, released, withdrawn,
 * planned again) and the first of its payments, one by one.
 */

import type { Batch } from '../../domain/batches/batch.ts';
import type { BatchDecision, DecisionKind } from '../../domain/batches/decisions.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import { rowList } from '../../operations/row-list.ts';
import { history } from '../../operations/status.ts';
import { decisionLine } from '../../views/decision-columns.ts';
import { type Html, html, instant, NOTHING, section } from '../../views/html.ts';
import { rowsTable } from '../../views/report/rows-section.ts';
import { wideTable } from '../page/fields.ts';
import { address, type Visit } from '../server/route.ts';

const OF_ROWS: readonly DecisionKind[] = [
  'cell_corrected',
  'answers_said',
  'lines_left_out',
  'release',
  'cancel',
  'replacement',
  'reissue_evidence',
  'repeats_released',
  'rule_not_paid',
];
/** Entries of the journal that are read for a page that has to come at once. */
const PAGES_MAX = 10;
const DECISIONS_SHOWN = 100;

export async function decidedRows({ payfile }: Visit, { id }: Pick<Batch, 'id'>): Promise<Html> {
  const found: BatchDecision[] = [];
  let after: number | undefined;
  let pages = 0;
  do {
    const { decisions, next } = await payfile.call(history, { batch: id, after });
    found.push(...decisions.filter(({ kind }) => OF_ROWS.includes(kind)));
    after = next;
    pages += 1;
  } while (after !== undefined && pages < PAGES_MAX && found.length < DECISIONS_SHOWN);
  const all = html`<p><a href="${address`/batches/${id}/history`}">All decisions about this batch</a></p>\n`;
  const title = 'What was corrected, released and withdrawn';
  if (found.length === 0) return section('decided', title, html`<p>Nothing.</p>\n${all}`);
  const rows = found.slice(0, DECISIONS_SHOWN).map((decision) => {
    const line = decisionLine(decision);
    return [line.what, line.rows, line.by === '' ? 'payfile' : line.by, line.why, instant(line.at)];
  });
  const heads = ['What', 'Rows', 'Who', 'Why, and what changed', 'When'];
  const isCut = after !== undefined || found.length > rows.length;
  const cut = isCut ? html`<p>These are the newest of them.</p>\n` : NOTHING;
  return section('decided', title, html`${wideTable({ label: title, heads, rows })}${cut}${all}`);
}

const PAYMENTS_SHOWN = 20;

export async function paymentsToAgree({ payfile }: Visit, { id }: Pick<Batch, 'id'>): Promise<Html> {
  const { lines, counts } = await payfile.call(rowList, {
    batch: id,
    statuses: ['quoted'],
    limit: PAYMENTS_SHOWN,
  });
  if (lines.length === 0) return NOTHING;
  const path = address`/batches/${id}`;
  const isAll = counts.quoted <= lines.length;
  const caption = isAll
    ? `All ${rowsText(counts.quoted)} of this plan`
    : `The first ${countText(lines.length)} of ${rowsText(counts.quoted)}`;
  const all = isAll
    ? NOTHING
    : html`<p><a href="${path}?status=quoted#rows">All ${rowsText(counts.quoted)} of this plan</a></p>\n`;
  const table = rowsTable(lines, caption, ({ row }) => `${path}${address`/rows/${row}`}`);
  return section('payments', 'Each payment of this plan', html`${table}${all}`);
}
