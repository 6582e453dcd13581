/**
 * HTML as a value of its own: text becomes part of it only through the tagged template `html`, which escapes.
 * There is no other way from a cell, a name or the service's words to markup.
 */
import { printable } from '../../../../domain/text/printable.ts';
import { inMarkup } from '../../harmless-text.ts';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between `${` and `}`: markup as it is, everything else as text. */
export type Piece = Html | string | number | readonly Piece[] | undefined;

export const NOTHING = new Html('');

/** Attribute values must stand in double quotes; then nothing that is put in can end them. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = parts[0] ?? '';
  for (const [at, piece] of pieces.entries()) text += textOf(piece) + (parts[at + 1] ?? '');
  return new Html(text);
}

function textOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'number') return piece.toString();
  return typeof piece === 'string' ? escaped(piece) : piece.map(textOf).join('');
}

/** The one function through which text becomes HTML. Controls and marks of direction become visible. */
function escaped(text: string): string {
  return inMarkup(printable(text));
}
