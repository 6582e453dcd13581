/**
 * For whoever has no file yet: a workbook to fill in, and in the sandbox the sample.
 */
import { type Html, html, NOTHING } from '../../views/html.ts';
import type { Desk } from '../desk.ts';

export const TEMPLATE = html`<a class="button" href="/template.xlsx">Download a workbook to fill in</a>`;

export function offeredSample({ environment }: Pick<Desk, 'environment'>): Html {
  return environment === 'sandbox' ? SAMPLE : NOTHING;
}

const SAMPLE = html`<form method="post" action="/uploads/sample">
<p>No file at hand? The sample pays 24 people in five countries, in this sandbox only.</p>
<button>Take the sample payroll</button>
</form>
`;
