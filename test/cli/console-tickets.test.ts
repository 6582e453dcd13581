/** The window in which the console runs: a name that is typed there makes a ticket, as no session can. */
import { PassThrough, Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { StopSignal } from '../../src/cli/process-context.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';

const office = officesFor({ PAYFILE_SOURCE: 'GB' });

it('makes a ticket for whoever is named, also for a person who has a passkey, without a signature', async () => {
  const { folder, env, configure } = office();
  configure({ people: { eve: ['approver'] } });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let said = '';
  const into = () =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        said += String(chunk);
        done();
      },
    });
  let stop: (name: StopSignal) => void = () => undefined;
  const given = {
    ...{ stdin, stdout: into(), stderr: into(), user: 'Ada' },
    onSignal: (receive: typeof stop) => {
      stop = receive;
      return () => undefined;
    },
  };
  const ended = callMain(['console', '--sandbox', '--no-open'], { folder, env }, given);
  const shown = (text: RegExp) => vi.waitFor(() => text.exec(said)?.[1] ?? expect.fail(said), 10_000);
  await shown(/(type their name)/);
  const typed = async (line: string, wanted: RegExp) => {
    said = '';
    stdin.write(`${line}\n`);
    return shown(wanted);
  };
  const link = /(http:\/\/localhost:\d+\/passkeys\/[\w-]{32})/;
  const register = async (at: string) => {
    const key = anAuthenticator();
    const page = await (await fetch(at)).text();
    const options = JSON.parse((/data-make="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'));
    const { origin } = new URL(at);
    const body = new URLSearchParams({ answer: key.make(options, origin) });
    return (await fetch(at, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })).text();
  };
  expect(await register(await typed('eve', link))).toContain('The passkey is registered');
  expect(await register(await typed(' eve ', link))).toContain('The passkey is registered');
  expect(await typed('mallory', /(Nobody with this name has a role here)/)).not.toBe('');
  expect(await typed('', /(http:\/\/localhost:\d+\/enter\/)/)).not.toBe('');
  stop('SIGINT');
  expect((await ended).code).toBe(0);
});
