/** Ours: a ledger file goes to a server. Arguments: ledger path, place on the server as JSON. */

import { keepHeapSmall } from '../../../src/cli/small-heap.ts';
import { openFileToMove } from '../../../src/ledger/file.ts';
import { beginMove } from '../../../src/ledger/move.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import type { ServerPlace } from '../../../src/ports/server-place.ts';
import { moveLedger } from '../../../src/use-cases/move/move-ledger.ts';
import { BINDING, benchLedger, benchWorld } from '../bench-world.ts';
import { printResult } from '../work-result.ts';

keepHeapSmall();
const [path = '', place = ''] = process.argv.slice(2);
const file = await openFileToMove({ path, binding: BINDING, create: false, clock: systemClock });
const move = await beginMove({
  ...{ file, place: JSON.parse(place) as ServerPlace, clock: systemClock },
  open: () => benchLedger(place),
});
const steps: { doing: string; at: number }[] = [];
const started = performance.now();
const holder = { user: 'bench', host: 'bench', pid: process.pid, command: 'bench' };
const world = await benchWorld('', undefined, file.ledger);
const { entries } = await moveLedger(move, world, {
  holder,
  onProgress(event) {
    if (event.kind !== 'move' || event.step.doing === steps.at(-1)?.doing) return;
    steps.push({ doing: event.step.doing, at: performance.now() });
  },
});
const ms = performance.now() - started;
const took = steps.map(({ doing, at }, index) => {
  const seconds = ((steps[index + 1]?.at ?? started + ms) - at) / 1_000;
  return `${doing} ${seconds.toFixed(1)}`;
});
printResult({ ms, rows: entries, note: took.join(', ') });
