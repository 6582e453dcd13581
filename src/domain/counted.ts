/**
 * Numbers of things in words: `1 row`, `1,250 rows`. The one place that knows how a plural is made.
 */

/** `1,250`. */
export function countText(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Where the plural is not the word and an s, it is given; so are two words that must agree. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

export function rowsText(count: number): string {
  return counted(count, 'row');
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** `first`, `second`, … `6th`; from 1. */
export function ordinalText(place: number): string {
  return ORDINALS[place - 1] ?? `${countText(place)}th`;
}
