/**
 * Explains one row: all its events, with their evidence. Account numbers are masked. People with the right role may see
 * one in full. The journal records who looked.
 */
import { z } from 'zod';
import { type Batch, batchLabel } from '../domain/batches/batch.ts';
import { formatMoney, moneyJson } from '../domain/money/money.ts';
import { nameResultText } from '../domain/names/name-check.ts';
import type { FamilyMember } from '../domain/payouts/family.ts';
import { type Payout, pricingIn } from '../domain/payouts/payout.ts';
import { attemptSections, eventWords } from '../domain/reporting/event-words.ts';
import { labelText, payoutLabel } from '../domain/reporting/row-label.ts';
import { textOf, type Wording } from '../domain/text/message.ts';
import { ordinalText, printable } from '../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../domain/timestamp.ts';
import { choosePayout } from '../use-cases/decide/choose-payouts.ts';
import type { Explained, PayoutHistory } from '../use-cases/report/explain-payout.ts';
import { showAccount as show } from '../use-cases/report/show-account.ts';
import { batchJson, withNulls } from './batch-json.ts';
import { type Block, type Facts, line, stepPieces, toned, when } from './block.ts';
import { batch, word } from './fields.ts';
import { operation } from './operation.ts';

export type { Explained } from '../use-cases/report/explain-payout.ts';

const input = z.strictObject({
  batch: batch(),
  row: word('row'),
});

export const explain = operation({
  name: 'explain',
  needs: ['look'],
  input,
  async run(asked, context): Promise<Explained> {
    const { explainRow } = await import('../use-cases/report/explain-payout.ts');
    const explained = await explainRow(asked, await context.readingPorts());
    const steps = explained.steps.map(({ command, ...step }) =>
      command === undefined ? step : { ...step, command: context.relativeToFolder(command) },
    );
    return { ...explained, steps };
  },
  view,
  json,
});

export const showAccount = operation({
  name: 'showAccount',
  needs: ['see_accounts'],
  input,
  async run({ batch: named, row }, context) {
    const ledger = await context.ledger();
    const found = await context.batch(named);
    const payout = await choosePayout(found.id, row, { ledger });
    const account = await show(payout, context.user, { ledger, clock: context });
    return { batch: found, rowNumber: payout.rowNumber, account };
  },
  json: ({ batch: of, rowNumber: row, account }: AccountShown) => ({ batch: batchJson(of), row, account }),
});

export interface AccountShown {
  readonly batch: Batch;
  readonly rowNumber: number;
  /** The full account number. */
  readonly account: string;
}

function view({ batch: of, environment, story, steps }: Explained): readonly Block[] {
  const { payout, sentence, reason, corrections, incidents, earlier, entries, replacedBy } = story;
  const label = payoutLabel(payout);
  const heading = `Row ${payout.rowNumber} of batch ${batchLabel(of)}: ${labelText(label)}`;
  return [
    label.symbol === '!' ? toned(label.tone === 'bad' ? 'bad' : 'doubt', heading) : line(heading),
    { kind: 'environment', environment },
    line(sentence),
    ...when(reason !== '' && reason !== sentence && reason, (text) => [line(text)]),
    ...corrections.map(({ what, why, by, at }) => line(`${what}: ${why} (${by}, ${minuteOf(at)})`)),
    ...incidents.map((what) => toned('bad', `INCIDENT: ${printable(what)}`)),
    ...askedBlocks(payout, earlier.length),
    ...earlier.flatMap((before, at) => [
      eventsBlock(
        `The ${ordinalText(at + 1)} attempt to pay this row, row ${before.payout.rowNumber} of batch ${before.batch}: ${labelText(payoutLabel(before.payout))}`,
        before,
      ),
      ...attemptBlocks(before),
    ]),
    eventsBlock('What happened, oldest first (UTC)', { entries }),
    ...attemptBlocks(story),
    ...replacedBy.map(({ payout: other, batch: name }) => {
      const what = other.state.status === 'settled' ? 'Paid again by' : 'Its replacement,';
      return line(`${what} row ${other.rowNumber} of batch ${name}: ${labelText(payoutLabel(other))}`);
    }),
    { kind: 'steps', steps },
  ];
}

