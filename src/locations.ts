/**
 * Where payfile keeps things, by the XDG base directory rules.
 */
import { isAbsolute, join } from 'node:path';

export interface Locations {
  readonly projectConfig: string;
  readonly userConfig: string;
  readonly ledger: string;
  readonly sandboxLedger: string;
  readonly knownLedgers: string;
  readonly mappings: string;
}

export function locationsOf(surroundings: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}): Locations {
  const { env, cwd, home } = surroundings;
  // A relative path in these variables is to be ignored, says the specification.
  const folder = (variable: string, fallback: string) => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : join(home, fallback);
  };
  const state = join(folder('XDG_STATE_HOME', '.local/state'), 'payfile');
  const config = join(folder('XDG_CONFIG_HOME', '.config'), 'payfile');
  return {
    projectConfig: join(cwd, 'payfile.config.json'),
    userConfig: join(config, 'config.json'),
    ledger: join(state, 'ledger.db'),
    sandboxLedger: join(state, 'sandbox-ledger.db'),
    knownLedgers: join(config, 'known-ledgers.json'),
    mappings: join(config, 'mappings.json'),
  };
}

/** The sandbox's own book lies beside its ledger, so that the two are thrown away together. */
export function bookPathOf(ledgerPath: string): string {
  return `${ledgerPath.replace(/\.db$/, '')}-book.jsonl`;
}
