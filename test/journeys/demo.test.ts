/** The first minute: the demo pays a sample payroll by itself, as often as one likes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Desk, openDesk } from './a-desk.ts';

const desks: Desk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.close();
});

it('pays everybody, ends with 0 and totals that tie, writes three reports, and may be run again', async () => {
  const desk = openDesk();
  desks.push(desk);
  for (const out of ['one', 'two']) {
    const ended = await desk.payfile('demo', '--out', out);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('24 payments: 24 settled');
    expect(ended.stdout).toContain('Control totals tie');
    for (const format of ['csv', 'json', 'xlsx'])
      expect(existsSync(join(desk.folder, out, `report.${format}`))).toBe(true);
    const report = JSON.parse(readFileSync(join(desk.folder, out, 'report.json'), 'utf8')) as {
      exitCode: number;
      rows: { status: string }[];
    };
    expect(report.exitCode).toBe(0);
    expect(report.rows.map(({ status }) => status)).toEqual(Array(24).fill('settled'));
  }
});
