/**
 * The chain: every commit adds its events to the journal and extends one head per batch,
 * head = SHA-256(previous head, this commit's numbers, its rows, its events). Whoever changes or removes an
 * entry changes every head after it.
 *
 * Units:   heads are SHA-256 in hex; the first head of a batch builds on 64 zeros.
 */
import { createHash, type Hash, hash } from 'node:crypto';
import { numberOf, type Sql } from '../storage/sql-statements.ts';

interface JournalLine {
  readonly seq: number;
  readonly payout: number | null;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
}

export interface Head {
  readonly commits: number;
  readonly hash: string;
}

export const NO_HEAD = '0'.repeat(64);

/** Bodies are JSON and kinds plain words, so that neither holds a tab or a line end. */
export function lineText(line: JournalLine): string {
  return `${line.seq}\t${line.payout ?? ''}\t${line.at}\t${line.kind}\t${line.body}\n`;
}

export interface CommitNumbers {
  readonly seq: number;
  readonly batch: number;
  /** Of its events in the journal. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly rowsHash: string | null;
}

export function headOf(previous: string, commit: CommitNumbers, lines: string): string {
  const { seq, batch, first, last, events, rowsHash } = commit;
  return hash(
    'sha256',
    `${previous}\n${seq}\t${batch}\t${first}\t${last}\t${events}\t${rowsHash ?? '-'}\n${lines}`,
  );
}

/** Hashes what a payout row holds that no event repeats: the instruction and the cells. */
export class RowsHash {
  readonly #hash: Hash = createHash('sha256');
  #text = '';
  readonly #keys: Uint8Array[] = [];

  add(text: string, keys: readonly Uint8Array[]): void {
    this.#text += text;
    for (const key of keys) this.#keys.push(key);
  }

  finish(): string {
    this.#hash.update(this.#text);
    this.#hash.update(Buffer.concat(this.#keys));
    return this.#hash.digest('hex');
  }
}

interface Draft {
  readonly batch: number;
  readonly lines: JournalLine[];
  rows: RowsHash | undefined;
}

/** Collects the events of one commit and writes them with their heads. */
export class ChainDraft {
  readonly #sql: Sql;
  readonly #heads: 'one' | 'many';
  readonly #drafts = new Map<number, Draft>();
  #seq = 0;
  #marks: { seq: number; lengths: Map<number, number> } | undefined;

  /** `many`: processes extend chains of their own beside this one. */
  constructor(sql: Sql, heads: 'one' | 'many' = 'one') {
    this.#sql = sql;
    this.#heads = heads;
  }

  begin(): void {
    this.#drafts.clear();
    this.#seq = numberOf(this.#sql('SELECT coalesce(max(seq), 0) AS seq FROM journal').get()?.seq);
  }

  /** The number of the event in the journal. */
  add(batch: number, line: Omit<JournalLine, 'seq'>): number {
    this.#seq += 1;
    const { payout, at, kind, body } = line;
    this.#of(batch).lines.push({ seq: this.#seq, payout, at, kind, body });
    return this.#seq;
  }

  /** Whether this commit adds an event of one of these kinds. */
  has(batch: number, kinds: readonly string[]): boolean {
    return this.#drafts.get(batch)?.lines.some(({ kind }) => kinds.includes(kind)) ?? false;
  }

  addRow(batch: number, text: string, keys: readonly Uint8Array[]): void {
    const draft = this.#of(batch);
    draft.rows ??= new RowsHash();
    draft.rows.add(text, keys);
  }

