/** Bugs in what is paid without a person: for which period, how much, and whether again. */
import type { PlantedBug } from '../planted-bug.ts';

const SCHEDULES = 'test/faces/cli/schedules.test.ts';
const DOMAIN = 'test/domain/schedule.test.ts';

export const SCHEDULE_BUGS: readonly PlantedBug[] = [
  {
    id: 'period-of-today',
    bug: 'A run that was missed is made up for under the name of the day on which it is made up for.',
    file: 'src/domain/schedules/schedule.ts',
    find: '    const run = runAt(schedule, due);',
    replace: '    const run = { ...runAt(schedule, now), dueAt: due };',
    caughtBy: [{ test: DOMAIN, title: 'owes a run that was missed for its own period' }],
  },
  {
    id: 'newest-missed-alone',
    bug: 'Of several periods that were missed only the newest is paid.',
    file: 'src/domain/schedules/schedule.ts',
    find: '    if (owed !== undefined && owed.batch !== run.batch) break;\n',
    replace: '',
    caughtBy: [{ test: DOMAIN, title: 'owes the oldest of several periods first' }],
  },
  {
    id: 'retry-of-a-run',
    bug: 'The queue begins a run again whose worker died.',
    file: 'src/adapters/work-queue/boss-queue.ts',
    find: '    retryLimit: 0,',
    replace: '    retryLimit: 1,',
    caughtBy: [{ test: SCHEDULES, title: 'begins no run again by itself that was killed' }],
  },
  {
    id: 'schedule-without-ceiling',
    bug: 'A schedule is run whose ceilings stand nowhere.',
    file: 'src/use-cases/schedules/work-off.ts',
    find: '    if (run === undefined || ceilings.has(schedule.name)) return run;',
    replace: '    if (run === undefined || ceilings.size > 0) return run;',
    caughtBy: [{ test: SCHEDULES, title: 'runs no schedule whose ceilings are not in the configuration' }],
  },
  {
    id: 'schedule-sets-its-ceiling',
    bug: 'What a schedule may pay, and who is told, can stand in the database.',
    file: 'src/faces/cli/parse/scheduled-run.ts',
    find: 'if (flags[name as keyof Flags] !== undefined)',
    replace: "if (name === 'json' && flags[name as keyof Flags] !== undefined)",
    caughtBy: [{ test: SCHEDULES, title: 'refuses a schedule that could not run alone' }],
  },
];
