/**
 * What a comparison with a statement came to: the exit code, what to look at, and which rulings wait for a person.
 * What agrees to something is never the next command; the row is looked at first.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command, type Word } from '../../domain/next-steps/command.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import { reportCommand } from '../../domain/next-steps/file-commands.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import { MOVES } from '../../domain/payouts/payout-machine.ts';
import { EXIT, type ExitCode, strongest } from '../../domain/reporting/exit-code.ts';
import type { StatementEntry } from '../../domain/statement/entry.ts';
import { type Finding, isAcceptable, isProposal } from '../../domain/statement/findings.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Accept, Accepted } from './accept-findings.ts';
import type { Reconciled } from './reconcile-batches.ts';

export interface ReconcileEnd {
  readonly exitCode: ExitCode;
  readonly next: Command;
  /** What may be accepted then, with the same statement; what is paid first. */
  readonly mayAccept: Accept | undefined;
  /** What rules by hand, after a look, on a row about which no statement can prove more. */
  readonly byHand: Command | undefined;
  /** A later statement may show what this one is too short for. */
  readonly isTooShort: boolean;
  /** What to do about one finding; without an entry there is nothing to be typed. */
  readonly steps: ReadonlyMap<Finding, Command>;
}

interface Compared {
  readonly batches: readonly ComparedBatch[];
  /** After what was accepted. */
  readonly reconciled: Pick<Reconciled, 'findings' | 'keptIncidents'>;
  readonly accepted: readonly Accepted[];
  /** What this comparison accepted. */
  readonly accept: Accept | undefined;
}

interface ComparedBatch {
  readonly batch: Pick<Batch, 'id' | 'name'>;
  /** About the rows that are in doubt now. */
  readonly doubt?: DoubtGuide | undefined;
}

export function reconcileEnd(compared: Compared): ReconcileEnd {
  const { batches, reconciled, accepted } = compared;
  const { findings, keptIncidents } = reconciled;
  const kept = keptIncidents.length > 0 ? [EXIT.inDoubt] : [];
  const waiting = waitingIn(compared);
  const isLater = findings.some(({ kind }) => kind === 'not_yet');
  const doneOf = outcomesOf(accepted);
  const open = findings.filter((finding) => (doneOf(finding)?.outcome ?? 'refused') === 'refused');
  const labelOf = ({ batchId }: StatementEntry) => labelAmong(batchId, batches);
  return {
    exitCode: strongest([codeOf(findings, doneOf), ...kept]),
    next: nextOf(compared, waiting?.finding),
    mayAccept: waiting?.accept,
    byHand: waiting !== undefined || isLater ? undefined : byHandOf(compared),
    isTooShort: batches.some(({ doubt }) => doubt !== undefined) || isLater,
    steps: new Map(open.flatMap((finding) => stepsOf(finding, labelOf).map((step) => [finding, step]))),
  };
}

/** What became of each finding when it was accepted; undefined: nothing was. */
export function outcomesOf(accepted: readonly Accepted[]): (finding: Finding) => Accepted | undefined {
  const first = new Map(accepted.toReversed().map((done) => [findingKey(done.finding), done]));
  return (finding) => (finding.entry === undefined ? undefined : first.get(findingKey(finding)));
}

/** The same for a finding of another comparison of the same statement. */
export const findingKey = ({ kind, entry }: Finding): string => `${kind} ${entry?.payoutId}`;

function labelAmong(batchId: BatchId, batches: readonly ComparedBatch[]): string {
  const named = batches.find(({ batch }) => batch.id === batchId);
  return named === undefined ? '' : batchLabel(named.batch);
}

/** Doubt that waits for an agreement; one ruling after the other. */
function waitingIn({ reconciled: { findings }, accept }: Compared) {
  const first = (kind: Finding['kind']) => findings.find((each) => each.kind === kind && isAcceptable(each));
  const noted = accept === undefined ? findings.find(isNoted) : undefined;
  const paid = noted ?? (accept === 'paid' ? undefined : first('propose_paid'));
  if (paid !== undefined) return { accept: 'paid', finding: paid } as const;
  const notPaid = accept === 'not_paid' ? undefined : first('propose_not_paid');
  return notPaid && ({ accept: 'not_paid', finding: notPaid } as const);
}

