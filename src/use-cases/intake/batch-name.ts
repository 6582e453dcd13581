/**
 * The name of a file's batch. It alone says which batch the file belongs to.
 *
 * Errors:  RequestRefused; BatchNotNamed.
 */

import {
  BATCH_NAME_RULE,
  type Batch,
  batchLabel,
  isBatchName,
  likeName,
} from '../../domain/batches/batch.ts';
import { PayfileError } from '../../domain/text/message.ts';
import { printable } from '../../domain/text/printable.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { formatTimestamp, type Timestamp } from '../../domain/timestamp.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { knownBatch } from '../find-batch.ts';
import type { Ports } from '../ports.ts';
import type { Ask } from '../user-questions.ts';

/** Somebody has to say which batch the file is. Nothing was kept. Exit code 10. */
export class BatchNotNamed extends PayfileError {
  override readonly name = 'BatchNotNamed';
  readonly code = 'batch_not_named';
  constructor() {
    super('Nobody named the batch of this file. Nothing was kept of the file and nothing was sent.');
  }
}

interface Naming {
  /** As it was given; undefined: it was not. */
  readonly name: string | undefined;
  readonly path: string;
  readonly environment: 'live' | 'sandbox';
  /** undefined: nobody is asked. */
  readonly ask: Ask | undefined;
}

/** The name of a batch that is there means that the file is a newer version of it. */
export async function nameOfFile(
  { name, path, environment, ask }: Naming,
  { ledger, clock }: Pick<Ports, 'ledger'> & { readonly clock: Pick<Ports['clock'], 'now'> },
): Promise<string> {
  if (name !== undefined) return freeOrExact(batchNameOf(name), ledger);
  if (ask !== undefined) return askedName(ask, await proposedName(path, clock.now(), ledger), ledger);
  if (environment === 'live') throw new RequestRefused(NO_NAME);
  return freeOrExact(ownName(path), ledger);
}

const NO_NAME =
  'A live service without anybody to ask needs the name of the batch: which period or purpose does it pay?';

/** As it is kept. */
export function batchNameOf(name: unknown): string {
  const kept = typeof name === 'string' ? name.normalize('NFC') : name;
  if (isBatchName(kept)) return kept;
  const shown = printable(String(name).slice(0, SHOWN_MAX));
  throw new RequestRefused(
    `No batch can be called “${shown}”; expected ${BATCH_NAME_RULE}. Nothing was sent.`,
  );
}

const SHOWN_MAX = 60;

async function freeOrExact(name: string, ledger: Pick<Ledger, 'batch' | 'batchLike'>): Promise<string> {
  const alike = await ledger.batchLike(name);
  if (alike === undefined) {
    const byId = /^\d+$/.test(name) ? await ledger.batch(name as Batch['id']) : undefined;
    if (byId !== undefined) throw nameIsId(name, byId);
    return name;
  }
  if (alike.name === name) return name;
  throw new RequestRefused(
    `Batch ${batchLabel(alike)} has almost the same name as “${printable(name)}”. Write its name exactly if the file is ` +
      'a newer version of it, or choose another name. Nothing was sent.',
  );
}

/** If such a name were allowed, it could mean either batch. */
export function nameIsId(name: string, other?: Pick<Batch, 'name'>): RequestRefused {
  const called = other === undefined ? 'another batch' : `batch ${batchLabel(other)}`;
  return new RequestRefused(
    `No batch can be called “${name}”, because that is the id of ${called}. Give it another name. Nothing was sent.`,
  );
}

async function askedName(
  ask: Ask,
  proposed: string,
  ledger: Pick<Ledger, 'batch' | 'batchLike' | 'totals'>,
): Promise<string> {
  for (;;) {
    const answer: unknown = await ask({ kind: 'name_of_batch', proposed });
    if (answer === undefined) throw new BatchNotNamed();
    const name = batchNameOf(typeof answer === 'string' ? answer.trim() : answer);
    const taken = await ledger.batchLike(name);
    if (taken === undefined) return freeOrExact(name, ledger);
    const choice = await ask({ kind: 'newer_version', known: await knownBatch(taken, ledger) });
    if (choice === 'newer') return taken.name;
    if (choice !== 'other_name') throw new BatchNotNamed();
  }
}

/** `salaries` for the file `salaries.xlsx`. */
function ownName(path: string): string {
  const file = path === '-' ? '' : path.replace(/^.*[/\\]/, '').replace(/\.\w{1,5}$/, '');
  const visible = file.normalize('NFC').replaceAll(/[\p{C}\p{Z}\p{DI}\u2800\s]+/gu, ' ');
  const begun = visible.replace(/^[^\p{L}\p{N}]+/u, '');
  const own = [...begun].slice(0, OWN_MAX).join('').trim();
  return isBatchName(own) ? own : 'payments';
}

/** With room for a month and a number. */
const OWN_MAX = 80;

/** Whether a batch is called so, or so that a person takes it for the same name. */
export const isTakenIn = (ledger: Pick<Ledger, 'batchLike'>) => async (name: string) =>
  (await ledger.batchLike(name)) !== undefined;

/** `salaries 2026-06` for the file `salaries.xlsx`, or `salaries 2026-06-2` where a batch has a name like that. A name with a month keeps it. */
export async function proposedName(
  path: string,
  now: Timestamp,
  ledger: Pick<Ledger, 'batchLike'> | undefined,
): Promise<string> {
  const own = ownName(path);
  const bare = hasMonth(own) ? own : `${own} ${formatTimestamp(now).slice(0, 7)}`;
  let proposed = bare;
  for (let count = 2; ledger !== undefined && (await isTakenIn(ledger)(proposed)); count += 1)
    proposed = `${bare}-${count}`;
  return proposed;
}

const MONTHS = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2026, at)));
const monthsIn = (language: string, month: 'long' | 'short') =>
  MONTHS.map((day) => likeName(day.toLocaleDateString(language, { month, timeZone: 'UTC' })));
/** Short ones in English alone: elsewhere they are words such as “out” and “set”. */
const monthNames = () => [
  ...['en', 'fr', 'pt'].flatMap((of) => monthsIn(of, 'long')),
  ...monthsIn('en', 'short'),
];
/** `2026_06`, `202606`, `06-2026`, `6.2026`. */
const MONTH_IN_DIGITS =
  /(?<!\d)20\d\d(?:\D?(?:0[1-9]|1[0-2])|\D[1-9])(?!\d)|(?<!\d)(?:(?:0[1-9]|1[0-2])\D?|[1-9]\D)20\d\d(?!\d)/;

/** Whether a name says a month, whichever. */
function hasMonth(name: string): boolean {
  if (MONTH_IN_DIGITS.test(name)) return true;
  const months = monthNames();
  return likeName(name)
    .split(/[^\p{L}]+/u)
    .some((word) => months.includes(word));
}
