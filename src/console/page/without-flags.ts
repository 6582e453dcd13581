/**
 * Advice as a page gives it: what is typed as a flag at a terminal is a field or a box here. Only for text of ours, which
 * holds no words of a file but in quotes.
 */
import { IN_A_PROGRAM, type Message, piecesOf, textOf, type Wording } from '../../domain/text/message.ts';

const WAYS: readonly (readonly [flag: RegExp, way: string])[] = [
  [
    / (?:Name the column with --map amount="[^"]*", and|Say which sign a payment has, with) .*--payments [^.]*\./g,
    ' Say below which they are.',
  ],
  [/Run again without --encoding\./g, 'Say another encoding, or none.'],
  [/--(?:encoding|delimiter) (\S+ is not an? )/g, '$1'],
  [/ \(not tried: add --try-notify\)/g, ' (not tried)'],
  [/ \(--scenario plain-accounts\)/g, ''],
  [/, then run payfile doctor --try-notify again\./g, '.'],
  [/ To try payfile without a service, add --sandbox\./g, ''],
  [/, or choose a place with --ledger\./g, '.'],
  [/, and name it with --config\./g, '.'],
];

export function withoutFlags(text: string): string {
  return WAYS.reduce((said, [flag, way]) => said.replaceAll(flag, way), text);
}

const TYPED: Wording = {
  ...IN_A_PROGRAM,
  input: ({ input, value = '' }) =>
    `--${input.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${value}`.trim(),
};

/** A message that names inputs. */
export const saidOnPage = (text: string | Message) => withoutFlags(textOf(piecesOf(text), TYPED));
