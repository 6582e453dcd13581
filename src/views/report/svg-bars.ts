/**
 * Horizontal bars: a name, a bar as long as its value, and the value in words. Plain SVG, colored by
 * classes, so that it follows light, dark and paper.
 *
 * Units:   the picture is 400 wide and scales; positions are in its own units, with one decimal.
 */
import { cutText } from '../../domain/text/printable.ts';
import { type Html, html } from '../html.ts';

interface Picture {
  /** Makes the ids of title and description unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly shown: string;
}

export const WIDTH = 400;
const STEP = 22;
const NAME_WIDTH = 132;
const SHOWN_WIDTH = 78;
const NAME_MAX = 24;

export function bars(picture: Picture, list: readonly Bar[]): Html {
  const room = WIDTH - NAME_WIDTH - SHOWN_WIDTH;
  const most = Math.max(...list.map(({ value }) => value), 0);
  const drawn = list.map(({ name, value, shown }, at) => {
    const top = at * STEP;
    const length = most === 0 ? 0 : (value / most) * room;
    const end = NAME_WIDTH + length + 6;
    return html`<text x="${NAME_WIDTH - 6}" y="${top + 15}" text-anchor="end">${cutText(name, NAME_MAX)}</text><rect class="bar" x="${NAME_WIDTH}" y="${top + 4}" width="${tenth(Math.max(length, value > 0 ? 2 : 0))}" height="14"/><text x="${tenth(end)}" y="${top + 15}">${shown}</text>\n`;
  });
  return drawing(picture, list.length * STEP + 2, drawn);
}

export function drawing({ id, title, description }: Picture, height: number, body: readonly Html[]): Html {
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-name ${id}-about">
<title id="${id}-name">${title}</title><desc id="${id}-about">${description}</desc>
${body}</svg>
`;
}

export function tenth(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}

/** The picture with its numbers as text, so that the numbers can be read without it. */
export function figure(title: string, picture: readonly Html[], table: Html): Html {
  return html`<article class="chart"><h3>${title}</h3>
${picture}${table}</article>
`;
}
