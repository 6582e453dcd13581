/** The queue of a ledger on a server, as the program asks it. */
import { serverDatabase } from '../../src/ledger/access.ts';
import type { ServerPlace } from '../../src/ports/server-place.ts';

export const queuePlace = (place: ServerPlace) => ({
  ledger: place.schema,
  database: serverDatabase(place, { max: 4, answerMs: 20_000 }),
});
