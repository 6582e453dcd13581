/** A table of words as it is written down: one group a line, words parted by one space. */
export const linesOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));
