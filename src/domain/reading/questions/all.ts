/** All questions about a file, in the order in which they are asked. Each is a pure function of what was seen. */
import type { Asks } from '../question.ts';

export const ASKS: readonly Asks[] = [];
