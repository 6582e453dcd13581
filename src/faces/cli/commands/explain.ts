/**
 * `payfile explain BATCH ROW|NAME`: one row's whole story, from the file to the last event, with the evidence that
 * was collected on the way. Account numbers are masked.
 *
 * --json: {row, status, sentence, reason, nextStep, instruction, events: [{at, kind, body}], earlier: [...],
 * paidAgain: {batch, batchName, row, status} or null, replacedBy: [...], incidents: [text]}.
 */

import { batchLabel } from '../../../domain/batches/batch.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import { nameToldText } from '../../../domain/names/name-check.ts';
import { stepsText } from '../../../domain/next-steps/command.ts';
import type { Payout } from '../../../domain/payouts/payout.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { labelText, payoutLabel } from '../../../domain/reporting/row-label.ts';
import { ordinalText, printable } from '../../../domain/text/printable.ts';
import { formatTimestamp, minuteOf } from '../../../domain/timestamp.ts';
import type { Explained, Told } from '../../../payfile.ts';
import { argument, type Call, placeOf, tellStep } from '../call.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { eventLines, evidenceLines } from '../show/explain.ts';
import { environmentLine, paintedLabel } from '../show/outcome.ts';
import { moneyJson } from '../show/plan.ts';
import { wrapped } from '../terminal/table.ts';

export async function explain(call: Call): Promise<ExitCode> {
  const { payfile } = await openParts(call);
  const explained = await payfile.explain(argument(call, 0), argument(call, 1));
  const { batch, environment, story, steps } = explained;
  const { payout } = story;
  const nextStep = stepsText(steps, placeOf(call));
  const { terminal } = call;
  const width = Math.min(terminal.columns, 120);
  const lines = [
    `Row ${payout.rowNumber} of batch ${batchLabel(batch)}: ${paintedLabel(payoutLabel(payout), terminal)}`,
    environmentLine(environment, terminal),
    story.sentence,
    ...reasonLines(story, width),
    ...story.corrections.flatMap(({ what, why, by, at }) =>
      wrapped(`${what}: ${why} (${by}, ${minuteOf(at)})`, width, ''),
    ),
    ...story.incidents.flatMap((what) => wrapped(`INCIDENT: ${printable(what)}`, width, '')),
    '',
    ...instructionLines(payout, story.earlier.length, width),
    ...storyLines(story, width),
  ];
  terminal.print(lines.join('\n'));
  for (const step of steps) tellStep(step, call);
  terminal.answer({
    command: 'explain',
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    ...payoutJson(story),
    sentence: story.sentence,
    nextStep,
    events: story.entries.map(entryJson),
    earlier: story.earlier.map((before) => ({
      ...payoutJson(before),
      events: before.entries.map(entryJson),
    })),
    paidAgain: paidAgainJson(story.paidAgain),
    replacedBy: story.replacedBy.map(payoutJson),
    corrections: story.corrections.map(({ why, by, at }) => ({ what: why, by, at: formatTimestamp(at) })),
    incidents: story.incidents,
  });
  return EXIT.done;
}

/** The payment of another batch that stands for the row. */
function paidAgainJson(other: Explained['story']['paidAgain']): unknown {
  if (other === undefined) return null;
  const { batchId: batch, batchName, rowNumber: row, status } = other;
  return { batch, batchName, row, status };
}

function reasonLines({ sentence, reason }: Told, width: number): string[] {
  const isNew = reason !== '' && reason !== sentence;
  return isNew ? wrapped(reason, width, '') : [];
}

function instructionLines(
  { instruction, state, attempts }: Payout,
  earlier: number,
  width: number,
): string[] {
  if (instruction === undefined) return [];
  const { amount, name, account, institutionName, destinationName, reference, note } = instruction;
  const pricing = 'pricing' in state ? state.pricing : undefined;
  const quote = pricing?.quote;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Amount', formatMoney(amount)],
    ['To', `${name ?? '(no name)'}, ${account}, ${institutionName}, ${destinationName}`],
    ['Reference', reference],
    ['Note', note],
    ['Name check', pricing === undefined ? undefined : nameToldText(pricing.nameCheck, instruction.name)],
    ['Account holder', pricing?.nameCheck.resolved],
    [
      'Quote',
      quote === undefined ? undefined : `rate ${quote.rate}, fee ${quote.fee} ${quote.sourceCurrency ?? ''}`,
    ],
    ['Tag', 'tag' in state ? `${state.tag} (search your dashboard or statement for it)` : undefined],
    [
      'Replaces',
      instruction.replaces === undefined ? undefined : `the ${ordinalText(earlier)} attempt, below`,
    ],
    ['Transfer', 'transferId' in state ? state.transferId : undefined],
    ['Service says', 'serviceStatus' in state ? state.serviceStatus : undefined],
    ['Attempts', String(attempts)],
  ];
  return facts.flatMap(([title, text]) =>
    text === undefined ? [] : below(title.padEnd(15), printable(text), width),
  );
}

function below(title: string, text: string, width: number): string[] {
  const room = Math.max(width - title.length - 2, 20);
  return wrapped(text, room, '').map((line, at) => `  ${at === 0 ? title : ' '.repeat(title.length)}${line}`);
}

function storyLines({ payout, entries, earlier, replacedBy }: Explained['story'], width: number): string[] {
  const before = earlier.flatMap(({ payout: past, batch, entries: pastEntries }, at) => [
    '',
    `The ${ordinalText(at + 1)} attempt to pay this row, row ${past.rowNumber} of batch ${batch}: ${labelText(payoutLabel(past))}`,
    ...pastEntries.flatMap((entry) => eventLines(entry, width)),
    ...evidenceLines(past, pastEntries, width),
  ]);
  const after = replacedBy.map(
    ({ payout, batch }) =>
      `${payout.state.status === 'settled' ? 'Paid again by' : 'Its replacement,'} row ${payout.rowNumber} of batch ${batch}: ${labelText(payoutLabel(payout))}`,
  );
  return [
    ...before,
    '',
    'What happened, oldest first (UTC):',
    ...entries.flatMap((entry) => eventLines(entry, width)),
    ...evidenceLines(payout, entries, width),
    ...(after.length > 0 ? ['', ...after] : []),
  ];
}

function entryJson({ at, kind, body, seq }: Told['entries'][number]): Readonly<Record<string, unknown>> {
  return { seq, at: formatTimestamp(at), kind, body };
}

function payoutJson({ payout, reason }: Pick<Told, 'payout' | 'reason'>): Readonly<Record<string, unknown>> {
  const { id, rowNumber, attempts, state, instruction } = payout;
  return {
    payout: id,
    row: rowNumber,
    status: state.status,
    reason,
    attempts,
    instruction:
      instruction === undefined
        ? null
        : {
            ...moneyJson(instruction.amount),
            country: instruction.destinationName,
            institution: instruction.institutionName,
            account: instruction.account,
            name: instruction.name ?? null,
            reference: instruction.reference ?? null,
          },
    transferId: 'transferId' in state ? (state.transferId ?? null) : null,
    tag: 'tag' in state ? state.tag : null,
  };
}
