/** Paths of payfile's own files, by the XDG base directory rules. */

import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isServerPlace } from '../domain/batches/ledger-trust.ts';
import { createOutputGuard, type KeptPlace } from '../files/output-guard.ts';
import { KNOWN_END, type KnownLedger, knownLedgers } from '../ledger/known.ts';
import { LEDGER_ENDS } from '../ledger/place.ts';
import type { OutputGuard } from '../ports/outputs.ts';

export interface Locations {
  readonly userConfig: string;
  readonly ledger: string;
  readonly sandboxLedger: string;
  /** A folder. */
  readonly knownLedgers: string;
  readonly readings: string;
}

export function locationsOf({
  env,
  home,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): Locations {
  // The specification says to ignore relative paths in these variables.
  const folder = (variable: string, fallback: string) => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : join(home, fallback);
  };
  const state = join(folder('XDG_STATE_HOME', '.local/state'), 'payfile');
  const config = join(folder('XDG_CONFIG_HOME', '.config'), 'payfile');
  return {
    userConfig: join(config, 'config.json'),
    ledger: join(state, 'ledger.db'),
    sandboxLedger: join(state, 'sandbox-ledger.db'),
    knownLedgers: join(config, 'known-ledgers'),
    readings: join(config, 'readings.json'),
  };
}

/**
 * Resolves a path relative to `cwd`. Keeps it unchanged if this process runs in the same folder, so that messages
 * repeat the typed path.
 */
export function pathFrom(cwd: string, path: string): string {
  const isPath = path !== '' && path !== '-' && path !== ':memory:' && !/^file:/i.test(path);
  const whole = resolve(cwd, path);
  return isPath && resolve(path) !== whole ? whole : path;
}

/** The sample payroll of 24 people, for the sandbox. */
export const SAMPLE_PAYROLL = fileURLToPath(new URL('../../samples/payroll.xlsx', import.meta.url));

/** The book lies beside the sandbox ledger, so that users delete both together. */
export function bookBeside(ledgerFile: string): string {
  return `${ledgerFile.replace(/\.db$/, '')}-book.jsonl`;
}

/** undefined: the ledger is in no file, and the book is in memory. */
export function bookPathOf(ledgerPath: string): string | undefined {
  return ledgerPath === ':memory:' || isServerPlace(ledgerPath) ? undefined : bookBeside(ledgerPath);
}

/** Protects files of payfile and of this call from being replaced by an output. */

interface OutputPlaces {
  readonly ledgerPath: string | undefined;
  /** undefined if the user has no home and sets no folders. */
  readonly locations: Locations | undefined;
  /** Files of this call: input, statement, configuration. */
  readonly files: readonly KeptPlace[];
  readonly overwrite: boolean;
  /** Base folder of relative paths. */
  readonly cwd: string;
}

export function outputGuard(places: OutputPlaces): OutputGuard {
  const { overwrite, cwd } = places;
  return createOutputGuard({ kept: () => keptPlaces(places), overwrite, cwd });
}

function keptPlaces({ ledgerPath, locations, files }: OutputPlaces): readonly KeptPlace[] {
  const isInFile = ledgerPath !== undefined && ledgerPath !== ':memory:' && !isServerPlace(ledgerPath);
  const ownLedger = isInFile ? [ledgerPath] : [];
  if (locations === undefined) return [...ownLedger.flatMap(partsOfLedger), ...files];
  const { ledger, sandboxLedger, knownLedgers: list } = locations;
  const known = knownPaths(list).filter((path) => !isServerPlace(path));
  const ledgers = new Set([...ownLedger, ledger, sandboxLedger, ...known]);
  const folder = dirname(list);
  return [
    ...files,
    { path: folder, what: `in ${folder}, where payfile keeps its lists`, isFolder: true },
    ...[...ledgers].flatMap(partsOfLedger),
  ];
}

/** Files of a ledger; some exist only while it is open. If the path is a link, the files lie beside its target. */
function partsOfLedger(written: string): readonly KeptPlace[] {
  return [...new Set([written, realOf(written)])].flatMap((path) => {
    const book = bookBeside(path);
    return [
      ...LEDGER_ENDS.map((end) => ({
        path: `${path}${end}`,
        what: end === '' ? `the ledger ${path}` : `part of the ledger ${path}`,
      })),
      {
        path: `${path}${KNOWN_END}`,
        what: `in ${path}${KNOWN_END}, where payfile remembers the ledger`,
        isFolder: true,
      },
      ...[book, `${book}.lock`].map((each) => ({ path: each, what: `the sandbox's book ${book}` })),
    ];
  });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Ignores an unreadable list. Opening the ledger reports it. */
function knownPaths(list: string): readonly string[] {
  try {
    return knownLedgers(list).map(({ path }: KnownLedger) => path);
  } catch {
    return [];
  }
}
