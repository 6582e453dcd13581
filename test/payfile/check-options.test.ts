/** What callers in plain JavaScript give the door: it is checked before anything is asked or written. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { run } from '../../src/operations/run.ts';
import { policyOver } from '../../src/payfile/check-settings.ts';
import { createPayfile, type Payfile, type PayfileOptions } from '../../src/payfile.ts';
import { batchesOf } from '../builders/batch-state.ts';
import { checkFile, planFile } from '../builders/library-calls.ts';
import { NO_HOME } from '../builders/no-home.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

type Loose = Record<string, (...given: unknown[]) => Promise<unknown>>;

const SANDBOX = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' };
const SERVICE = {
  baseUrl: 'https://a.example',
  authUrl: 'https://b.example',
  id: 'i',
  password: 'secret-word',
};
const FILE = 'samples/suppliers.csv';
const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
const clock = createBriskClock().withPauses(9_000);

const opened: Payfile[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const payfile of opened.splice(0)) await payfile.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function openWith(options: unknown, cwd = process.cwd()): Payfile {
  const payfile = createPayfile(options as PayfileOptions, { env: { HOME: NO_HOME }, cwd, clock });
  opened.push(payfile);
  return payfile;
}

const open = () => openWith(SANDBOX);
const loose = (payfile: Payfile) => payfile as unknown as Loose;

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-options-'));
  folders.push(folder);
  return folder;
}

describe('a request of another shape is refused, and nothing is done', () => {
  const cases: readonly (readonly [string, readonly unknown[], string])[] = [
    [
      'run',
      [{ file: FILE, consent, maxTotal: [{ currency: 'GHS', minor: undefined }] }],
      'maxTotal[0].minor is not set',
    ],
    [
      'run',
      [{ file: FILE, consent, maxTotal: [{ currency: 'GHS', minor: Number.NaN }] }],
      'maxTotal[0].minor is NaN',
    ],
    ['run', [{ file: FILE, consent, maxTotal: [{ currency: 'GHS', minor: '5.00 GHS' }] }], '“5.00 GHS”'],
    ['run', [{ file: FILE, consent, maxTotal: [{ currency: 'ghs', minor: 5n }] }], 'such as GHS'],
    ['run', [{ file: FILE, consent, maxTotal: { GHS: '5.00' } }], 'expected a list of money'],
    [
      'run',
      [{ file: FILE, consent, maxTotal: [5n, 6n].map((minor) => ({ currency: 'GHS', minor })) }],
      'each currency once',
    ],
    ['run', [{ file: FILE, consent, maxTotals: [] }], 'no option “maxTotals”. Did you mean maxTotal?'],
    ['run', [{ file: FILE, consent, canary: 1.5 }], 'canary is 1.5'],
    ['run', [{ file: FILE, consent, deadline: Number.POSITIVE_INFINITY }], 'deadline is Infinity'],
    ['run', [{ file: FILE, consent, batch: 202606 }], 'batch is 202606'],
    ['run', [{ file: FILE, consent, yes: 'true' }], 'yes is “true”'],
    ['run', [{ consent }], 'file is not set'],
    ['run', [{ file: FILE, consent, expectCount: '5' }], 'expectCount is “5”'],
    ['run', [{ file: FILE, consent, map: new Map([['amount', 5]]) }], 'expected a Map of texts'],
    ['send', [{ batch: 'b', maxTotal: [{ currency: 'GHS', minor: 5 }] }], 'expected a bigint'],
    ['settle', [{ batch: 'b', deadline: '5m' }], 'deadline is “5m”'],
    ['plan', [{ file: FILE, batch: 202606 }], 'batch is 202606'],
    ['plan', [{ file: FILE, expectTotal: [{ currency: 'GHS', minor: 5 }] }], 'expected a bigint'],
    ['plan', [{ file: FILE, fixFile: ' ' }], 'text that is not empty'],
    ['check', [{ file: FILE, expectedCount: 5 }], 'no option “expectedCount”. Did you mean expectCount?'],
    ['check', [{ file: FILE, map: new Map([['total', 'Net']]) }], 'any of'],
    ['approve', [{ batch: 'b', digest: 'd', how: 'bogus' }], 'how is “bogus”'],
    ['approve', [{ batch: 'b', digest: 'd', totals: '23' }], 'expected a list of texts'],
    ['approve', [{ batch: 'b', digest: null }], 'digest is null'],
    ['status', [{ batch: 5 }], 'batch is 5'],
  ];
  it.each(cases)('%s', async (method, given, told) => {
    const payfile = open();
    const refused = await loose(payfile)
      [method]?.(...given)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'RequestRefused', code: 'usage' });
    expect(String(refused)).toContain(`${method}: `);
    expect(String(refused)).toContain(told);
    expect(await batchesOf(payfile)).toEqual([]);
  });
});

describe('an operation is not done for a request of another shape', () => {
  const cases: readonly (readonly [
    group: 'rows' | 'batches' | 'files' | 'readings' | 'lists' | 'ledger',
    name: string,
    given: object,
    told: string,
  ])[] = [
    ['ledger', 'verify', { acceptLedger: 'false' }, 'acceptLedger is “false”'],
    ['ledger', 'backup', {}, 'output: FILE'],
    ['ledger', 'move', {}, 'to: postgres://'],
    ['ledger', 'restore', { file: '' }, 'file is “”; expected text that is not empty'],
    ['batches', 'pause', { batch: 'b', reason: 5 }, 'reason is 5'],
    ['batches', 'pause', { batch: 'b', reason: null }, 'reason is null'],
    ['batches', 'pause', { reason: 'r' }, 'batch is not set'],
    ['batches', 'pause', { batch: 'b', cause: 'r' }, 'no option “cause”'],
    ['rows', 'release', { batch: 'b', rows: '23', reason: 'r' }, 'rows is “23”'],
    ['rows', 'release', { batch: 'b', all: 'yes', reason: 'r' }, 'all is “yes”'],
    ['rows', 'release', { batch: 'b', all: true }, 'needs reason: TEXT'],
    ['rows', 'release', { batch: 'b', reason: 'r' }, 'or choose all'],
    ['rows', 'release', { batch: 'b', all: true, rows: ['2'], reason: 'r' }, 'not both'],
    ['rows', 'release', { batch: 'b', all: true, reason: 'r', shown: 'ab' }, 'shown is “ab”'],
    ['rows', 'cancel', { batch: 'b', kind: ['repeats'], reason: 'r' }, 'kind[0] is “repeats”'],
    ['rows', 'resolve', { batch: 'b', row: '2' }, 'Give paid: TRANSFER_ID, or notPaid'],
    ['rows', 'resolve', { batch: 'b', row: '2', paid: ' ', accept: 'paid' }, 'paid is “ ”'],
    ['rows', 'resolve', { batch: 'b', row: '2', notPaid: true }, 'needs evidence'],
    ['rows', 'resolve', { batch: 'b', row: '2', paid: 'x', accept: 'not_paid' }, 'contradicts paid'],
    ['rows', 'resolve', { batch: 'b', row: '2', difference: 'accepted' }, 'with reason'],
    ['rows', 'reissue', { batch: 'b', allFailed: true, evidence: 5 }, 'evidence is 5'],
    ['batches', 'reconcile', { batches: ['b'], statement: 's.csv', payments: 'stop' }, 'payments is “stop”'],
    ['batches', 'reconcile', { batches: ['b'], statement: 's.csv', accept: true }, 'accept is true'],
    [
      'batches',
      'reconcile',
      { batches: ['b'], statement: 's.csv', map: new Map([['x', 'y']]) },
      'any of date',
    ],
    ['batches', 'reconcile', { batches: ['b'], statement: 's.csv', headerRow: 0 }, 'a whole number from 1'],
    ['batches', 'reconcile', { batches: ['b'] }, 'with statement: FILE'],
    ['batches', 'reconcile', { batches: ['b'], statement: '' }, 'statement is “”'],
    ['batches', 'reconcile', { batches: ['b'], statement: 's.csv', fileName: '' }, 'fileName is “”'],
    ['files', 'columns', { file: FILE, header: 3 }, 'no option “header”'],
    ['readings', 'save', { name: 'm', file: FILE, value: ['GCB=GCB Bank'] }, 'value[0] is “GCB=GCB Bank”'],
    ['lists', 'countries', { country: 'GH' }, 'no option “country”'],
    ['lists', 'rate', { from: 'GB' }, 'to is not set'],
    ['lists', 'transaction', { id: ' ' }, 'text that is not empty'],
    [
      'lists',
      'name',
      { institution: 'GCB', account: 1011130024576 },
      'account cannot be used; expected text',
    ],
    ['lists', 'template', {}, 'goes with output: FILE'],
    ['lists', 'template', { output: 'pay.csv' }, 'is a workbook, not “pay.csv”'],
    ['lists', 'template', { output: 'pay.xlsx', country: 'GH' }, 'country is “GH”'],
  ];
  it.each(cases)('%s.%s %j', async (group, name, given, told) => {
    const payfile = open();
    const methods = payfile[group] as unknown as Readonly<
      Record<string, (given: object) => Promise<unknown>>
    >;
    const refused = await methods[name]?.(given).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'RequestRefused', code: 'usage' });
    expect(String(refused)).toContain(told);
    expect(await batchesOf(payfile)).toEqual([]);
  });
});

describe('a setting of another shape is refused', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['sandbox beside a service', { ...SANDBOX, service: SERVICE }, 'and not both'],
    ['sandbox as text', { ...SANDBOX, service: SERVICE, sandbox: 'true' }, 'sandbox is “true”'],
    ['sandbox as a number', { ...SANDBOX, service: SERVICE, sandbox: 1 }, 'sandbox is 1'],
    ['nobody', { ...SANDBOX, actor: undefined }, 'actor is not set'],
    ['a number for a person', { ...SANDBOX, actor: 42 }, 'actor is 42'],
    [
      'no text for a limit',
      { ...SANDBOX, policy: { limits: { batchMax: [{ currency: 'GHS', amount: '1.00' }] } } },
      'batchMax[0].minor',
    ],
    ['no number', { ...SANDBOX, policy: { maxInDoubt: Number.NaN } }, 'policy.maxInDoubt is NaN'],
    [
      'another word',
      { ...SANDBOX, policy: { names: { no_match: 'pay' } } },
      'policy.names.no_match is “pay”',
    ],
    [
      'a status word with two meanings',
      { ...SANDBOX, policy: { finishedWords: ['Processing'] } },
      'createPayfile: “processing” is in policy.finishedWords and in policy.pendingWords.',
    ],
    [
      'a misspelled protection',
      { ...SANDBOX, policy: { foureyes: true } },
      'no option “foureyes” in policy. Did you mean fourEyes?',
    ],
  ];
  it.each(cases)('%s', (_title, options, told) => {
    expect(() => openWith(options)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
    expect(() => openWith(options)).toThrow(told);
  });

  it('does not repeat a password', () => {
    const options = { ...SANDBOX, sandbox: undefined, service: { ...SERVICE, password: ['secret-word'] } };
    expect(() => openWith(options)).toThrow(/^(?!.*secret-word).*service\.password cannot be used/);
  });
});

it('takes a part of a policy over the defaults, key by key', () => {
  const limits = { batchMax: [{ currency: 'GHS', minor: 5n }] } as const;
  const given = { names: { unavailable: 'hold', match: undefined }, limits, postTimeoutMs: undefined };
  const policy = policyOver(DEFAULT_POLICY, given as unknown as NonNullable<PayfileOptions['policy']>);
  expect(policy).toEqual({
    ...DEFAULT_POLICY,
    names: { ...DEFAULT_POLICY.names, unavailable: 'hold' },
    limits: { ...DEFAULT_POLICY.limits, ...limits },
  });
});

it('keeps the ceiling that it was given, whatever becomes of the list meanwhile', async () => {
  const ceiling = { currency: 'GHS', minor: 1n };
  const maxTotals = [ceiling] as never[];
  const payfile = open();
  const running = payfile.call(run, { file: FILE, batch: 'may', consent, maxTotal: maxTotals });
  Object.assign(ceiling, { minor: 10n ** 12n });
  maxTotals.pop();
  const done = await running;
  expect(done.run?.notAgreed?.kind).toBe('over_ceiling');
});

it('takes a wait with a fraction, and options that are undefined', async () => {
  const payfile = open();
  const { batchEnd } = await payfile.call(run, {
    file: FILE,
    consent,
    deadline: 1.1 * 60_000,
    fixFile: undefined,
  });
  expect(batchEnd?.exitCode).toBe(0);
});

it('lets a consent sort the plan that it is shown', async () => {
  const payfile = open();
  const sorting: typeof consent = async (...[plan]: { toApprove?: unknown[] }[]) => {
    plan?.toApprove?.reverse();
    return consent();
  };
  expect((await payfile.call(run, { file: FILE, consent: sorting })).batchEnd?.exitCode).toBe(0);
});

it('takes the path of a ledger from the folder of the others', async () => {
  const folder = aFolder();
  const { ledger } = await openWith({ ...SANDBOX, ledger: 'here.db' }, folder).ledger.init();
  expect(ledger.path).toBe(join(folder, 'here.db'));
});

it.each([[false], [null], ['no'], ['stop'], [true]])(
  'creates no live ledger for the answer %j',
  async (answer) => {
    const folder = aFolder();
    const payfile = openWith({ service: SERVICE, ledger: 'ledger.db', actor: 'ada' }, folder);
    const ask = async () => answer as never;
    await expect(planFile(payfile, FILE, { batch: 'may', ask })).rejects.toMatchObject({
      code: 'ledger_missing',
    });
  },
);

describe('the files of a call', () => {
  it('are two for two outputs', async () => {
    const folder = aFolder();
    const payfile = openWith(SANDBOX, folder);
    const reports = ['may.csv', './may.csv'];
    const file = join(process.cwd(), FILE);
    const refused = { name: 'RequestRefused', message: expect.stringContaining('are the same file') };
    await expect(payfile.call(run, { file, batch: 'may', consent, report: reports })).rejects.toMatchObject(
      refused,
    );
    expect(await batchesOf(payfile)).toEqual([]);
    const book = join(process.cwd(), 'samples/payroll.xlsx');
    await expect(planFile(payfile, book, { batch: 'may', fixFile: book })).rejects.toThrow(
      'names the input file',
    );
    await planFile(payfile, file, { batch: 'may' });
    await expect(payfile.send({ batch: 'may', report: reports })).rejects.toMatchObject(refused);
    await expect(payfile.settle({ batch: 'may', report: reports })).rejects.toMatchObject(refused);
  });

  it('are none that is read', async () => {
    const folder = aFolder();
    const payfile = openWith(SANDBOX, folder);
    await payfile.call(run, {
      file: join(process.cwd(), FILE),
      batch: 'may',
      consent,
      report: ['report.csv'],
    });
    const before = readFileSync(join(folder, 'report.csv'), 'utf8');
    const again = payfile.call(run, { file: 'report.csv', batch: 'june', consent, report: ['report.csv'] });
    await expect(again).rejects.toThrow('it is a file that this call reads');
    expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe(before);
    expect(await batchesOf(payfile)).toHaveLength(1);
  });
});

it.each([
  [{ signal: 'soon' }, 'signal is “soon”; expected an AbortSignal'],
  [{ ask: 'ada' }, 'ask is “ada”; expected a function'],
  [{ onProgress: 5 }, 'onProgress is 5 (a number); expected a function'],
  [{ asks: () => undefined }, 'there is no option “asks”'],
  [null, 'its options is null'],
])('asks nobody by %j, and does nothing', async (dialogue, told) => {
  const { rows, batches } = open();
  const given = { batch: 'b', row: '2', difference: 'accepted' as const, reason: 'agreed' };
  const refused = await rows.resolve(given, dialogue as never).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'RequestRefused', message: expect.stringContaining(told) });
  expect((await batches.list()).batches).toEqual([]);
});

it('names the method as the program calls it', async () => {
  const { rows } = open();
  const listed = rows.list({ batch: 'may', limits: 5 } as never);
  await expect(listed).rejects.toThrow(/^rows\.list: there is no option “limits”\. Did you mean limit\?/);
  const resolved = rows.resolve({ batch: 'may', row: '2' }, { signal: 'soon' } as never);
  await expect(resolved).rejects.toThrow(/^rows\.resolve: signal is “soon”/);
});

it.each([
  [{}, 'Name a batch, or the days with from: DAY and to: DAY.'],
  [{ batch: 'may', from: '2026-05-01', to: '2026-05-31' }, 'from and to. Choose one.'],
  [{ from: '2026-05-01' }, 'Use from and to together'],
  [{ from: '2026-02-30', to: '2026-05-31' }, 'from is “2026-02-30”; expected a day of the calendar'],
  [{ from: '2026-06-01', to: '2026-05-31' }, 'is after to: 2026-05-31'],
  [{ batch: 'may', only: 'unpaid' }, 'Use only: unpaid and asInput together'],
  [{ batch: 'may', only: 'unpaid', asInput: true }, 'goes: output: redo.xlsx'],
  [{ batch: 'may', format: 'csv' }, 'goes: output: FILE'],
  [{ batch: 'may', format: 'pdf' }, 'format is “pdf”'],
  [{ batch: 'may', outputs: 'may.csv' }, 'no option “outputs”'],
])('makes no report for %j', async (asked, told) => {
  const { report } = open();
  const refused = await report(asked as never).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'RequestRefused', message: expect.stringContaining(told) });
});

it('replaces a file by a report only if the program says so', async () => {
  const folder = aFolder();
  const [path, redo] = [join(folder, 'may.json'), join(folder, 'redo.csv')];
  for (const each of [path, redo]) writeFileSync(each, 'a note');
  const payfile = open();
  await payfile.plan({ file: FILE, batch: 'may' });
  const asked = { batch: 'may', output: path };
  const unpaid = { batch: 'may', output: redo, only: 'unpaid', asInput: true } as const;
  for (const each of [asked, unpaid])
    await expect(payfile.report(each)).rejects.toMatchObject({ code: 'report_unwritable' });
  expect([path, redo].map((each) => readFileSync(each, 'utf8'))).toEqual(['a note', 'a note']);
  const { reports, exitCode } = await payfile.report({ ...asked, overwrite: true });
  expect([reports, exitCode]).toEqual([[{ path }], 0]);
  expect(await payfile.report({ ...unpaid, overwrite: true })).toMatchObject({ redo: { path: redo } });
  for (const each of [path, redo]) expect(readFileSync(each, 'utf8')).not.toBe('a note');
});

it('replaces a template only if the program says so', async () => {
  const path = join(aFolder(), 'pay.xlsx');
  writeFileSync(path, 'a note');
  const { lists } = open();
  const asked = { output: path, country: ['GH'] };
  await expect(lists.template(asked)).rejects.toMatchObject({ code: 'report_unwritable' });
  expect(readFileSync(path, 'utf8')).toBe('a note');
  const { template, exitCode } = await lists.template({ ...asked, overwrite: true });
  expect([template.countries.map(({ iso }) => iso), exitCode]).toEqual([['GH'], 0]);
  expect(readFileSync(path).length).toBeGreaterThan(1_000);
});

describe('the name of a batch', () => {
  it.each([[''], [' '], ['a\nb'], ['a\u001b[31m'], [' may'], ['x'.repeat(5_000)]])(
    'is not %j',
    async (batch) => {
      const payfile = open();
      await expect(payfile.call(run, { file: FILE, batch, consent })).rejects.toThrow(
        'No batch can be called',
      );
      await expect(planFile(payfile, FILE, { batch })).rejects.toMatchObject({ name: 'RequestRefused' });
      await expect(checkFile(payfile, FILE, { batch })).rejects.toMatchObject({ name: 'RequestRefused' });
      expect(await batchesOf(payfile)).toEqual([]);
    },
  );
});
