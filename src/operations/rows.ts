/** Decisions about rows: release held rows, withdraw unsent rows, pay rows again that are proven unpaid. */
import { z } from 'zod';
import { batchLabel } from '../domain/batches/batch.ts';
import { formatDecimal, formatMoney } from '../domain/money/money.ts';
import { command, type Flag, isToFillIn, nextSteps } from '../domain/next-steps/command.ts';
import { REHEARSED } from '../domain/next-steps/pay-again.ts';
import { CONCERN_KINDS } from '../domain/payouts/concern.ts';
import { partReturnText } from '../domain/payouts/part-return.ts';
import { input } from '../domain/text/message.ts';
import { printable, rowsText } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import type { Choice } from '../use-cases/decide/choose-payouts.ts';
import { decideRows, type RowDecision, type RowsDecided } from '../use-cases/decide/decide-rows.ts';
import { batchJson } from './batch-json.ts';
import { aside, asideOf, type Block, line, when } from './block.ts';
import type { Context } from './context.ts';
import { batch, choice, evidence, reason, seenItems, severalOf, text, textList } from './fields.ts';
import { addMayBePaid, reasonMissing, rowsAndAll, rowsMissing } from './messages.ts';
import { operation } from './operation.ts';

const rows = textList({ value: 'rows', isPositional: true });
/** Payout ids, for pages: a newer file may renumber the rows that a person saw. */
const payouts = z.array(text, { error: 'a list of texts' }).default([]);
const kind = severalOf(CONCERN_KINDS, {
  value: 'kind',
  help: 'only rows held for this reason, such as repeat; may be repeated',
});

const chosenRows = {
  batch: batch(),
  rows,
  payouts,
  all: choice('all rows that allow it'),
  kind,
  reason: reason(),
};

export const release = operation({
  name: 'release',
  needs: ['approve'],
  changesData: true,
  input: z.strictObject({
    ...chosenRows,
    mayBePaid: choice('also rows that may already be paid, because they repeat a payment in doubt'),
    /** The reasons that the person saw, per held row. A row stays held if its reasons changed since. */
    shown: seenItems(),
  }),
  run({ mayBePaid, shown, ...asked }, context) {
    const why = { reason: reasonOf(asked, 'release'), kinds: kindsOf(asked.kind) };
    return decide(asked, { kind: 'release', ...why, mayBePaid, shown }, context);
  },
  view,
  json: (decided) => ({ ...rowsJson(decided), released: decided.released ?? [] }),
  next: stepsAfter,
  exit: ({ exitCode }) => exitCode,
});

export const cancel = operation({
  name: 'cancel',
  needs: ['approve'],
  changesData: true,
  input: z.strictObject(chosenRows),
  run: (asked, context) =>
    decide(asked, { kind: 'cancel', reason: reasonOf(asked, 'cancel'), kinds: kindsOf(asked.kind) }, context),
  view,
  json: rowsJson,
  next: stepsAfter,
  exit: ({ exitCode }) => exitCode,
});

export const reissue = operation({
  name: 'reissue',
  needs: ['bring'],
  changesData: true,
  input: z.strictObject({
    batch: batch(),
    rows,
    payouts,
    allFailed: choice('all failed rows'),
    evidence: evidence(),
  }),
  async run({ evidence: given, allFailed, ...asked }, context) {
    const read = given === undefined ? undefined : await context.readEvidence(given);
    return decide({ ...asked, allFailed }, { kind: 'reissue', evidence: read }, context);
  },
  view,
  json: (decided) => ({ ...rowsJson(decided), partReturns: (decided.partReturns ?? []).map(partReturnJson) }),
  next: stepsAfter,
  exit: ({ exitCode }) => exitCode,
});

type Chosen = z.output<z.ZodObject<typeof chosenRows>>;
type Asked = Pick<Chosen, 'batch' | 'rows' | 'payouts'> &
  Partial<Pick<Chosen, 'all' | 'kind' | 'reason'>> & { readonly allFailed?: boolean };
export type DecidedRows = RowsDecided & { readonly decision: RowDecision['kind'] };

/** undefined: every reason of a named row. With `all`, only the reasons that may be released together. */
const kindsOf = (kinds: Chosen['kind']) => (kinds.length === 0 ? undefined : kinds);

