/** Yardstick: csv-parse and a plain insert of the same columns and a journal row, one process. Arguments: file, database. */
import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse';
import { printResult } from '../work-result.ts';

const [path = '', databasePath = ''] = process.argv.slice(2);
const CHUNK_ROWS = 1_000;
const db = new DatabaseSync(databasePath);
db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
db.exec(`CREATE TABLE payouts(id INTEGER PRIMARY KEY, batch INTEGER, position INTEGER, row_number INTEGER, status TEXT,
  version INTEGER, attempts INTEGER, state TEXT, route INTEGER, account TEXT, minor INTEGER, reference TEXT, name TEXT,
  phone TEXT, note TEXT, replaces TEXT, root INTEGER, cells TEXT, row_key BLOB, reference_key BLOB, payment_key BLOB, born INTEGER)`);
db.exec(
  'CREATE TABLE journal(seq INTEGER PRIMARY KEY, batch INTEGER, payout INTEGER, at INTEGER, kind TEXT, body TEXT)',
);
const payout = db.prepare(
  `INSERT INTO payouts VALUES (NULL,1,?,?,'planned',1,0,'{"v":1}',1,?,?,?,?,NULL,?,NULL,?,?,?,?,?,?)`,
);
const journal = db.prepare(`INSERT INTO journal VALUES (NULL,1,?,?,'imported','{"status":"planned"}')`);
const key = new Uint8Array(16);

const started = performance.now();
let rows = 0;
let chunk: string[][] = [];
const flush = () => {
  db.exec('BEGIN');
  for (const cells of chunk) {
    rows += 1;
    const [reference = '', , , account = '', name = '', amount = '', note = ''] = cells;
    payout.run(
      rows,
      rows + 1,
      account,
      amount,
      reference,
      name,
      note,
      rows,
      JSON.stringify(cells),
      key,
      key,
      key,
      rows,
    );
    journal.run(rows, started);
  }
  db.exec('COMMIT');
  chunk = [];
};
for await (const cells of createReadStream(path).pipe(parse({ from: 2 }))) {
  chunk.push(cells as string[]);
  if (chunk.length === CHUNK_ROWS) flush();
}
flush();
const ms = performance.now() - started;
db.close();
printResult({ ms, rows });
