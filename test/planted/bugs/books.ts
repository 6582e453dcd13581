/** Bugs in what is booked: payments that vanish from the Journal, days that move, sums that no longer mean these days. */
import type { PlantedBug } from '../planted-bug.ts';

const BOOKING = 'src/domain/booking.ts';
const SENT = 'src/adapters/ledger/sent-sql.ts';
const SHEET = 'src/adapters/files/xlsx-report/xlsx-report.ts';
const MONTHS = 'test/application/months.test.ts';
const BOOKING_TEST = 'test/domain/booking.test.ts';

export const BOOK_BUGS: readonly PlantedBug[] = [
  {
    id: 'replaced-payment-unbooked',
    bug: 'A payment that came back and was paid again is in no Journal any more.',
    file: SENT,
    find: '    yield withEvents(sql, payoutsOf(rows, routes), false);',
    replace: '    yield [];',
    caughtBy: [
      { test: MONTHS, title: 'books what happened in May, the same in June and in July' },
      { test: MONTHS, title: 'ties whenever it is made' },
    ],
  },
  {
    id: 'journal-line-left-out',
    bug: 'The sheet Journal leaves the returns out.',
    file: SHEET,
    find: "if (whenOf(booking, period) === 'in_days') journal.add(each, booking);",
    replace:
      "if (whenOf(booking, period) === 'in_days' && booking.kind !== 'return') journal.add(each, booking);",
    caughtBy: [
      { test: MONTHS, title: 'ties whenever it is made' },
      { test: MONTHS, title: 'books the return and the second payment in June' },
    ],
  },
  {
    id: 'ruling-unbooked',
    bug: 'The day of a ruling does not book the payment out of suspense.',
    file: BOOKING,
    find: "      return later('nowhere', pair('found_unpaid', 'on_its_way', 'suspense', 'whole'));",
    replace: "      return later('nowhere');",
    caughtBy: [
      { test: BOOKING_TEST, title: 'in doubt, ruled not paid' },
      { test: MONTHS, title: 'leaves nothing on its way or in suspense' },
    ],
  },
  {
    id: 'booked-by-state',
    bug: 'A payment is booked on the day it was finished instead of the day it was sent.',
    file: BOOKING,
    find: '      const at = isOfSending ? (sentAt ?? event.at) : event.at;',
    replace: '      const at = isOfSending ? (events.at(-1)?.at ?? sentAt ?? event.at) : event.at;',
    caughtBy: [{ test: BOOKING_TEST, title: 'names each pair by the tag and its place' }],
  },
];
