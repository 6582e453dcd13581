/** A process that is stopped inside of a write: argument: the place as JSON. Says how its commit went when it goes on. */
import { writeSync } from 'node:fs';
import { pgDatabase } from '../../src/ledger/pg.ts';
import { FORMAT } from '../../src/ledger/schema.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';

const db = pgDatabase({ place: JSON.parse(process.argv[2] ?? '') as ServerPlace, format: FORMAT });
await db.begin('alone');
writeSync(1, 'inside\n');
process.kill(process.pid, 'SIGSTOP');
try {
  await db.commit();
  writeSync(1, 'committed\n');
} catch {
  writeSync(1, 'refused\n');
}
process.exit(0);
