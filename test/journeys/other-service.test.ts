/**
 * Any server that speaks the interface will do: one that is unlike the sandbox in all that the interface leaves
 * open is paid through, from machines in several time zones, and no secret is printed on the way.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { type Office, openOffice } from '../builders/office.ts';
import { type OtherService, startOtherService } from '../fakes/other-service.ts';

const FILE = [
  'Ref,Country,Bank,Account,Name,Amount',
  'A-1,Ghana,MTN MoMo,0244000001,Ama Mensah,100.10',
  'A-2,gh,300591,0244000002,Ama Mensah,200.20',
  'A-3,288,Ghana Commercial Bank,1234567890123,Mensah Ama,300.30',
  'A-4,Ghana,MTN MoMo,0244000009,Ama Mensah,400.40',
  'A-5,Ghana,MTN MoMo,0244000008,Yaw Boateng,500.50',
].join('\n');

let service: OtherService | undefined;
let office: Office | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  office?.close();
  await service?.close();
});

/** What was printed, without its line breaks. */
const flat = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');

it.each([
  { TZ: 'Asia/Tokyo', zoneMinutes: 0 },
  { TZ: 'America/Los_Angeles', zoneMinutes: 540 },
])(
  'pays through a service whose clock is $zoneMinutes minutes off, on a machine in $TZ',
  async ({ TZ, zoneMinutes }) => {
    service = await startOtherService({ zoneMinutes, tokenSeconds: 3_600 });
    office = openOffice(service.env);
    vi.stubEnv('TZ', TZ);
    office.file('pay.csv', FILE);
    expect((await office.payfile('init')).code).toBe(0);
    const words = ['run', 'pay.csv', '--batch', 'may', '--max-total', 'GHS=2000', '--report', 'may.json'];
    const run = await office.payfile(...words, '--log-file', 'log.jsonl', '--log-level', 'debug');
    // One refused (code 1), one held (unknown account), three paid.
    expect(run.code, run.stderr).toBe(3);
    expect(
      service.executed.map((order) => [order['AccountNo'], order['Amount'], order['Name']]).sort(),
    ).toEqual([
      ['0244000001', 100.1, 'MENSAH AMA'],
      ['0244000002', 200.2, 'MENSAH AMA'],
      ['1234567890123', 300.3, 'MENSAH AMA'],
    ]);
    const report = JSON.parse(readFileSync(join(office.folder, 'may.json'), 'utf8'));
    const statuses = report.rows.map((row: Record<string, string>) => [
      row['status'],
      row['service_status'] ?? '',
    ]);
    expect(statuses).toEqual([
      ['settled', 'FINISHED'],
      ['settled', 'FINISHED'],
      ['settled', 'FINISHED'],
      ['failed', ''],
      ['held', ''],
    ]);
    expect(report.rows[0].transfer_id).toMatch(/^90071992547410\d\d$/);
    // A token that is good for an hour needs no second login in a run of seconds, whatever zone it is written in.
    expect(service.logins()).toBeLessThanOrEqual(2);

    const again = await office.payfile(...words);
    expect(service.executed).toHaveLength(3);
    expect(again.code).toBe(3);

    const printed = [run.stdout, run.stderr, again.stdout, again.stderr].join('\n');
    const logged = readFileSync(join(office.folder, 'log.jsonl'), 'utf8');
    for (const canary of [
      'canary-password-1',
      'canary-token-',
      '0244000001',
      '0244000009',
      '1234567890123',
    ]) {
      expect(logged).not.toContain(canary);
      expect(printed).not.toContain(canary);
    }
  },
  60_000,
);

it('pays nobody where a country code is also the id of another country, and says how to write each', async () => {
  // The ids are codes of FIPS 10-4: NG is Niger, GB is Gabon.
  const lists = {
    '/api/cbt/countries': [
      { id: 'NG', name: 'Niger', phone: 227, iso: 'NE', rate: 1 },
      { id: 'NI', name: 'Nigeria', phone: 234, iso: 'NG', rate: 1 },
      { id: 'GB', name: 'Gabon', phone: 241, iso: 'GA', rate: 1 },
      { id: 'UK', name: 'United Kingdom', phone: 44, iso: 'GB', rate: 1 },
    ],
    '/api/cbt/fis/NG': [{ id: 'n1', name: 'Ecobank', Logo: '', Charges: 0, Currency: 'XOF' }],
    '/api/cbt/fis/NI': [{ id: 'g1', name: 'Ecobank', Logo: '', Charges: 0, Currency: 'NGN' }],
  };
  service = await startOtherService({ zoneMinutes: 0, tokenSeconds: 3_600, lists });
  office = openOffice({ ...service.env, PAYFILE_SOURCE: 'UK' });
  const head = 'Ref,Country,Bank,Account,Name,Amount';
  office.file('pay.csv', `${head}\nA-1,NG,Ecobank,0244000001,Ama Mensah,100\n`);
  const check = await office.payfile('check', 'pay.csv');
  expect(check.code).toBe(65);
  const issue =
    'the id of Niger and the ISO code of Nigeria. Write “Niger” or “Nigeria”, whichever is meant.';
  expect(flat(check)).toContain(issue);
  for (const words of [
    ['institutions', 'NG'],
    ['rate', 'UK', 'NG'],
    ['name', 'NG/Ecobank', '0244000001'],
  ]) {
    const asked = await office.payfile(...words);
    expect(asked.code, words.join(' ')).toBe(64);
    expect(flat(asked)).toContain('has two meanings: the id of Niger, the ISO code of Nigeria');
  }
  expect((await office.payfile('institutions', 'Nigeria')).stdout).toContain('g1');
  const source = await office.payfile('check', 'pay.csv', '--source', 'GB');
  expect(source.code).toBe(78);
  expect(flat(source)).toContain('“GB” has two meanings: the id of Gabon, the ISO code of United Kingdom');

  // A word binds nothing where its country has two meanings.
  office.file('value.csv', `${head}\nA-1,Nigeria,Eco,0244000001,Ama Mensah,100\n`);
  const check2 = ['check', 'value.csv', '--value'];
  expect((await office.payfile(...check2, 'NG/Eco=Ecobank')).code).toBe(65);
  expect((await office.payfile(...check2, 'Eco=Ecobank', '--save-reading', 'ng')).code).toBe(0);
  expect((await office.payfile('check', 'value.csv')).code).toBe(0);
});
