/** From the plan to the approval, as two people at the command line see it; and the canary before the rest. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BECOME_NOBODY, bringCommand, NOBODY } from '../builders/another-user.ts';
import { GOOD, NEVER_FINISHES, type Office, payrollCsv, REFUSED, type Row } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const SANDBOX = '--sandbox';
/** A name in the file that the sandbox's account does not have. */
const HELD = 'R-H,GH,GCB Bank,1011130024505,900.00,Zebedee Unknown';

const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });
function office(config: object = {}): Office {
  const made = newOffice();
  made.configure(config);
  return made;
}
const good = (count: number, amount = '1000.00'): Row[] =>
  GOOD.slice(0, count).map((account) => [account, amount] as const);

/** `payfile` as another user of the machine: the folder becomes theirs, all but the configuration, which stays root's. */
async function asNobody({ folder, env, at }: Office, ...words: string[]) {
  const command = bringCommand(at('command'));
  const give = (path: string) => {
    chownSync(path, NOBODY, NOBODY);
    chmodSync(path, 0o700);
  };
  give(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name !== 'payfile.json') give(join(folder, name));
  chmodSync(at('payfile.json'), 0o644);
  const first = `data:text/javascript,${encodeURIComponent(BECOME_NOBODY)}`;
  const child = spawn(process.execPath, ['--import', first, command, ...words], { cwd: folder, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

async function digestOf({ payfile }: Office, file: string, name: string): Promise<string> {
  const planned = await payfile('plan', file, '--batch', name, SANDBOX, '--json');
  return String((planned.json()['plan'] as { readonly digest: string }).digest);
}

describe('four eyes', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'send whoever shares a ledger file to the console: another login alone is no second person there',
    async () => {
      const place = office({ fourEyes: true });
      place.file('may.csv', payrollCsv(good(2)));
      const digest = await digestOf(place, 'may.csv', 'may');
      const approve = ['approve', 'may', '--digest', digest, SANDBOX];
      const own = await place.payfile(...approve);
      expect(own.code, own.stderr).toBe(10);
      expect(own.stderr).toMatch(/Four eyes: \S+ made this plan, another person has to approve it/);
      expect(own.stderr).toContain('That person signs in the console with a passkey.');
      const run = await place.payfile('run', 'may.csv', '--batch', 'may', SANDBOX, '--yes');
      expect(run.code, run.stderr).toBe(10);
      const other = await asNobody(place, ...approve);
      expect(other.code, other.stderr).toBe(10);
      expect(other.stderr).toContain('Batch may is approved with a passkey, and so in the console alone.');
      expect(other.stderr).toContain('Next: payfile console');
      const doctor = await place.payfile('doctor', SANDBOX);
      expect(doctor.stdout).toContain('a second person approves in the console with a passkey');
    },
  );
});

describe('a limit', () => {
  it('stops a run and an approval with 10 and says both numbers', async () => {
    const place = office({ limits: { batchMax: { GHS: '1500.00' }, rowMax: { GHS: '1000.00' } } });
    place.file('may.csv', payrollCsv([...good(2), [GOOD[2] ?? '', '1000.01']]));
    const run = await place.payfile('run', 'may.csv', '--batch', 'may', SANDBOX, '--yes');
    expect(run.code, run.stderr).toBe(10);
    expect(run.stderr).toContain('The batch pays GHS 2,000.00; the limit for a batch is GHS 1,500.00.');
    const digest = await digestOf(place, 'may.csv', 'may');
    const approved = await place.payfile('approve', 'may', '--digest', digest, SANDBOX, '--json');
    expect(approved.code).toBe(10);
    expect(approved.json()).toMatchObject({
      outcome: 'over_limit',
      limit: 'batch',
      total: { amount: '2000.00' },
      max: { amount: '1500.00' },
      plan: { holdReasons: { over_limit: 1 } },
    });
  });
});

describe('an approval', () => {
  const named = (rows: readonly Row[]) => {
    const [head = '', ...lines] = payrollCsv(rows).trimEnd().split('\n');
    return `${[`${head},Name`, ...lines.map((line) => `${line},`), HELD].join('\n')}\n`;
  };

  it('covers rows that a person released, and none that a person withdrew; the journal keeps who and why', async () => {
    const place = office();
    const { payfile, file } = place;
    file('may.csv', named(good(3)));
    const old = await digestOf(place, 'may.csv', 'may');
    const noReason = await payfile('cancel', 'may', '2', '3', SANDBOX);
    expect(noReason.code, noReason.stderr).toBe(64);
    const because = ['--reason', 'asked Esi', SANDBOX];
    expect((await payfile('release', 'may', 'R-H', ...because)).code).toBe(0);
    expect((await payfile('cancel', 'may', '2', '3', ...because)).code).toBe(0);
    const digest = await digestOf(place, 'may.csv', 'may');
    const stale = await payfile('approve', 'may', '--digest', old, SANDBOX);
    expect(stale.code, stale.stderr).toBe(10);
    expect(stale.stderr).toMatch(/^ *Row 2: was withdrawn by \S+ \(asked Esi\): GHS 1,000\.00, /m);
    expect(stale.stderr).toContain('Row 5: waits for approval now: GHS 900.00, ');
    const ended = await payfile('approve', 'may', '--digest', digest, SANDBOX, '--json');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.json()).toMatchObject({
      approved: 2,
      plan: { toApprove: [{ amount: '1900.00', count: 2 }] },
    });
    for (const row of ['5', '2'])
      expect((await payfile('explain', 'may', row, SANDBOX)).stdout).toContain('asked Esi');
    const status = await payfile('status', 'may', SANDBOX, '--json');
    expect(status.json().counts).toMatchObject({ approved: 2, canceled: 2, held: 0, quoted: 0 });
  });

  it('of another plan than the one that was seen approves no row, and says what changed', async () => {
    const place = office();
    const { payfile, file } = place;
    file('may.csv', named(good(3)));
    const old = await digestOf(place, 'may.csv', 'may');
    file('may.csv', named([...good(2), [GOOD[2] ?? '', '1250.00']]));
    const now = await digestOf(place, 'may.csv', 'may');
    const stale = await payfile('approve', 'may', '--digest', old, SANDBOX);
    expect(stale.code, stale.stderr).toBe(10);
    expect(stale.stderr).toContain('Row 4: waits for approval now: GHS 1,250.00, account ');
    const status = await payfile('status', 'may', SANDBOX, '--json');
    expect(status.json().counts).toMatchObject({ quoted: 3, canceled: 0, held: 1, approved: 0 });
    // What a script reads there is what it may agree to; the digest of the file is another one.
    const { planDigest, fileDigest, batch, plan } = status.json();
    expect([planDigest, fileDigest]).toEqual([now, (batch as { readonly digest: string }).digest]);
    expect(plan).toMatchObject({ digest: now, toApprove: [{ currency: 'GHS', count: 3 }] });
    expect(fileDigest).not.toBe(now);
  });
});

