/** Output during work: the progress line, and facts that the user needs before a question. */
import { countText } from '../../domain/text/printable.ts';
import { fixFileBlocks, placedBlocks } from '../../operations/placed-blocks.ts';
import { planBlocks } from '../../operations/plan-blocks.ts';
import type { Dialogue, MoveStep } from '../../payfile.ts';
import { argument, type Call } from '../call.ts';
import type { Progress } from '../terminal/progress-line.ts';
import { drawAll } from './blocks.ts';

export function listenerFor(call: Call, progress: Progress): NonNullable<Dialogue['onProgress']> {
  return (event) => {
    switch (event.kind) {
      case 'fix_file':
        drawAll(fixFileBlocks(event.written, argument(call, 0)), call);
        break;
      case 'placed':
        drawAll(placedBlocks(event.imported, event.placed), call);
        break;
      case 'plan':
        drawAll(planBlocks(event.seen, call.flags.changes), call);
        break;
      case 'move':
        printMove(event.step, call);
        break;
      case 'worker':
        break;
      default:
        progress.tell(event);
    }
  };
}

const MOVING: Readonly<Record<MoveStep['doing'], string>> = {
  recover: 'Looking for rows in flight',
  verify: 'Checking the ledger',
  copy: 'Copying',
  verify_copy: 'Checking the copy',
  leave: 'Closing the file ledger',
  arrive: 'Activating the copy',
  arrived: 'The ledger is on the server',
};

/** Prints one line per step. On a terminal, also shows the progress of each table. */
function printMove({ doing, table, rows = 0 }: MoveStep, { terminal }: Call): void {
  if (table !== undefined && terminal.hasLine) terminal.line(`Copying  ${table}  ${countText(rows)}`);
  if (table === undefined && !terminal.isQuiet)
    terminal.talk(`${MOVING[doing]}${doing === 'arrived' ? '' : ' …'}`);
}
