/**
 * Columns of the payouts table ↔ Payout. The account is revealed here and nowhere else in the ledger.
 */
import { crc32 } from 'node:zlib';
import type { CurrencyCode } from '../domain/money/currency.ts';
import {
  asBatchId,
  asPayoutId,
  type BatchId,
  type Instruction,
  type PayoutId,
} from '../domain/payouts/instruction.ts';
import { isShownAsPaid, LIVE, type Payout, type PayoutState, type Status } from '../domain/payouts/payout.ts';
import { asCountryId, asInstitutionId } from '../domain/rows/directory.ts';
import { Sensitive } from '../domain/text/sensitive.ts';
import { type Commit, type Entry, newSalt, sealOf } from './chain.ts';
import { decodeLook, decodeState } from './codec.ts';
import type { Stored } from './codec-json.ts';
import type { Route, Routes } from './routes.ts';
import { columns, type Row, type Sql, type Table, text, type Value } from './sql.ts';

export const COLUMNS = text(
  'id, batch, row_number, status, version, attempts, state, route, account, minor, reference, name, phone, note, replaces, look',
);
/** The rows of a batch's current file: WHERE batch = … AND ${IN_FILE}. */
export const IN_FILE = text('position IS NOT NULL');

const WRITTEN_ONCE = `id root route minor account:text reference:text name:text phone:text note:text replaces:text
  cells:text row_key:bytea reference_key:bytea payment_key:bytea`;
/** Written once with the row; nothing but a rewritten file text, or the end of its time, ever changes one of these. */
export const CONTENT = text(Object.keys(columns(WRITTEN_ONCE)).join(', '));

/** Of the route of a payout, beside `CONTENT`: for `rowText`. */
export const CURRENCY = text('(SELECT currency FROM routes WHERE routes.id = payouts.route) AS currency');

/** What the chain proves of a row (`CONTENT`) besides its entries: its numbers as they are, and the seal of the rest. */
export function rowText({ id, root, route, currency, minor, replaces }: Row, seal: string): string {
  const amount = `${currency ?? ''}\t${minor ?? ''}`;
  return `${id}\t${root}\t${route ?? ''}\t${amount}\t${replaces ?? ''}\t${seal}`;
}

/** Of what tells of persons. Lengths in front, so that no two rows read the same. */
export function rowSeal(salt: string, row: Row): string {
  const { account, reference, name, phone, note, cells } = row;
  const { row_key: rowKey, reference_key: referenceKey, payment_key: paymentKey } = row;
  const values = [
    sized(account),
    sized(reference),
    sized(name),
    sized(phone),
    sized(note),
    sized(cells),
    keyed(rowKey),
    keyed(referenceKey),
    keyed(paymentKey),
  ];
  return sealOf(salt, values.join('\t'));
}

/** The key of an erased row leads to nobody, and is proven by its seal. */
export const erasedKey = (seal: string) => Buffer.from(seal, 'base64url').subarray(0, 16);

/** Of `CONTENT`, with its seal. */
export function isErased({ seal, account, cells, ...row }: Row): boolean {
  const gone = ['reference', 'name', 'phone', 'note', 'reference_key', 'payment_key'];
  const isKeyOfSeal = erasedKey(String(seal)).equals(row['row_key'] as Uint8Array);
  const isBlank = (JSON.parse(String(cells)) as readonly string[]).every((cell) => cell === '');
  return isKeyOfSeal && isBlank && !account && gone.every((column) => row[column] === null);
}

const sized = (value: Value = null) =>
  value === null ? '~' : `${(value as string).length}:${value as string}`;
const keyed = (value: Value = null) => (value === null ? '~' : textOfKey(value));

/** A text of its bytes: compared, sorted and hashed faster than bytes are. */
export const textOfKey = (key: unknown): string => Buffer.prototype.latin1Slice.call(key);

/** Of `COLUMNS`. */
export async function payoutsOf(rows: readonly Row[], sql: Sql, routes: Routes): Promise<Payout[]> {
  await routes.load(sql, rows);
  return rows.map((row) => payoutOf(row, routes));
}

/** The route of the row was loaded. `stands`: where the payout stands, if not as the row says. */
export function payoutOf(row: Row, routes: Pick<Routes, 'byId'>, stands = row): Payout {
  const route = row['route'] === null ? undefined : routes.byId(Number(row['route']));
  // A row with another state than invalid always has an instruction: stage and the machine see to it.
  return {
    id: asPayoutId(String(row['id'])),
    batchId: asBatchId(String(row['batch'])),
    rowNumber: Number(row['row_number']),
    version: Number(stands['version']),
    attempts: Number(stands['attempts']),
    ...(stands['look'] === null ? {} : { look: decodeLook(String(stands['look'])) }),
    instruction: route && instructionOf(row, route),
    state: decodeState(stands['status'] as Status, String(stands['state'])),
  } as Payout;
}

