/** Prints blocks on a terminal. Shows inputs as flags, and commands as the user types them. */
import { commandText, type Place, stepsIn } from '../../domain/next-steps/command.ts';
import { type Piece, textOf, type Wording } from '../../domain/text/message.ts';
import type { Block, Facts, Table } from '../../operations/block.ts';
import { type Call, placeOf, printStep } from '../call.ts';
import { flagOf } from '../parse/option-spec.ts';
import { tableOrBlocks, tableWithProse, wrapText } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const wordingIn = (place: Place): Wording => ({
  input: ({ input, value }) => (value === undefined ? flagOf(input) : `${flagOf(input)} ${value}`),
  command: (shown) => commandText(shown, place),
  steps: (steps) => stepsIn(place, steps),
});

type Screen = Pick<Terminal, 'print' | 'result' | 'talk' | 'paint' | 'columns' | 'tableColumns'> &
  Partial<Pick<Terminal, 'isQuiet'>>;

/** The line above every plan and every outcome. */
function environmentLine(environment: 'live' | 'sandbox', { paint }: Pick<Screen, 'paint'>): string {
  return environment === 'sandbox'
    ? paint('SANDBOX — no real money', 'strong')
    : paint('LIVE — real money', 'bad');
}

/** `result`: output of an operation that changes data. --quiet shows it only after a failure. */
export function draw(block: Block, place: Place, write: 'print' | 'result' | 'talk', terminal: Screen): void {
  const wording = wordingIn(place);
  const text = (pieces: readonly Piece[]) => textOf(pieces, wording);
  switch (block.kind) {
    case 'line': {
      if (block.isExpected === true && terminal.isQuiet) return;
      const whole = text(block.pieces);
      const painted = block.tone === undefined ? whole : terminal.paint(whole, block.tone);
      terminal[block.isAside === true ? 'talk' : block.isAlways === true ? 'print' : write](painted);
      return;
    }
    case 'environment':
      terminal[write](environmentLine(block.environment, terminal));
      return;
    case 'list':
      for (const [at, each] of block.lines.entries()) terminal[write](`${at + 1}. ${text(each)}`);
      return;
    case 'facts':
      for (const each of factLines(block, Math.min(terminal.columns, LINE_MAX))) terminal[write](each);
      return;
    case 'steps':
      for (const each of block.steps) printStep(each, place, terminal);
      return;
    case 'table':
      for (const each of tableLines(block, text, terminal.tableColumns)) terminal[write](each);
  }
}

/** Prints results of work. --quiet shows them only after a failure. */
export function drawAll(blocks: readonly Block[], call: Call): void {
  for (const block of blocks) draw(block, placeOf(call), 'result', call.terminal);
}

/** Longer lines are hard to read. */
const LINE_MAX = 120;

/** Aligns the values, even if they take several lines. */
function factLines({ label, facts }: Facts, width: number): readonly string[] {
  const nameWidth = Math.max(...facts.map(([name]) => name.length)) + 2;
  const indent = ' '.repeat(nameWidth);
  const lines = facts.flatMap(([name, value]) =>
    wrapText(value, Math.max(width - nameWidth - 2, 20), '').map(
      (part, at) => `  ${at === 0 ? name.padEnd(nameWidth) : indent}${part}`,
    ),
  );
  return ['', ...(label === undefined ? [] : [label]), ...lines];
}

function tableLines(
  { columns, rows }: Table,
  text: (pieces: readonly Piece[]) => string,
  width: number,
): readonly string[] {
  const isProse = columns.at(-1)?.isNumber !== true;
  return (isProse ? tableWithProse : tableOrBlocks)(
    columns.map(({ title, isNumber }) => ({ title, right: isNumber === true })),
    rows.map((cells) => cells.map((cell) => text([cell].flat() as readonly Piece[]))),
    width,
  );
}
