/** Four processes on one ledger, and a service that keeps one session for each login. */
import { expect, it } from 'vitest';
import { parseScenario } from '../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { startSharing } from '../builders/sharing-processes.ts';
import { aPostgres } from './a-postgres.ts';
import { openAtPlace } from './contract-ledgers.ts';

const server = aPostgres();
const LOGINS = 3;

it('four processes log in once for each session that ends, and none of them gives up', async () => {
  const place = server.place();
  await (await openAtPlace(place)).close();
  const loggedInMs: number[] = [];
  const enough = Promise.withResolvers<void>();
  const sandbox = await startSandbox({
    scenario: parseScenario('one-session,short-sessions'),
    // So that some transfers are on their way while the session is renewed.
    latencyMs: 20,
    log: (line) => {
      if (!line.startsWith('POST /auth/login')) return;
      loggedInMs.push(performance.now());
      if (loggedInMs.length >= LOGINS) enough.resolve();
    },
  });
  const processes = Array.from({ length: 4 }, () => startSharing(sandbox, place));
  await Promise.all(processes.map(({ ready }) => ready));
  await enough.promise;
  const results = await Promise.all(processes.map((process) => process.end()));
  // A session lasts five to six seconds, and is renewed at four fifths of them.
  const lastedMs = loggedInMs.slice(1).map((at, index) => at - (loggedInMs[index] ?? 0));
  expect(lastedMs.filter((ms) => ms < 3_500)).toEqual([]);
  expect(results).toEqual(
    Array(4).fill({
      accepted: expect.any(Number),
      turnedAway: expect.any(Number),
      triesMax: expect.any(Number),
      ...{ unsent: 0, reason: undefined, others: [] },
    }),
  );
  expect(Math.max(...results.map(({ triesMax }) => triesMax))).toBeLessThanOrEqual(2);
  expect(sandbox.book.size).toBe(results.reduce((sum, { accepted }) => sum + accepted, 0));
  await sandbox.close();
}, 60_000);
