/**
 * `payfile explain BATCH ROW`: one row's whole story, from the file to the last event, with the evidence that
 * was collected on the way. Account numbers are masked.
 *
 * --json: {row, status, sentence, reason, nextStep, instruction, events: [{at, kind, body}], earlier: [...],
 * replacedBy: [...], incidents: [text]}.
 */
import { choosePayout } from '../../application/choose-payouts.ts';
import { explainPayout, type Story } from '../../application/explain-payout.ts';
import { formatMoney } from '../../domain/money.ts';
import { commandsFor, nextStepOf } from '../../domain/next-step.ts';
import { type Payout, STATE_SENTENCE } from '../../domain/payout.ts';
import { hoursMs } from '../../domain/policy.ts';
import { printable } from '../../domain/printable.ts';
import { reasonOf } from '../../domain/report-reason.ts';
import { maskOf } from '../../domain/sensitive.ts';
import { statusLabel } from '../../domain/status-word.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { JournalEntry } from '../../ports/ledger.ts';
import { argument, type Call } from '../call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { evidenceLines } from '../explain-evidence.ts';
import { findBatch } from '../find-batch.ts';
import { openParts } from '../open-parts.ts';
import { batchLabel, moneyJson, stripe } from '../print-plan.ts';
import { batchJson } from '../show-batch.ts';
import { wrapped } from '../table.ts';

export async function explain(call: Call): Promise<ExitCode> {
  const opened = await openParts(call);
  const ledger = await opened.ledger({ readOnly: opened.settings.environment === 'live' });
  const batch = await findBatch(argument(call, 0), ledger, call);
  const payout = await choosePayout(batch.id, argument(call, 1), { ledger });
  const story = await explainPayout(payout, { ledger });
  const { environment } = ledger.identity;
  const { reissueAfterHours } = opened.settings.policy;
  const { place } = opened;
  const commands = commandsFor({ batch, environment, place, reissueAfterMs: hoursMs(reissueAfterHours) });
  const nextStep = nextStepOf(payout, commands);
  const { terminal } = call;
  const lines = [
    `Row ${payout.rowNumber} of batch ${batchLabel(batch)}: ${statusLabel(payout.state.status)}`,
    stripe(environment, terminal),
    STATE_SENTENCE[payout.state.status],
    ...reasonLines(payout, terminal.columns),
    ...story.incidents.flatMap((what) =>
      wrapped(`INCIDENT: ${printable(what)}`, Math.min(terminal.columns, 120), ''),
    ),
    '',
    ...instructionLines(payout),
    ...storyLines(story, Math.min(terminal.columns, 120)),
  ];
  terminal.print(lines.join('\n'));
  if (nextStep !== '') terminal.talk(`Next: ${nextStep}`);
  terminal.answer({
    schemaVersion: 1,
    command: 'explain',
    environment,
    exitCode: EXIT.done,
    batch: batchJson(batch),
    ...payoutJson(payout),
    sentence: STATE_SENTENCE[payout.state.status],
    nextStep,
    events: story.entries.map((entry) => entryJson(entry, payout)),
    earlier: story.earlier.map((before) => ({
      ...payoutJson(before.payout),
      events: before.entries.map((entry) => entryJson(entry, before.payout)),
    })),
    replacedBy: story.replacedBy.map(payoutJson),
    incidents: story.incidents,
  });
  return EXIT.done;
}

function reasonLines(payout: Payout, columns: number): string[] {
  const reason = reasonOf(payout, []);
  const isNew = reason !== '' && reason !== STATE_SENTENCE[payout.state.status];
  return isNew ? wrapped(reason, Math.min(columns, 120), '') : [];
}

