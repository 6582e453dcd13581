/** Every planted bug there is: mistakes that pay twice, pay wrong, lose a row or hide a doubt. */
import { DECISION_BUGS } from './bugs/decisions.ts';
import { FLEET_BUGS } from './bugs/fleet.ts';
import { LEDGER_BUGS } from './bugs/ledger.ts';
import { PEOPLE_BUGS } from './bugs/people.ts';
import { READING_BUGS } from './bugs/reading.ts';
import { SENDING_BUGS } from './bugs/sending.ts';
import { SETTLING_BUGS } from './bugs/settling.ts';
import { WIRE_BUGS } from './bugs/wire.ts';
import type { PlantedBug } from './planted-bug.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...SENDING_BUGS,
  ...WIRE_BUGS,
  ...LEDGER_BUGS,
  ...FLEET_BUGS,
  ...DECISION_BUGS,
  ...PEOPLE_BUGS,
  ...SETTLING_BUGS,
  ...READING_BUGS,
];
