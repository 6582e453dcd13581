/**
 * Advice as a page gives it: what is typed as a flag at a terminal is a field or a box here. Only for text of ours, which
 * holds no words of a file but in quotes.
 */
import { IN_A_PROGRAM, type Message, piecesOf, textOf, type Wording } from '../../domain/text/message.ts';

const WAYS: readonly (readonly [flag: RegExp, way: string])[] = [
  [/leave (it|these rows) out with --skip-invalid/g, 'leave $1 out when you plan'],
  [/--decimal (point|comma)/g, '“Decimals of amounts: with a $1” at “Read it in another way”'],
  [/as --decimal says/g, 'as said at “Read it in another way”'],
  [/, or the flag\./g, ', or what is said there.'],
  [
    /Pass --source COUNTRY, set PAYFILE_SOURCE, or add a column “source”\./g,
    'Say it at “Read it in another way”, or add a column “source” to the file.',
  ],
  [/ \(--names unavailable=ok goes on without names\)/g, ''],
  [/ \((?:on a terminal: )?--evidence\)/g, ''],
  [/,? with --evidence\./g, '.'],
  [/only with --evidence TEXT/g, 'only with words that prove it'],
  [/ – not ruled by --accept:/g, ' – to be ruled by hand:'],
  [
    / (?:Name the column with --map amount="[^"]*", and|Say which sign a payment has, with) .*--payments [^.]*\./g,
    ' Say below which they are.',
  ],
  [/--(?:map \w+=|payments column )("[^"]*")/g, 'the column $1'],
  [/(say which one counts|name it) with the column "Header"/g, '$1 below'],
  [/in the order that --date-order names/g, 'in the order that was said'],
  [/say which with --date-order/g, 'say which below'],
  [/Run again without --encoding\./g, 'Say another encoding, or none.'],
  [/--(?:encoding|delimiter) (\S+ is not an? )/g, '$1'],
  [/ \(not tried: add --try-notify\)/g, ' (not tried)'],
  [/, then run payfile doctor --try-notify again\./g, '.'],
  [/ To try payfile without a service, add --sandbox\./g, ''],
  [/, or choose a place with --ledger\./g, '.'],
  [/, and name it with --config\./g, '.'],
  [/more: --changes/g, 'more'],
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
