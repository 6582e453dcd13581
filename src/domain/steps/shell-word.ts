/**
 * Commands that are shown to be typed: their words, and what never stands in one.
 */

/** A word that a shell takes as it stands, or the same in single quotes. */
export function shellWord(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path that no program takes for a flag; `-` alone is standard input. */
export function pathWord(path: string): string {
  return shellWord(path.startsWith('-') && path !== '-' ? `./${path}` : path);
}

/**
 * What only a person may say: that money may go, what is repeated on purpose, which plan was seen, how much. A command
 * that is shown never carries the answer, even where it was given, so that no agreement is ready to be pasted.
 */
const CONSENT_FLAGS: readonly string[] = ['--yes', '--repeats', '--release', '--digest', '--max-total'];

/** Stand for values that only a person has. */
const TO_FILL_IN: readonly string[] = [
  ...['AMOUNT', 'BATCH', 'DIGEST', 'FILE', 'NAME', 'ROW', 'TEXT', 'TRANSFER_ID'],
];

/** The command without agreements. `--yes` agrees to no real money in the sandbox, and stays there. */
export function withoutConsent(command: string): string {
  const words = shellWords(command);
  const isSandbox = words.includes('--sandbox');
  const kept = words.filter((word, at) => {
    const [name = '', value] = word.split('=');
    if (name === '--yes') return isSandbox;
    if (CONSENT_FLAGS.includes(name)) return isToFillIn(value === undefined ? words[at + 1] : word);
    const before = words[at - 1] ?? '';
    return !CONSENT_FLAGS.includes(before) || before === '--yes' || isToFillIn(word);
  });
  return kept.join(' ');
}

/** Whether a person has to fill something in before the command, or those in a sentence, can be typed. */
export function isToBeFilledIn(command: string): boolean {
  return shellWords(command).some(isToFillIn);
}

/** `TEXT`, the end of `GHS=AMOUNT`, and either before a mark of the sentence. */
function isToFillIn(word: string | undefined): boolean {
  return TO_FILL_IN.includes(
    word
      ?.replace(/[;,.)]+$/, '')
      .split('=')
      .at(-1) ?? '',
  );
}

/** As a shell splits them, each still in its quotes. */
function shellWords(command: string): readonly string[] {
  return command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
}
