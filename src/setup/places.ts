/**
 * Where payfile keeps things, by the XDG base directory rules.
 */

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
  readonly mappings: string;
}

export function locationsOf({
  env,
  home,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): Locations {
  // A relative path in these variables is to be ignored, says the specification.
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
    mappings: join(config, 'mappings.json'),
  };
}

/**
 * A path that was meant from the folder `cwd`, for this process to open: as it was written where this process stands
 * there too, so that messages repeat what was typed.
 */
export function pathFrom(cwd: string, path: string): string {
  const isPath = path !== '' && path !== '-' && path !== ':memory:' && !/^file:/i.test(path);
  const whole = resolve(cwd, path);
  return isPath && resolve(path) !== whole ? whole : path;
}

/** The payroll of 24 people that comes with payfile, to pay in the sandbox. */
export const SAMPLE_PAYROLL = fileURLToPath(new URL('../../samples/payroll.xlsx', import.meta.url));

/** The sandbox's own book lies beside its ledger, so that the two are thrown away together. */
export function bookPathOf(ledgerPath: string): string {
  return `${ledgerPath.replace(/\.db$/, '')}-book.jsonl`;
}

/**
 * Which files no output may replace: those that payfile works with, on this machine and in this call.
 */

interface OutputPlaces {
  readonly ledgerPath: string | undefined;
  /** undefined where the user has no home and names no folders. */
  readonly locations: Locations | undefined;
  /** Files of this call by what they are: input, statement, configuration. */
  readonly files: readonly KeptPlace[];
  readonly overwrite: boolean;
  /** Relative paths are meant from here. */
  readonly cwd: string;
}

export function outputGuard(places: OutputPlaces): OutputGuard {
  const { overwrite, cwd } = places;
  return createOutputGuard({ kept: () => keptPlaces(places), overwrite, cwd });
}

function keptPlaces({ ledgerPath, locations, files }: OutputPlaces): readonly KeptPlace[] {
  const isInFile = ledgerPath !== undefined && ledgerPath !== ':memory:' && !isServerPlace(ledgerPath);
  const used = isInFile ? [ledgerPath] : [];
  if (locations === undefined) return [...used.flatMap(partsOfLedger), ...files];
  const { ledger, sandboxLedger, knownLedgers: list } = locations;
  const known = knownPaths(list).filter((path) => !isServerPlace(path));
  const ledgers = new Set([...used, ledger, sandboxLedger, ...known]);
  const folder = dirname(list);
  return [
    ...files,
    { path: folder, what: `in ${folder}, where payfile keeps its lists`, isFolder: true },
    ...[...ledgers].flatMap(partsOfLedger),
  ];
}

/** Some of them are there only while the ledger is open. Where the name of a ledger is a link, its parts lie beside what the link leads to. */
function partsOfLedger(written: string): readonly KeptPlace[] {
  return [...new Set([written, realOf(written)])].flatMap((path) => {
    const book = bookPathOf(path);
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

/** A list that cannot be read is reported when the ledger is opened. */
function knownPaths(list: string): readonly string[] {
  try {
    return knownLedgers(list).map(({ path }: KnownLedger) => path);
  } catch {
    return [];
  }
}
