/**
 * A word of a command that is shown to be typed.
 */

/** A word that a shell takes as it stands, or the same in single quotes. */
export function shellWord(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path that no program takes for a flag; `-` alone is standard input. */
export function pathWord(path: string): string {
  return shellWord(path.startsWith('-') && path !== '-' ? `./${path}` : path);
}
