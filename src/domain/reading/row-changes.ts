/** All changes that answers make to rows, in the order in which they are applied. */
import { currencyWords } from './currency-words.ts';
import { fillDown } from './fill-down.ts';
import { firstFilled } from './first-filled.ts';
import { joinColumns } from './join-columns.ts';
import { latinDigits } from './latin-digits.ts';
import { leaveOut, leaveOutRows } from './leave-out.ts';
import { namesWithoutNumbers } from './names-without-numbers.ts';
import type { MakeRowChanges } from './row-change.ts';
import { scale } from './scale.ts';
import { setText } from './set-text.ts';
import { skipZero } from './skip-zero.ts';

/** A row that is left out may hold the text that the rows below it leave away, so it is still there for them. */
export const ROW_CHANGES: readonly MakeRowChanges[] = [
  scale,
  joinColumns,
  firstFilled,
  setText,
  fillDown,
  leaveOut,
  leaveOutRows,
  latinDigits,
  currencyWords,
  namesWithoutNumbers,
  skipZero,
];