  /** Remembers where one caller's part begins, so that it alone can be taken back. */
  mark(): void {
    const lengths = new Map([...this.#drafts].map(([batch, draft]) => [batch, draft.lines.length] as const));
    this.#marks = { seq: this.#seq, lengths };
  }

  /** Takes back what came since `mark`. Only for parts without rows: those are refused before they add any. */
  takeBack(): void {
    if (this.#marks === undefined) return;
    this.#seq = this.#marks.seq;
    for (const [batch, draft] of this.#drafts) {
      const length = this.#marks.lengths.get(batch);
      if (length === undefined) this.#drafts.delete(batch);
      else draft.lines.length = length;
    }
  }

  /** Writes journal and heads; the head of the ledger afterwards, or undefined when nothing happened. */
  write(): Head | undefined {
    const drafts = [...this.#drafts.values()].filter((draft) => draft.lines.length > 0);
    if (drafts.length === 0) return undefined;
    let { commits, hash: last } = ledgerHead(this.#sql);
    for (const draft of drafts) {
      this.#insert(draft);
      commits += 1;
      last = this.#extend(draft, commits);
    }
    return { commits, hash: last };
  }

  #of(batch: number): Draft {
    const known = this.#drafts.get(batch);
    if (known !== undefined) return known;
    const draft: Draft = { batch, lines: [], rows: undefined };
    this.#drafts.set(batch, draft);
    return draft;
  }

  #insert({ batch, lines }: Draft): void {
    const { addRows } = this.#sql;
    if (addRows !== undefined && lines.length >= 10) {
      const rows = lines.map(({ seq, payout, at, kind, body }) => [seq, batch, payout, at, kind, body]);
      addRows('journal', COLUMNS, rows);
      return;
    }
    const values: (string | number | null)[] = [];
    const flush = (text: string) => {
      this.#sql(text).run(...values);
      values.length = 0;
    };
    for (let at = 0; at < lines.length; ) {
      const first = lines[at] as JournalLine;
      const isBirths = areBirths(lines, at);
      const count = isBirths || at + TOGETHER <= lines.length ? TOGETHER : 1;
      if (isBirths) values.push(first.seq, batch, first.payout, first.at, first.kind);
      for (let index = at; index < at + count; index += 1) {
        const { seq, payout, at: when, kind, body } = lines[index] as JournalLine;
        if (isBirths) values.push(body);
        else values.push(seq, batch, payout, when, kind, body);
      }
      flush(isBirths ? INSERT_BIRTHS : count === 1 ? INSERT_ONE : INSERT_SOME);
      at += count;
    }
  }

  #extend({ batch, lines, rows }: Draft, seq: number): string {
    const previous = this.#heads === 'one' ? lastHead(this.#sql, batch) : joinedHead(this.#sql, batch);
    const rowsHash = rows?.finish() ?? null;
    const [first, last, events] = [lines[0]?.seq ?? 0, lines.at(-1)?.seq ?? 0, lines.length];
    const head = headOf(
      previous,
      { seq, batch, first, last, events, rowsHash },
      lines.reduce((text, line) => text + lineText(line), ''),
    );
    const insert =
      'INSERT INTO commits(seq, batch, first, last, events, rows_hash, head) VALUES (?,?,?,?,?,?,?)';
    this.#sql(insert).run(seq, batch, first, last, events, rowsHash, head);
    return head;
  }
}

function lastHead(sql: Sql, batch: number): string {
  const row = sql('SELECT head FROM commits WHERE batch = ? ORDER BY seq DESC LIMIT 1').get(batch);
  return row === undefined ? NO_HEAD : String(row.head);
}

/** Of all chains that processes have extended since they were joined last. Inside a commit that works alone. */
function joinedHead(sql: Sql, batch: number): string {
  const heads = sql(
    `SELECT DISTINCT ON (shard) shard, head FROM commits WHERE batch = ?1
     AND seq >= coalesce((SELECT max(seq) FROM commits WHERE batch = ?1 AND shard = 0), 0) ORDER BY shard, seq DESC`,
  ).all(batch);
  return joinOf(heads.map(({ head }) => String(head)));
}

/** One chain goes on as it is; several are bound together. By shard. */
export function joinOf(heads: readonly string[]): string {
  const [only = NO_HEAD] = heads;
  return heads.length < 2 ? only : hash('sha256', heads.join('\n'));
}

/** The number of the last commit and its head. */
export function ledgerHead(sql: Sql): Head {
  const row = sql('SELECT seq, head FROM commits ORDER BY seq DESC LIMIT 1').get();
  return row === undefined
    ? { commits: 0, hash: NO_HEAD }
    : { commits: numberOf(row.seq), hash: String(row.head) };
}

const COLUMNS = ['seq', 'batch', 'payout', 'at', 'kind', 'body'];
const TOGETHER = 20;
const INTO = `INSERT INTO journal(${COLUMNS.join(', ')}) VALUES`;
const INSERT_ONE = `${INTO} (?,?,?,?,?,?)`;
const INSERT_SOME = `${INSERT_ONE}${',(?,?,?,?,?,?)'.repeat(TOGETHER - 1)}`;
/** Binding a value costs the most: what follows from the first line is counted up by the statement. */
const INSERT_BIRTHS = `${INTO} ${Array.from({ length: TOGETHER }, (_, index) => `(?1+${index},?2,?3+${index},?4,?5,?)`).join(',')}`;

/** The next lines are of rows that were staged one after the other. */
function areBirths(lines: readonly JournalLine[], at: number): boolean {
  const first = lines[at];
  if (first === undefined || first.payout === null || at + TOGETHER > lines.length) return false;
  for (let index = 1; index < TOGETHER; index += 1) {
    const line = lines[at + index] as JournalLine;
    if (line.payout !== first.payout + index || line.kind !== first.kind || line.at !== first.at)
      return false;
  }
  return true;
}
