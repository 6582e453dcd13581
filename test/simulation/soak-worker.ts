/**
 * One worker of the soak: runs the seeds that it is given, and answers with their sum, portion by portion.
 */
import { Store } from '../simulated-world/disk.ts';
import { tallyOf } from './tally.ts';

// A history makes thousands of errors, and nobody reads where they came from. Whoever plays a seed again sees that.
Error.stackTraceLimit = 0;
const store = await Store.make();
// Ctrl-C reaches the whole group; the parent decides when this ends.
process.on('SIGINT', () => undefined);
process.on('message', (seeds: readonly number[]) => {
  void tallyOf(seeds, store).then((tally) => process.send?.(tally));
});
process.on('disconnect', () => {
  store.remove();
  process.exit(0);
});
