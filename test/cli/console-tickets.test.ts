/** The window in which the console runs: a name that is typed there makes a ticket, as no session can. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { consoleWindow, PASSKEY_LINK, register } from '../builders/console-window.ts';
import { officesFor } from '../builders/offices.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB' });

it('makes a ticket for whoever is named, also for a person who has a passkey, without a signature', async () => {
  const { folder, env, configure } = office();
  configure({ people: { eve: ['approver'] } });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const window = consoleWindow([], { folder, env }, { stdin, user: 'Ada' });
  await window.shown(/(type their name)/);
  const typed = async (line: string, wanted: RegExp) => {
    window.forget();
    stdin.write(`${line}\n`);
    return window.shown(wanted);
  };
  expect(await register(await typed('eve', PASSKEY_LINK))).toContain('The passkey is registered');
  expect(await register(await typed(' eve ', PASSKEY_LINK))).toContain('The passkey is registered');
  expect(await typed('mallory', /(Nobody with this name has a role here)/)).not.toBe('');
  expect(await typed('', /(http:\/\/localhost:\d+\/enter\/)/)).not.toBe('');
  window.stop();
  expect((await window.ended).code).toBe(0);
});
