/** A choice of a select. */
import { type Html, html } from '../../views/html.ts';

export function option(value: string, text: string, isChosen: boolean): Html {
  return isChosen
    ? html`<option value="${value}" selected>${text}</option>\n`
    : html`<option value="${value}">${text}</option>\n`;
}
