/**
 * Who decided what and why, from the journal; and where all of this comes from: file, plan and ledger, each with
 * the hash that binds it.
 */
import type { BatchDecision, Decisions } from '../../../../domain/batches/decisions.ts';
import { styleText } from '../../../../domain/money/amount-style.ts';
import { STATE_SENTENCE, STATUSES } from '../../../../domain/payouts/payout.ts';
import type { ReportHeader } from '../../../../domain/reporting/report.ts';
import { STATUS_WORDS } from '../../../../domain/reporting/status-words.ts';
import { commandText } from '../../../../domain/steps/command.ts';
import { commandsFor } from '../../../../domain/steps/next-step.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING, type Piece } from './html.ts';
import { type Column, plainTable, STACKED_END, stackedHead, stackedRow } from './table.ts';
import { instant, section } from './words.ts';

const ROWS_NAMED = 50;

export const AUDIT_COLUMNS: readonly Column[] = [
  { name: 'When (UTC)' },
  { name: 'What' },
  { name: 'Rows' },
  { name: 'Who' },
  { name: 'Why' },
];

export function auditSection(decisions: Decisions | undefined): Html {
  const list = decisions?.list ?? [];
  const more = decisions?.more ?? 0;
  const body =
    list.length === 0
      ? html`<p>Nothing was decided yet.</p>\n`
      : [
          stackedHead('audit', 'Decisions and incidents, oldest first', AUDIT_COLUMNS),
          list.map(row),
          STACKED_END,
        ];
  const left =
    more === 0 ? NOTHING : html`<p class="note">… and ${countText(more)} later entries of the journal.</p>\n`;
  return section('audit', 'Decisions', [body, left]);
}

function row({ at, what, rows, by, why }: BatchDecision): Html {
  const named = rows.slice(0, ROWS_NAMED).join(', ');
  const left = rows.length - ROWS_NAMED;
  const cells = [
    instant(at),
    what,
    left > 0 ? `${named} … and ${countText(left)} more` : named || 'whole batch',
    by === '' ? 'payfile' : by,
    why,
  ];
  return stackedRow(undefined, cells, AUDIT_COLUMNS);
}

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
    ['SHA-256 of the file', code(file.sha256)],
    ['Digest of the payments', code(batch.digest)],
    ['Digest that was approved', code(approval?.digest)],
    ['Head of the batch in the ledger', code(decisions?.head)],
    ['Prepared by', [batch.maker, ', ', instant(batch.createdAt)]],
    ['Approved by', approval === undefined ? 'nobody yet' : [approval.by, ', ', instant(approval.at)]],
    ['Proved by', code(commandText(commands.forBatch('verify'), commands.place))],
    ['Made at (UTC)', instant(madeAt)],
  ];
  const rows = facts.flatMap(([name, shown]) =>
    shown === undefined ? [] : [[{ shown: name, isHead: true }, { shown }]],
  );
  const table = plainTable({
    caption: 'File, plan and ledger; the hashes prove that they belong together',
    columns: [{ name: 'What' }, { name: 'Value' }],
    groups: [rows],
  });
  return section('source', 'Where this comes from', table);
}

export function legendSection(): Html {
  const words = STATUSES.map((status) => {
    const { symbol, word } = STATUS_WORDS[status];
    return html`<dt>${symbol} ${word}</dt><dd>${STATE_SENTENCE[status]}</dd>\n`;
  });
  return section('words', 'What the words mean', html`<dl>\n${words}</dl>\n`);
}