it('names the plan in the report by the digest that the approver saw, and the rows by one that their order does not change', async () => {
  const place = office();
  const { payfile, file, at } = place;
  const [one = '', two = ''] = GOOD;
  const rows: Row[] = [
    [one, '1000.00', 'M-1'],
    [two, '1000.00', 'M-2'],
  ];
  file('may.csv', payrollCsv(rows));
  const digest = await digestOf(place, 'may.csv', 'may');
  expect((await payfile('approve', 'may', '--digest', digest, SANDBOX)).code).toBe(0);
  file('other.csv', payrollCsv(rows.toReversed()));
  await payfile('plan', 'other.csv', '--batch', 'other', SANDBOX);
  const ofRows = (await payfile('status', 'other', SANDBOX, '--json')).json()['fileDigest'];
  expect((await payfile('report', 'may', '-o', 'may.html', SANDBOX)).code).toBe(0);
  const page = readFileSync(at('may.html'), 'utf8')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  expect(page).toContain(`Digest of the last approved plan ${digest}`);
  expect(page).toContain(`Digest of the rows ${ofRows}`);
  expect(page).toMatch(new RegExp(`2 payments \\([^)]+\\)[^;]*, with payfile approve; digest ${digest}`));
  expect(ofRows).not.toBe(digest);
});

