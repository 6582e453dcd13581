/**
 * The office of the kill harness: the compiled command always in a process of its own, which meets a blow.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type Ended, type Office, openOffice, type Running } from '../builders/office.ts';
import { type Compiled, NODE } from './compiled.ts';
import type { Blow } from './plan.ts';
import type { Service } from './service.ts';

export interface Target extends Pick<Office, 'folder' | 'env' | 'close'> {
  readonly ledgerPath: string;
  readonly knownPath: string;
  start(words: readonly string[], blow?: Blow): Running;
  run(words: readonly string[], blow?: Blow): Promise<Ended>;
  /** What the blows and the commits left behind, in order. */
  trace(): readonly string[];
}

export function openTarget(compiled: Compiled, service: Service, env: Record<string, string> = {}): Target {
  const office = openOffice(
    {
      PAYFILE_POLL_MIN_MS: '10',
      NODE_OPTIONS: compiled.preload,
      NODE_COMPILE_CACHE: compiled.cache,
      ...service.env,
      ...env,
    },
    { node: NODE, bin: compiled.bin },
  );
  const tracePath = office.at('trace');
  office.env['KILL_TRACE'] = tracePath;
  // Blows leave rows in doubt, which is not what is looked at here; a pause would only cost time.
  office.configure({ maxInDoubt: 100_000 });
  const start: Target['start'] = (words, blow) => {
    const running = office.start(words, blow === undefined ? {} : { KILL_PLAN: JSON.stringify(blow) });
    const { child } = running;
    if (blow?.kind === 'time') {
      const timer = setTimeout(() => child.kill('SIGKILL'), blow.ms);
      child.once('close', () => clearTimeout(timer));
    }
    return running;
  };
  return {
    ...{ folder: office.folder, env: office.env, close: office.close, start },
    ledgerPath: office.at('state/payfile/ledger.db'),
    knownPath: office.at('config/payfile/known-ledgers.json'),
    run: (words, blow) => start(words, blow).ended,
    trace: () => (existsSync(tracePath) ? readFileSync(tracePath, 'utf8').split('\n').filter(Boolean) : []),
  };
}

/** The last row is written with a name that its account does not have, so that it is held. */
export function payoutFile(accounts: readonly string[]): string {
  const lines = accounts.map((account, index) => {
    const name = index === accounts.length - 1 ? 'Kofi Boateng' : '';
    return `R-${index + 1},GH,GCB Bank,${account},${name},${50 + index}.00`;
  });
  return `${['Reference,Country,Institution,Account,Name,Amount', ...lines].join('\n')}\n`;
}
