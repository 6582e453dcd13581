/**
 * The chain: every commit adds its entries to the journal and extends one head per batch. A head is the SHA-256 of a text
 * (`headText`): this commit's numbers, the heads before it, the hash of its rows, its entries. Whoever changes or removes an
 * entry changes every head after it. Of what is personal the chain holds a salted hash alone (the seal): when it was erased,
 * the seal stands in its place and the heads still follow. So these texts can be given to an auditor as they are.
 *
 * Processes that write side by side extend a chain each (a shard); a commit that worked alone (shard 0) joins them.
 * Units:   heads are SHA-256 in hex; the first head of a batch builds on 64 zeros. The number of an entry is the number of
 *          its commit's group × 2^20 + its place there.
 */
import { hash, randomBytes } from 'node:crypto';
import { columns, nextCommit, numberOf, q, type Refused, type Sql, type Table, type Value } from './sql.ts';

export interface Entry {
  readonly batch: number;
  readonly payout: number | null;
  readonly at: number;
  readonly kind: string;
  /** The facts, as the codec wrote them. */
  readonly body: string;
  /** What tells of persons, as the codec took it out of the body; undefined: nothing. */
  readonly personal?: string | undefined;
  /** Of the entry with which a row begins: the row with its seal (rows.ts). */
  readonly rowText?: string | undefined;
}

interface Written extends Entry {
  readonly seq: number;
  readonly salt: string | null;
}

export interface Line extends Pick<Entry, 'payout' | 'at' | 'kind' | 'body'> {
  readonly seq: number;
  readonly seal: string | null;
}

export interface Head {
  readonly commits: number;
  readonly hash: string;
}

export const NO_HEAD = '0'.repeat(64);
const GROUP = 2 ** 20;

/** The first number of the commits that an entry was written with. */
export const commitOf = (entry: number) => Math.floor(entry / GROUP);

/** Bodies are JSON, kinds plain words and seals base64, so that none holds a tab or a line end. */
export function lineText({ seq, payout, at, kind, body, seal }: Line): string {
  return `${seq}\t${payout ?? ''}\t${at}\t${kind}\t${body}\t${seal ?? ''}\n`;
}

export interface CommitNumbers {
  readonly seq: number;
  readonly batch: number;
  /** Of its entries in the journal. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  /** Over the rows that begin with it, with their seals. */
  readonly rowsHash: string | null;
}

/** Of which a head is the SHA-256. `before`: the heads that it builds on, of each shard one. Entries begin with a digit. */
export function headText(before: readonly string[], commit: CommitNumbers, lines: string): string {
  const { seq, batch, first, last, events, rowsHash } = commit;
  const heads = before.length === 0 ? NO_HEAD : before.join('\t');
  const rows = rowsHash === null ? '' : `rows\t${rowsHash}\n`;
  return `commit\t${seq}\t${batch}\t${first}\t${last}\t${events}\nafter\t${heads}\n${rows}${lines}`;
}

export const headOf = (...of: Parameters<typeof headText>): string => hash('sha256', headText(...of));

/** Of which the hash of rows is the SHA-256. */
export const rowsText = (rows: readonly string[]) => `list\t${rows.length}\n${rows.join('\n')}\n`;

export function rowsHashOf(rows: readonly string[]): string | null {
  return rows.length === 0 ? null : hash('sha256', rowsText(rows));
}

/** Nobody guesses the text from it without the salt, which can be deleted. */
export function sealOf(salt: string, text: string): string {
  return hash('sha256', `${salt}\n${text}`, 'base64url');
}

const SALT = 22;
let pool = '';
let used = 0;

/** 132 random bits. Asked of the system for many at once. */
export function newSalt(): string {
  if (used + SALT > pool.length) {
    pool = randomBytes(SALT * 300).toString('base64url');
    used = 0;
  }
  used += SALT;
  return pool.slice(used - SALT, used);
}

/** A part of a commit. What it throws undoes its own part alone. */
export interface Commit {
  readonly sql: Sql;
  /** Adds an entry to the journal; its number there. */
  add(entry: Entry): number;
  /** Whether this commit has an entry of the batch of one of these kinds already, also of another part. */
  has(batch: number, kinds: readonly string[]): boolean;
  /** One statement that a unique index may refuse, asked at once: the part goes on. Any other error of the database ends it. */
  guarded<T>(statement: () => Promise<T>): Promise<T | Refused>;
}

export const ENTRIES: Table = {
  name: 'journal',
  columns: columns('seq batch payout at kind:text body:text personal:text salt:text'),
};

