/**
 * The sections of a row's page that only tell: what was asked for, both names side by side, the quote, each request, every
 * entry of the journal, other payments of the same row.
 */
import { nameResultText } from '../../domain/names/name-check.ts';
import { type Payout, pricingIn } from '../../domain/payouts/payout.ts';
import { attemptSections, eventWords } from '../../domain/reporting/event-words.ts';
import { labelText, payoutLabel } from '../../domain/reporting/row-label.ts';
import { ordinalText } from '../../domain/text/printable.ts';
import type { Explained } from '../../operations/explain.ts';
import type { PayoutHistory } from '../../payfile.ts';
import { type Html, html, instant, moneyText, NOTHING, section } from '../../views/html.ts';
import { factList, wideTable } from '../page/fields.ts';
import { address } from '../server/route.ts';

type Story = Explained['story'];

export function askedFor({ instruction, state }: Payout): Html {
  if (instruction === undefined) return issuesOf(state);
  const { amount, name, account, institutionName, destinationName, reference, phone, note } = instruction;
  return factList([
    ['Amount', moneyText(amount)],
    ['Name', name ?? '(none in the file)'],
    ['Account', String(account)],
    ['Institution', institutionName],
    ['Country', destinationName],
    ['Reference', reference],
    ['Phone', phone],
    ['Note', note],
  ]);
}

function issuesOf(state: Payout['state']): Html {
  if (state.status !== 'invalid') return NOTHING;
  const rows = state.issues.map(({ column, columnLetter, field, seen, expected, suggestion }) => [
    [column ?? field, columnLetter === undefined ? '' : ` (column ${columnLetter})`],
    seen,
    expected,
    suggestion ?? '',
  ]);
  const heads = ['Cell', 'Seen', 'Expected', 'What to do'];
  return wideTable({ label: 'What is wrong with the row', heads, rows });
}

export function nameAndQuote({ instruction, state }: Payout): Html {
  const pricing = pricingIn(state);
  if (pricing === undefined) return NOTHING;
  const { nameCheck, quote, notes } = pricing;
  const names = wideTable({
    label: 'The name in the file beside the one on the account',
    heads: ['In the file', 'On the account', 'Name check'],
    rows: [
      [
        instruction?.name ?? '(none)',
        nameCheck.resolved ?? '(not known)',
        nameResultText(nameCheck, instruction?.name),
      ],
    ],
  });
  const cost =
    quote === undefined
      ? html`<p>The service gave no quote.</p>\n`
      : factList([
          ['Rate', quote.rate],
          ['Fee', `${quote.fee} ${quote.sourceCurrency ?? ''}`],
          ['Asked at', instant(quote.quotedAt)],
        ]);
  const said = notes.map((text) => html`<p class="note">${text}</p>\n`);
  return html`${section('names', 'The two names', names)}${section('quote', 'What it costs', html`${cost}${said}`)}`;
}

/** What a person needs to ask the service, or to find the payment in a statement. */
export function requests(story: Story): Html {
  const { payout, entries } = story;
  const { state } = payout;
  const told = attemptSections(payout, entries).map(
    ({ attempt, facts }) => html`<h3>Attempt ${attempt}</h3>\n${factList(facts)}`,
  );
  const known = factList([
    ['Tag', 'tag' in state ? [html`<code>${state.tag}</code>`, ' (search your statement for it)'] : ''],
    ['Transfer', 'transferId' in state && state.transferId ? html`<code>${state.transferId}</code>` : ''],
    ['The service says', 'serviceStatus' in state ? state.serviceStatus : ''],
    ['Requests begun', payout.attempts === 0 ? '' : String(payout.attempts)],
  ]);
  const body = html`${known}${told}`;
  return body.text === '' ? NOTHING : section('requests', 'Requests to the service', body);
}

export function whatHappened({ entries }: Pick<PayoutHistory, 'entries'>): Html {
  const rows = entries.map((entry) => {
    const { what, facts } = eventWords(entry);
    return [instant(entry.at), what, facts.join('; ')];
  });
  if (rows.length === 0) return html`<p>Nothing yet.</p>\n`;
  const heads = ['When', 'What', 'More'];
  return wideTable({ label: 'What happened, oldest first', heads, rows });
}

export function earlierPayments({ earlier }: Story): Html {
  if (earlier.length === 0) return NOTHING;
  const told = earlier.map(
    (
      before,
      at,
    ) => html`<h3>The ${ordinalText(at + 1)} attempt to pay this row: ${labelText(payoutLabel(before.payout))}</h3>
${attemptSections(before.payout, before.entries).map(({ facts }) => factList(facts))}${whatHappened(before)}`,
  );
  return section('earlier', 'Paid before, or tried', told);
}

export function laterPayments({ replacedBy }: Story): Html {
  if (replacedBy.length === 0) return NOTHING;
  const lines = replacedBy.map(
    ({ payout, batch }) =>
      html`<li><a href="${address`/batches/${payout.batchId}/rows/${payout.rowNumber}`}">Row ${payout.rowNumber} of batch ${batch}</a>: ${labelText(payoutLabel(payout))}</li>\n`,
  );
  return section('later', 'Paid again by', html`<ul>${lines}</ul>\n`);
}
