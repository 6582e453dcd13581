/**
 * What sort of office a history is of. Many do a little of everything. Others agree in one way mostly, or work where one thing
 * changes all the time: there people decide about that more often than in offices where everything happens.
 */
import type { Random } from '../../builders/random.ts';

export interface Habits {
  /** How people agree mostly: by a schedule with a ceiling, or with the digest of a plan that they read a while ago. */
  readonly agrees: 'in_any_way' | 'by_schedule' | 'by_older_plan';
  /** What changes most. `tables`: somebody edits rows in the ledger's tables. */
  readonly restless: 'nothing' | 'prices' | 'holders' | 'lists' | 'limits' | 'tables';
  /** How often people are away for long between two things that they do. */
  readonly pause: number;
  readonly rowsMax: number;
  /** How many batches they pay at most. With one, all decisions are about the same rows. */
  readonly batchesMax: number;
  /** Whether they pay the same people again and again, as a payroll does. */
  readonly hasPeriods: boolean;
}

export function habitsOf(random: Random): Habits {
  const drawn: Omit<Habits, 'hasPeriods'> = {
    agrees: random.pick(['in_any_way', 'by_schedule', 'by_older_plan']),
    restless: random.pick(['nothing', 'prices', 'holders', 'lists', 'limits', 'tables']),
    pause: random.pick([0.3, 0.5]),
    rowsMax: random.pick([3, 6]),
    batchesMax: random.pick([1, 2, 4]),
  };
  return { ...drawn, hasPeriods: drawn.batchesMax > 2 && random.chance(0.5) };
}