/** The request of the file, and the data of the service. */
export function askedBlocks({ instruction, state, attempts }: Payout, earlier: number): readonly Block[] {
  if (instruction === undefined) return [];
  const { amount, name, account, institutionName, destinationName, reference, note, replaces } = instruction;
  const pricing = pricingIn(state);
  const quote = pricing?.quote;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Amount', formatMoney(amount)],
    ['To', `${name ?? '(no name)'}, ${account}, ${institutionName}, ${destinationName}`],
    ['Reference', reference],
    ['Note', note],
    ['Name check', pricing && nameResultText(pricing.nameCheck, name)],
    ['Account holder', pricing?.nameCheck.resolved],
    ['Quote', quote && `rate ${quote.rate}, fee ${quote.fee} ${quote.sourceCurrency ?? ''}`],
    ['Tag', 'tag' in state ? `${state.tag} (search your dashboard or statement for it)` : undefined],
    ['Replaces', replaces && `the ${ordinalText(earlier)} attempt, below`],
    ['Transfer', 'transferId' in state ? state.transferId : undefined],
    ['Service says', 'serviceStatus' in state ? state.serviceStatus : undefined],
    ['Attempts', String(attempts)],
  ];
  const known = facts.flatMap(([title, value]) =>
    value === undefined ? [] : [[title, printable(value)] as const],
  );
  return [{ kind: 'facts', facts: known }];
}

const eventsBlock = (label: string, { entries }: Pick<PayoutHistory, 'entries'>): Facts => ({
  kind: 'facts',
  label,
  facts: entries.map((entry) => {
    const { what, facts } = eventWords(entry);
    const said = facts.map(printable).join('; ');
    return [minuteOf(entry.at), said === '' ? what : `${what}: ${said}`];
  }),
});

/** The known facts of each request. */
export const attemptBlocks = ({ payout, entries }: PayoutHistory): readonly Facts[] =>
  attemptSections(payout, entries).map(({ attempt, facts }) => ({
    kind: 'facts',
    label: `Attempt ${attempt}`,
    facts: facts.map(([title, value]) => [title, printable(value)]),
  }));

function json({ batch: of, environment, story, steps }: Explained, wording: Wording) {
  const { sentence, entries, earlier, paidAgain, replacedBy, corrections, incidents } = story;
  return {
    environment,
    batch: batchJson(of),
    ...payoutJson(story),
    sentence,
    nextStep: textOf(stepPieces(steps), wording),
    events: entries.map(entryJson),
    earlier: earlier.map((before) => ({ ...payoutJson(before), events: before.entries.map(entryJson) })),
    /** The payment in another batch that replaces this row. */
    paidAgain: paidAgain === undefined ? null : paidAgainJson(paidAgain),
    replacedBy: replacedBy.map(payoutJson),
    corrections: corrections.map(({ why, by, at }) => ({ what: why, by, at: formatTimestamp(at) })),
    incidents,
  };
}

function paidAgainJson({ batchId: batch, batchName, rowNumber: row, status }: FamilyMember) {
  return { batch, batchName, row, status };
}

function entryJson({ at, kind, body, seq }: PayoutHistory['entries'][number]) {
  return { seq, at: formatTimestamp(at), kind, body };
}

function payoutJson({ payout, reason }: Pick<PayoutHistory, 'payout' | 'reason'>) {
  const { id, rowNumber, attempts, state, instruction } = payout;
  return {
    payout: id,
    row: rowNumber,
    status: state.status,
    reason,
    attempts,
    instruction: instruction === undefined ? null : instructionJson(instruction),
    transferId: 'transferId' in state ? (state.transferId ?? null) : null,
    tag: 'tag' in state ? state.tag : null,
  };
}

function instructionJson(of: NonNullable<Payout['instruction']>) {
  const { amount, destinationName: country, institutionName: institution, account, name, reference } = of;
  return {
    ...moneyJson(amount),
    country,
    institution,
    account: String(account),
    ...withNulls({ name, reference }),
  };
}
