/**
 * Run as a process of its own by size.test.ts: checks files one after the other as `payfile check` does, and says
 * what came of each and how much memory the process ever had. Its heap is kept as small as that of the command.
 */
import { keepHeapSmall } from '../../src/cli/small-heap.ts';
import { openRows } from '../../src/files/payout-file.ts';
import { checkFile } from '../../src/use-cases/intake/check-file.ts';
import { SANDBOX_LISTS } from './read-corpus.ts';

keepHeapSmall();
const world = { paymentService: SANDBOX_LISTS, tell: () => undefined };
const files = [];
for (const path of process.argv.slice(2)) {
  try {
    const options = { open: { path }, source: 'GB' };
    const { rows, invalid, blankRows } = await checkFile(openRows, options, world);
    files.push({ rows, invalid, blankRows });
  } catch (error) {
    files.push({ refused: error instanceof Error ? error.message : String(error) });
  }
}
const maxRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ files, maxRssMb, ms: Math.round(performance.now()) }));
