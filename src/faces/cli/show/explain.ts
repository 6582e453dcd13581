/**
 * A row's events and requests as lines for a terminal. The whole of it is in --json.
 */
import type { Payout } from '../../../domain/payouts/payout.ts';
import { attemptsTold, eventWords, type ToldEvent } from '../../../domain/reporting/event-words.ts';
import { printable } from '../../../domain/text/printable.ts';
import { minuteOf } from '../../../domain/timestamp.ts';
import { wrapped } from '../terminal/table.ts';

/** `  2026-11-20 19:15  in doubt: attempt 1; The request went out and no answer came`, in lines of a width. */
export function eventLines(event: ToldEvent, width: number): string[] {
  const { what, facts } = eventWords(event);
  const head = `  ${minuteOf(event.at)}  `;
  const said = facts.map(printable).join('; ');
  const text = said === '' ? what : `${what}: ${said}`;
  return wrapped(text, width - head.length, '').map((line, nth) =>
    nth === 0 ? head + line : ' '.repeat(head.length) + line,
  );
}

/** Lines for every attempt, oldest first; empty when nothing was ever begun. */
export function evidenceLines(payout: Payout, entries: readonly ToldEvent[], width: number): string[] {
  return attemptsTold(payout, entries).flatMap(({ attempt, facts }) => [
    '',
    `Attempt ${attempt}:`,
    ...facts.flatMap(([title, text]) =>
      wrapped(`${title.padEnd(15)}${printable(text)}`, Math.max(width - 2, 40), ' '.repeat(15)).map(
        (line) => `  ${line}`,
      ),
    ),
  ]);
}