it('shows in the plan what changed since the last batch of the same kind', async () => {
  const { payfile, file } = office();
  file('april.csv', payrollCsv(good(3)));
  await payfile('run', 'april.csv', '--batch', 'payroll-04', SANDBOX, '--yes');
  const [one = '', two = '', three = '', four = ''] = GOOD;
  const may: Row[] = [
    [one, '1000.00', 'M-1'],
    [two, '2000.00', 'M-2'],
    [four, '10.00', 'M-4'],
  ];
  file('may.csv', payrollCsv(may));
  const planned = await payfile('plan', 'may.csv', '--batch', 'payroll-05', SANDBOX);
  expect(planned.stdout).toMatch(/Since batch payroll-04 of \d{4}-\d\d-\d\d:/);
  expect(planned.stdout).toContain('GHS 3,000.00 → 3,010.00 (+0.3 %), 3 rows');
  expect(planned.stdout).toMatch(/1 amount moved by over 50 %: row 3 GHS 1,000.00 → 2,000.00 \(\+100.0 %\)/);
  expect(planned.stdout).toMatch(/1 new beneficiary: row 4/);
  const json = (await payfile('plan', 'may.csv', '--batch', 'payroll-05', SANDBOX, '--json')).json();
  expect(json['changes']).toMatchObject({
    since: { name: 'payroll-04' },
    missing: { count: 1, rows: [{ row: 4, amount: { amount: '1000.00' } }] },
    newAccounts: { count: 0, rows: [] },
  });
  expect(planned.stdout).not.toContain(three);
});

it('compares the plan without the rows that a person withdrew', async () => {
  const place = office();
  place.file('april.csv', payrollCsv(good(2)));
  await place.payfile('run', 'april.csv', '--batch', 'payroll-04', SANDBOX, '--yes');
  // One who is new, and who is paid twice, beside a payment of April that has another reference.
  const [, april = '', fresh = ''] = GOOD;
  const rows: Row[] = [
    ...good(1),
    [fresh, '77.00', 'N-1'],
    [fresh, '77.00', 'N-2'],
    [april, '1000.00', 'OTHER'],
  ];
  place.file('may.csv', payrollCsv(rows).replace('R-1,', 'M-1,'));
  await digestOf(place, 'may.csv', 'payroll-05');
  const withdrawn = ['payroll-05', '3', '4', '5', '--reason', 'not this month', SANDBOX];
  expect((await place.payfile('cancel', ...withdrawn)).code).toBe(0);
  const status = await place.payfile('status', 'payroll-05', SANDBOX, '--json');
  const digest = String(status.json()['planDigest']);
  const approved = await place.payfile('approve', 'payroll-05', '--digest', digest, SANDBOX);
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toContain('GHS 2,000.00 → 1,000.00 (−50.0 %), 2 → 1 row');
  expect(approved.stdout).toMatch(/To look at: 1 row pays .* under other references \(row 2\)/);
  expect(approved.stdout).not.toMatch(/new beneficiary|Rows 3 and 4/);
});

it('sends nothing behind a canary that failed, says what to type, and goes on when it is lifted', async () => {
  const { payfile, file } = office();
  file('may.csv', payrollCsv([[REFUSED, '1000.00'], ...good(3)]));
  const words = ['run', 'may.csv', '--batch', 'may', SANDBOX, '--yes', '--json'];
  const first = await payfile(...words, '--canary', '2');
  expect(first.code, first.stderr).toBe(6);
  expect(first.json()).toMatchObject({ counts: { failed: 1, approved: 3, accepted: 0, settled: 0 } });
  expect(first.stderr + first.stdout).toMatch(
    /Sending stopped at the canary: row 2 failed\..*--canary 0 sends them/,
  );
  expect(String(first.json()['next'])).toContain('explain may 2');
  expect((await payfile(...words)).code).toBe(6);
  const lifted = await payfile('send', 'may', '--canary', '0', SANDBOX, '--json');
  expect(lifted.json().counts).toMatchObject({ failed: 1, approved: 0 });
});

it('waits for no canary that is the whole batch: what is on its way is settled later', async () => {
  const { payfile, file } = office();
  file('may.csv', payrollCsv([...good(1), [NEVER_FINISHES, '1000.00']]));
  const words = ['run', 'may.csv', '--batch', 'may', SANDBOX, '--yes', '--canary', '5', '--deadline', '2s'];
  const run = await payfile(...words);
  expect(run.code, run.stderr).toBe(4);
  expect(run.stdout + run.stderr).not.toMatch(/canary|stays approved/i);
  expect(run.stderr).toMatch(/Next: payfile settle may/);
  const sent = await payfile('send', 'may', SANDBOX, '--json');
  expect(sent.code, sent.stderr).toBe(4);
  // On a slow machine the deadline may be over before the first look.
  expect(sent.json().counts).toMatchObject({ approved: 0, sending: 0, in_doubt: 0, failed: 0 });
});
