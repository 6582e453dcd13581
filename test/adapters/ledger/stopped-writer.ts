/** A process that is stopped inside of a write: argument: the place as JSON. Says how its commit went when it goes on. */
import { writeSync } from 'node:fs';
import { PostgresDatabase } from '../../../src/adapters/ledger/postgres/connection.ts';
import type { ServerPlace } from '../../../src/adapters/ledger/postgres/pg-client.ts';

const db = new PostgresDatabase(JSON.parse(process.argv[2] ?? '') as ServerPlace);
db.exec('BEGIN IMMEDIATE');
writeSync(1, 'inside\n');
process.kill(process.pid, 'SIGSTOP');
try {
  db.exec('COMMIT');
  writeSync(1, 'committed\n');
} catch {
  writeSync(1, 'refused\n');
}
process.exit(0);
