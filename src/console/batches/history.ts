/** What people decided about a batch, newest first, a page at a time. The journal keeps it for ever. */
import { batchLabel } from '../../domain/batches/batch.ts';
import type { BatchDecision } from '../../domain/batches/decisions.ts';
import { history } from '../../operations/status.ts';
import { decisionLine } from '../../views/decision-columns.ts';
import { type Html, html, instant, NOTHING } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';

export async function historyPage({ payfile, part, query }: Visit): Promise<Answer> {
  const asked = query.get('after') ?? '';
  const after = /^\d{1,15}$/.test(asked) ? Number(asked) : undefined;
  const { batch, decisions, next, head } = await payfile.call(history, { batch: part('batch'), after });
  const name = batchLabel(batch);
  const at = address`/batches/${batch.id}/history`;
  const newer = after === undefined ? NOTHING : html`<a class="button" href="${at}">Newest</a> `;
  const older = next === undefined ? NOTHING : html`<a class="button" href="${at}?after=${next}">Older</a>`;
  return page(
    `History of ${name}`,
    html`${decisions.length === 0 ? html`<p>Nothing was decided yet.</p>\n` : decisionsTable(decisions, 'Decisions, newest first')}<p>${newer}${older}</p>
<p class="note">Fingerprint of all that was kept about this batch, another with each entry: <code>${head}</code>. <a href="/health">Health</a> proves that nothing of it was changed.</p>
`,
  );
}

export function decisionsTable(decisions: readonly BatchDecision[], label: string): Html {
  const rows = decisions.map((decision) => {
    const { at, what, rows: of, by, why } = decisionLine(decision);
    return [what, of, by === '' ? 'payfile' : by, why, instant(at)];
  });
  return wideTable({ label, heads: ['What', 'Rows', 'Who', 'Why, and what changed', 'When'], rows });
}
