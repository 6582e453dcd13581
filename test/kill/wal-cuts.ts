/**
 * A power loss as the disk may show it: the write-ahead log cut, zeroed or filled with rubbish from any offset on.
 * Whatever is left, a transfer that was written when the log had a certain length must be known as begun by every
 * ledger that still has that much of it.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timestampOf } from '../../src/domain/timestamp.ts';
import { openLedger } from '../../src/ledger/file.ts';

export interface LogCuts {
  /** A ledger that nobody has open, its log beside it. */
  readonly path: string;
  /** Each transfer with the length of the log when its first byte was about to be written. */
  readonly posts: readonly { readonly account: string; readonly length: number }[];
  /** Every how many sectors of 512 bytes a cut is made. */
  readonly stride: number;
  /** For the images. */
  readonly folder: string;
}

const SECTOR = 512;
const TAILS = ['gone', 'zeros', 'rubbish'] as const;

export async function cutLogs(cuts: LogCuts): Promise<{ readonly images: number; readonly lost: string[] }> {
  const whole = readFileSync(`${cuts.path}-wal`);
  const lost: string[] = [];
  let images = 0;
  for (let at = whole.length; at >= 0; at -= SECTOR * cuts.stride) {
    for (const tail of TAILS) {
      images += 1;
      const begun = await begunIn(cuts, tailed(whole, at, tail));
      for (const { account, length } of cuts.posts) {
        if (length <= at && !begun.has(account))
          lost.push(`cut at ${at} (${tail}): the transfer to ${account} is not known`);
      }
    }
  }
  return { images, lost };
}

function tailed(whole: Buffer, at: number, tail: (typeof TAILS)[number]): Buffer {
  const kept = whole.subarray(0, at);
  if (tail === 'gone') return kept;
  return Buffer.concat([kept, Buffer.alloc(whole.length - at, tail === 'zeros' ? 0 : 0xa5)]);
}

/** The accounts of payouts with an attempt, after an ordinary opening of the image. */
async function begunIn({ path, folder }: LogCuts, log: Buffer): Promise<ReadonlySet<string>> {
  const image = join(folder, 'image', 'ledger.db');
  mkdirSync(join(folder, 'image'), { recursive: true });
  rmSync(`${image}-shm`, { force: true });
  copyFileSync(path, image);
  writeFileSync(`${image}-wal`, log);
  const clock = { now: () => timestampOf(Date.now()) };
  const ledger = await openLedger({ path: image, binding: undefined, create: false, clock });
  const begun = new Set<string>();
  try {
    for (const batch of await ledger.batches()) {
      for await (const page of ledger.payouts(batch.id)) {
        for (const { instruction, attempts } of page)
          if (instruction !== undefined && attempts > 0) begun.add(instruction.account.reveal());
      }
    }
  } finally {
    await ledger.close();
  }
  return begun;
}
