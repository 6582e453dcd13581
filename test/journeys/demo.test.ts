/** The demo pays a sample payroll by itself and prints one screen. You can run it again. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { officesFor } from '../builders/offices.ts';
import { typeAndFollow } from '../builders/shown-steps.ts';

const newOffice = officesFor();
const linesOf = (text: string) => text.trimEnd().split('\n');

it('pays everybody, ends with 0 and totals that tie, writes three reports, and may be run again', async () => {
  const office = newOffice();
  for (const [out, ...flags] of [['payfile-demo'], ['two', '--out', 'two']] as const) {
    const ended = await typeAndFollow(office, 'demo', ...flags);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('24 payments: 24 settled');
    expect(linesOf(ended.stdout + ended.stderr).length).toBeLessThanOrEqual(24);
    expect(linesOf(ended.stderr).filter((line) => /^\d\. /.test(line))).toHaveLength(3);
    for (const format of ['csv', 'json', 'xlsx'])
      expect(existsSync(office.at(`${out}/report.${format}`))).toBe(true);
    const report = JSON.parse(readFileSync(office.at(`${out}/report.json`), 'utf8'));
    expect(report.exitCode).toBe(0);
    expect(report.rows.map(({ status }: { status: string }) => status)).toEqual(Array(24).fill('settled'));
  }
  // The demo of a clone leaves no untracked file in it.
  const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8');
  expect(ignored.split('\n')).toContain('payfile-demo/');
});
