/**
 * `payfile ledger move --to postgres://…`: the ledger file goes to a server, and can only be read from then on.
 *
 * --json: {ledger: {id, environment, from, to, batches, entries, head}, recovered, wasLeft, next, exitCode}.
 */

import { command, helpOn } from '../../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { counted, printable, rowsText } from '../../../domain/text/printable.ts';
import type { MovedLedger } from '../../../payfile.ts';
import { type Call, placeOf, tellSteps, typedSteps, UsageError } from '../call.ts';
import { openParts } from '../open-parts.ts';

export async function ledger(call: Call): Promise<ExitCode> {
  const { args, flags, terminal } = call;
  const [action = ''] = args;
  if (action !== 'move')
    throw new UsageError(
      `“${printable(action)}” cannot be done to a ledger; expected move.`,
      helpOn('ledger'),
    );
  if (flags.to === undefined)
    throw new UsageError(
      'Where does the ledger go? Add --to postgres://USER@HOST/DATABASE.',
      helpOn('ledger'),
    );
  const { payfile, progress } = await openParts(call);
  const moved = await payfile.moveLedger(flags.to, { signal: call.stopping.signal });
  progress.clear();
  const { from, to, identity, recovered, wasLeft } = moved;
  const { id, environment } = identity;
  terminal.result(`${wasLeft ? 'The move had left the file; it is done now. ' : ''}${sentenceOf(moved)}`);
  if (recovered > 0)
    terminal.talk(
      `${rowsText(recovered)} on the wire when a process ended: in doubt now. Each needs a person.`,
    );
  terminal.talk(`From now on name it with PAYFILE_LEDGER or --ledger: ${to}`);
  terminal.talk(`The file ${from} can be read, and is never worked with again. Keep it for your records.`);
  const at = { ...placeOf(call), ledger: to };
  const steps = typedSteps(call, { next: { ...command('status'), at } });
  tellSteps(steps, terminal);
  const { batches, entries, head } = moved;
  terminal.answer({
    ...{ command: 'ledger', environment, exitCode: EXIT.done },
    ledger: { id, environment, from, to, batches, entries, head },
    ...{ recovered, wasLeft },
    ...steps,
  });
  return EXIT.done;
}

function sentenceOf({ from, to, batches, entries, head }: MovedLedger): string {
  const size = `${counted(batches, 'batch', 'batches')}, ${counted(entries, 'journal entry', 'journal entries')}`;
  return `Moved ${from} to ${to}: ${size}; everything belongs together. Head ${head}`;
}
