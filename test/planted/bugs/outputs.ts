/** Bugs in what payfile writes at a user's word, and in what it lets a folder say. */
import type { PlantedBug } from '../planted-bug.ts';

const GUARD = 'src/adapters/files/output-guard.ts';
const GUARD_TEST = 'test/adapters/files/output-guard.test.ts';
const OUTPUTS = 'test/journeys/outputs.test.ts';
const HARMLESS = 'test/adapters/files/report/harmless-text.test.ts';
const FOUND = 'test/found-config.test.ts';

export const OUTPUT_BUGS: readonly PlantedBug[] = [
  {
    id: 'last-setting-wins',
    bug: 'Of two settings of one name the last one wins, and the limit in the first does not hold.',
    file: 'src/config-file.ts',
    find: '  if (contradiction !== undefined) throw',
    replace: '  if (contradiction === text) throw',
    caughtBy: [{ test: FOUND, title: 'a setting that stands twice in a configuration' }],
  },
  {
    id: 'home-in-the-working-folder',
    bug: 'With an empty HOME each working folder gets a ledger of its own, which knows of no other payment.',
    file: 'src/cli/open-parts.ts',
    find: '    if (isAbsolute(home)) return home;',
    replace: '    return home;',
    caughtBy: [{ test: 'test/home-folder.test.ts', title: 'is refused, and nothing is made' }],
  },
  {
    id: 'output-over-ledger',
    bug: 'An output may be the ledger, its log, a list or the input, where --overwrite is given.',
    file: GUARD,
    find: '      if (place !== undefined) refuse(',
    replace: '      if (place !== undefined && !overwrite) refuse(',
    caughtBy: [{ test: GUARD_TEST, title: 'what payfile works with is never an output' }],
  },
  {
    id: 'output-known-by-name',
    bug: 'A file is known by its path: the ledger under another name is replaced.',
    file: GUARD,
    find: '  const found = await stat(path, { bigint: true }).catch(() => undefined);',
    replace: '  const found = undefined as { dev: bigint; ino: bigint } | undefined;',
    caughtBy: [{ test: GUARD_TEST, title: 'under whatever name it is found' }],
  },
  {
    id: 'output-over-log-to-come',
    bug: 'The log of a closed ledger may be an output, because it is not there yet.',
    file: 'src/adapters/ledger/ledger-file.ts',
    find: "['', '-wal', '-shm', '-journal', '.emergency', MARK_END]",
    replace: "['', '-shm', '.emergency', MARK_END]",
    caughtBy: [{ test: GUARD_TEST, title: 'data/ledger.db-wal' }],
  },
  {
    id: 'output-of-others-replaced',
    bug: 'A file that payfile did not write is replaced by a report.',
    file: GUARD,
    find: "      if (overwrite || kind === 'log' || kind === 'backup' || (await isOwnOutput(path, kind))) return;",
    replace: "      if (kind !== 'fix' || overwrite) return;",
    caughtBy: [{ test: GUARD_TEST, title: 'of somebody else needs --overwrite' }],
  },
  {
    id: 'output-looked-at-once',
    bug: 'What was put in the place of a report while it was made is replaced.',
    file: 'src/adapters/files/write-report-file.ts',
    find: '      await refuseLink(place.target);\n',
    replace: '',
    caughtBy: [{ test: 'test/adapters/files/report/write-report-file.test.ts', title: 'follows no link' }],
  },
  {
    id: 'foreign-database-opened',
    bug: 'A database of another program is opened as a ledger before anybody looks whose it is.',
    file: 'src/adapters/ledger/ledger-file.ts',
    find: '  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) throw ofAnotherProgram(path);\n',
    replace: '',
    caughtBy: [{ test: OUTPUTS, title: 'a database of another program is not opened' }],
  },
  {
    id: 'config-of-anybody',
    bug: 'A configuration in the working folder is trusted whoever owns it.',
    file: 'src/config-file.ts',
    find: '  if (other !== undefined)\n',
    replace: '  if (other === -1)\n',
    caughtBy: [{ test: FOUND, title: 'belongs to somebody else' }],
  },
  {
    id: 'config-others-write',
    bug: 'A configuration in the working folder is trusted although others can write it.',
    file: 'src/config-file.ts',
    find: '(mode & 0o022) !== 0',
    replace: '(mode & 0o002) !== 0',
    caughtBy: [{ test: FOUND, title: 'is refused where others can write it' }],
  },
  {
    id: 'config-says-where-money-goes',
    bug: 'A configuration in the working folder says where the password and the money go.',
    file: 'src/config-file.ts',
    find: '  if (own !== undefined) refusePowerful(path, own, parsed.data);\n',
    replace: '',
    caughtBy: [{ test: FOUND, title: 'may not set' }],
  },
  {
    id: 'config-forgets-payments',
    bug: 'A folder may say that payments are remembered for no time at all.',
    file: 'src/config-file.ts',
    find: '  duplicateWindowDays: (values) => values.duplicateWindowDays,\n};',
    replace: '};',
    caughtBy: [{ test: FOUND, title: 'may not set' }],
  },
  {
    id: 'formula-behind-a-semicolon',
    bug: 'A formula inside a cell is written bare, and runs where a program splits the file at semicolons.',
    file: 'src/adapters/files/harmless-text.ts',
    find: '  const inside = text.replace(PLACES, "$&\'");',
    replace: '  const inside = text;',
    caughtBy: [
      { test: HARMLESS, title: 'harmless for a program that splits it' },
      { test: HARMLESS, title: 'has no formula in any field of a file that is split at' },
    ],
  },
  {
    id: 'number-goes-on-in-next-cell',
    bug: 'A number with a sign that begins a line is written bare: split elsewhere, it and the next cell are a formula.',
    file: 'src/adapters/files/csv-report.ts',
    find: '(at === 0 ? harmlessFirst : harmless)',
    replace: '(at === -1 ? harmlessFirst : harmless)',
    caughtBy: [
      { test: 'test/adapters/files/report/harmless-output.test.ts', title: 'splits its lines elsewhere' },
    ],
  },
];