function instructionLines({ instruction, state, attempts }: Payout): string[] {
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
      pricing === undefined ? undefined : `${pricing.nameCheck.result}: ${pricing.nameCheck.reason}`,
    ],
    ['Account holder', pricing?.nameCheck.resolved],
    [
      'Quote',
      quote === undefined ? undefined : `rate ${quote.rate}, fee ${quote.fee} ${quote.sourceCurrency ?? ''}`,
    ],
    ['Tag', 'tag' in state ? `${state.tag} (search your dashboard or statement for it)` : undefined],
    ['Replaces', instruction.replaces === undefined ? undefined : `instruction ${instruction.replaces}`],
    ['Transfer', 'transferId' in state ? state.transferId : undefined],
    ['Service says', 'serviceStatus' in state ? state.serviceStatus : undefined],
    ['Attempts', String(attempts)],
  ];
  return facts.flatMap(([title, text]) =>
    text === undefined ? [] : [`  ${title.padEnd(15)}${printable(text)}`],
  );
}

function storyLines({ payout, entries, earlier, replacedBy }: Story, width: number): string[] {
  const before = earlier.flatMap(({ payout: past, entries: pastEntries }) => [
    '',
    `Earlier instruction ${past.id}: ${statusLabel(past.state.status)}`,
    ...pastEntries.map(entryLine),
    ...evidenceLines(past, pastEntries, width),
  ]);
  const after = replacedBy.map(
    ({ id, rowNumber, batchId, state }) =>
      `Paid again by instruction ${id}, row ${rowNumber} of batch ${batchId}: ${statusLabel(state.status)}`,
  );
  return [
    ...before,
    '',
    'What happened, oldest first:',
    ...entries.map(entryLine),
    ...evidenceLines(payout, entries, width),
    ...(after.length > 0 ? ['', ...after] : []),
  ];
}

function entryLine({ at, kind, body }: JournalEntry): string {
  const facts = factsOf(body);
  return `  ${formatTimestamp(at)}  ${kind.replaceAll('_', ' ')}${facts === '' ? '' : `  ${facts}`}`;
}

const SHOWN = [
  'by',
  'reason',
  'proof',
  'attempt',
  'transferId',
  'status',
  'code',
  'message',
  'phase',
  'why',
  'word',
];

/** The short facts of an event; the whole of it is in --json. */
function factsOf(whole: Readonly<Record<string, unknown>>): string {
  const body = {
    ...flat(whole['evidence']),
    ...flat(whole['release']),
    ...flat(whole['ruling']),
    ...withoutNested(whole),
  };
  return SHOWN.flatMap((key) => {
    const value = body[key];
    return typeof value === 'string' || typeof value === 'number'
      ? [`${key}: ${printable(String(value))}`]
      : [];
  }).join(', ');
}

function flat(nested: unknown): object {
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? nested : {};
}

/** The reasons of a hold in words; the proof of a ruling as the person gave it. */
function withoutNested(whole: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { reasons, release: _release, ruling, evidence: _evidence, ...rest } = whole;
  const texts = Array.isArray(reasons)
    ? reasons.flatMap((reason) => Object.values(flat(reason)).slice(1, 2))
    : [];
  const proof = Object.entries(flat(ruling)).find(([key]) => key === 'evidence')?.[1];
  return {
    ...rest,
    ...(texts.length > 0 ? { reason: texts.join('; ') } : {}),
    ...(proof === undefined ? {} : { proof }),
  };
}

/** The service may have repeated the account in its answer: it is masked wherever it stands. */
function entryJson(
  { at, kind, body, seq }: JournalEntry,
  { instruction }: Payout,
): Readonly<Record<string, unknown>> {
  const account = instruction?.account.reveal() ?? '';
  const text = JSON.stringify(body);
  const harmless = account.length < 5 ? text : text.replaceAll(account, maskOf(account));
  return { seq, at: formatTimestamp(at), kind, body: JSON.parse(harmless) };
}

function payoutJson(payout: Payout): Readonly<Record<string, unknown>> {
  const { id, rowNumber, attempts, state, instruction } = payout;
  return {
    payout: id,
    row: rowNumber,
    status: state.status,
    reason: reasonOf(payout, []),
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
