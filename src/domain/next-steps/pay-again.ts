/**
 * Paying rows again through a file of the unpaid rows: the command that writes it, what its batch is called, and the way
 * there for a row that a newer file of its batch may not change any more.
 */
import { type Batch, type BatchFile, batchLabel, isBatchName } from '../batches/batch.ts';
import { ENDED_UNPAID, type Status, WAITING } from '../payouts/payout.ts';
import { type Command, command, type Flag, type Step } from './command.ts';

type OfBatch = Pick<Batch, 'id' | 'name'> & { readonly file: Pick<BatchFile, 'format'> };

/**
 * The rows that failed or came back, in a file to correct and run. It is of the kind of the batch's own file: a spreadsheet
 * program drops the zeros at the front of accounts in a CSV. `redoName`: by which no batch has run a file.
 */
export function unpaidCommand(
  batch: OfBatch,
  redoName = firstRedoName(batch),
  ...more: readonly Flag[]
): Command {
  const [redo = '-redo'] = /-redo(-\d+)?$/.exec(redoName) ?? [];
  const path = `${isPlain(redoName) ? redoName : `batch-${batch.id}${redo}`}.${batch.file.format}`;
  return command(
    'report',
    [batchLabel(batch)],
    [['--only', 'unpaid'], ['--as-input'], ...more, ['-o', path]],
  );
}

/**
 * `may-redo` for what is paid again of `may`, then `may-redo-2`: the first name that no batch has, because a file of a
 * taken name is compared with that batch.
 */
export async function freeRedoName(
  batch: Pick<Batch, 'id' | 'name'>,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  let free = firstRedoName(batch);
  while (await isTaken(free)) free = redoNameOf(free);
  return free;
}

function firstRedoName({ id, name }: Pick<Batch, 'id' | 'name'>): string {
  return redoNameOf(isBatchName(`${name}-redo-9999`) ? name : `batch-${id}`);
}

/** For the name of a file: the batch's own, where that is one. */
export function plainNameOf({ id, name }: Pick<Batch, 'id' | 'name'>): string {
  return isPlain(name) ? name : `batch-${id}`;
}

function isPlain(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,89}$/i.test(name);
}

function redoNameOf(name: string): string {
  const [, stem, count = '1'] = /^(.+)-redo(?:-([1-9]\d{0,3}))?$/.exec(name) ?? [];
  return stem === undefined ? `${name}-redo` : `${stem}-redo-${Number(count) + 1}`;
}

interface Refused {
  readonly rowNumber: number;
  readonly status: Status;
}

const WITHDRAWN: readonly Status[] = ['canceled', 'invalid'];

/**
 * What a person can do about rows that a newer file changed after they were agreed to or sent; empty where they can only
 * be put back. An approved row is withdrawn first. One that failed or came back is paid as corrected in a file of the unpaid rows.
 * In the order in which it is typed.
 */
export function correctedSteps(batch: OfBatch, rows: readonly Refused[], name: string): readonly Step[] {
  const isIn = (statuses: readonly Status[]) => rows.filter(({ status }) => statuses.includes(status));
  const cancelOf = (chosen: readonly Refused[]) =>
    command(
      'cancel',
      [batchLabel(batch), ...chosen.map(({ rowNumber }) => rowNumber)],
      [['--reason', { fillIn: 'TEXT' }]],
    );
  const approved = isIn(['approved']);
  const withdraw = approved.length === 0 ? [] : [{ text: WITHDRAW, command: cancelOf(approved) }];
  const unsent = isIn(WAITING);
  const isWithdrawn = unsent.length + isIn(WITHDRAWN).length > 0;
  if (!isWithdrawn && isIn(ENDED_UNPAID).length === 0) return withdraw;
  const write = unpaidCommand(batch, name, ...(isWithdrawn ? [['--include', 'canceled'] as const] : []));
  const [path] = write.flags.flatMap(([flag, value]) =>
    flag === '-o' && typeof value === 'string' ? [value] : [],
  );
  const text = isWithdrawn ? WRITE_WITHDRAWN : WRITE;
  return [
    ...withdraw,
    ...(unsent.length > 0 ? [{ text: 'Withdraw the unsent rows here', command: cancelOf(unsent) }] : []),
    { text, command: write, isLater: unsent.length > 0 },
    { text: CORRECT, command: command('plan', [path ?? ''], [['--batch', name]]), isLater: true },
  ];
}

/** In the sandbox, wherever a row is to be paid again. */
export const REHEARSED =
  'In the sandbox, an account that rehearses trouble does so in every run. The scenario plain-accounts turns that off.';

const WITHDRAW = 'Withdraw the approved rows, then bring the file again';
const WRITE = 'Write the unpaid rows to a file';
const WRITE_WITHDRAWN =
  'Write the unpaid and the withdrawn rows to a file, and delete in it the rows that nobody is to pay';
const CORRECT = 'Correct the rows in that file, keep its column payfile_replaces, and plan it';
