/**
 * Shows the progress of each stage: rows and money. On a terminal, one line that payfile redraws. Elsewhere, a short
 * file gets one line per stage and one per minute. A long file gets one line every ten per cent. --quiet shows nothing.
 */

import { formatMoney } from '../../domain/money/money.ts';
import type { BatchId } from '../../domain/payouts/instruction.ts';
import type { Payout, StateIn, Status } from '../../domain/payouts/payout.ts';
import { DOUBTS } from '../../domain/reporting/reason.ts';
import { STATUS_WORDS } from '../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../domain/text/printable.ts';
import {
  afterMove,
  beginStage,
  countInFlight,
  type InFlight,
  type ProgressEvent,
  type Stage,
  type StageProgress,
  seenElsewhere,
  type Tell,
} from '../../payfile.ts';
import { workersStopped } from './stopping.ts';
import { widthOf } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  readonly tell: Tell;
  /** Clears the line before other output. */
  clear(): void;
  inFlight(): InFlight;
  /** The current batch; undefined before work starts. */
  batch(): BatchId | undefined;
}

const REDRAW_MS = 100;
const STEP_PERCENT = 10;
/** From this size, a file gets a line every ten per cent. */
const LONG_FILE_ROWS = 1_000;
const MINUTE_MS = 60_000;
/** Warnings about doubts. The outcome shows what to do about them. */
const DOUBTS_SHOWN_MAX = 3;

const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  read: 'Reading',
  price: 'Names and fees',
  approve: 'Approving',
  send: 'Sending',
  settle: 'Settling',
  report: 'Report',
};

/**
 * `isWorker`: a worker sends parts of several batches, so no single line can show the progress. show/worker-log.ts
 * reports its doubts with the batch name.
 */
export function createProgress(terminal: Terminal, isWorker = false): Progress {
  let progress = beginStage('read');
  const stage = isWorker ? NO_PRINTER : createStagePrinter(terminal);
  const reasons = new Set<string>();
  const flight = countInFlight();
  let doubts = 0;
  let batch: BatchId | undefined;
  const warnAboutDoubt = (row: number, { reason }: StateIn<'in_doubt'>) => {
    doubts += 1;
    if (doubts <= DOUBTS_SHOWN_MAX) terminal.talk(`Warning: row ${row} is in doubt. ${DOUBTS[reason]}.`);
    if (doubts === DOUBTS_SHOWN_MAX + 1)
      terminal.talk('Warning: more rows are in doubt. The result lists all of them.');
  };
  const moved = (from: Status, payout: Payout) => {
    if (payout.state.status === 'in_doubt' && !isWorker) warnAboutDoubt(payout.rowNumber, payout.state);
    const before = progress;
    progress = afterMove(before, from, payout);
    if (progress !== before) stage.show(progress);
  };
  return {
    tell(event: ProgressEvent) {
      flight.hear(event);
      switch (event.kind) {
        case 'stage':
          stage.finish();
          progress = beginStage(event.stage, event.total);
          reasons.clear();
          batch = event.batchId ?? batch;
          break;
        case 'read':
          stage.draw(
            `Reading  ${rowsText(event.rows)}${event.invalid > 0 ? `, ${event.invalid} invalid` : ''}`,
          );
          break;
        case 'moved':
          moved(event.from, event.payout);
          break;
        case 'elsewhere':
          progress = seenElsewhere(progress, event.outcomes);
          stage.show(progress);
          break;
        case 'at_workers':
          if (event.stand !== 'stopped') break;
          stage.finish();
          terminal.talk(`Stopping. ${workersStopped(event.inFlight)} Press Ctrl-C again to stop waiting.`);
          break;
        case 'waiting':
          if (!reasons.has(event.reason)) terminal.talk(`Waiting: ${event.reason}`);
          reasons.add(event.reason);
          break;
        case 'warning':
          terminal.talk(`Warning: ${event.text}`);
      }
    },
    clear: stage.finish,
    inFlight: flight.now,
    batch: () => batch,
  };
}

const NO_PRINTER: ReturnType<typeof createStagePrinter> = { draw() {}, show() {}, finish() {} };

/** Prints the progress of one stage, at suitable intervals. */
function createStagePrinter(terminal: Terminal) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let step = 0;
  let saidAt = performance.now();
  /** Progress not printed yet. */
  let unprinted: StageProgress | undefined;
  const draw = (text: string) => {
    if (!terminal.hasLine || performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    terminal.line(text);
  };
  const say = (progress: StageProgress) => {
    unprinted = undefined;
    saidAt = performance.now();
    if (!terminal.isQuiet) terminal.talk(lineOf(progress));
  };
  return {
    draw,
    show(progress: StageProgress) {
      // Skip a stage without work.
      if (progress.total === 0 && progress.done === 0) return;
      if (terminal.hasLine) return draw(lineOf(progress, terminal.columns - 1));
      const [before, now] = [step, stepOf(progress)];
      if (before >= STEPS) return;
      step = Math.max(before, now);
      unprinted = progress;
      if (now > before || performance.now() - saidAt >= MINUTE_MS) say(progress);
    },
    /** Prints the last progress of a stage that stopped early. */
    finish() {
      if (unprinted !== undefined) say(unprinted);
      terminal.line('');
      [step, unprinted] = [0, undefined];
      [drawnAt, saidAt] = [Number.NEGATIVE_INFINITY, performance.now()];
    },
  };
}

/**
 * `Sending 12 of 24 10 on its way, 2 failed GHS 1,200.00 + 1 more`: the statuses come first. An amount that does
 * not fit is only counted, because a cut number would be wrong.
 */
function lineOf(
  { stage, total, done, money, outcomes }: StageProgress,
  width = Number.POSITIVE_INFINITY,
): string {
  const words = [...outcomes].map(([status, count]) => `${countText(count)} ${STATUS_WORDS[status].counted}`);
  const parts = [
    STAGE_NAMES[stage],
    `${countText(done)} of ${countText(Math.max(total, done))}`,
    words.join(', '),
  ];
  const line = parts.filter((part) => part !== '').join('  ');
  const sums = [...money.values()].map(formatMoney);
  for (let shown = sums.length; shown > 0; shown -= 1) {
    const more = shown < sums.length ? ` + ${sums.length - shown} more` : '';
    const whole = `${line}  ${sums.slice(0, shown).join(', ')}${more}`;
    if (widthOf(whole) <= width) return whole;
  }
  return line;
}

const STEPS = 100 / STEP_PERCENT;

function stepOf({ done, total }: StageProgress): number {
  if (total < LONG_FILE_ROWS) return total > 0 && done >= total ? STEPS : 0;
  return Math.floor((done / total) * STEPS);
}
