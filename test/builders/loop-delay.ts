/** Loaded into a child process before the command: at its end it writes down for how long at most nothing else had its turn. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const path = process.env['LOOP_DELAY_FILE'];
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
// Loading the program is no delay of its work.
setTimeout(() => delay.reset(), 1_500).unref();
process.on('exit', () => {
  if (path !== undefined) writeFileSync(path, String(delay.max / 1e6));
});
