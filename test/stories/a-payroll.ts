/** A payroll in a story: an office with the whole command line, a service that a test can change, and time that can pass. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPayfile, type Payfile } from '../../src/payfile.ts';
import { clock, type Ended, type Office, openOffice } from '../builders/office.ts';
import { type ChangingService, startChangingService } from '../fakes/changing-service.ts';
import { withNewLedger } from './a-shop.ts';

/** One payment of a file; what is left out is Ghana, GCB Bank and an empty cell. */
export interface Line {
  readonly account: string;
  readonly amount: string;
  readonly reference?: string;
  readonly country?: string;
  readonly institution?: string;
  readonly name?: string;
  readonly phone?: string;
  readonly note?: string;
}

export interface Payroll {
  readonly office: Office;
  readonly service: ChangingService;
  /** Writes the lines as a file; row 2 is the first of them. */
  file(name: string, lines: readonly Line[]): string;
  /** The command, as a person or cron types it; the first one makes the ledger. */
  payfile(...words: string[]): Promise<Ended>;
  /** `plan FILE --batch NAME`; gives what the JSON says. */
  plan(file: string, batch: string, ...more: string[]): Promise<PlanShown>;
  /** `run FILE --batch NAME` with a ceiling above all that the stories pay. */
  run(file: string, batch: string, ...more: string[]): Promise<Ended>;
  /** The same ledger and service by the library. */
  library(actor?: string): Payfile;
  /** How many rows of a batch are in each state; states without rows are left out. */
  stand(batch: string): Promise<Readonly<Record<string, number>>>;
  later(hours: number): void;
  /** The accounts that were paid, in the order of the book. */
  paid(): readonly string[];
}

interface PlanShown {
  readonly code: number | null;
  readonly digest: string;
  readonly text: string;
}

export async function openPayroll(settings: Readonly<Record<string, unknown>> = {}): Promise<Payroll> {
  const service = await startChangingService(clock);
  const office = openOffice(service.env);
  onTestFinished(async () => {
    office.close();
    await service.close();
  });
  office.configure(settings);
  const payfile = withNewLedger(office);
  return {
    ...{ office, service, payfile },
    file: (name, lines) => office.file(name, csvOf(lines)),
    async plan(file, batch, ...more) {
      const { code, stdout, stderr } = await payfile('plan', file, '--batch', batch, '--json', ...more);
      const { plan } = JSON.parse(stdout) as { plan?: { digest: string } };
      return { code, digest: plan?.digest ?? '', text: stdout + stderr };
    },
    run: (file, batch, ...more) => payfile('run', file, '--batch', batch, ...CEILINGS, ...more),
    library: (actor = 'ada') => libraryOf(office, service, { actor, settings }),
    async stand(batch) {
      const { counts = {} } = (await office.payfile('status', batch, '--json')).json();
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    },
    later: (hours) => clock.advance(hours * 3_600_000),
    paid: () => service.book.map(({ account }) => account),
  };
}

function libraryOf(
  { folder }: Office,
  { env }: ChangingService,
  { actor, settings }: { readonly actor: string; readonly settings: object },
): Payfile {
  const { PAYFILE_BASE_URL: baseUrl = '', PAYFILE_AUTH_URL: authUrl = '' } = env;
  const { PAYFILE_ID: id = '', PAYFILE_PASSWORD: password = '' } = env;
  const options = {
    ...{ service: { baseUrl, authUrl, id, password }, source: 'ZA', actor, policy: settings },
    ledger: join(folder, 'state', 'payfile', 'ledger.db'),
  };
  const at = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  const payfile = createPayfile(options, {
    ...{ env: { HOME: folder, ...at }, cwd: folder, clock: clock.withPauses(9_000) },
  });
  onTestFinished(() => payfile.close());
  return payfile;
}

const CEILINGS = ['--max-total', 'GHS=99999', '--max-total', 'KES=99999'];

function csvOf(lines: readonly Line[]): string {
  const head = 'Reference,Country,Institution,Account,Name,Phone,Amount,Note';
  const rows = lines.map(({ reference, country, institution, account, name, phone, amount, note }) =>
    [reference, country ?? 'Ghana', institution ?? 'GCB Bank', account, name, phone, amount, note].join(),
  );
  return `${[head, ...rows].join('\n')}\n`;
}
