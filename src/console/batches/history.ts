/** What people decided about a batch, newest first, a page at a time. The journal keeps it for ever. */
import { batchLabel } from '../../domain/batches/batch.ts';
import { history } from '../../operations/status.ts';
import { decisionLine } from '../../views/decision-columns.ts';
import { html, instant, NOTHING } from '../../views/html.ts';
import { wideTable } from '../page/fields.ts';
import { type Answer, address, page, type Visit } from '../server/route.ts';

export async function historyPage({ payfile, part, query }: Visit): Promise<Answer> {
  const asked = query.get('after') ?? '';
  const after = /^\d{1,15}$/.test(asked) ? Number(asked) : undefined;
  const { batch, decisions, next, head } = await payfile.call(history, { batch: part('batch'), after });
  const name = batchLabel(batch);
  const rows = decisions.map((decision) => {
    const { at, what, rows: of, by, why } = decisionLine(decision);
    return [instant(at), what, of, by === '' ? 'payfile' : by, why];
  });
  const heads = ['When', 'What', 'Rows', 'Who', 'Why'];
  const at = address`/batches/${batch.id}/history`;
  const newer = after === undefined ? NOTHING : html`<a class="button" href="${at}">Newest</a> `;
  const older = next === undefined ? NOTHING : html`<a class="button" href="${at}?after=${next}">Older</a>`;
  return page(
    `History of ${name}`,
    html`${rows.length === 0 ? html`<p>Nothing was decided yet.</p>\n` : wideTable({ label: 'Decisions, newest first', heads, rows })}<p>${newer}${older}</p>
<p class="note">Fingerprint of all that was kept about this batch, another with each entry: <code>${head}</code>. <a href="/health">Health</a> proves that nothing of it was changed.</p>
`,
  );
}
