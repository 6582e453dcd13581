/**
 * Progress, for the person who waits: how many rows, and how much money, of which stage. On a terminal one
 * line that is drawn over; elsewhere one line every ten per cent; nothing with --quiet.
 */
import type { ProgressEvent, Stage, Tell } from '../application/progress.ts';
import { countText, rowsText } from '../domain/counted.ts';
import { formatMoney, type Money } from '../domain/money.ts';
import type { Payout, Status } from '../domain/payout.ts';
import { STATUS_WORDS } from '../domain/status-word.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  readonly tell: Tell;
  /** Takes the line away before something else is printed. */
  clear(): void;
  /** Requests on the wire. */
  inFlight(): number;
}

const REDRAW_MS = 100;
const STEP_PERCENT = 10;

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
  /** The step of ten per cent that was told last. */
  step: number;
  readonly outcomes: Map<Status, number>;
  readonly money: Map<string, Money>;
}

export function createProgress(terminal: Terminal): Progress {
  let counting = newCounting('read', 0);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let flying = 0;
  const draw = (text: string) => {
    if (!terminal.hasLine || performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    terminal.line(text);
  };
  const show = () => {
    if (terminal.hasLine) draw(lineOf(counting));
    else if (!terminal.isQuiet) tellStep(counting, terminal);
  };
  const moved = (from: Status, payout: Payout) => {
    const to = payout.state.status;
    if (to === 'sending') flying += 1;
    if (from === 'sending') flying -= 1;
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
    inFlight: () => flying,
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

/** `Sending  12 of 24  GHS 1,200.00, KES 34,000.00  10 on its way, 2 failed` */
function lineOf({ stage, total, done, money, outcomes }: Counting): string {
  const sums = [...money.values()].map(formatMoney).join(', ');
  const words = [...outcomes].map(([status, count]) => `${countText(count)} ${STATUS_WORDS[status].counted}`);
  const parts = [`${countText(done)} of ${countText(Math.max(total, done))}`, sums, words.join(', ')];
  return `${VERBS[stage]}  ${parts.filter((part) => part !== '').join('  ')}`;
}

function tellStep(counting: Counting, terminal: Terminal): void {
  if (counting.total === 0) return;
  const step = Math.floor((counting.done / counting.total) * (100 / STEP_PERCENT));
  if (step <= counting.step) return;
  counting.step = step;
  terminal.talk(lineOf(counting));
}
