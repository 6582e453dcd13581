import { expect, it } from 'vitest';
import type { FamilyMember } from '../../../src/domain/payouts/family.ts';
import { asBatchId } from '../../../src/domain/payouts/instruction.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { timestampOf } from '../../../src/domain/timestamp.ts';
import type { ReportRow } from '../../../src/ports/ledger/reports.ts';
import { aMixedBatch } from '../../builders/mixed-batch.ts';
import { aPayoutIn, money, NOW } from '../../builders/payouts.ts';
import {
  aBatch,
  aHeader,
  aRow,
  aRowPerState,
  DAY,
  ledgerTotalsOf,
  rowsIn,
} from '../../builders/report-rows.ts';
import { HTML_PAYLOADS } from '../../fixtures/html-payloads.ts';
import { writeSaying } from './spoken-page.ts';
import { bytes, names, redo, report, text } from './written.ts';

const ROW = /<tr role="row" id="row-(\d+)">/g;

/** What stands between two headings, without markup. */
function said(name: string, from: string, to: string): string {
  const page = text(name);
  const part = page.slice(page.indexOf(from), page.indexOf(to));
  return part.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

it('says live or sandbox and the outcome before anything else, then whether the totals tie', async () => {
  await report('first.html', rowsIn('settled', 'failed', 'in_doubt'));
  const page = text('first.html');
  const order = [
    'LIVE',
    '<h1',
    '3 payments: 1 settled, 1 failed, 1 in doubt',
    'Balanced against payfile’s own count',
    'What to look at',
  ];
  const places = order.map((words) => page.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  await report('rehearsal.html', rowsIn('settled'), { header: aHeader({ environment: 'sandbox' }) });
  expect(text('rehearsal.html')).toContain('SANDBOX – no real money');
});

it('says at its top how the rest of a batch goes out, and never to send it while it is paused', async () => {
  const rows = () => rowsIn('settled', 'approved');
  await report('rest.html', rows());
  expect(text('rest.html')).toContain('<p>Next: Send 1 approved row: <code>payfile send may-2026</code></p>');
  const pause = { reason: 'funds are low', by: 'ben', at: NOW };
  await report('paused.html', rows(), { header: aHeader({ batch: aBatch({ pause }) }) });
  expect(text('paused.html')).toContain('Resume the batch: <code>payfile resume may-2026</code></p>');
  expect(text('paused.html')).not.toContain('payfile send');
});

it('begins with what a person looks for and ends with the proof, and its links say the same', async () => {
  await report('order.html', aMixedBatch());
  const page = text('order.html');
  const sections = [...page.matchAll(/<section id="([a-z]+)"/g)].map(([, id]) => id);
  expect(sections).toEqual(['money', 'exceptions', 'rows', 'audit', 'source']);
  expect([...page.matchAll(/<li><a href="#([a-z]+)"/g)].map(([, id]) => id)).toEqual(sections);
  expect(page).toContain('Skip to the money');
});

it('has a title: the organisation, the batch, and the days on which it was sent', async () => {
  const later = aRow(aPayoutIn('settled', { rowNumber: 3, state: { sentAt: timestampOf(NOW + 2 * DAY) } }));
  const header = aHeader({ organization: 'Acme <Ltd>' });
  await report('title.html', [...rowsIn('settled'), later], { header });
  expect(text('title.html')).toContain(
    '<b>Acme &lt;Ltd&gt; · Payments of may-2026 · sent 2026-05-25 to 2026-05-27 (UTC)</b>',
  );
  await report('title.html', rowsIn('settled'));
  expect(text('title.html')).toContain('<b>Payments of may-2026 · sent 2026-05-25 (UTC)</b>');
  await report('title.html', rowsIn('held'));
  expect(text('title.html')).toContain('<b>Payments of may-2026 · nothing sent</b>');
});

it('says of a failed row that another batch paid it, and why it failed', async () => {
  const rows = rowsIn('settled', 'failed');
  const { payout } = rows[1] ?? aRow(aPayoutIn('failed'));
  const other: FamilyMember = {
    payoutId: aPayoutIn('settled', { rowNumber: 2 }).id,
    at: NOW,
    batchId: asBatchId('9'),
    batchName: 'redo',
    rowNumber: 2,
    status: 'settled',
    isCurrent: true,
    isIncident: false,
    wasIncident: false,
  };
  await report('again.html', rows, { header: aHeader({ paidAgain: new Map([[payout.id, other]]) }) });
  expect(text('again.html')).toContain('1 row was not paid here and paid again in another batch.');
  expect(text('again.html')).not.toContain('“What to look at” says why');
  expect(said('again.html', 'id="row-3"', 'id="audit"')).toContain(
    'Paid again as row 2 of batch redo: settled.',
  );
  expect(said('again.html', 'id="row-3"', 'id="audit"')).toContain('called it failed');
});

it('leaves out columns in which no row has a value', async () => {
  const cells = { 0: '' };
  const held = aRow(aPayoutIn('held', { rowNumber: 2, instruction: { reference: undefined } }), { cells });
  await report('columns.html', [held]);
  const heads = (name: string) => said(name, 'id="rows"', 'id="row-2"');
  for (const column of ['Reference', 'Transfer', 'Sent']) expect(heads('columns.html')).not.toContain(column);
  await report('columns.html', [held, ...rowsIn('settled').map((row) => ({ ...row, position: 3 }))]);
  for (const column of ['Reference', 'Transfer', 'Sent']) expect(heads('columns.html')).toContain(column);
});

it('has every row of the file exactly once, in file order, each with a name to point to', async () => {
  await report('rows.html', aRowPerState());
  const rows = [...text('rows.html').matchAll(ROW)].map((match) => Number(match[1]));
  expect(rows).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

it('lists what a person must look at, the gravest first, with the next command to type', async () => {
  const incident = aRow(aPayoutIn('settled', { rowNumber: 40, state: { incident: true } }));
  const suspicion = { word: 'Failed', firstAt: NOW };
  const suspected = aRow(aPayoutIn('accepted', { rowNumber: 41, state: { suspicion } }));
  await report('look.html', [...aRowPerState(), suspected, incident]);
  const rows = [...text('look.html').matchAll(/id="look-(\d+)"/g)].map((match) => Number(match[1]));
  // Incident, in doubt, being sent, called failed once, failed, returned, held, invalid.
  expect(rows).toEqual([40, 8, 7, 41, 11, 12, 4, 2]);
  const step = said('look.html', 'id="exceptions"', 'id="rows"');
  expect(step).toContain('payfile resolve may-2026 8 --paid TRANSFER_ID');
  expect(step).toContain('asks again at 2026-05-25 06:25 UTC');
});

it('says that nothing is to be looked at when all is settled', async () => {
  await report('calm.html', rowsIn('settled', 'settled'));
  expect(text('calm.html')).toContain('Nothing to look at.');
  expect(text('calm.html')).toContain('Nothing is left to do.');
});

it('does not call all done what the service shows otherwise', async () => {
  const found = [{ what: 'amount', asked: 'GHS 1,200.00', shown: '600.00' }];
  await report('differs.html', [aRow(aPayoutIn('settled', { state: { discrepancies: found } }))]);
  expect(said('differs.html', 'class="verdict"', 'id="money"')).toContain('see “What to look at”');
  expect(text('differs.html')).not.toContain('Nothing is left to do');
});

it.each([
  [rowsIn('canceled', 'canceled'), '2 rows were canceled before anything was sent. Nothing was paid here.'],
  [rowsIn('settled', 'canceled'), 'It is finished. 1 row was canceled before anything was sent.'],
  [
    [
      ...rowsIn('settled'),
      aRow(aPayoutIn('canceled', { rowNumber: 3 }), { replaced: [aPayoutIn('failed')] }),
    ],
    '1 row was tried, not paid, and canceled before the next try.',
  ],
  [rowsIn('settled', 'canceled', 'failed'), 'not every row was paid. “What to look at” says why.'],
])(
  'says what became of rows that were not paid, and points to no list that is empty',
  async (rows, words) => {
    await report('unpaid.html', rows);
    expect(text('unpaid.html')).toContain(words);
  },
);

it('masks accounts unless the whole numbers are asked for', async () => {
  const row = aRow(aPayoutIn('settled', { instruction: { account: new Sensitive('0244123456') } }));
  await report('masked.html', [row]);
  expect(text('masked.html')).not.toContain('0244123456');
  expect(text('masked.html')).toContain('••••3456');
  await report('whole.html', [row], { fullAccounts: true });
  expect(text('whole.html')).toContain('0244123456');
});

it('masks an account that stands in a reference or in the words of the service', async () => {
  const state = { basis: 'refused', reason: 'Account 0244123456 is closed' };
  const instruction = { account: new Sensitive('0244123456'), reference: 'WAGE-0244123456' };
  await report('repeated.html', [aRow(aPayoutIn('failed', { state, instruction }))]);
  expect(text('repeated.html')).not.toContain('0244123456');
  expect(text('repeated.html')).toContain('Account ••••3456 is closed');
});

it('masks an account that stands in the place of a name', async () => {
  await report('swapped.html', [aRow(aPayoutIn('invalid'), { cells: { 4: 'Ama 9040006712384' } })]);
  expect(text('swapped.html')).not.toContain('9040006712384');
});

it('shows the name on the account beside the written one where they differ', async () => {
  await report('names.html', aMixedBatch());
  expect(said('names.html', 'id="row-11"', 'id="row-12"')).toContain(
    'Chidi Okonkwo On the account: Efua Sutherland Darko (no match)',
  );
});

it('says by how much lines and ledger part, in words and at the check', async () => {
  const rows = rowsIn('settled', 'settled');
  const ledger = ledgerTotalsOf(rows).map((total) => ({ ...total, minor: total.minor + 1n }));
  await report('parts.html', rows, { ledger });
  expect(said('parts.html', '<h1', 'id="money"')).toContain(
    'Settled in GHS: the ledger has 2 rows, GHS 2,400.01, the report 2 rows, GHS 2,400.00.',
  );
  expect(text('parts.html')).toContain('✖ Differs from payfile’s own count');
  expect(text('parts.html')).not.toContain('Nothing is left to do');
});

it('keeps sums exact that no double can hold', async () => {
  const amount = money('GHS 999999999999999.99');
  const rows = [2, 3].map((rowNumber) => aRow(aPayoutIn('settled', { rowNumber, instruction: { amount } })));
  await report('huge.html', rows);
  expect(said('huge.html', 'id="money"', 'id="rows"')).toContain('1,999,999,999,999,999.98');
});

it.each([
  ['nothing was read', []],
  ['all payments ended alike and at once', rowsIn('settled', 'settled')],
])('draws no chart, and links to none, when %s', async (_, rows) => {
  await report('undrawn.html', rows);
  expect(text('undrawn.html')).not.toMatch(/id="charts"|href="#charts"|<svg/);
});

it('says that nothing was read', async () => {
  await report('empty.html', []);
  expect(text('empty.html')).toContain('The file has no rows.');
});

it('says in one table what was asked for, what became of it, and what it costs', async () => {
  const again = aRow(aPayoutIn('settled', { rowNumber: 9 }), {
    replaced: [aPayoutIn('returned', { id: 'p1' })],
  });
  await report('matrix.html', [...rowsIn('settled', 'returned', 'in_doubt', 'held'), again]);
  const shown = said('matrix.html', 'id="money"', 'id="exceptions"');
  // Settled twice 78.44, in doubt 78.44, and the fees of two that came back.
  expect(shown).toContain('GHS 5 6,000.00 2,400.00 1,200.00 1,200.00 1,200.00 5.10 GBP 237.36 GBP');
  expect(shown).toContain('Total 5 5.10 GBP 237.36 GBP');
  expect(text('matrix.html')).toContain('GBP 158.92 spent, GBP 78.44 open</h1>');
});

it('says what is to be posted, in debits and credits of one sum', async () => {
  await report('posted.html', rowsIn('settled', 'returned'));
  const shown = said('posted.html', 'To be posted', 'id="exceptions"');
  expect(shown).toContain('Owed to the payees 2100 77.42 GBP');
  expect(shown).toContain('The account that pays 1010 79.46 GBP');
  expect(shown).toContain('Total 79.46 79.46 GBP');
});

it('shows its times in the zone that was asked for', async () => {
  await report('zone.html', rowsIn('settled'), { header: aHeader({ timeZone: 'Africa/Nairobi' }) });
  const page = text('zone.html');
  expect(page).toContain('sent 2026-05-25 (Africa/Nairobi)');
  expect(page).toContain('times in Africa/Nairobi');
  expect(page).not.toContain('times in UTC');
});

it('stands at the foot of every printed page, and no text leaves its place there', async () => {
  const header = aHeader({ organization: 'A"}</style><b>' });
  await report('foot.html', rowsIn('settled'), { header });
  const style = /<style>(.*?)<\/style>/s.exec(text('foot.html'))?.[1] ?? '';
  expect(style).toContain('LIVE \\b7  A\\22 \\7d \\3c \\2f style\\3e \\3c b\\3e ');
});

it('tells once what is to do, and says for the next row that it is the same', async () => {
  await report('same.html', rowsIn('failed', 'failed'));
  expect(said('same.html', 'id="look-3"', 'id="rows"')).toContain('As for row 2 .');
});

it('holds at most 20,000 rows, says how many more there are, and counts them all', async () => {
  await report('long.html', many(20_003));
  const page = text('long.html');
  expect([...page.matchAll(ROW)].length).toBe(20_000);
  expect(page).toContain('The first 20,000 rows of 20,003 are listed, 3 are not');
  expect(page).toContain('payfile report may-2026 -o report.csv');
  expect(page).toContain('Payments 19,501 to 20,000 of 20,003');
  expect(page).toContain('20,003 payments: 20,003 settled');
});

it('lists at most 1,000 exceptions of a kind and hides none without a word', async () => {
  const held = many(1_002).map(({ payout }) => aRow(aPayoutIn('held', { rowNumber: payout.rowNumber })));
  await report('held.html', held);
  expect([...text('held.html').matchAll(/id="look-/g)].length).toBe(1_000);
  expect(text('held.html')).toContain('… and 2 more “Not sent: held”');
});

it('is the same to the last byte for the same state, but for the one value that says when it was made', async () => {
  await report('one.html', aMixedBatch());
  await report('two.html', aMixedBatch());
  expect(bytes('one.html').equals(bytes('two.html'))).toBe(true);
  await report('later.html', aMixedBatch(), { header: aHeader({ madeAt: (NOW + 60_000) as typeof NOW }) });
  const [one, later] = [text('one.html').split('\n'), text('later.html').split('\n')];
  const differing = later.filter((line, at) => line !== one[at]);
  expect(differing.length).toBe(1);
  expect(differing[0]).toContain('Made at');
});

it('names file, rows, approved plan and ledger, each by its hash', async () => {
  await report('hashes.html', rowsIn('settled'), { header: aHeader({ batch: aBatch() }) });
  const source = said('hashes.html', 'id="source"', '<footer>');
  expect(source).toContain(`SHA-256 of the file ${'a'.repeat(64)}`);
  expect(source).toContain('Digest of the rows d1d1');
  expect(source).toContain('Digest of the last approved plan a7a7');
  expect(source).toContain('payfile verify may-2026');
});

it('holds no script, and names nothing that a browser would fetch', async () => {
  await report('closed.html', aMixedBatch());
  const page = text('closed.html');
  expect(page).not.toMatch(/<script|<link|<img|<iframe|<object|<form|\ssrc=|@import|url\(/i);
  expect(page).toMatch(/default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'/);
  for (const [, target] of page.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^#[a-z]+(-\d+)?$/);
});

it('links an exception to its row and back, and to nothing else', async () => {
  await report('links.html', aMixedBatch());
  const page = text('links.html');
  const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, to]) => to);
  expect(targets.filter((to) => !page.includes(`id="${to}"`))).toEqual([]);
  expect(targets).toEqual(expect.arrayContaining(['row-15', 'look-15']));
});

/** Every tag with the names of its attributes. Leaves commands out, because their quotes differ. */
function tagsOf(page: string): readonly string[] {
  const tags = page.match(/<[^>"]*(?:"[^"]*"[^>"]*)*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""')).filter((tag) => !/^<\/?(code|br)/.test(tag));
}

it('shows text from a file, the service and people as text: no tag and no attribute comes from it', async () => {
  await writeSaying('evil.html', HTML_PAYLOADS);
  await writeSaying(
    'plain.html',
    HTML_PAYLOADS.map((_, at) => `plain words n${at}`),
  );
  const [built, wanted] = [tagsOf(text('evil.html')), tagsOf(text('plain.html'))];
  expect(wanted.length).toBeGreaterThan(2_000);
  expect(built).toEqual(wanted);
  expect(tagsOf(text('evil.html').replace('&lt;script&gt;', '<script>'))).not.toEqual(wanted);
});

it('refuses to write rows to be paid again as a page, and leaves nothing behind', async () => {
  await expect(redo('redo.html', rowsIn('failed'))).rejects.toThrow('is a .xlsx or a .csv, not a .html');
  expect(names()).not.toContain('redo.html');
});

function many(count: number): ReportRow[] {
  return Array.from({ length: count }, (_, at) => aRow(aPayoutIn('settled', { rowNumber: at + 2 })));
}