function instructionOf(row: Row, route: Route): Instruction {
  const said = (column: string) => (row[column] as string | null) ?? undefined;
  const { iso, currency, sourceName, destinationName, institutionName } = route;
  return {
    sourceId: asCountryId(route.sourceId),
    sourceName,
    destinationId: asCountryId(route.destinationId),
    destinationIso: iso,
    destinationName,
    institutionId: asInstitutionId(route.institutionId),
    institutionName,
    account: new Sensitive(said('account') ?? ''),
    amount: { minor: (row['minor'] as bigint | null) ?? 0n, currency: currency as CurrencyCode },
    reference: said('reference'),
    name: said('name'),
    phone: said('phone'),
    note: said('note'),
    replaces: row['replaces'] === null ? undefined : asPayoutId(String(row['replaces'])),
  };
}

const NUMBER = /^[1-9]\d{0,14}$/;

/** The number behind a payout's id; 0, which no payout has, for a text that no ledger gave out. */
export function payoutNumber(id: PayoutId | string): number {
  return NUMBER.test(id) ? Number(id) : 0;
}

/** The number behind a batch's id. A text that is no id of this ledger is a bug above. */
export function batchNumber(id: BatchId): number {
  if (!NUMBER.test(id)) throw new RangeError(`“${id}” is not a batch id`);
  return Number(id);
}

/** Columns that repeat parts of the state, for the indexes. */
export function derivedOf(payout: Pick<Payout, 'state' | 'attempts'>) {
  const { state } = payout;
  const quote = 'pricing' in state ? state.pricing?.quote : undefined;
  // What turned out paid after a failure must always be recordable, even while a replacement lives.
  const isIncident = state.status === 'settled' && state.incident;
  const memoryAt = memoryAtOf(payout);
  return {
    tag: 'tag' in state ? state.tag : null,
    transfer_id: 'transferId' in state ? (state.transferId ?? null) : null,
    other_id: 'otherId' in state ? (state.otherId ?? null) : null,
    memory_at: memoryAt,
    remembered: memoryAt === null ? null : 1,
    ended_at: endedAtOf(state),
    lives: LIVE.includes(state.status) && !isIncident,
    isIncident,
    quoted_at: quote?.quotedAt ?? null,
    beside: isBeside(state) ? 1 : null,
  };
}

/**
 * When the payment is remembered to have happened: approved at first, later sent. 0 where it lives no more, or not yet, and
 * went out once or is shown as paid: the memory looks whether it may have been made.
 */
function memoryAtOf({ state, attempts }: Pick<Payout, 'state' | 'attempts'>): number | null {
  if (!LIVE.includes(state.status)) return attempts > 0 || isShownAsPaid(state) ? 0 : null;
  if (state.status === 'sending') return state.startedAt;
  if (state.status === 'in_doubt') return state.evidence.startedAt;
  if ('sentAt' in state && state.sentAt !== undefined) return state.sentAt;
  return 'approvedAt' in state ? state.approvedAt : null;
}

function endedAtOf(state: PayoutState): number | null {
  if (state.status === 'settled') return state.settledAt;
  if (state.status === 'failed') return state.at;
  return state.status === 'returned' ? state.returnedAt : null;
}

/** The service called it failed once, or shows another payment than was asked for; its status says neither. */
function isBeside(state: PayoutState): boolean {
  if (state.status === 'failed' || state.status === 'returned') return state.unclear !== undefined;
  if (state.status !== 'accepted' && state.status !== 'settled') return false;
  return state.suspicion !== undefined || state.discrepancies.length > 0;
}

/** Schedule and last look are no part of the chain; this notices when a stored one was damaged. */
export function dueCheck(id: number, dueAt: number | null, look: string | null): number {
  return dueAt === null && look === null ? 0 : crc32(`${id} ${dueAt ?? ''} ${look ?? ''}`);
}

/** A row as it is first written (`sql.add`). */
export const NEW_ROWS: Table = {
  name: 'payouts',
  columns: columns(
    `${WRITTEN_ONCE} batch position row_number status:text state:text version attempts born salt:text`,
  ),
};

/** Inside a commit: adds the first entry of a row, which proves it. The values of the row as `NEW_ROWS` takes them. */
export function beginRow(
  { add }: Commit,
  row: Row,
  { at, kind, body, personal }: Pick<Entry, 'at' | 'kind'> & Stored,
): readonly Value[] {
  const salt = newSalt();
  const { id = null, root = null, route = null, minor = null, batch = null, position = null } = row;
  const { account = null, reference = null, name = null, phone = null, note = null, replaces = null } = row;
  const { cells = null, row_number: line = null, status = null, state = null } = row;
  const { row_key: rowKey = null, reference_key: ofReference = null, payment_key: ofPayment = null } = row;
  const rest = { at, kind, body, personal, rowText: rowText(row, rowSeal(salt, row)) };
  const born = add({ batch: Number(batch), payout: Number(id), ...rest });
  return [
    id,
    root,
    route,
    minor,
    account,
    reference,
    name,
    phone,
    note,
    replaces,
    cells,
    rowKey,
    ofReference,
    ofPayment,
    batch,
    position,
    line,
    status,
    state,
    0,
    0,
    born,
    salt,
  ];
}

/**
 * The place of a row in its file, as one number: the revision's range above, the ordinal (from 1) below. A
 * revision gives its rows places in a new range, so that old and new places never meet while it is under way.
 */
const RANGE = 2 ** 32;

export function positionOf(range: number, ordinal: number): number {
  return range * RANGE + ordinal;
}
