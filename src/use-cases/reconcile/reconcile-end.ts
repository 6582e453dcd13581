/**
 * What a comparison with a statement came to: the exit code, what to look at, and which rulings wait for a person.
 * What agrees to something is never the next command; the row is looked at first.
 */
import { type Batch, batchLabel } from '../../domain/batches/batch.ts';
import { type Command, command, type Word } from '../../domain/next-steps/command.ts';
import type { DoubtGuide } from '../../domain/next-steps/doubt-guide.ts';
import { reportCommand } from '../../domain/next-steps/file-commands.ts';
import { MOVES } from '../../domain/payouts/payout-machine.ts';
import { EXIT, type ExitCode, strongest } from '../../domain/reporting/exit-code.ts';
import { type Finding, isAcceptable, isProposal } from '../../domain/statement/findings.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Accept, Accepted } from './accept-findings.ts';
import type { Reconciled } from './reconcile-batch.ts';

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
  readonly batch: Pick<Batch, 'id' | 'name'>;
  readonly reconciled: Pick<Reconciled, 'findings' | 'keptIncidents'>;
  readonly accepted: readonly Accepted[];
  /** About the rows that are in doubt now. */
  readonly doubt?: DoubtGuide | undefined;
  /** What this comparison accepted. */
  readonly accept: Accept | undefined;
}

export function reconcileEnd(compared: Compared): ReconcileEnd {
  const { batch, reconciled, accepted } = compared;
  const { findings, keptIncidents } = reconciled;
  const kept = keptIncidents.length > 0 ? [EXIT.inDoubt] : [];
  const waiting = waitingIn(compared);
  const outcomes = new Map(accepted.map(({ finding, outcome }) => [finding, outcome]));
  const isLater = findings.some(({ kind }) => kind === 'not_yet');
  const open = findings.filter((finding) => (outcomes.get(finding) ?? 'refused') === 'refused');
  return {
    exitCode: strongest([codeOf(findings, outcomes), ...kept]),
    next: nextOf(compared, waiting?.finding),
    mayAccept: waiting?.accept,
    byHand: waiting !== undefined || isLater ? undefined : byHandOf(compared),
    isTooShort: compared.doubt !== undefined || isLater,
    steps: new Map(open.flatMap((finding) => stepsOf(finding, batch).map((step) => [finding, step]))),
  };
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
function byHandOf({ batch, reconciled: { findings }, doubt }: Compared): Command | undefined {
  const inDoubt = new Set(doubt?.facts.rows);
  const open = findings.filter(({ entry }) => entry?.status === 'in_doubt' && inDoubt.has(entry.rowNumber));
  const row = open[0]?.entry?.rowNumber;
  if (row === undefined || !open.every(({ isByHand }) => isByHand === true)) return undefined;
  return notPaidCommand([batchLabel(batch), row]);
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
function nextOf({ batch, accepted, doubt }: Compared, waiting: Finding | undefined): Command {
  const label = batchLabel(batch);
  if (
    waiting?.entry !== undefined &&
    (doubt !== undefined || accepted.every(({ outcome }) => outcome !== 'ruled'))
  )
    return command('explain', [label, waiting.entry.rowNumber]);
  if (doubt !== undefined) return doubt.look;
  if (accepted.some(({ outcome }) => outcome === 'ruled')) return command('settle', [label]);
  return reportCommand(batch);
}

function stepsOf(
  { kind, entry, transferId, weakness }: Finding,
  batch: Compared['batch'],
): readonly Command[] {
  if (entry === undefined || kind === 'theirs_only' || kind === 'not_yet') return [];
  const words = [batchLabel(batch), entry.rowNumber];
  // From a cell of somebody's file into a line that is meant to be typed.
  if (kind === 'propose_paid') {
    const id = transferId === undefined ? ({ fillIn: 'TRANSFER_ID' } as const) : printable(transferId);
    return [command('resolve', words, [['--paid', id]])];
  }
  // Where something speaks against it, it is looked at first.
  if (kind === 'propose_not_paid' && weakness === undefined) return [notPaidCommand(words)];
  return [command('explain', words)];
}

type Outcomes = ReadonlyMap<Finding, Accepted['outcome']>;

/**
 * Doubt, incidents and duplicates win; a proposal that only waits for a yes is 10, a payment not shown is 3. A payment
 * on its way, or that a later statement has to show, hides none of them: 4 where there is nothing else.
 */
function codeOf(findings: readonly Finding[], outcomes: Outcomes): ExitCode {
  const code = strongest(findings.map((finding) => codeOfOne(finding, outcomes.get(finding))));
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
    case 'not_expected':
      return EXIT.done;
    default:
      return EXIT.inDoubt;
  }
}
