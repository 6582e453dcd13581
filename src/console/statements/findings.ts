/**
 * What comparing a batch with a statement found, as sections of a page: the table that adds up, how the statement was read,
 * the findings by what a person has to do, and what became of those that were accepted.
 */
import { batchLabel } from '../../domain/batches/batch.ts';
import { compareByCurrency } from '../../domain/statement/comparison.ts';
import {
  AMOUNT_TITLES,
  amountLines,
  FINDING_WORDS,
  findingText,
  outcomeText,
  type SumLine,
  statementNotes,
  sumLines,
} from '../../domain/statement/finding-words.ts';
import { FINDING_KINDS, type Finding } from '../../domain/statement/findings.ts';
import { counted, countText } from '../../domain/text/printable.ts';
import { comparedText, type ReconciledBatch } from '../../operations/reconciliation.ts';
import { type Html, html, moneyText, NOTHING, section } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { address } from '../server/route.ts';

const SHOWN_MAX = 100;

export function comparison({ batch, reconciled, before }: ReconciledBatch): Html {
  const { span, fileName, findings, sha256 } = reconciled;
  const reach = span.first === undefined ? '' : `, ${span.first} to ${span.last ?? span.first}`;
  const isEmpty = findings.every(({ kind }) => kind === 'not_expected' || kind === 'not_yet');
  const { parts, totals } = sumLines(reconciled);
  const table = wideTable({
    label: 'Rows of the batch and lines of the statement',
    heads: ['What', { count: 'Rows' }, { count: 'Sum' }, { count: 'Lines' }],
    rows: parts.map(cellsOf),
    foot: totals.map(cellsOf),
  });
  const notes = statementNotes(reconciled).map((text) => html`<p class="note">${text}</p>\n`);
  return html`<p>Batch ${batchLabel(batch)} and ${fileName}: ${counted(span.lines, 'line')}${reach}</p>
${before === undefined ? NOTHING : html`<p class="note">${comparedText(before)}</p>\n`}${isEmpty ? html`<p class="doubtful">The statement shows no payment of this batch.</p>\n` : NOTHING}${section('sums', 'How it adds up', html`${table}${notes}<p class="note">SHA-256 of the statement: <code>${sha256}</code></p>\n`)}${amounts(findings)}${groups(findings, batch.id)}${keptIncidents(reconciled, batch.id)}`;
}

/** What the statement shows and what is booked, in each currency. */
function amounts(findings: readonly Finding[]): Html {
  const tables = compareByCurrency(findings).map((compared) => {
    const lines = amountLines(compared);
    const cells = ({ what, amounts: shown, why }: (typeof lines)[number]) => [what, ...shown, why];
    return wideTable({
      label: `Amounts in ${compared.currency}`,
      heads: [`In ${compared.currency}`, ...AMOUNT_TITLES.map((count) => ({ count })), 'Why'],
      rows: lines.slice(0, -1).slice(0, SHOWN_MAX).map(cells),
      foot: lines.slice(-1).map(cells),
    });
  });
  return tables.length === 0 ? NOTHING : section('amounts', 'Statement and books', tables);
}

function cellsOf({ what, rows, sum, lines }: SumLine): readonly string[] {
  const count = (number: number | undefined) => (number === undefined ? '' : countText(number));
  return [what, count(rows), moneyText(sum), count(lines)];
}

function groups(findings: readonly Finding[], batch: string): Html {
  const shown = FINDING_KINDS.flatMap((kind) => {
    const [, title] = FINDING_WORDS[kind];
    const group = findings.filter((finding) => finding.kind === kind);
    if (group.length === 0 || title === undefined) return [];
    const lines = group.slice(0, SHOWN_MAX).map((finding) => html`<li>${linked(finding, batch)}</li>\n`);
    const left = group.length - lines.length;
    const more = left > 0 ? html`<p class="note">… and ${countText(left)} more.</p>\n` : NOTHING;
    return [html`<h3>${title}</h3>\n<ul>${lines}</ul>\n${more}`];
  });
  return shown.length === 0 ? NOTHING : section('findings', 'What it shows', shown);
}

function linked(finding: Finding, batch: string): Html {
  const { entry } = finding;
  const text = findingText(finding);
  if (entry === undefined) return html`${text}`;
  const row = address`/batches/${batch}/rows/${entry.rowNumber}`;
  return html`${text} <a href="${row}">Look at row ${entry.rowNumber}</a>`;
}

function keptIncidents({ keptIncidents: kept }: ReconciledBatch['reconciled'], batch: string): Html {
  if (kept.length === 0) return NOTHING;
  const lines = kept
    .slice(0, SHOWN_MAX)
    .map(
      ({ rowNumber, what }) =>
        html`<li><a href="${address`/batches/${batch}/rows/${rowNumber}`}">Row ${rowNumber}</a>: ${what}.</li>\n`,
    );
  return section(
    'incidents',
    'Incidents that the ledger keeps; this statement does not show them so',
    html`<ul>${lines}</ul>\n`,
  );
}

/** What was ruled, what was written down, and what was not, with why. */
export function acceptedList({ batch, accepted, doubt }: ReconciledBatch): Html {
  const lines = accepted
    .slice(0, SHOWN_MAX)
    .map(
      ({ finding, ...outcome }) =>
        html`<li><strong>${outcomeText(outcome)}</strong> ${linked(finding, batch.id)}</li>\n`,
    );
  const left = accepted.length - lines.length;
  const more = left > 0 ? html`<p class="note">… and ${countText(left)} more.</p>\n` : NOTHING;
  const rest =
    doubt === undefined
      ? html`<p>No row of the batch is in doubt any more.</p>\n`
      : html`<p class="doubtful">${doubt.sentences[0] ?? ''} <a href="${address`/batches/${batch.id}/doubt`}">What to do about them</a></p>\n`;
  return html`${lines.length === 0 ? html`<p>Nothing was ruled: nothing of what was shown could be accepted any more.</p>\n` : html`<ul>${lines}</ul>\n${more}`}${rest}`;
}
