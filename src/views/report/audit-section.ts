/**
 * Who decided what and why, from the journal; and where all of this comes from: file, plan and ledger, each with
 * the hash that binds it.
 */
import { correctedText, receivedSha256 } from '../../domain/batches/batch.ts';
import type { Decisions } from '../../domain/batches/decisions.ts';
import { styleText } from '../../domain/money/amount-style.ts';
import { commandText } from '../../domain/next-steps/command.ts';
import { commandsFor } from '../../domain/next-steps/next-step.ts';
import { STATE_SENTENCE, STATUSES } from '../../domain/payouts/payout.ts';
import type { ReportHeader } from '../../domain/reporting/report.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText } from '../../domain/text/printable.ts';
import { DECISION_COLUMNS, type DecisionLine, decisionLine } from '../decision-columns.ts';
import { type Html, html, instant, NOTHING, type Piece, section } from '../html.ts';
import { type Column, plainTable, shownColumns, stackedTable } from '../table.ts';

const WIDTHS = [11, 12, 12, 10, 55];
export const AUDIT_COLUMNS: readonly Column<DecisionLine>[] = shownColumns(DECISION_COLUMNS).map(
  (column, at) => ({
    ...column,
    width: WIDTHS[at] ?? 0,
  }),
);

export function auditSection(decisions: Decisions | undefined): Html {
  const { list = [], more = 0 } = decisions ?? {};
  const caption = 'Decisions and incidents, oldest first';
  const table = { caption, columns: AUDIT_COLUMNS, groups: [list.map(decisionLine)] };
  const body = list.length === 0 ? html`<p>Nothing was decided yet.</p>\n` : stackedTable('audit', table);
  const left =
    more === 0 ? NOTHING : html`<p class="note">… and ${countText(more)} later entries of the journal.</p>\n`;
  return section('audit', 'Decisions', [body, left]);
}

interface Fact {
  readonly name: string;
  readonly shown: Piece;
}

const FACT_COLUMNS: readonly Column<Fact>[] = [
  { header: 'What', shown: ({ name }) => name },
  { header: 'Value', shown: ({ shown }) => shown },
];

export function sourceSection(header: ReportHeader, decisions: Decisions | undefined): Html {
  const { batch, environment, madeAt } = header;
  const commands = commandsFor(header);
  const { file, approval } = batch;
  const code = (text: string | undefined) => (text === undefined ? undefined : html`<code>${text}</code>`);
  const facts: readonly (readonly [string, Piece])[] = [
    ['Batch', batch.name],
    ['Batch id', batch.id],
    ['Environment', environment],
    ['File', file.sheet === undefined ? file.name : `${file.name}, sheet “${file.sheet}”`],
    ['How amounts were read', file.amountStyle && styleText(file.amountStyle)],
    ['Revision of the file', batch.revision],
    [`SHA-256 of the file${file.corrected === undefined ? '' : ', as received'}`, code(receivedSha256(file))],
    ['Corrected beside the file', correctedText(file)],
    ['SHA-256 of the file, with its corrections', code(file.corrected && file.sha256)],
    ['Digest of the rows', code(batch.digest)],
    ['Digest of the plan that was approved last', code(approval?.digest)],
    ['Head of the batch in the ledger', code(decisions?.head)],
    ['Prepared by', [batch.maker, ', ', instant(batch.createdAt)]],
    ['Approved by', approval === undefined ? 'nobody yet' : [approval.by, ', ', instant(approval.at)]],
    ['Proved by', code(commandText(commands.forBatch('verify'), commands.place))],
    ['Made at (UTC)', instant(madeAt)],
  ];
  const known = facts.flatMap(([name, shown]) => (shown === undefined ? [] : [{ name, shown }]));
  const caption = 'File, plan and ledger, each with its hash';
  const table = plainTable({ caption, columns: FACT_COLUMNS, groups: [known] });
  return section('source', 'Where this comes from', table);
}

export function legendSection(): Html {
  const words = STATUSES.map((status) => {
    const { symbol, word } = STATUS_WORDS[status];
    return html`<dt>${symbol} ${word}</dt><dd>${STATE_SENTENCE[status]}</dd>\n`;
  });
  return section('words', 'What the words mean', html`<dl>\n${words}</dl>\n`);
}
