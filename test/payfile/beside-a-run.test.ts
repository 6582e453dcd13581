/** Looking at a batch while another connection pays it at full speed: every look is of one moment. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ControlTotals } from '../../src/domain/reporting/control-totals.ts';
import { type DaysReport, report } from '../../src/operations/report.ts';
import { run } from '../../src/operations/run.ts';
import { overview } from '../../src/operations/status.ts';
import { createPayfile } from '../../src/payfile.ts';
import { stateOf, summaryOf } from '../builders/batch-state.ts';
import {
  clock,
  GOOD,
  type LiveService,
  type Office,
  openOffice,
  payrollCsv,
  type Row,
  startLiveService,
} from '../builders/office.ts';

const ROWS = process.env['SOAK'] === '1' ? 200 : 40;

let service: LiveService;
let office: Office;
beforeAll(async () => {
  service = await startLiveService({ latencyMs: 10 });
  office = openOffice(service.env);
  const rows = Array.from({ length: ROWS }, (_, at): Row => [GOOD[0] ?? '', `${at + 1}.00`]);
  office.file('may.csv', payrollCsv(rows));
});
afterAll(async () => {
  await service.sandbox.close();
  office.close();
});

function open(actor: string) {
  const { baseUrl, authUrl, credentials } = service.sandbox;
  return createPayfile(
    {
      ledger: office.at('ledger.db'),
      createLedger: true,
      actor,
      source: 'GB',
      service: { baseUrl, authUrl, ...credentials },
    },
    { clock: clock.withPauses(9_000), env: { HOME: office.folder }, cwd: office.folder },
  );
}

it('ties in every status, report, month, journal and workbook that is made beside a run', async () => {
  const [ada, ben] = [open('ada'), open('ben')];
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  let isRunning = true;
  const running = ada.call(run, { file: 'may.csv', batch: 'may', consent }).finally(() => {
    isRunning = false;
  });
  const ledger = office.at('ledger.db');
  while (!existsSync(ledger) || (await ben.call(overview, {})).count === 0) await new Promise(setImmediate);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const days = { from: day, to: '2099-12-31' };
  const looks: ((at: number) => Promise<{ readonly totals: ControlTotals }>)[] = [
    () => stateOf(ben, 'may'),
    (at) => summaryOf(ben, 'may', { output: `${at}.csv`, format: 'journal' }),
    async () => (await ben.call(report, days)) as DaysReport,
    (at) => summaryOf(ben, 'may', { output: `${at}.xlsx` }),
  ];
  const found: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; isRunning; at += 1) {
    const { totals } = (await looks[at % looks.length]?.(at)) ?? {};
    seen.add(JSON.stringify(totals?.counts));
    found.push(...(totals?.parts ?? []));
  }
  const { batchEnd } = await running;
  await Promise.all([ada.close(), ben.close()]);
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(2);
  expect(batchEnd?.totals.counts.settled).toBeGreaterThan(ROWS / 2);
}, 120_000);
