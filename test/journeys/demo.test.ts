/** The first minute: the demo pays a sample payroll by itself, as often as one likes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { officesFor } from '../builders/offices.ts';

const newOffice = officesFor();

it('pays everybody, ends with 0 and totals that tie, writes three reports, and may be run again', async () => {
  const office = newOffice();
  for (const [out, ...flags] of [['payfile-demo'], ['two', '--out', 'two']] as const) {
    const ended = await office.payfile('demo', ...flags);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('24 payments: 24 settled');
    expect(ended.stdout).toContain('Control totals tie');
    for (const format of ['csv', 'json', 'xlsx'])
      expect(existsSync(join(office.folder, out, `report.${format}`))).toBe(true);
    const report = JSON.parse(readFileSync(join(office.folder, out, 'report.json'), 'utf8')) as {
      exitCode: number;
      rows: { status: string }[];
    };
    expect(report.exitCode).toBe(0);
    expect(report.rows.map(({ status }) => status)).toEqual(Array(24).fill('settled'));
  }
  // The demo of a clone leaves no untracked file in it.
  const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8');
  expect(ignored.split('\n')).toContain('payfile-demo/');
});
