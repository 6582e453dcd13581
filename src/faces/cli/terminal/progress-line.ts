/**
 * Progress, for the person who waits: how many rows, and how much money, of which stage. On a terminal one
 * line that is drawn over; elsewhere one line every ten per cent; nothing with --quiet.
 */

import { formatMoney, type Money } from '../../../domain/money/money.ts';
import type { BatchId } from '../../../domain/payouts/instruction.ts';
import type { Payout, StateIn, Status } from '../../../domain/payouts/payout.ts';
import { countTransfers } from '../../../domain/payouts/transfers-begun.ts';
import { DOUBTS } from '../../../domain/reporting/report-line.ts';
import { STATUS_WORDS } from '../../../domain/reporting/status-words.ts';
import { countText, rowsText } from '../../../domain/text/printable.ts';
import type { ProgressEvent, Stage, Tell } from '../../../payfile.ts';
import { widthOf } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  readonly tell: Tell;
  /** Takes the line away before something else is printed. */
  clear(): void;
  /** Requests on the wire. */
  inFlight(): number;
  /** The batch that is worked on; undefined before that begins. */
  batch(): BatchId | undefined;
}

const REDRAW_MS = 100;
const STEP_PERCENT = 10;
/** All of them stand below the outcome. */
const DOUBTS_TOLD = 10;

const VERBS: Readonly<Record<Stage, string>> = {
  read: 'Reading',
  price: 'Names and fees',
  approve: 'Approving',
  send: 'Sending',
  settle: 'Settling',
  report: 'Report',
};

interface Counting {
  stage: Stage;
  total: number;
  done: number;
  /** The last step of ten per cent that was shown. */
  step: number;
  readonly outcomes: Map<Status, number>;
  readonly money: Map<string, Money>;
}

export function createProgress(terminal: Terminal): Progress {
  let counting = newCounting('read', 0);
  let drawnAt = Number.NEGATIVE_INFINITY;
  const transfers = countTransfers();
  let doubts = 0;
  let batch: BatchId | undefined;
  const draw = (text: string) => {
    if (!terminal.hasLine || performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    terminal.line(text);
  };
  const show = () => {
    if (terminal.hasLine) draw(lineOf(counting, terminal.columns - 1));
    else if (!terminal.isQuiet) tellStep(counting, terminal);
  };
  const tellDoubt = (row: number, { reason }: StateIn<'in_doubt'>) => {
    doubts += 1;
    if (doubts <= DOUBTS_TOLD) terminal.talk(`Warning: row ${row} is in doubt. ${DOUBTS[reason]}.`);
  };
  const moved = (from: Status, payout: Payout) => {
    const to = payout.state.status;
    if (payout.state.status === 'in_doubt') tellDoubt(payout.rowNumber, payout.state);
    transfers.moved(from, to);
    if (!counts(counting.stage, from, to)) return;
    counting.done += 1;
    counting.outcomes.set(to, (counting.outcomes.get(to) ?? 0) + 1);
    const amount = payout.instruction?.amount;
    if (amount !== undefined && carriesMoney(to)) addMoney(counting.money, amount);
    show();
  };
  return {
    tell(event: ProgressEvent) {
      switch (event.kind) {
        case 'stage':
          terminal.line('');
          counting = newCounting(event.stage, event.total ?? 0);
          batch = event.batchId ?? batch;
          drawnAt = Number.NEGATIVE_INFINITY;
          break;
        case 'read':
          draw(`Reading  ${rowsText(event.rows)}${event.invalid > 0 ? `, ${event.invalid} invalid` : ''}`);
          break;
        case 'moved':
          moved(event.from, event.payout);
          break;
        case 'waiting':
          terminal.talk(`Waiting: ${event.reason}`);
          break;
        case 'warning':
          terminal.talk(`Warning: ${event.text}`);
      }
    },
    clear: () => terminal.line(''),
    inFlight: transfers.onTheWire,
    batch: () => batch,
  };
}

function newCounting(stage: Stage, total: number): Counting {
  return { stage, total, done: 0, step: 0, outcomes: new Map(), money: new Map() };
}

/** Which moves are this stage's work; a row that comes back to be sent again is not done. */
function counts(stage: Stage, from: Status, to: Status): boolean {
  if (stage === 'price') return from === 'planned';
  if (stage === 'send') return from === 'sending' && to !== 'approved';
  return stage === 'settle' && from === 'accepted' && to !== 'accepted';
}

function carriesMoney(status: Status): boolean {
  return status === 'quoted' || status === 'accepted' || status === 'settled';
}

function addMoney(sums: Map<string, Money>, amount: Money): void {
  const sum = sums.get(amount.currency);
  sums.set(amount.currency, { ...amount, minor: amount.minor + (sum?.minor ?? 0n) });
}

/**
 * `Sending  12 of 24  10 on its way, 2 failed  GHS 1,200.00 + 1 more`: how the rows stand comes first, and an amount
 * is shown whole or only counted, because a cut number is another number.
 */
function lineOf({ stage, total, done, money, outcomes }: Counting, width = Number.POSITIVE_INFINITY): string {
  const words = [...outcomes].map(([status, count]) => `${countText(count)} ${STATUS_WORDS[status].counted}`);
  const parts = [VERBS[stage], `${countText(done)} of ${countText(Math.max(total, done))}`, words.join(', ')];
  const line = parts.filter((part) => part !== '').join('  ');
  const sums = [...money.values()].map(formatMoney);
  for (let shown = sums.length; shown > 0; shown -= 1) {
    const more = shown < sums.length ? ` + ${sums.length - shown} more` : '';
    const whole = `${line}  ${sums.slice(0, shown).join(', ')}${more}`;
    if (widthOf(whole) <= width) return whole;
  }
  return line;
}

function tellStep(counting: Counting, terminal: Terminal): void {
  if (counting.total === 0) return;
  const step = Math.floor((counting.done / counting.total) * (100 / STEP_PERCENT));
  if (step <= counting.step) return;
  counting.step = step;
  terminal.talk(lineOf(counting));
}
