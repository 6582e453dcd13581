/** The words of the program today, by kind: from its definitions, never from the tables of promises. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyCommand } from '../../src/cli/parse/command-table.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/parse/flags.ts';
import { GUIDES } from '../../src/cli/parse/guides.ts';
import { flagOf } from '../../src/cli/parse/option-spec.ts';
import { NAME_RESULTS } from '../../src/domain/names/name-check.ts';
import { CONCERN_KINDS } from '../../src/domain/payouts/concern.ts';
import { STATUSES } from '../../src/domain/payouts/payout.ts';
import { ROLES } from '../../src/domain/people/person.ts';
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import { REPORT_FORMATS } from '../../src/domain/reporting/report.ts';
import { REPORT_COLUMNS } from '../../src/domain/reporting/report-columns.ts';
import { GROUPS } from '../../src/domain/reporting/status-words.ts';
import { FIELDS } from '../../src/domain/rows/row.ts';
import { ALL_SETTINGS } from '../../src/domain/settings.ts';
import { FINDING_KINDS } from '../../src/domain/statement/findings.ts';
import { STATEMENT_FIELDS } from '../../src/domain/statement/statement-columns.ts';
import { JOURNAL_PROFILES } from '../../src/files/report/journal-profiles.ts';
import { DAY_COLUMNS } from '../../src/files/report/journal-report.ts';
import * as library from '../../src/index.ts';
import { WORKER_QUEUES } from '../../src/ports/fleet.ts';
import { GLOBAL_SCENARIOS, SCENARIOS } from '../../src/sandbox/scenarios.ts';
import type { WordRow } from './fates.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A row as one text, for example `run --canary <n>` or `lanes, PAYFILE_LANES = 8`. A flag has one text for each command. */
export function textsOf({ word, on, variable, flag, ...row }: WordRow): string[] {
  if (on !== undefined) return on.split(' ').map((command) => `${command} ${word}`);
  const names = [word, variable, flag].filter((name) => name !== undefined).join(', ');
  return [row.default === undefined ? names : `${names} = ${JSON.stringify(row.default)}`];
}
const COMMANDS = await everyCommand();

function settings(): string[] {
  return ALL_SETTINGS.filter(({ file }) => file !== false).flatMap(({ name, flag, variable, ...setting }) =>
    textsOf({
      word: name,
      fate: '',
      default: setting.default,
      ...(variable === undefined ? {} : { variable }),
      ...(flag === undefined ? {} : { flag: flagOf(flag.name) }),
    }),
  );
}

const flags = () => [
  ...GLOBAL_OPTIONS.map((option) => `everywhere ${option.flags}`),
  ...COMMANDS.flatMap(({ usage, options }) =>
    options.map((option) => `${usage.split(' ')[0]} ${option.flags}`),
  ),
];

/** All matches of a pattern in the sources, each once. */
function inSources(files: string, pattern: RegExp): string[] {
  const texts = globSync(files, { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word)))];
}

async function methods(): Promise<string[]> {
  const payfile = library.createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
  await payfile.close();
  return Object.entries(payfile).flatMap(([name, value]) =>
    typeof value === 'object' ? Object.keys(value).map((method) => `${name}.${method}`) : [name],
  );
}

function schemaKeys(): { report: string[]; row: string[] } {
  const schema = JSON.parse(readFileSync(join(ROOT, 'samples/report.schema.json'), 'utf8'));
  return { report: Object.keys(schema.properties), row: Object.keys(schema.$defs.row.properties) };
}

/** Texts of all kinds, under the names that the tables have. */
export async function known(): Promise<Readonly<Record<string, readonly string[]>>> {
  const keys = schemaKeys();
  return {
    commands: COMMANDS.map(({ usage }) => usage),
    guides: Object.keys(GUIDES),
    'exit codes': Object.entries(EXIT).map(([name, code]) => `${code} ${name}`),
    flags: flags(),
    settings: settings(),
    variables: [
      ...new Set([
        ...ALL_SETTINGS.flatMap(({ variable }) => variable ?? []),
        ...inSources('src/**/*.ts', /\b((?:PAYFILE|XDG)_[A-Z_]*[A-Z]|PGPASSFILE)\b/g),
        ...inSources('src/**/*.ts', /\benv\['([A-Z_]+)'\]/g),
      ]),
    ],
    states: STATUSES,
    'groups of states': GROUPS,
    'hold kinds': CONCERN_KINDS,
    'name results': NAME_RESULTS,
    roles: ROLES,
    'findings of reconcile': FINDING_KINDS,
    'queues of workers': WORKER_QUEUES,
    'scenario accounts': SCENARIOS.map(({ ending, scenario }) => `${ending} ${scenario}`),
    scenarios: GLOBAL_SCENARIOS.map(({ form }) => form),
    metrics: inSources('src/**/*.ts', /\b(payfile_(?:batch|run|last_run|ledger|worker)_[a-z_]*[a-z])\b/g),
    formats: REPORT_FORMATS,
    'columns of a payout file': FIELDS,
    'columns of a statement': STATEMENT_FIELDS,
    'columns of a report': REPORT_COLUMNS,
    'columns of the journal': JOURNAL_PROFILES.generic.columns([]),
    'columns of the journal by day': DAY_COLUMNS,
    'sheets of the workbook': inSources(
      'src/files/report/xlsx/*-sheet.ts',
      /(?:\bname: |_NAME = )'([^']+)'/g,
    ),
    'keys of the JSON report': keys.report,
    'keys of a JSON row': keys.row,
    methods: await methods(),
    exports: Object.keys(library),
  };
}