export const COMMITS: Table = {
  name: 'commits',
  columns: columns('seq batch first last events rows_hash:text head:text shard'),
};

/** The entries of one group of commits, and how they are written. */
export class Chain {
  readonly #number: number;
  readonly #entries: Written[] = [];

  /** `number`: of the group's first commit, drawn inside it. */
  constructor(number: number) {
    this.#number = number;
  }

  /** The number of the entry in the journal. */
  add({ batch, payout, at, kind, body, personal, rowText }: Entry): number {
    const place = this.#entries.length + 1;
    if (place >= GROUP) throw new RangeError(`More than ${GROUP} entries in one commit`);
    const seq = this.#number * GROUP + place;
    const salt = personal === undefined ? null : newSalt();
    this.#entries.push({ seq, batch, payout, at, kind, body, personal, salt, rowText });
    return seq;
  }

  /** Whether this commit has an entry of the batch of one of these kinds already. */
  has(batch: number, kinds: readonly string[]): boolean {
    return this.#entries.some((entry) => entry.batch === batch && kinds.includes(entry.kind));
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Takes back what came after. */
  cut(length: number): void {
    this.#entries.length = length;
  }

  /** Writes journal and heads; the head of the ledger afterwards, or undefined when nothing happened. */
  async write(sql: Sql, shard: number): Promise<Head | undefined> {
    if (this.#entries.length === 0) return undefined;
    const commits: (readonly Value[])[] = [];
    let last: Head | undefined;
    for (const [batch, own] of Map.groupBy(this.#entries, (entry) => entry.batch)) {
      const seq = await this.#nextNumber(sql, commits.length);
      const numbers = numbersOf(own, seq, batch);
      const head = headOf(await headsBefore(sql, batch, shard), numbers, own.map(writtenText).join(''));
      const { first, last: end, events, rowsHash } = numbers;
      commits.push([seq, batch, first, end, events, rowsHash, head, shard]);
      last = { commits: seq, hash: head };
    }
    await Promise.all([sql.add(ENTRIES, this.#entries.map(valuesOf)), sql.add(COMMITS, commits)]);
    return last;
  }

  async #nextNumber(sql: Sql, before: number): Promise<number> {
    if (before === 0 || sql.dialect === 'sqlite') return this.#number + before;
    return numberOf((await sql.get(q`SELECT ${nextCommit} AS number`))?.['number']);
  }
}

const valuesOf = ({ seq, batch, payout, at, kind, body, personal, salt }: Written): readonly Value[] => [
  seq,
  batch,
  payout,
  at,
  kind,
  body,
  personal ?? null,
  salt,
];

function numbersOf(own: readonly Written[], seq: number, batch: number): CommitNumbers {
  const rowsHash = rowsHashOf(own.flatMap(({ rowText }) => rowText ?? []));
  return { seq, batch, first: own[0]?.seq ?? 0, last: own.at(-1)?.seq ?? 0, events: own.length, rowsHash };
}

function writtenText(entry: Written): string {
  const { seq, payout, at, kind, body, personal, salt } = entry;
  const seal = personal === undefined || salt === null ? null : sealOf(salt, personal);
  return lineText({ seq, payout, at, kind, body, seal });
}

/** What the next commit of the batch builds on. Of one that works alone: all chains since they were joined last. */
async function headsBefore(sql: Sql, batch: number, shard: number): Promise<readonly string[]> {
  if (shard !== 0) {
    const found = await sql.get(
      q`SELECT head FROM commits WHERE batch = ${batch} AND shard IN (0, ${shard}) ORDER BY seq DESC LIMIT 1`,
    );
    return found === undefined ? [] : [String(found['head'])];
  }
  const heads = await sql.all(q`SELECT head FROM commits WHERE batch = ${batch} AND seq IN (
      SELECT max(seq) FROM commits WHERE batch = ${batch}
        AND seq >= coalesce((SELECT max(seq) FROM commits WHERE batch = ${batch} AND shard = 0), 0) GROUP BY shard)
    ORDER BY shard`);
  return heads.map(({ head }) => String(head));
}

/** The newest commit of the ledger. */
export async function ledgerHead(sql: Sql): Promise<Head> {
  const row = await sql.get(q`SELECT seq, head FROM commits ORDER BY seq DESC LIMIT 1`);
  return row === undefined
    ? { commits: 0, hash: NO_HEAD }
    : { commits: numberOf(row['seq']), hash: String(row['head']) };
}
