/**
 * The parts of the soak. Each part is a command that prints the number of its checks. Tests that take too long for
 * every day are in files named `*.soak.test.ts`. Each of these files belongs to one part (tidy.test.ts).
 */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface SoakOptions {
  readonly histories: string;
  readonly kills: string;
  readonly seed: string;
}

export interface SoakPart {
  readonly name: string;
  /** The subject of the tests, in a few words. */
  readonly covers: string;
  readonly command: readonly string[];
  /** Test files of the command, from the root of the project. */
  readonly tests: readonly string[];
  /** Finds the number of checks in the output of the part. */
  readonly counted: RegExp;
}

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function soakPartsOf({ histories, kills, seed }: SoakOptions): SoakPart[] {
  return [
    script('sim', 'simulated histories of people, crashes and lies of the service', /(\d[\d,]*) histories/, [
      'test/simulation/soak.ts',
      '--histories',
      histories,
      '--from',
      seed,
    ]),
    script(
      'switches',
      'rules of money switched off one by one, which the simulation must find',
      /switches: (\d+) tried/,
      ['test/simulation/try-switches.ts', '--from', seed],
    ),
    script('kill', 'real processes killed at chosen and at random moments', /(\d[\d,]*) kills/, [
      'test/kill/soak.ts',
      '--kills',
      kills,
      '--seed',
      seed,
    ]),
    script('fleet', 'workers and servers killed and stopped on PostgreSQL', /(\d[\d,]*) rounds/, [
      'test/fleet/soak.ts',
      '--seed',
      seed,
    ]),
    tests('processes', 'kills on both sides of each boundary, signals, storage, crashes at every call', [
      ...soakOnly('kill', 'failing'),
      'test/ledger/half-revised.test.ts',
      'test/ledger/killed.test.ts',
      'test/ledger/writer.test.ts',
      'test/kill/bit-flips.test.ts',
      'test/kill/kill.test.ts',
      'test/kill/signals.test.ts',
      'test/use-cases/canary.test.ts',
      'test/use-cases/changes-since-last.test.ts',
      'test/use-cases/crashing.test.ts',
    ]),
    tests('server', 'a ledger on PostgreSQL and its workers: faults, joining, moving, pace', [
      ...soakOnly('ledger', 'queue', 'fleet'),
    ]),
    tests('commands', 'whole commands and the console in processes, terminals and installed by npm', [
      ...soakOnly('journeys', 'cli', 'payfile', 'setup', 'sandbox'),
      'test/payfile/beside-a-run.test.ts',
    ]),
    tests('browser', 'stories, passkeys and hostile text in a real browser, accessibility', [
      ...soakOnly('console', 'files/report'),
    ]),
    tests('wire', 'every byte at which a connection can break', [
      ...soakOnly('wire', 'service', 'contract'),
      'test/wire/connecting.test.ts',
      'test/wire/sweep.test.ts',
    ]),
    tests('files', 'large files and long fuzzing', [
      ...soakOnly('corpus', 'files/csv', 'files/xlsx'),
      'test/corpus/fuzz.test.ts',
      'test/corpus/size.test.ts',
      'test/files/against-exceljs.test.ts',
      'test/files/fix-file.test.ts',
    ]),
    tests('laws', 'laws tried on thousands of drawn batches', [
      ...soakOnly('domain'),
      'test/domain/booking.test.ts',
      'test/domain/control-totals.test.ts',
      'test/domain/name-check.test.ts',
      'test/domain/statement-careful.test.ts',
      'test/ledger/verify.test.ts',
    ]),
    script(
      'mutation',
      'mistakes about money by name, and small mutants, which a test must catch',
      /mutation: (\d+) mutants/,
      ['test/mutation/run.ts', '--seed', seed],
    ),
  ];
}

/** Test files that only the soak runs, in these folders of `test`. */
export function soakOnly(...rooms: readonly string[]): string[] {
  return globSync(
    rooms.map((room) => `test/${room}/**/*.soak.test.ts`),
    { cwd: ROOT },
  ).sort();
}

function script(name: string, covers: string, counted: RegExp, args: readonly string[]): SoakPart {
  return { name, covers, counted, command: [process.execPath, ...args], tests: [] };
}

/** The tests run with SOAK=1, which also raises the number of tries in everyday tests. */
function tests(name: string, covers: string, files: readonly string[]): SoakPart {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  return {
    name,
    covers,
    tests: files,
    command: [process.execPath, ...vitest, ...files],
    counted: /Tests\s+(?:\d+ failed \| )?(\d+) passed/,
  };
}
