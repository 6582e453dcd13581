/**
 * Exceptions: what a person has to look at, the gravest first, each with its reason and the next command to type.
 *
 * At most 1,000 rows of a kind are listed, so that a page of a broken file stays a page; it says how many more
 * there are and where.
 */

import type { ReportHeader } from '../../../../domain/reporting/report.ts';
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { STATUS_WORDS } from '../../../../domain/reporting/status-words.ts';
import { countText } from '../../../../domain/text/printable.ts';
import { type Html, html, NOTHING } from './html.ts';
import { type Column, STACKED_END, stackedHead, stackedRow } from './table.ts';
import { badge, moneyText, section, stepPieces, under } from './words.ts';
import { csvCommand } from './write-elsewhere.ts';

const KIND_MAX = 1_000;

export const EXCEPTION_COLUMNS: readonly Column[] = [
  { name: 'Row' },
  { name: 'Who' },
  { name: 'Amount', kind: 'money' },
  { name: 'Status' },
  { name: 'Reason' },
  { name: 'What to do' },
];

const ORDER = [
  'incident',
  'in_doubt',
  'sending',
  'failed',
  'returned',
  'held',
  'invalid',
  'differing',
] as const;
type Kind = (typeof ORDER)[number];

/** undefined for a row that asks nothing of anyone. */
export function exceptionKind(line: ReportLine): Kind | undefined {
  if (line.incident) return 'incident';
  if (line.status === 'settled') return line.texts.reason === '' ? undefined : 'differing';
  return ORDER.find((kind) => kind === line.status);
}

export class Exceptions {
  readonly #kept = new Map<Kind, Html[]>(ORDER.map((kind) => [kind, []]));
  readonly #more = new Map<Kind, number>();

  /** Whether the row has a place of its own here. */
  add(line: ReportLine, isInRows: boolean): boolean {
    const kind = exceptionKind(line);
    const kept = kind === undefined ? undefined : this.#kept.get(kind);
    if (kind === undefined || kept === undefined) return false;
    if (kept.length >= KIND_MAX) {
      this.#more.set(kind, (this.#more.get(kind) ?? 0) + 1);
      return false;
    }
    kept.push(exceptionRow(line, isInRows));
    return true;
  }

  section(header: ReportHeader): Html {
    const rows = ORDER.flatMap((kind) => this.#kept.get(kind) ?? []);
    const table = [
      stackedHead('look', 'Rows that a person has to look at, the gravest first', EXCEPTION_COLUMNS),
      rows,
      STACKED_END,
    ];
    const more = [...this.#more].map(
      ([kind, count]) =>
        html`<p class="note">… and ${countText(count)} more “${wordOf(kind)}”: <code>${csvCommand(header)}</code> lists them all.</p>\n`,
    );
    const body = rows.length === 0 ? html`<p>Nothing to look at.</p>\n` : table;
    return section('exceptions', 'What to look at', [body, more]);
  }
}

function wordOf(kind: Kind): string {
  if (kind === 'incident') return 'Incident';
  return kind === 'differing' ? 'Settled, with a difference' : STATUS_WORDS[kind].word;
}

function exceptionRow(line: ReportLine, isInRows: boolean): Html {
  const row = line.row.toString();
  const link = isInRows ? html`<a href="#row-${row}">${row}</a>` : row;
  const { reason, tag } = line.texts;
  const cells = [
    link,
    [line.name === '' ? line.texts.account_name : line.name, under(line.reference)],
    moneyText(line.amount),
    badge(line.status, line.incident),
    [reason, tag === '' || reason.includes(tag) ? NOTHING : under(`Tag ${tag}`)],
    stepPieces(line.steps),
  ];
  return stackedRow(`look-${row}`, cells, EXCEPTION_COLUMNS);
}