/** Only where that is so of every row in doubt: about any other one, another statement is compared first. */
function byHandOf({ batches, reconciled: { findings } }: Compared): Command | undefined {
  const open = findings.filter(({ entry }) => entry?.status === 'in_doubt');
  const row = open[0]?.entry;
  if (row === undefined || !open.every(({ isByHand }) => isByHand === true)) return undefined;
  return notPaidCommand([labelAmong(row.batchId, batches), row.rowNumber]);
}

function notPaidCommand(words: readonly Word[]): Command {
  return command('resolve', words, [['--not-paid'], ['--evidence', { fillIn: 'TEXT' }]]);
}

/** What either ruling writes down: an incident, or a row to be held. */
function isNoted({ kind, entry }: Finding): boolean {
  const isHeld = kind === 'theirs_only' && entry !== undefined && 'hold' in MOVES[entry.status];
  return kind === 'incident' || isHeld;
}

/** A batch is neither settled nor reported on while a row of it is in doubt. */
function nextOf({ batches, accepted }: Compared, waiting: Finding | undefined): Command {
  const doubt = batches.find((each) => each.doubt !== undefined)?.doubt;
  const ruled = accepted.find(({ outcome }) => outcome === 'ruled')?.finding.entry;
  if (waiting?.entry !== undefined && (doubt !== undefined || ruled === undefined))
    return command('explain', [labelAmong(waiting.entry.batchId, batches), waiting.entry.rowNumber]);
  if (doubt !== undefined) return doubt.look;
  if (ruled !== undefined) return command('settle', [labelAmong(ruled.batchId, batches)]);
  const [only, second] = batches;
  return only === undefined || second !== undefined ? command('status') : reportCommand(only.batch);
}

function stepsOf(
  { kind, entry, transferId, weakness }: Finding,
  labelOf: (entry: StatementEntry) => string,
): readonly Command[] {
  if (entry === undefined || NO_STEP.includes(kind)) return [];
  const words = [labelOf(entry), entry.rowNumber];
  // From a cell of somebody's file into a line that is meant to be typed.
  if (kind === 'propose_paid') {
    const id = transferId === undefined ? ({ fillIn: 'TRANSFER_ID' } as const) : printable(transferId);
    return [command('resolve', words, [['--paid', id]])];
  }
  // Where something speaks against it, it is looked at first.
  if (kind === 'propose_not_paid' && weakness === undefined) return [notPaidCommand(words)];
  return [command('explain', words)];
}

const NO_STEP: readonly Finding['kind'][] = ['theirs_only', 'not_yet', 'other_currency'];

/**
 * Doubt, incidents and duplicates win; a proposal that only waits for a yes is 10, a payment not shown is 3. A payment
 * on its way, or that a later statement has to show, hides none of them: 4 where there is nothing else.
 */
function codeOf(findings: readonly Finding[], doneOf: ReturnType<typeof outcomesOf>): ExitCode {
  const code = strongest(findings.map((finding) => codeOfOne(finding, doneOf(finding)?.outcome)));
  const isLate = findings.some(({ kind }) => kind === 'on_its_way' || kind === 'not_yet');
  return code === EXIT.done && isLate ? EXIT.onItsWay : code;
}

function codeOfOne(finding: Finding, outcome: Accepted['outcome'] | undefined): ExitCode {
  if (isProposal(finding)) {
    if (outcome === 'ruled') return EXIT.done;
    return isAcceptable(finding) && outcome !== 'refused' ? EXIT.needsPerson : EXIT.inDoubt;
  }
  switch (finding.kind) {
    case 'unclear':
      return finding.isPressing === true ? EXIT.inDoubt : EXIT.needsPerson;
    case 'differs':
      return EXIT.needsPerson;
    case 'ours_only':
      return EXIT.exceptions;
    case 'matched':
      return finding.entry?.isIncident === true ? EXIT.inDoubt : EXIT.done;
    case 'on_its_way':
    case 'not_yet':
    case 'other_currency':
    case 'not_expected':
      return EXIT.done;
    default:
      return EXIT.inDoubt;
  }
}
