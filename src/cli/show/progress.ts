/**
 * Output while work goes on: the progress line, and what a person has to see before the next question.
 */
import { countText } from '../../domain/text/printable.ts';
import type { Dialogue, MoveStep, PlanToSee } from '../../payfile.ts';
import { argument, type Call } from '../call.ts';
import type { Progress } from '../terminal/progress-line.ts';
import { fixFileText } from './fix-file.ts';
import { tellImported } from './placed-file.ts';
import { printPlan } from './plan.ts';

export function listenerFor(call: Call, progress: Progress): NonNullable<Dialogue['onProgress']> {
  const { terminal } = call;
  return (event) => {
    switch (event.kind) {
      case 'fix_file':
        terminal.talk(fixFileText(event.written, argument(call, 0)));
        break;
      case 'placed':
        tellImported(event.imported, event.placed, call);
        break;
      case 'plan':
        tellPlan(event.seen, call);
        break;
      case 'move':
        tellMove(event.step, call);
        break;
      default:
        progress.tell(event);
    }
  };
}

function tellPlan(seen: PlanToSee, { flags, terminal }: Call): void {
  terminal.result(printPlan({ ...seen, allChanges: flags.changes === true }, terminal));
}

const MOVING: Readonly<Record<MoveStep['doing'], string>> = {
  recover: 'Looking for rows on the wire',
  verify: 'Checking the ledger',
  copy: 'Copying',
  verify_copy: 'Checking the copy',
  leave: 'Leaving the file',
  arrive: 'Making the copy the ledger',
  arrived: 'The ledger is on the server',
};

/** One line a step; where a line can be drawn over, how far a table has come. */
function tellMove({ doing, table, rows = 0 }: MoveStep, { terminal }: Call): void {
  if (table !== undefined && terminal.hasLine) terminal.line(`Copying  ${table}  ${countText(rows)}`);
  if (table === undefined && !terminal.isQuiet)
    terminal.talk(`${MOVING[doing]}${doing === 'arrived' ? '' : ' …'}`);
}
