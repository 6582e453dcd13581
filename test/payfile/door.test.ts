/** What every method stands on. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { command } from '../../src/domain/next-steps/command.ts';
import { DEFAULT_POLICY } from '../../src/domain/policy.ts';
import { moneyAfterFailure } from '../../src/operations/after-failure.ts';
import { run } from '../../src/operations/run.ts';
import { contextOf } from '../../src/payfile/context-of.ts';
import { type Ask, createPayfile, type Dialogue, openDoor } from '../../src/payfile.ts';
import { loadSettings } from '../../src/setup/load-settings.ts';
import type { Consent } from '../../src/use-cases/approve/ask-consent.ts';
import { NO_HOME } from '../builders/no-home.ts';
import { clock, GOOD, openOffice, payrollCsv, REFUSED, startLiveService } from '../builders/office.ts';
import { contextOf as processOf } from '../builders/process-context.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';

it('waits for a service that is away no longer than the deadline', async () => {
  const place = processOf({ folder: NO_HOME, env: { HOME: NO_HOME } });
  const settings = loadSettings({ sandbox: true, ledger: ':memory:' }, { ...place, home: NO_HOME });
  const log = { write: () => undefined };
  const door = openDoor(settings, { ...place, namedBy: undefined, command: 'test', log });
  const outageWaitMs = async (deadlineMs?: number) =>
    (await contextOf(door, {}).ports(deadlineMs)).policy.outageWaitMs;
  expect(await outageWaitMs()).toBe(10_000);
  expect(await outageWaitMs(3_000)).toBe(3_000);
  expect(await outageWaitMs(3_600_000)).toBe(10_000);
  await door.parts.close();
});

it('lets a library rehearse with the patience of the sandbox', async () => {
  const sleeps: number[] = [];
  const clock = createBriskClock().withPauses(9_000);
  const noting: typeof clock = {
    ...clock,
    sleep(ms, signal) {
      sleeps.push(ms);
      return clock.sleep(ms, signal);
    },
  };
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, { clock: noting, env: { HOME: NO_HOME } });
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  const { end, batchEnd } = await payfile.call(run, { file: 'samples/suppliers.csv', batch: 'may', consent });
  await payfile.close();
  expect([end.kind, batchEnd?.exitCode]).toEqual(['sent', 0]);
  expect(Math.min(...sleeps)).toBeLessThan(DEFAULT_POLICY.pollMinMs);
});

it('says that a run was interrupted, and does not call it done', async () => {
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, {
    env: { HOME: NO_HOME },
    clock: createBriskClock().withPauses(9_000),
  });
  const stopping = new AbortController();
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  const onProgress: Dialogue['onProgress'] = (event) => {
    if (event.kind === 'moved' && event.payout.state.status === 'accepted') stopping.abort();
  };
  const request = { file: 'samples/suppliers.csv', batch: 'may', consent };
  const dialogue = { onProgress, signal: stopping.signal };
  const { end, batchEnd } = await payfile.call(run, request, dialogue);
  await payfile.close();
  expect(end.kind).toBe('interrupted');
  expect(batchEnd?.exitCode).toBe(6);
  expect(batchEnd?.totals.counts.approved).toBeGreaterThan(0);
});

it('waits for nobody once it is stopped: a question that is never answered ends, and the batch is free again', async () => {
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, {
    env: { HOME: NO_HOME },
    clock: createBriskClock().withPauses(9_000),
  });
  const never = () => new Promise<undefined>(() => undefined);
  const asked = async ({ ask, consent }: { readonly ask?: Ask; readonly consent?: Consent }) => {
    const stopping = new AbortController();
    const onProgress: Dialogue['onProgress'] = ({ kind }) => {
      if (kind === 'plan') setTimeout(() => stopping.abort(new Error('stopped by the caller')), 20);
    };
    const request = { file: 'samples/suppliers.csv', batch: 'may', consent };
    return payfile.call(run, request, { ask, onProgress, signal: stopping.signal });
  };
  await expect(asked({ consent: async () => (await never()) as never })).rejects.toThrow(
    'stopped by the caller',
  );
  await expect(asked({ ask: never })).rejects.toThrow('stopped by the caller');
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  const { batchEnd } = await payfile.call(run, { file: 'samples/suppliers.csv', batch: 'may', consent });
  await payfile.close();
  expect(batchEnd?.exitCode).toBe(0);
});

it('takes no decision about rows without a reason', async () => {
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada' } as const;
  const payfile = createPayfile(options, { env: { HOME: NO_HOME } });
  const deciding = payfile.rows.cancel({ batch: 'may', all: true, reason: ' ' });
  await expect(deciding).rejects.toThrow('needs reason');
  await payfile.close();
});

it('knows a half-sent batch by its name when the service is away', async () => {
  const { sandbox, env } = await startLiveService();
  const { folder, file, close } = openOffice(env);
  file('may.csv', payrollCsv([REFUSED, ...GOOD].map((account) => [account, '50.00'])));
  const { baseUrl, authUrl, credentials: service } = sandbox;
  const options = {
    service: { baseUrl, authUrl, ...service },
    createLedger: true,
    actor: 'ada',
    source: 'GB',
  };
  const pauses = { clock: clock.withPauses(9_000), env: { HOME: folder }, cwd: folder };
  const payfile = createPayfile({ ...options, ledger: `${folder}/ledger.db` }, pauses);
  const consent = async () => ({ kind: 'agreed', how: 'library' }) as const;
  const { end } = await payfile.call(run, { file: 'may.csv', batch: 'may', consent, canary: 1 });
  await sandbox.close();
  const error = await payfile
    .call(run, { file: 'may.csv', batch: 'may', consent })
    .catch((thrown: unknown) => thrown);
  const failure = { exitCode: 69 as const, code: 'service_unavailable', message: '', steps: {} };
  const again = command('run', ['may.csv']);
  const asked = { error, failure: { ...failure, again, batch: undefined } };
  const after = await payfile.call(moneyAfterFailure, asked);
  await payfile.close();
  close();
  expect(end).toMatchObject({ codes: [6] });
  const money = { sent: 1, perhapsSent: 0, notSent: GOOD.length, begun: 0 };
  expect(after).toMatchObject({ kind: 'ended', end: { exitCode: 6, money } });
}, 60_000);

/** Names of types that a caller of a method meets. */
const LANGUAGE = /^(Promise|Readonly|ReadonlyMap|Partial|Omit|Pick|AbortSignal)$/;

it('makes every type public that a public signature names', () => {
  const words = (text: string) =>
    new Set(text.replace(/\/\*.*?\*\/|\/\/[^\n]*|'[^']*'/gs, '').match(/\b[A-Z]\w+\b/g));
  const isPublic = words(readFileSync('src/index.ts', 'utf8'));
  const missing = readdirSync('src/payfile').flatMap((file) => {
    const text = readFileSync(`src/payfile/${file}`, 'utf8');
    const blocks = [...text.matchAll(/export interface \w+Methods \{(.*?)\n\}/gs)];
    return blocks.flatMap(([, methods = '']) => [...words(methods)]);
  });
  expect(missing.filter((name) => !isPublic.has(name) && !LANGUAGE.test(name))).toEqual([]);
});
