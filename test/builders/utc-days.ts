/** A span of days of UTC. */
import { type Period, periodOf } from '../../src/domain/reporting/period.ts';
import { WallClock } from '../../src/domain/time-zone.ts';

export const UTC = new WallClock('UTC');

export const utcDays = (from: string, to: string): Period => periodOf({ from, to }, UTC);
