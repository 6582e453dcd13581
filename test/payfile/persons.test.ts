/** Several people before one ledger and one service, each in their own name. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { command } from '../../src/domain/next-steps/command.ts';
import { EXIT } from '../../src/domain/reporting/exit-code.ts';
import { moneyAfterFailure } from '../../src/operations/after-failure.ts';
import { run } from '../../src/operations/run.ts';
import { history } from '../../src/operations/status.ts';
import { createPayfile, type Dialogue, type Payfile } from '../../src/payfile.ts';
import { decisionLine } from '../../src/views/decision-columns.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { approvePlan, planFile } from '../builders/library-calls.ts';
import { NO_HOME } from '../builders/no-home.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

const OPTIONS = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
const clock = createBriskClock().withPauses(9_000);

let ada: Payfile;
const open = () => {
  ada = createPayfile(OPTIONS, { env: { HOME: NO_HOME }, clock });
  return ada;
};
afterEach(() => ada.close());

it('closes nothing of the others when one of them is closed, and all of them with the first', async () => {
  const first = open();
  const [ben, eve] = [first.as('ben'), first.as('eve')];
  await ben.close();
  await expect(batchesOf(ben)).rejects.toMatchObject({ code: 'closed' });
  expect(await batchesOf(eve)).toEqual([]);
  await first.close();
  await expect(batchesOf(eve)).rejects.toMatchObject({ code: 'closed' });
  expect(() => first.as('max')).toThrow('was closed');
});

it('stops the work of all before it waits for any of them', async () => {
  const first = open();
  const ben = first.as('ben');
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  let closing: Promise<void> | undefined;
  const onProgress: Dialogue['onProgress'] = (event) => {
    if (event.kind === 'moved' && event.payout.state.status === 'accepted') closing ??= first.close();
  };
  const request = { file: 'samples/suppliers.csv', batch: 'may', consent };
  const { end } = await ben.call(run, request, { onProgress });
  await closing;
  expect(end.kind).toBe('interrupted');
});

it('refuses a person whose name is no id, and says what one is', () => {
  const first = open();
  for (const text of [' ', 'Eve', 'eve ', '\u0435ve', 'e\u200bve'])
    expect(() => first.as(text)).toThrow('expected 1 to 64 small letters a to z, digits or signs');
  for (const actor of [' ', 'Ada', 'ada ', '\u0430da', 'a\u00adda'])
    expect(() => createPayfile({ ...OPTIONS, actor })).toThrow(
      /^createPayfile: actor is .*; expected 1 to 64/,
    );
  const people = { Eve: ['approver'] } as const;
  expect(() => createPayfile({ ...OPTIONS, people })).toThrow('people');
});

it('writes whole account numbers into no file for whoever may not see them, and keeps who took them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'persons-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const people = { vic: ['viewer'], otto: ['operator'], ben: ['maker'] } as const;
  ada = createPayfile({ ...OPTIONS, people }, { env: { HOME: NO_HOME }, clock });
  await planFile(ada, 'samples/suppliers.csv', { batch: 'may' });
  await approvePlan(ada, 'may', (await stateOf(ada, 'may')).plan?.digest);
  const [vic, otto, ben] = [ada.as('vic'), ada.as('otto'), ada.as('ben')];
  const at = (name: string) => join(folder, name);
  const days = { from: '2026-01-01', to: '2099-12-31' };
  const unpaid = { batch: 'may', only: 'unpaid', asInput: true } as const;
  const refused = [
    () => vic.report({ batch: 'may', output: at('a.json') }),
    () => vic.report({ batch: 'may', output: at('a'), format: 'csv' }),
    () => vic.report({ batch: 'may', output: at('a.xlsx'), fullAccounts: true }),
    () => vic.report({ ...days, output: at('a.csv') }),
    () => vic.report({ ...unpaid, output: at('a.csv') }),
    () => otto.send({ batch: 'may', report: [at('a.json')] }),
    () => otto.settle({ batch: 'may', report: [at('a.html')], fullAccounts: true }),
  ];
  for (const call of refused) await expect(call()).rejects.toMatchObject({ code: 'not_allowed' });
  expect(readdirSync(folder)).toEqual([]);
  await vic.report({ batch: 'may', output: at('a.csv'), maskAccounts: true });
  await vic.report({ batch: 'may', output: at('a.xlsx') });
  await otto.send({ batch: 'may', report: [at('a.html')] });
  const shown = async () =>
    (await ada.call(history, { batch: 'may' })).decisions
      .map((each) => decisionLine(each))
      .flatMap(({ what, by, why }) => (what === 'Whole accounts shown' ? [`${by} ${why}`] : []))
      .reverse();
  expect(await shown()).toEqual([]);
  await ben.report({ batch: 'may', output: at('b.json') });
  await ben.report({ ...days, output: at('c.csv') });
  await ben.report({ ...unpaid, output: at('d.csv') });
  await ada.settle({ batch: 'may', report: [at('e.csv')] });
  expect(await shown()).toEqual([
    'ben in a report (json)',
    'ben in a report over days',
    'ben in a file of unpaid rows',
    'ada in a report at the end of a command',
  ]);
  const [batch] = await batchesOf(ada);
  const said = { exitCode: EXIT.bug, code: 'bug', message: 'the screen is gone', steps: {} } as const;
  const failure = { ...said, again: command('status'), batch };
  const broken = { error: new Error('the screen is gone'), failure, report: [at('f.csv')] };
  await ada.as('ada').call(moneyAfterFailure, broken);
  expect((await shown()).at(-1)).toBe('ada in a report at the end of a command');
  expect(await shown()).toHaveLength(5);
});
