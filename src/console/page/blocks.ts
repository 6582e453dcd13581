/** Draws the blocks of an operation's result on a page. */

import type { Piece as Said } from '../../domain/text/message.ts';
import type { Block, Tone } from '../../operations/block.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { type Html, html, NOTHING } from '../../views/html.ts';
import { factList, wideTable } from './fields.ts';
import { commandOnPage, pieceOnPage } from './words.ts';

const CLASSES: Readonly<Record<Tone, string>> = {
  good: 'good',
  doubt: 'doubtful',
  bad: 'alarm',
  strong: 'outcome',
  quiet: 'note',
};

/** What the operation shows of its result. */
export const drawn = <Result>(
  { view }: Pick<Operation<Input, Result>, 'view'>,
  result: Result,
  label: string,
): Html => drawBlocks(view?.(result) ?? [], label);

/** Several tables are numbered: who cannot see them tells them apart by their names. */
export function drawBlocks(blocks: readonly Block[], label: string): Html {
  const tables = blocks.filter(({ kind }) => kind === 'table');
  const nameOf = (block: Block) => {
    const at = tables.indexOf(block);
    return at > 0 ? `${label}, ${at + 1}` : label;
  };
  return html`${blocks.map((block) => drawBlock(block, nameOf(block)))}`;
}

/** `label`: names a table for whoever cannot see it. */
function drawBlock(block: Block, label: string): Html {
  switch (block.kind) {
    case 'environment':
      // It stands above every page.
      return NOTHING;
    case 'line': {
      const text = block.pieces.map(withoutDash).map(pieceOnPage);
      if (block.pieces.length === 0) return NOTHING;
      // A terminal shows by spaces that a line belongs to the one above.
      const isPart = String(block.pieces[0]).startsWith('  ');
      const tone = isPart ? 'part' : block.tone && CLASSES[block.tone];
      return html`<p${tone === undefined ? NOTHING : html` class="${tone}"`}>${text}</p>\n`;
    }
    case 'list':
      return html`<ol>${block.lines.map((pieces) => html`<li>${pieces.map(pieceOnPage)}</li>\n`)}</ol>\n`;
    case 'facts':
      return html`${block.label === undefined ? NOTHING : html`<h3>${block.label}</h3>\n`}${factList(block.facts)}`;
    case 'steps':
      if (block.steps.length === 0) return NOTHING;
      return html`<ul>${block.steps.map(({ text, command, note }) => html`<li>${text}${command === undefined ? NOTHING : html`: ${commandOnPage(command)}`}${note === undefined ? NOTHING : ` (${note})`}</li>\n`)}</ul>\n`;
    case 'table':
      return wideTable({
        label,
        heads: block.columns.map(({ title, isNumber }) => (isNumber ? { count: title } : title)),
        rows: block.rows.map((cells) =>
          cells.map((cell) => (Array.isArray(cell) ? cell : [cell]).map(pieceOnPage)),
        ),
      });
  }
}

/** A dash that marks a line of the terminal looks like a minus on a page. */
const withoutDash = (piece: Said): Said => (typeof piece === 'string' ? piece.replace(/^– /, '') : piece);
