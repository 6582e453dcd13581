/** What is said of a plan beside its rows. */
import { type Batch, batchLabel, repeatsText } from '../../domain/batches/batch.ts';
import { type Command, command } from '../../domain/next-steps/command.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted } from '../../domain/text/printable.ts';
import { doneBefore, endingOfFile, type FileDone } from '../../operations/no-work.ts';
import type { FilePlan, NoWork, OpenQuestion, RunEnd } from '../../payfile.ts';
import { argument, type Call, typed } from '../call.ts';
import { fileCommand } from '../parse/file-flags.ts';
import { show } from '../run-operation.ts';

/** A row that is held stays held whatever `--names` says later. Without an answer it may be held for having no name at all. */
export function tellHeldBefore({ holdReasons }: Pick<Plan, 'holdReasons'>, batch: Batch, call: Call): void {
  const { names = {} } = call.flags;
  const isLoosened = (['close_match', 'no_match', 'not_found'] as const).some(
    (result) => names[result] !== undefined && names[result] !== 'hold',
  );
  const count = isLoosened ? (holdReasons.get('name') ?? 0) : 0;
  if (count === 0) return;
  const words = [batchLabel(batch), { fillIn: 'ROW' } as const];
  const release = typed(call, command('release', words, [['--reason', { fillIn: 'TEXT' }]]));
  const held = counted(count, 'row was held for its name', 'rows were held for their names');
  call.terminal.talk(
    `${held} before. --names does not change rows that are held already. To let one go on: ${release}`,
  );
}

export const everyIssue = (call: Call) => fileCommand(call, 'check', { more: [['--all']] });

/** What to do with the same file again, as it is typed here. */
export function againCommand(
  { end, fixFile }: { readonly end: Pick<RunEnd, 'again'>; readonly fixFile: FilePlan['fixFile'] },
  verb: 'plan',
  call: Call,
): Command | undefined {
  const { again } = end;
  const mended = again?.isMended === true ? fixFile?.path : undefined;
  return again && fileCommand(call, verb, { mended, more: again.flags });
}

export function questionSaid(question: OpenQuestion, verb: 'plan', call: Call) {
  const { repeats, withdraw, next, again } = question;
  return {
    sentence: `${repeatsText(repeats)} They are held, and nothing of them is sent. Look at that batch first. If this file is the same payment again, withdraw it: ${typed(call, withdraw)}. If it is one more payment, say which batch it repeats.`,
    next,
    andThen: fileCommand(call, verb, { more: again.flags }),
  };
}

type Idle = FileDone & { readonly end: NoWork };

/** A file after which nothing was left to do, and why. */
export function showNoWork(
  done: Pick<FileDone, 'batch' | 'placed' | 'imported' | 'batchEnd' | 'environment'>,
  end: NoWork,
  call: Call,
): ExitCode {
  const result: Idle = { ...done, end, asked: { ...call.flags, file: argument(call, 0) } };
  return show({ ...endingOfFile<Idle, object>('plan', doneBefore), acts: true, given: {}, result }, call);
}
