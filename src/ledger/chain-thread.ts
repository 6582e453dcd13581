/** A thread that proves the chain of a file (prove-beside.ts), and ends at the first problem. */
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { ledgerHead } from './chain.ts';
import type { ProofAsked } from './prove-beside.ts';
import { connectSqlite, sqliteDatabase } from './sqlite.ts';
import { besideLog, type Proven, verifyChain } from './verify-chain.ts';

parentPort?.postMessage(await proven(workerData as ProofAsked));

async function proven({ path, moment, logMax }: ProofAsked): Promise<Proven | undefined> {
  const open = () => connectSqlite(path, { readOnly: true });
  const db = sqliteDatabase({ path, writer: open(), open });
  const found = (problem: string) => {
    throw new RangeError(problem);
  };
  try {
    return await db.still(async (sql) => {
      if (!isDeepStrictEqual(await ledgerHead(sql), moment)) return undefined;
      return verifyChain({ sql, batch: undefined, found, tell: undefined, turn: besideLog(path, logMax) });
    });
  } finally {
    await db.close();
  }
}
