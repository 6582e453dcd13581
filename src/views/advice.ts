/** Advice to beneficiaries as a page to print: a card for each payment, several on a sheet. Same state, same bytes. */
import type { Advice } from '../domain/reporting/advice.ts';
import { cutText } from '../domain/text/printable.ts';
import { COLORS } from './colors.ts';
import { documentHead, html, NOTHING } from './html.ts';

const STYLE = `${COLORS}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1rem}
article{margin:0 0 1.25rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.4rem;break-inside:avoid;page-break-inside:avoid}
p{margin:0;color:var(--quiet)}
.place{color:var(--moving);font-weight:600}
h2{margin:.2rem 0 .6rem;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:0}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
@page{size:A4;margin:12mm}
@media print{body{font-size:9pt}main{max-width:none;padding:0}article{margin:0 0 4mm;padding:3mm 5mm;border-radius:0}h2{font-size:14pt}}
`;

/** A cell may be of any length; a page shows its beginning. */
const TEXT_MAX = 500;

export const ADVICE_HEAD = html`${documentHead('Payment advice', STYLE, 'payfile advice')}<main>
`.text;

export const ADVICE_END = html`</main>
</body>
</html>
`.text;

export function adviceCard(advice: Advice): string {
  const { environment, account, institution, country, earlier_came_back: cameBack } = advice;
  const facts: readonly (readonly [string, string])[] = [
    ['Paid by', advice.payer],
    ['Paid to', advice.name],
    ['Account', `${account}, ${institution}, ${country}`],
    ['Paid on', `${advice.day} (${advice.zone})`],
    ['For', advice.note],
    ['Reference', advice.reference],
    ['Transfer', advice.transfer],
    ['Earlier payment', cameBack === '' ? '' : `came back on ${cameBack}. This one replaces it.`],
  ];
  const known = facts.filter(([, value]) => value !== '');
  const rehearsal = html`<p class="place">SANDBOX: a rehearsal. No money moved.</p>\n`;
  return html`<article>
${environment === 'sandbox' ? rehearsal : NOTHING}<p>Payment advice</p>
<h2>${advice.amount}</h2>
<dl>
${known.map(([label, value]) => html`<dt>${label}</dt><dd dir="auto">${cutText(value, TEXT_MAX)}</dd>\n`)}</dl>
</article>
`.text;
}
