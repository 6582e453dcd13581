/** Which files may be written at all: nothing that payfile works with, and nothing that somebody else made. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutputGuard } from '../../src/files/output-guard.ts';
import { openReportSink } from '../../src/files/report/open-report-sink.ts';
import { type OutputKind, ReportUnwritable } from '../../src/ports/outputs.ts';
import { outputGuard } from '../../src/setup/places.ts';
import { writeReport } from '../../src/use-cases/report/report-batch.ts';
import { aHeader, aRowPerState, inPages, ledgerTotalsOf, sentOf } from '../builders/report-rows.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-outputs-'));
  for (const name of ['data/ledger.db.known', 'lists/known-ledgers'])
    mkdirSync(at(name), { recursive: true });
  for (const name of [
    'data/ledger.db',
    'data/default.db',
    'lists/known-ledgers/abc.json',
    'pay.csv',
    'secret',
  ])
    writeFileSync(at(name), `of ${name}`);
  writeFileSync(at('lists/known-ledgers/abc.json'), known(at('data/other.db')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a ledger is remembered: how far it has come, then what it is. */
const known = (path: string) =>
  [
    { commits: 1, hash: 'h', updatedAt: 0 },
    { id: 'abc', path, place: path, environment: 'live', baseUrl: 'b' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

function guard({ overwrite = false, ledger = at('data/ledger.db') } = {}) {
  return outputGuard({
    ledgerPath: ledger,
    cwd: folder,
    locations: {
      userConfig: at('lists/config.json'),
      ledger: at('data/default.db'),
      sandboxLedger: at('data/sandbox.db'),
      knownLedgers: at('lists/known-ledgers'),
      readings: at('lists/readings.json'),
    },
    files: [
      { path: at('pay.csv'), what: 'a file that this call reads' },
      { path: at('secret'), what: 'the password file' },
      { path: at('payfile.json'), what: 'the configuration' },
    ],
    overwrite,
  });
}

async function refusal(path: string, kind: OutputKind = 'csv', given = guard()): Promise<string | undefined> {
  try {
    await given.check(path, kind);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ReportUnwritable);
    return (error as Error).message;
  }
}

describe('what payfile works with is never an output, with --overwrite or without', () => {
  it.each([
    ['data/ledger.db', 'it is the ledger'],
    ['data/ledger.db-wal', 'it is part of the ledger'],
    ['data/ledger.db-shm', 'it is part of the ledger'],
    ['data/ledger.db-journal', 'it is part of the ledger'],
    ['data/ledger.db.emergency', 'it is part of the ledger'],
    ['data/ledger.db.known/abc.json', 'where payfile remembers the ledger'],
    ['data/LEDGER.DB-WAL', 'it is part of the ledger'],
    ['data/default.db', 'it is the ledger'],
    ['data/sandbox.db', 'it is the ledger'],
    ['data/sandbox-book.jsonl', "it is the sandbox's book"],
    ['data/sandbox-book.jsonl.lock', "it is the sandbox's book"],
    ['data/other.db', 'it is the ledger'],
    ['data/../data/other.db-wal', 'it is part of the ledger'],
    ['lists/known-ledgers/abc.json', 'where payfile keeps its lists'],
    ['lists/ledgers-in-use.db', 'where payfile keeps its lists'],
    ['lists/known-ledgers/new', 'where payfile keeps its lists'],
    ['payfile.json', 'it is the configuration'],
    ['lists/config.json', 'where payfile keeps its lists'],
    ['pay.csv', 'it is a file that this call reads'],
    ['secret', 'it is the password file'],
  ])('%s', async (name, reason) => {
    for (const overwrite of [false, true])
      for (const kind of ['csv', 'metrics', 'template', 'log', 'backup'] as const)
        expect(await refusal(at(name), kind, guard({ overwrite })), kind).toContain(reason);
  });

  it('under whatever name it is found: a hard link, a link, a linked folder', async () => {
    linkSync(at('data/ledger.db'), at('hard.csv'));
    symlinkSync(at('data/ledger.db'), at('soft.csv'));
    symlinkSync(at('data'), at('way'));
    symlinkSync(at('data/ledger.db-wal'), at('dangling.csv'));
    for (const name of ['hard.csv', 'soft.csv', 'way/ledger.db'])
      expect(await refusal(at(name), 'csv', guard({ overwrite: true })), name).toContain('it is the ledger');
    expect(await refusal(at('way/ledger.db-wal'))).toContain('it is part of the ledger');
    expect(await refusal(at('dangling.csv'))).toContain('links are not followed');
  });

  it('also beside the file that a linked ledger really is', async () => {
    symlinkSync(at('data/ledger.db'), at('linked.db'));
    const linked = guard({ ledger: at('linked.db'), overwrite: true });
    for (const name of ['linked.db-wal', 'data/ledger.db-wal'])
      expect(await refusal(at(name), 'csv', linked), name).toContain('it is part of the ledger');
  });

  it('and a database that this machine does not know is none either', async () => {
    const write = (name: string, head: string) => writeFileSync(at(name), Buffer.from(head, 'latin1'));
    write('unknown.db', 'SQLite format 3\0…');
    write('unknown.log', '\x37\x7f\x06\x82…');
    for (const name of ['unknown.db', 'unknown.log'])
      for (const kind of ['csv', 'log'] as const)
        expect(await refusal(at(name), kind, guard({ overwrite: true }))).toContain('it is a database');
  });
});

describe('a file that is there already', () => {
  const SHEETS: readonly OutputKind[] = [
    'csv',
    'json',
    'html',
    'pain002',
    'metrics',
    'xlsx',
    'journal',
    'journal-by-day',
  ];

  it('with metrics of ours is replaced by metrics, and by nothing else', async () => {
    writeFileSync(
      at('metrics'),
      '# HELP payfile_run_started_timestamp_seconds When the last call began, since 1970.\n',
    );
    expect(await refusal(at('metrics'), 'metrics')).toBeUndefined();
    for (const other of SHEETS.filter((each) => each !== 'metrics'))
      expect(await refusal(at('metrics'), other), other).toContain('a file is there already');
  });

  it.each(['csv', 'json', 'html', 'xlsx', 'pain002', 'journal', 'journal-by-day'] as const)(
    'of ours is replaced by the next one of its kind, and by no other: %s',
    async (format) => {
      const rows = aRowPerState();
      const target = { path: at(`now.${format}`), format, fullAccounts: false };
      const sink = await openReportSink(target, undefined, guard());
      const sent = () => inPages(sentOf(rows));
      await writeReport(inPages(rows), aHeader(), {
        sink,
        ledgerTotals: async () => ledgerTotalsOf(rows),
        sent,
      });
      expect(await refusal(target.path, format)).toBeUndefined();
      for (const other of SHEETS.filter((each) => each !== format))
        expect(await refusal(target.path, other), other).toContain('a file is there already');
    },
  );

  it.each([
    ['csv', 'payfile_row is a column name\n', 'payfile did not write it as a CSV report'],
    ['csv', 'Ref,Amount,payfile_replaces\nA,1,2\n', 'payfile did not write it as a CSV report'],
    ['json', '{"rows":[]}', 'payfile did not write it as a JSON report'],
    ['html', '<!doctype html>\n<title>My page</title>', 'payfile did not write it as an HTML report'],
    ['pain002', '<?xml version="1.0"?>\n<Document/>', 'payfile did not write it as a pain.002 report'],
    ['metrics', '# HELP node_load1 1m load average.\n', 'payfile did not write it as a metrics file'],
    ['xlsx', 'PK\x03\x04 no workbook', 'payfile did not write it as a report'],
    ['redo', 'Ref,Amount,payfile_replaces\n', 'somebody may have worked in it'],
    ['fix', 'x', 'it may be half mended'],
    ['template', 'x', 'it may be filled in'],
  ] as const)('of somebody else needs overwrite: %s, %j', async (kind, text, reason) => {
    writeFileSync(at('theirs'), text);
    const said = await refusal(at('theirs'), kind);
    expect(said).toContain(`“${at('theirs')}”: a file is there already, and ${reason}`);
    expect(said).toContain('or add overwrite to replace it.');
    expect(await refusal(at('theirs'), kind, guard({ overwrite: true }))).toBeUndefined();
    expect(readFileSync(at('theirs'), 'utf8')).toBe(text);
  });

  it('is added to by a log, and is taken where it is empty, a device or a pipe', async () => {
    writeFileSync(at('app.log'), 'a line of another program\n');
    writeFileSync(at('empty'), '');
    expect(await refusal(at('app.log'), 'log')).toBeUndefined();
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('/dev/null', at('device'));
    for (const name of [at('empty'), at('pipe'), at('device'), '/dev/null', '-'])
      for (const kind of ['csv', 'fix', 'metrics'] as const)
        expect(await refusal(name, kind)).toBeUndefined();
  });
});

it('two outputs with one place are found, however the place is named', async () => {
  const { same } = createOutputGuard({ kept: () => [], overwrite: false });
  writeFileSync(at('one.csv'), '');
  linkSync(at('one.csv'), at('two.csv'));
  expect(await same([at('one.csv'), at('two.csv')])).toEqual([at('one.csv'), at('two.csv')]);
  expect(await same([at('new.csv'), at('data/../new.csv')])).toEqual([at('new.csv'), at('data/../new.csv')]);
  expect(await same(['/dev/null', '/dev/null', at('one.csv'), at('new.csv')])).toBeUndefined();
});
