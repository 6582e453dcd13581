/** The window in which a console runs: what it said, and what stops it. */
import { Writable } from 'node:stream';
import { expect, vi } from 'vitest';
import type { StopSignal } from '../../src/cli/process-context.ts';
import { anAuthenticator } from './authenticator.ts';
import { callMain, type Place } from './process-context.ts';

/** A link under which a passkey is registered. */
export const PASSKEY_LINK = /(http:\/\/localhost:\d+\/passkeys\/[\w-]{32})/;

export function consoleWindow(
  words: readonly string[],
  place: Place,
  more: Parameters<typeof callMain>[2] = {},
) {
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
    ...{ stdout: into(), stderr: into() },
    onSignal: (receive: typeof stop) => {
      stop = receive;
      return () => undefined;
    },
    ...more,
  };
  return {
    ended: callMain(['console', ...words, '--sandbox', '--no-open'], place, given),
    /** The first group of what it says. */
    shown: (text: RegExp) => vi.waitFor(() => text.exec(said)?.[1] ?? expect.fail(said), 10_000),
    said: () => said,
    forget: () => {
      said = '';
    },
    stop: () => stop('SIGINT'),
  };
}

/** Registers a new passkey under its link; gives the page that answers. */
export async function register(link: string): Promise<string> {
  const page = await (await fetch(link)).text();
  const options = JSON.parse((/data-make="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'));
  const body = new URLSearchParams({ answer: anAuthenticator().make(options, new URL(link).origin) });
  const headers = { 'sec-fetch-site': 'same-origin' };
  return (await fetch(link, { method: 'POST', body, headers })).text();
}
