/**
 * Which files no output may replace: those that payfile works with, on this machine and in this call.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { createOutputGuard, type KeptPlace } from './adapters/files/output-guard.ts';
import { type KnownLedger, knownLedgers } from './adapters/ledger/known-ledgers.ts';
import { LEDGER_ENDS } from './adapters/ledger/ledger-file.ts';
import { bookPathOf, type Locations } from './locations.ts';
import type { OutputGuard } from './ports/report-sink.ts';

export interface OutputPlaces {
  readonly ledgerPath: string | undefined;
  /** undefined where the user has no home and names no folders. */
  readonly locations: Locations | undefined;
  /** Files of this call by what they are: input, statement, configuration. */
  readonly files: readonly KeptPlace[];
  readonly overwrite: boolean;
}

export function outputGuard(places: OutputPlaces): OutputGuard {
  return createOutputGuard({ kept: () => keptPlaces(places), overwrite: places.overwrite });
}

function keptPlaces({ ledgerPath, locations, files }: OutputPlaces): readonly KeptPlace[] {
  const used = ledgerPath === undefined || ledgerPath === ':memory:' ? [] : [ledgerPath];
  if (locations === undefined) return [...used.flatMap(partsOfLedger), ...files];
  const { ledger, sandboxLedger, knownLedgers: list, projectConfig, userConfig } = locations;
  const ledgers = new Set([...used, ledger, sandboxLedger, ...knownPaths(list)]);
  const folder = dirname(list);
  return [
    ...files,
    ...[projectConfig, userConfig].map((path) => ({ path, what: 'the configuration' })),
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

/** A list that cannot be read is complained of by whoever opens the ledger. */
function knownPaths(list: string): readonly string[] {
  try {
    return knownLedgers(list).map(({ path }: KnownLedger) => path);
  } catch {
    return [];
  }
}
