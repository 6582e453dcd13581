import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createOutputGuard } from '../../../src/files/output-guard.ts';
import { formatOf, openReportSink, requireReportPlace } from '../../../src/files/report/open-report-sink.ts';
import { openReportFile, unwritable } from '../../../src/files/report/report-file.ts';
import { ReportFormatUnknown, ReportUnwritable } from '../../../src/ports/outputs.ts';
import { writeReport } from '../../../src/use-cases/report/report-batch.ts';
import { aHeader, aRowPerState, inPages, ledgerTotalsOf } from '../../builders/report-rows.ts';
import { folder, names } from './written.ts';

const at = (name: string) => join(folder, name);

it('shows nothing under the name until the report is whole', async () => {
  writeFileSync(at('may.csv'), 'last month');
  const file = await openReportFile(at('may.csv'));
  await file.write('new');
  expect(readFileSync(at('may.csv'), 'utf8')).toBe('last month');
  await file.commit();
  expect(readFileSync(at('may.csv'), 'utf8')).toBe('new');
});

it('is for its owner only, whatever stood there before', async () => {
  writeFileSync(at('open.csv'), 'x', { mode: 0o666 });
  const file = await openReportFile(at('open.csv'));
  await file.write('new');
  await file.commit();
  expect(statSync(at('open.csv')).mode & 0o777).toBe(0o600);
});

it('[L10][L18] leaves what stood there, and nothing else, when it is given up', async () => {
  writeFileSync(at('kept.csv'), 'last month');
  const file = await openReportFile(at('kept.csv'));
  await file.write('half');
  await file.abort();
  expect(readFileSync(at('kept.csv'), 'utf8')).toBe('last month');
  expect(names().filter((name) => name.includes('.kept.csv'))).toEqual([]);
});

it('follows no link: neither one that is there, nor one that is put there while the report is made', async () => {
  writeFileSync(at('real.csv'), 'old');
  symlinkSync(at('real.csv'), at('link.csv'));
  symlinkSync(at('nowhere.csv'), at('dangling.csv'));
  for (const name of ['link.csv', 'dangling.csv'])
    await expect(openReportFile(at(name))).rejects.toThrow('it is a link, and links are not followed');
  const file = await openReportFile(at('late.csv'));
  await file.write('new');
  symlinkSync(at('real.csv'), at('late.csv'));
  await expect(file.commit()).rejects.toThrow('it is a link, and links are not followed');
  expect(readFileSync(at('real.csv'), 'utf8')).toBe('old');
  expect(names().filter((name) => name.endsWith('.tmp') || name === 'nowhere.csv')).toEqual([]);
});

it('stays in the folder that was meant when it was opened, wherever a link to it leads later', async () => {
  for (const name of ['meant', 'other']) mkdirSync(at(name));
  symlinkSync(at('meant'), at('way'));
  const file = await openReportFile(at('way/may.csv'));
  await file.write('new');
  rmSync(at('way'));
  symlinkSync(at('other'), at('way'));
  await file.commit();
  expect([existsSync(at('meant/may.csv')), existsSync(at('other/may.csv'))]).toEqual([true, false]);
});

it.each([
  ['no-such-folder/may.csv', 'its folder does not exist (ENOENT)'],
  ['a-folder.csv', 'it is a folder; name a file in it (EISDIR)'],
  ['a-file/may.csv', 'a part of its path is not a folder (ENOTDIR)'],
])('says at once, before any work, that %s cannot be written', async (name, reason) => {
  if (!existsSync(at('a-folder.csv'))) mkdirSync(at('a-folder.csv'));
  writeFileSync(at('a-file'), '');
  const opening = openReportFile(at(name));
  await expect(opening).rejects.toBeInstanceOf(ReportUnwritable);
  await expect(opening).rejects.toThrow(`Cannot write the report “${at(name)}”: ${reason}`);
});

it('names a missing permission as such', () => {
  const cause = Object.assign(new Error('EACCES: denied'), { code: 'EACCES' });
  const error = unwritable('/root/may.csv', cause);
  expect(error.message).toContain('there is no permission to write there (EACCES)');
  expect([error.code, error.cause]).toEqual(['report_unwritable', cause]);
});

it.runIf(existsSync('/dev/full')).each(['csv', 'json', 'xlsx'] as const)(
  'says that the disk is full instead of waiting for ever (%s)',
  async (format) => {
    const rows = aRowPerState();
    const sink = await openReportSink({ path: '/dev/full', format, fullAccounts: false });
    const many = Array.from({ length: 400 }, () => rows).flat();
    const writing = writeReport(inPages(many, 1000), aHeader(), { sink, ledgerTotals: async () => [] });
    await expect(writing).rejects.toThrow('the disk is full (ENOSPC)');
  },
);

it.each(['csv', 'json', 'xlsx'] as const)('writes %s to standard output for -', async (format) => {
  const stdout = new PassThrough();
  const seen = buffer(stdout);
  const rows = aRowPerState();
  const sink = await openReportSink({ path: '-', format, fullAccounts: false }, stdout);
  await writeReport(inPages(rows), aHeader(), { sink, ledgerTotals: async () => ledgerTotalsOf(rows) });
  stdout.end();
  expect((await seen).toString('utf8').slice(0, 2)).toBe({ csv: '\ufeffR', json: '{"', xlsx: 'PK' }[format]);
});

it('leaves standard output open for what is printed after the report', async () => {
  for (const format of ['csv', 'json', 'xlsx'] as const) {
    const stdout = new PassThrough().resume();
    const sink = await openReportSink({ path: '-', format, fullAccounts: false }, stdout);
    await writeReport(inPages(aRowPerState()), aHeader(), { sink, ledgerTotals: async () => [] });
    expect(stdout.writableEnded).toBe(false);
  }
});

it('says so when whoever was reading standard output has stopped', async () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
  const sink = await openReportSink({ path: '-', format: 'csv', fullAccounts: false }, stdout);
  const writing = writeReport(inPages(aRowPerState()), aHeader(), { sink, ledgerTotals: async () => [] });
  await expect(writing).rejects.toThrow('whoever was reading has stopped (EPIPE)');
});

it('takes the format from the name, or from whoever asks for one, and else refuses', () => {
  expect(formatOf('May.XLSX', undefined)).toBe('xlsx');
  expect(formatOf('may.csv', 'json')).toBe('json');
  expect(() => formatOf('may.pdf', undefined)).toThrow(ReportFormatUnknown);
  expect(() => formatOf('-', undefined)).toThrow('format: csv|json|xlsx');
});

it('finds a full disk before anything is sent: a name fits on it, and no bytes do', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'payfile-full-'));
  const { open } = fsPromises;
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  fsPromises.open = async (...given) => {
    const file = await open(...given);
    file.writeFile = () => Promise.reject(full);
    return file;
  };
  syncBuiltinESMExports();
  try {
    const guard = createOutputGuard({ kept: () => [], overwrite: false });
    await expect(requireReportPlace(join(empty, 'may.csv'), guard)).rejects.toThrow(
      'the disk is full (ENOSPC). Make its folder',
    );
    expect(readdirSync(empty)).toEqual([]);
  } finally {
    fsPromises.open = open;
    syncBuiltinESMExports();
    rmSync(empty, { recursive: true });
  }
});
