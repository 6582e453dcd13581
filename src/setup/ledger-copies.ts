/**
 * What is made of the ledger's file as a whole: a backup, what a backup replaces, a ledger on a server.
 */

import type { LedgerCopy, Restored } from '../ledger/backup.ts';
import type { Binding } from '../ledger/identity.ts';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerMove } from '../ports/ledger/moving.ts';
import type { Log } from '../ports/log.ts';
import type { Settings } from './load-settings.ts';
import { pathFrom } from './places.ts';

export interface LedgerCopies {
  /** A whole copy of the ledger in another file, beside a run. */
  backup(to: string): Promise<LedgerCopy>;
  /** A backup becomes the ledger. */
  restore(from: string, options: { readonly replace: boolean }): Promise<Restored>;
  /** The ledger file, to be moved to a server. */
  moveTo(server: string): Promise<LedgerMove>;
}

export function ledgerCopies(
  settings: Settings,
  binding: Binding | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): LedgerCopies {
  return {
    async backup(to) {
      requireFile(settings, 'backup');
      const { backupLedger } = await import('../ledger/backup.ts');
      return backupLedger({
        path: settings.ledgerPath,
        to: pathFrom(settings.cwd, to),
        binding,
      });
    },
    async restore(from, { replace }) {
      requireFile(settings, 'restore');
      const { restoreLedger } = await import('../ledger/backup.ts');
      return restoreLedger({
        from: pathFrom(settings.cwd, from),
        path: settings.ledgerPath,
        binding,
        replace,
        now: clock.now(),
      });
    },
    async moveTo(server) {
      const { ledgerPath: path, ledgerId: namedId, locations } = settings;
      return (await import('./open-server.ts')).moveToServer(settings, server, {
        path,
        namedId,
        knownLedgersPath: locations.knownLedgers,
        binding,
        clock,
        log,
      });
    },
  };
}

function requireFile({ ledgerServer, ledgerPath }: Settings, what: string): void {
  if (ledgerServer === undefined) return;
  const text = `${what} works with a ledger in a file; ${ledgerPath} is on a server. Use the server's own backups, and check them with payfile verify.`;
  throw new LedgerError('ledger_unsupported', text);
}
