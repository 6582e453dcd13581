/**
 * Advice as a page gives it: what is typed as a flag at a terminal is a field or a box here. Only for text of ours, which
 * holds no words of a file but in quotes.
 */

const WAYS: readonly (readonly [flag: RegExp, way: string])[] = [
  [/leave (it|these rows) out with --skip-invalid/g, 'leave $1 out when you plan'],
  [/--decimal (point|comma)/g, '“Decimals of amounts: with a $1” at “Read it in another way”'],
  [/as --decimal says/g, 'as said at “Read it in another way”'],
  [/, or the flag\./g, ', or what is said there.'],
  [
    /Pass --source COUNTRY, set PAYFILE_SOURCE, or add a column “source”\./g,
    'Say it at “Read it in another way”, or add a column “source” to the file.',
  ],
];

export function withoutFlags(text: string): string {
  return WAYS.reduce((said, [flag, way]) => said.replaceAll(flag, way), text);
}
