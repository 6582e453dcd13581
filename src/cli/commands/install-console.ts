/**
 * `payfile console --install`: the user registers a passkey in the browser, then payfile writes the file that keeps the
 * console running. Without a passkey nobody could sign in, because nobody sees the window of the console.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningConsole } from '../../console/console.ts';
import { isServerPlace } from '../../domain/batches/ledger-trust.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import type { Payfile } from '../../payfile.ts';
import { absolutePlaceOf, type Call, pathFromCwd } from '../call.ts';
import { type ConsoleUnit, consoleUnit, UNIT_MARK } from './console-unit.ts';

/** Bookmarks need a port that stays. */
export const INSTALLED_PORT = 8765;
const LOOK_AGAIN_MS = 500;

/** Before anything starts. Errors: RequestRefused. */
export async function plannedUnit(call: Call): Promise<ConsoleUnit> {
  const { home, program, env } = call.context;
  const unit =
    program && home !== undefined
      ? consoleUnit([...program.words, ...consoleWords(call)], { ...program, home, env })
      : undefined;
  if (unit === undefined)
    throw new RequestRefused(
      'payfile can install the console on Linux and macOS, for a user with a home folder.',
    );
  if (program?.words.some((word) => word.includes('/_npx/')))
    throw new RequestRefused(
      'npx keeps payfile in a temporary folder. Install it first: npm install -g payfile.',
    );
  const before = await readFile(unit.path, 'utf8').catch(() => '');
  if (before !== '' && !before.includes(UNIT_MARK))
    throw new RequestRefused(
      `${unit.path} exists, and payfile did not write it. Move it away, then try again.`,
    );
  return unit;
}

/** The console as it was asked for here, in any folder. */
function consoleWords(call: Call): readonly string[] {
  const { sandbox, ledger, config = call.context.env['PAYFILE_CONFIG'] } = absolutePlaceOf(call);
  if (ledger !== undefined && isServerPlace(ledger))
    throw new RequestRefused(
      'The address of a ledger server belongs into the configuration. Leave it out here.',
    );
  return [
    ...['console', '--port', String(call.flags.port ?? INSTALLED_PORT)],
    ...(sandbox === true ? ['--sandbox'] : []),
    ...(ledger === undefined ? [] : ['--ledger', ledger]),
    ...(config === undefined ? [] : ['--config', pathFromCwd(call, config)]),
  ];
}

/** False: the user stopped first. `open` shows the page that registers the passkey. */
export async function registerFirst(
  person: string,
  payfile: Payfile,
  { running, open, call }: { running: RunningConsole; open: (link: string) => Promise<void>; call: Call },
): Promise<boolean> {
  const hasPasskey = async () =>
    (await payfile.people.list()).people.some(({ id, passkeys }) => id === person && passkeys.length > 0);
  if (await hasPasskey()) return true;
  const { signal } = call.stopping;
  call.terminal.talk('Register a passkey in your browser first. payfile waits for it.');
  await open(await running.ticketLink(person));
  while (!signal.aborted && !(await hasPasskey()))
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

export async function writeUnit({ path, content, start, remove }: ConsoleUnit, call: Call): Promise<void> {
  const { terminal, context, flags } = call;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: 0o600 });
  const unseen = Object.keys(context.env).filter((name) => /^PAYFILE_(?!CONFIG$)/.test(name));
  const url = `http://localhost:${flags.port ?? INSTALLED_PORT}`;
  terminal.talk(`Wrote ${path}.`);
  if (unseen.length > 0)
    terminal.talk(
      `It does not see these variables of this terminal: ${unseen.join(', ')}. Put them into the configuration.`,
    );
  terminal.talk(
    start === undefined
      ? 'Open “payfile” in the menu of your desktop. It opens your browser.'
      : `Start it now and at each login: ${start}\nThen open ${url} in your browser, and sign in with your passkey.`,
  );
  terminal.talk(`To remove it: ${remove}`);
}
