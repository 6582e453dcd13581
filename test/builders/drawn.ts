/** Blocks as the lines of a terminal. */

import { draw } from '../../src/cli/show/blocks.ts';
import type { Place } from '../../src/domain/next-steps/command.ts';
import type { Block } from '../../src/operations/block.ts';

interface Where {
  readonly columns?: number;
  readonly place?: Place;
}

export function drawn(blocks: readonly Block[], { columns = 200, place = {} }: Where = {}): string[] {
  const lines: string[] = [];
  const take = (text: string) => void lines.push(text);
  const paint = (text: string) => text;
  const screen = { print: take, result: take, talk: take, paint, columns, tableColumns: columns };
  for (const block of blocks) draw(block, place, 'print', screen);
  return lines;
}
