/**
 * Output while work goes on: the progress line, and what a person has to see before the next question.
 */
import { counted, countText, rowsText } from '../../../domain/text/printable.ts';
import type { Dialogue, MoveStep, News, PlanToSee, Run } from '../../../payfile.ts';
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
      case 'released':
        tellReleased(event, call);
        break;
      case 'unpriced':
        tellUnpriced(event.priced, call);
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
  const { leaving } = seen;
  if (leaving.length > 0)
    terminal.talk(
      `The plan without what is withdrawn when you agree: ${rowsText(leaving.length)} (${leaving.join(', ')}).`,
    );
  terminal.result(printPlan({ ...seen, allChanges: flags.changes === true }, terminal));
}

function tellUnpriced({ unpriced, reason }: Run['priced'], { terminal }: Call): void {
  const rows = counted(unpriced, 'row has no quote and waits', 'rows have no quote and wait');
  terminal.talk(`${rows}: ${reason ?? 'no usable answer'}.`);
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

function tellReleased({ rows, refused }: Extract<News, { kind: 'released' }>, { terminal }: Call): void {
  if (rows.length > 0)
    terminal.result(
      `Released: ${rowsText(rows.length)} (${rows.join(', ')}). This is kept even when you do not agree to the plan.`,
    );
  for (const { rowNumber, status } of refused)
    terminal.talk(`Row ${rowNumber} was left as it is: ${status}.`);
}
