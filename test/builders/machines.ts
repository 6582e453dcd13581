/** Machines that share a ledger on a server, and a service that is none of theirs: an office, and workers beside it. */
import { chmodSync } from 'node:fs';
import { afterEach, expect } from 'vitest';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { aPostgres } from '../ledger/a-postgres.ts';
import {
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  type Running,
  startLiveService,
} from './office.ts';

export interface Machines {
  readonly office: Office;
  readonly service: LiveService;
  /** Of the ledger. */
  readonly place: ServerPlace;
  worker(...words: string[]): Promise<Running>;
}

/** Four lanes over all workers. They end with the test. */
export function someMachines(): (
  latencyMs: number,
  more?: Pick<SandboxOptions, 'scenario' | 'log'> & {
    /** What stands before the server: its port, by the server's. */
    readonly behind?: (port: number) => Promise<number>;
  },
) => Promise<Machines> {
  const server = aPostgres();
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  return async (latencyMs, { behind, ...more } = {}) => {
    const place = server.place();
    const { user, host, database, schema, password = '' } = place;
    const port = (await behind?.(place.port)) ?? place.port;
    const service = await startLiveService({ latencyMs, ...more });
    open.push(() => service.sandbox.close());
    const office = openOffice({
      ...service.env,
      PAYFILE_LEDGER: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
      PAYFILE_LEDGER_PASSWORD_FILE: 'ledger-password',
      PAYFILE_LANES: '4',
    });
    open.push(() => office.close());
    office.file('ledger-password', password);
    chmodSync(office.at('ledger-password'), 0o600);
    expect((await office.payfile('init')).code).toBe(0);
    return {
      ...{ office, service, place },
      async worker(...words) {
        const running = office.start(['worker', ...words]);
        open.push(async () => {
          running.child.kill('SIGKILL');
          await running.ended;
        });
        await running.saw('Waiting for work.');
        return running;
      },
    };
  };
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 2_000) throw new Error('It did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const accountOf = (index: number) => `10111300${String(10_000 + index).padStart(5, '0')}`;

/** Each row is another person's. */
export function payrollOf(rows: number): string {
  return payrollCsv(
    Array.from({ length: rows }, (_, index) => [accountOf(index), '100.00', `P-${index + 1}`]),
  );
}
