/** Every planted bug there is. */
import { ANSWER_BUGS } from './bugs/answers.ts';
import { APPROVAL_BUGS } from './bugs/approvals.ts';
import { BOOK_BUGS } from './bugs/books.ts';
import { CONNECTING_BUGS } from './bugs/connecting.ts';
import { COPY_BUGS } from './bugs/copies.ts';
import { CRASHING_BUGS } from './bugs/crashing.ts';
import { FILE_BUGS } from './bugs/files.ts';
import { LEDGER_BUGS } from './bugs/ledger.ts';
import { OUTPUT_BUGS } from './bugs/outputs.ts';
import { PEOPLE_BUGS } from './bugs/people.ts';
import { READING_BUGS } from './bugs/reading.ts';
import { SENDING_BUGS } from './bugs/sending.ts';
import { SESSION_BUGS } from './bugs/session.ts';
import { SETTLING_BUGS } from './bugs/settling.ts';
import { TRANSPORT_BUGS } from './bugs/transport.ts';
import type { PlantedBug } from './planted-bug.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...SENDING_BUGS,
  ...CONNECTING_BUGS,
  ...TRANSPORT_BUGS,
  ...ANSWER_BUGS,
  ...SESSION_BUGS,
  ...LEDGER_BUGS,
  ...COPY_BUGS,
  ...CRASHING_BUGS,
  ...PEOPLE_BUGS,
  ...APPROVAL_BUGS,
  ...SETTLING_BUGS,
  ...BOOK_BUGS,
  ...READING_BUGS,
  ...FILE_BUGS,
  ...OUTPUT_BUGS,
];
