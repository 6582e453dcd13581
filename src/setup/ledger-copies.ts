/** Operations on the whole ledger: backup, restore, move to a server. */
import type { Binding } from '../ledger/identity.ts';
import type { Clock } from '../ports/clock.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { LedgerStore } from '../ports/ledger/store.ts';
import type { Log } from '../ports/log.ts';
import type { OutputGuard } from '../ports/outputs.ts';
import type { Settings } from './load-settings.ts';
import { pathFrom } from './places.ts';

export function ledgerCopies(
  settings: Settings,
  binding: Binding | undefined,
  { clock, log, outputs }: { readonly clock: Clock; readonly log: Log; readonly outputs: OutputGuard },
): Omit<LedgerStore, 'hasLedger'> {
  return {
    async prepareWorkers() {
      if (settings.ledgerServer === undefined) return;
      const { openWorkQueue } = await import('./work-queue.ts');
      await (await openWorkQueue(settings)).close();
    },
    async backup(to) {
      await outputs.check(to, 'backup');
      requireFileLedger(settings, 'backup');
      const { backupLedger } = await import('../ledger/backup.ts');
      return backupLedger({ path: settings.ledgerPath, to: pathFrom(settings.cwd, to), binding });
    },
    async restore(from, { replace }) {
      requireFileLedger(settings, 'restore');
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
      const from = { path, namedId, knownLedgersPath: locations.knownLedgers, binding, clock, log };
      return (await import('./open-server.ts')).moveToServer(settings, server, from);
    },
  };
}

function requireFileLedger({ ledgerServer, ledgerPath }: Settings, what: string): void {
  if (ledgerServer === undefined) return;
  const text = `${what} works only with a ledger in a file, and ${ledgerPath} is on a server. Use backups of the server. Check them with payfile verify.`;
  throw new LedgerError('ledger_unsupported', text);
}
