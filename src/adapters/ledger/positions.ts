/**
 * The place of a row in its file, as one number: the revision's range above, the ordinal (from 1) below. A
 * revision gives its rows places in a new range, so that old and new places never meet while it is under way.
 */
const RANGE = 2 ** 32;

export function positionOf(range: number, ordinal: number): number {
  return range * RANGE + ordinal;
}

export function ordinalOf(position: number): number {
  return position % RANGE;
}