async function decide(asked: Asked, decision: RowDecision, context: Context): Promise<DecidedRows> {
  const choice = choiceOf(asked, decision.kind);
  const ports = await context.offlinePorts();
  const found = await context.batch(asked.batch);
  const decided = await decideRows(found, choice, { ...decision, by: context.user }, ports);
  return { ...decided, decision: decision.kind, next: context.relativeToFolder(decided.next) };
}

/** `2,5,6`, as pages write them. A reference may have commas of its own. */
const numbersIn = (row: string): readonly string[] =>
  /^\d+(?:\s*,\s*\d+)+,?$/.test(row) ? (row.match(/\d+/g) ?? []) : [row.replace(/^(\d+),$/, '$1')];

function choiceOf(
  { batch: text, rows: named, payouts: ids, all, allFailed, kind: kinds = [] }: Asked,
  decision: RowDecision['kind'],
): Choice {
  const name = input(decision === 'reissue' ? 'allFailed' : 'all');
  const isNamed = named.length + ids.length > 0;
  if (isNamed && (all === true || allFailed === true)) throw new RequestRefused(rowsAndAll(name));
  if (ids.length > 0) return { kind: 'payouts', payouts: ids };
  if (isNamed) return { kind: 'rows', rows: named.flatMap(numbersIn) };
  // A kind without rows selects all rows held for this kind.
  if (all === true || allFailed === true || kinds.length > 0) return { kind: 'all' };
  throw new RequestRefused(rowsMissing(name), command('status', [text]));
}

function reasonOf(
  { reason: said, batch: text, rows: named, all }: Asked,
  verb: 'release' | 'cancel',
): string {
  if (said !== undefined && said !== '') return said;
  const flags: readonly Flag[] = all === true ? [['--all']] : [];
  throw new RequestRefused(
    reasonMissing,
    command('status', [text]),
    command(verb, [text, ...named], [...flags, ['--reason', { fillIn: 'TEXT' }]]),
  );
}

/** The view counts further rows. */
const NAMED_MAX = 20;
const DONE: Readonly<Record<RowDecision['kind'], string>> = {
  release: 'Released',
  cancel: 'Canceled',
  reissue: 'Planned again',
};

function view(decided: DecidedRows): readonly Block[] {
  const {
    batch: of,
    environment,
    done,
    refused,
    released = [],
    partReturns = [],
    needsRun,
    decision,
  } = decided;
  const named = done.length === 0 || done.length > NAMED_MAX ? '' : ` (${done.join(', ')})`;
  const label = batchLabel(of);
  return [
    done.length === 0
      ? line(`Nothing was ${DONE[decision].toLowerCase()} in batch ${label}.`)
      : line(`${DONE[decision]}: ${rowsText(done.length)}${named} of batch ${label}.`),
    ...(released.length > NAMED_MAX ? [] : released).map(({ rowNumber, reasons }) =>
      aside(`Row ${rowNumber} is released for: ${reasons.map(printable).join('; ')}.`),
    ),
    ...partReturns.map(({ rowNumber, ...part }) =>
      aside(`Row ${rowNumber} pays ${formatMoney(part.asked)} again: ${partReturnText(part)}.`),
    ),
    ...refused.map(({ rowNumber, status }) => aside(`Row ${rowNumber} did not change: ${status}.`)),
    ...when(
      refused.some(({ isMaybePaid }) => isMaybePaid === true),
      () => [asideOf(addMayBePaid)],
    ),
    ...when(needsRun, () => [
      aside('The next run gets names and fees again. Then the batch waits for approval.'),
    ]),
    ...when(decision === 'reissue' && needsRun && environment === 'sandbox', () => [asideOf(REHEARSED)]),
    ...when(isToFillIn(decided.next), () => [
      aside(`FILE is the current path of ${printable((of.halfRead ?? of.file).name)}.`),
    ]),
  ];
}

function rowsJson({ batch: of, environment, done, refused }: DecidedRows) {
  return { environment, batch: batchJson(of), done, refused };
}

function partReturnJson({ rowNumber, asked, back, rest }: NonNullable<RowsDecided['partReturns']>[number]) {
  const [paidAgain, cameBack, withBeneficiary] = [asked, back, rest].map(formatDecimal);
  return { rowNumber, currency: asked.currency, paidAgain, cameBack, withBeneficiary };
}

function stepsAfter({ next, andThen }: DecidedRows) {
  return nextSteps(next, andThen);
}
