/**
 * A command's words about a file of payments, as the work takes them.
 */
import type { Flag } from '../domain/next-steps/command.ts';
import { type RunFileOptions, whyNotRunnable } from '../payfile.ts';
import { type Call, mayAsk, type Opened, UsageError } from './call.ts';
import { refuseSameOutputs, refuseUnknownFormats } from './check-outputs.ts';
import { fileCommand } from './parse/file-flags.ts';
import { fixFilePath } from './show/fix-file.ts';
import { askerFor } from './terminal/questions.ts';

const NAME: Flag = ['--batch', { fillIn: 'NAME' }];
const CEILING: Flag = ['--max-total', { before: 'CUR=', fillIn: 'AMOUNT' }];

/** Usage comes before configuration, ledger and file: a script is told the same thing whatever else is wrong. */
export function refuseUnrunnable(call: Call, verb: 'plan' | 'run'): void {
  refuseUnknownFormats(call);
  const { sandbox, yes, batch } = call.flags;
  const environment = sandbox === true ? 'sandbox' : 'live';
  switch (whyNotRunnable({ environment, yes, batch, ask: mayAsk(call) || undefined })) {
    case undefined:
      return;
    case 'yes_for_real_money':
      throw new UsageError(
        '--yes agrees to sandbox payments only. With a live service say how much you agree to: --max-total CUR=AMOUNT.',
        fileCommand(call, 'plan'),
      );
    case 'no_name':
      throw new UsageError(
        'Without a terminal a live service needs --batch NAME: which period or purpose does the file pay?',
        fileCommand(call, 'check'),
        fileCommand(call, verb, { more: verb === 'run' ? [NAME, CEILING] : [NAME] }),
      );
  }
}

/** Throws UsageError where two outputs have one place, or no fix file can be meant. */
export async function fileRequest(call: Call, opened: Opened): Promise<RunFileOptions> {
  const { sheet, headerRow, map, delimiter, encoding, decimal, batch, repeats, newLedger } = call.flags;
  const { skipInvalid, expectCount: count, expectTotal: totals = [] } = call.flags;
  const fixFile = fixFilePath(call);
  await refuseSameOutputs(opened, call);
  return {
    ...{ sheet, headerRow, map, delimiter, encoding, decimal },
    ...{ batch, repeats, newLedger, skipInvalid, fixFile },
    expected: { count, totals },
    signal: call.stopping.signal,
    ask: askerFor(call),
  };
}
