/** What every method stands on. */
import { expect, it } from 'vitest';
import { openDoor } from '../../src/payfile.ts';
import { loadSettings } from '../../src/setup/load-settings.ts';
import { contextOf } from '../builders/process-context.ts';

it('waits for a service that is away no longer than the deadline', async () => {
  const place = contextOf({ folder: '/nowhere', env: { HOME: '/nowhere' } });
  const settings = loadSettings({ sandbox: true, ledger: ':memory:' }, { ...place, home: '/nowhere' });
  const log = { write: () => undefined };
  const door = openDoor(settings, { ...place, command: 'test', log });
  const outageWaitMs = async (deadlineMs?: number) => (await door.ports({}, deadlineMs)).policy.outageWaitMs;
  expect(await outageWaitMs()).toBe(10_000);
  expect(await outageWaitMs(3_000)).toBe(3_000);
  expect(await outageWaitMs(3_600_000)).toBe(10_000);
  await door.close();
});
