/**
 * One worker of the soak: runs the seeds that it is given, and answers with their sum, portion by portion.
 */
import { Store } from '../simulated-world/disk.ts';
import { tallyOf } from './tally.ts';

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
