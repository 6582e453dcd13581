/**
 * HTML as a value of its own: text becomes part of it only through the tagged template `html`, which escapes.
 * Text from cells, names or the service can reach the markup in no other way. Also small pieces that many sections use:
 * money, instants, a status with its symbol, a command to type.
 */

import { hash } from 'node:crypto';
import { formatAmount, type Money } from '../domain/money/money.ts';
import { type Command, type Place, type ShownStep, shownCommand } from '../domain/next-steps/command.ts';
import { labelText, type RowLabel } from '../domain/reporting/row-label.ts';
import { escapeMarkup } from '../domain/text/escape-markup.ts';
import { printable } from '../domain/text/printable.ts';
import { formatTimestamp, type Timestamp } from '../domain/timestamp.ts';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Everything of a document in front of its body. It holds no script. Its policy allows only this style sheet, named by its
 * hash, so markup that slipped through could load or run nothing.
 */
export function documentHead(title: string, style: string, generator: string): Html {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
`;
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
  return escapeMarkup(printable(text));
}

/** `1,200.00 GHS`, on one line. */
export function moneyText(money: Money | undefined): string {
  return money === undefined ? '' : `${formatAmount(money)}\u00a0${money.currency}`;
}

/** Without its currency. */
export function amountText(money: Money): string {
  return formatAmount(money);
}

/** `2026-05-25 06:15:00`, UTC. */
export function instantText(at: Timestamp): string {
  return formatTimestamp(at).slice(0, 19).replace('T', ' ');
}

export function instant(at: Timestamp | undefined): Html {
  return at === undefined ? NOTHING : html`<time datetime="${formatTimestamp(at)}">${instantText(at)}</time>`;
}

/** The sign never stands alone on a line: it would make every row twice as high. */
export function badge(label: RowLabel, isIncident = false): Html {
  const loud = isIncident ? html` <strong class="badge bad">! Incident</strong>` : NOTHING;
  return html`<span class="badge ${label.tone}">${labelText(label).replace(' ', '\u00a0')}</span>${loud}`;
}

/** Each choice on its own line, its command set apart, so that it can be seen and copied. */
export function stepPieces(steps: readonly ShownStep[]): readonly Piece[] {
  return steps.map(({ text, command, note }, at) => [
    at === 0 ? NOTHING : html`<br>`,
    command === undefined ? text : [`${text}: `, html`<code>${command}</code>`],
    note === undefined ? NOTHING : ` (${note})`,
  ]);
}

/** Set apart where it is typed. */
export function commandPiece(command: Command, place: Place): Piece {
  const { text, isTyped } = shownCommand(command, place);
  return isTyped ? html`<code>${text}</code>` : text;
}

/** Small print below a main value. */
export function smallPrint(shown: Piece): Html {
  return shown === '' ? NOTHING : html`<span class="under">${shown}</span>`;
}

/** A section whose body is written piece by piece; SECTION_END ends it. */
export function sectionHead(id: string, title: string): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
`;
}

export const SECTION_END = html`</section>
`;

export function section(id: string, title: string, body: Piece): Html {
  return html`${sectionHead(id, title)}${body}${SECTION_END}`;
}
