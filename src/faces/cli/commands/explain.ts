/**
 * `payfile explain BATCH ROW|NAME`: one row's whole story, from the file to the last event, with the evidence that
 * was collected on the way. Account numbers are masked.
 *
 * --json: {row, status, sentence, reason, nextStep, instruction, events: [{at, kind, body}], earlier: [...],
 * replacedBy: [...], incidents: [text]}.
 */

import { batchLabel } from '../../../domain/batches/batch.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import { NAME_WORDS } from '../../../domain/names/name-check.ts';
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import { type Payout, STATE_SENTENCE } from '../../../domain/payouts/payout.ts';
import { hoursMs } from '../../../domain/policy.ts';
import { reasonOf } from '../../../domain/reporting/report-line.ts';
import { statusLabel } from '../../../domain/reporting/status-words.ts';
import { isForLater, stepsText } from '../../../domain/steps/command.ts';
import { commandsFor, nextStepOf } from '../../../domain/steps/next-step.ts';
import { ordinalText, printable } from '../../../domain/text/printable.ts';
import {
  type Echo,
  echoesOfAccount,
  withoutEchoes,
  withoutEchoesIn,
} from '../../../domain/text/sensitive.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { Ledger } from '../../../ports/ledger/ledger.ts';
import type { JournalEntry } from '../../../ports/ledger/payouts.ts';
import { findBatch } from '../../../use-cases/find-batch.ts';
import { explainPayout, type Story } from '../../../use-cases/report/explain-payout.ts';
import { argument, type Call, tellSteps } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { payoutMeant } from '../find.ts';
import { openParts } from '../open-parts.ts';
import { batchJson } from '../show/batch.ts';
import { eventLines, evidenceLines } from '../show/explain.ts';
import { moneyJson, stripe } from '../show/plan.ts';
import { wrapped } from '../terminal/table.ts';

type Facts = JournalEntry['body'];

export async function explain(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const ledger = await opened.ledger({ readOnly: opened.settings.environment === 'live' });
  const batch = await findBatch(argument(call, 0), ledger);
  const payout = await payoutMeant(batch, argument(call, 1), ledger);
  const story = masked(await explainPayout(payout, { ledger }));
  const { environment } = ledger.identity;
  const { reissueAfterHours } = opened.settings.policy;
  const { place } = opened;
  const commands = commandsFor({ batch, environment, reissueAfterMs: hoursMs(reissueAfterHours) });
  const steps = nextStepOf(payout, commands);
  const nextStep = stepsText(steps, place);
  const { terminal } = call;
  const width = Math.min(terminal.columns, 120);
  const lines = [
    `Row ${payout.rowNumber} of batch ${batchLabel(batch)}: ${statusLabel(payout.state.status)}`,
    stripe(environment, terminal),
    STATE_SENTENCE[payout.state.status],
    ...reasonLines(payout, width),
    ...story.incidents.flatMap((what) => wrapped(`INCIDENT: ${printable(what)}`, width, '')),
    '',
    ...instructionLines(payout, story.earlier.length, width),
    ...storyLines(story, await batchNames(story, ledger), width),
  ];
  terminal.print(lines.join('\n'));
  if (steps.length > 0)
    tellSteps(steps.some(isForLater) ? { andThen: nextStep } : { next: nextStep }, terminal);
  terminal.answer({
    schemaVersion: 1,
    command: 'explain',
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    ...payoutJson(payout),
    sentence: STATE_SENTENCE[payout.state.status],
    nextStep,
    events: story.entries.map((entry) => entryJson(entry)),
    earlier: story.earlier.map((before) => ({
      ...payoutJson(before.payout),
      events: before.entries.map((entry) => entryJson(entry)),
    })),
    replacedBy: story.replacedBy.map(payoutJson),
    incidents: story.incidents,
  });
  return EXIT.done;
}

function reasonLines(payout: Payout, width: number): string[] {
  const reason = harmlessReason(payout);
  const isNew = reason !== '' && reason !== STATE_SENTENCE[payout.state.status];
  return isNew ? wrapped(reason, width, '') : [];
}

function harmlessReason(payout: Payout): string {
  return withoutEchoes(reasonOf(payout, []), echoesOfPayout(payout));
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
    [
      'Name check',
      pricing === undefined
        ? undefined
        : `${NAME_WORDS[pricing.nameCheck.result]}: ${pricing.nameCheck.reason}`,
    ],
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

function storyLines(
  { payout, entries, earlier, replacedBy }: Story,
  names: ReadonlyMap<BatchId, string>,
  width: number,
): string[] {
  const before = earlier.flatMap(({ payout: past, entries: pastEntries }, at) => [
    '',
    `The ${ordinalText(at + 1)} attempt to pay this row: ${statusLabel(past.state.status)}`,
    ...pastEntries.flatMap((entry) => eventLines(entry, width)),
    ...evidenceLines(past, pastEntries, width),
  ]);
  const after = replacedBy.map(
    ({ rowNumber, batchId, state }) =>
      `Paid again by row ${rowNumber} of batch ${names.get(batchId) ?? batchId}: ${statusLabel(state.status)}`,
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

/** People know a batch by what they called it. */
async function batchNames({ replacedBy }: Story, ledger: Ledger): Promise<ReadonlyMap<BatchId, string>> {
  const names = new Map<BatchId, string>();
  for (const { batchId } of replacedBy) {
    const batch = names.has(batchId) ? undefined : await ledger.batch(batchId);
    if (batch !== undefined) names.set(batchId, batchLabel(batch));
  }
  return names;
}

function entryJson({ at, kind, body, seq }: JournalEntry): Readonly<Record<string, unknown>> {
  return { seq, at: formatTimestamp(at), kind, body };
}

/** The service may have repeated the account in its answers: it is masked wherever it stands. */
function masked({ entries, earlier, ...rest }: Story): Story {
  const echoes = [rest.payout, ...earlier.map(({ payout }) => payout)].flatMap(echoesOfPayout);
  const harmless = (entry: JournalEntry) => ({
    ...entry,
    body: withoutEchoesIn(entry.body, echoes) as Facts,
  });
  return {
    ...rest,
    entries: entries.map(harmless),
    earlier: earlier.map((before) => ({ ...before, entries: before.entries.map(harmless) })),
  };
}

function echoesOfPayout({ instruction }: Payout): readonly Echo[] {
  return echoesOfAccount(instruction?.account.reveal() ?? '');
}

function payoutJson(payout: Payout): Readonly<Record<string, unknown>> {
  const { id, rowNumber, attempts, state, instruction } = payout;
  return {
    payout: id,
    row: rowNumber,
    status: state.status,
    reason: harmlessReason(payout),
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
