/**
 * What a run needs before anything is looked at: usage first, then configuration, then the ledger, then the
 * file. So a script is told the same thing every time, whatever else is wrong.
 */

import { constants, open } from 'node:fs/promises';
import type { Flag } from '../../domain/steps/command.ts';
import { LedgerError } from '../../ports/ledger/errors.ts';
import type { Ledger } from '../../ports/ledger/ledger.ts';
import { FileRefused } from '../../ports/row-source.ts';
import { notConfigured } from '../../setup/compose.ts';
import type { Settings } from '../../setup/settings.ts';
import { argument, type Call, fromFolder, UsageError } from './call.ts';
import type { Opened } from './open-parts.ts';
import { askText, mayAsk } from './terminal/ask.ts';
import { fileCommand } from './words/file-words.ts';
import { refuseUnknownFormats } from './write-reports.ts';

const NAME: Flag = ['--batch', { fillIn: 'NAME' }];
const CEILING: Flag = ['--max-total', { before: 'CUR=', fillIn: 'AMOUNT' }];

export function checkRunUsage(call: Call): void {
  const { flags } = call;
  refuseUnknownFormats(call);
  if (flags.sandbox === true) return;
  if (flags.yes === true) {
    throw new UsageError(
      '--yes agrees to sandbox payments only. With a live service say how much you agree to: --max-total CUR=AMOUNT.',
      fileCommand(call, 'plan'),
    );
  }
  if (!mayAsk(call) && flags.batch === undefined) {
    throw new UsageError(
      'Without a terminal a live run needs --batch NAME: which period or purpose does it pay?',
      fileCommand(call, 'check'),
      fileCommand(call, 'run', { more: [NAME, CEILING] }),
    );
  }
}

/** Throws ConfigError when there is no service to work with. */
export function requireService(settings: Settings): void {
  if (settings.environment === 'live' && settings.service === undefined) throw notConfigured(settings);
}

/** The ledger; on a terminal a missing live one is created after a typed yes. */
export async function openWorkingLedger(call: Call, opened: Opened): Promise<Ledger> {
  try {
    return await opened.ledger({ create: call.flags.newLedger === true });
  } catch (error) {
    const isMissing = error instanceof LedgerError && error.code === 'ledger_missing';
    if (!isMissing || !mayAsk(call)) throw error;
    call.terminal.talk(error.message);
    const answer = await askText(
      call,
      'If no payments were ever made with another ledger, type “yes” to create this one',
      (text) => (text.trim().toLowerCase() === 'yes' ? undefined : 'Type yes, or press Ctrl-C to stop.'),
    );
    if (answer === undefined) throw error;
    return opened.ledger({ create: true });
  }
}

/** A file that is not there is said before the service is asked anything. */
export async function requireFile(call: Call): Promise<void> {
  const path = argument(call, 0);
  if (path === '-') return;
  try {
    await (await open(fromFolder(call, path), constants.O_RDONLY | constants.O_NONBLOCK)).close();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'you may not read it' : code;
    throw new FileRefused(`Cannot open ${path}: ${why}.`, { missing: true, cause });
  }
}
