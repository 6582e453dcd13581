/** An office with a terminal in this process. The test types each answer when a text has appeared. */
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { clock, type Office, openOffice } from '../builders/office.ts';
import { callMain } from '../builders/process-context.ts';

export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';

/** The text to type, or another action on the input. */
type Typed = string | ((stdin: PassThrough) => unknown);

export interface Seat extends Office {
  /** Calls a command, and types each answer when its text is on the screen. */
  type(
    answers: readonly (readonly [text: string, typed: Typed])[],
    ...words: string[]
  ): Promise<{ readonly code: number; readonly screen: string }>;
}

export interface SeatOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly isAbandoned?: () => boolean;
}

export function openSeat({ env, columns = 100, isAbandoned = () => false }: SeatOptions = {}): Seat {
  const office = openOffice({ PAYFILE_SOURCE: 'GB', TERM: 'xterm', ...env });
  return {
    ...office,
    async type(answers, ...words) {
      const waiting = [...answers];
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
      let screen = '';
      let seen = 0;
      const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
        screen += String(chunk);
        const [text, typed] = waiting[0] ?? [];
        if (typed !== undefined && screen.slice(seen).includes(text ?? '')) {
          seen = screen.length;
          waiting.shift();
          setTimeout(() => (typeof typed === 'string' ? stdin.write(typed) : typed(stdin)), 20);
        }
        done();
      };
      const output = () =>
        Object.assign(new Writable({ write, decodeStrings: false }), { isTTY: true, columns });
      const given = { stdin, stdout: output(), stderr: output(), isAbandoned };
      const { code } = await callMain(words, office, { ...given, clock: clock.withPauses(9_000) });
      return { code, screen: stripVTControlCharacters(screen) };
    },
  };
}
