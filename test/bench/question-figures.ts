/** How many questions a row of a payroll costs, and when the last row is known to be settled. Counts, on a clock of its own. */
import { join } from 'node:path';
import { anew, type Bench } from './in-turns.ts';

const ROWS = 3_000;

/** Of one payroll: how often each kind of question was asked. Times are milliseconds since it began. */
interface Payroll {
  readonly payroll: string;
  readonly name?: number;
  readonly quote?: number;
  readonly send?: number;
  readonly look?: number;
  readonly settledMs: number;
  readonly finishedMs: number;
}

export function questionFigures({ folder, isSmall, work, print }: Bench): void {
  const rows = isSmall ? ROWS / 5 : ROWS;
  const ledger = join(folder, 'questions.db');
  for (const amounts of ['equal', 'different']) {
    const { note = '[]' } = work('questions', anew(ledger), rows, amounts);
    const payrolls = JSON.parse(note) as readonly Payroll[];
    const last = payrolls.at(-1);
    const each = last === undefined ? 0 : perRow(last, rows);
    const most = amounts === 'equal' ? 2.2 : 3.2;
    const name = `questions a row of people who were paid on the same day, ${amounts} amounts`;
    print(
      name,
      each,
      `≤ ${most}`,
      each <= most,
      payrolls.map((payroll) => told(payroll, rows)).join('\n        '),
    );
  }
}

const perRow = ({ name = 0, quote = 0, send = 0, look = 0 }: Payroll, rows: number) =>
  (name + quote + send + look) / rows;

function told(payroll: Payroll, rows: number): string {
  const { name = 0, quote = 0, send = 0, look = 0, settledMs, finishedMs } = payroll;
  const kinds = `${name} names, ${quote} quotes, ${send} transfers, ${look} look-ups`;
  const [settled, finished] = [settledMs, finishedMs].map((ms) => (ms / 1_000).toFixed(0));
  const each = perRow(payroll, rows).toFixed(2);
  return `${payroll.payroll}: ${each} (${kinds}); the last row finished at ${finished} s and was settled at ${settled} s`;
}
