/** All changes that answers make to rows, in the order in which they are applied. */
import { currencyWords } from './currency-words.ts';
import { leaveOut } from './leave-out.ts';
import type { MakeRowChanges } from './row-change.ts';
import { setText } from './set-text.ts';

export const ROW_CHANGES: readonly MakeRowChanges[] = [leaveOut, currencyWords, setText];
