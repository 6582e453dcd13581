/**
 * `payfile console`: pages in the browser of this machine, until it is stopped. It opens the browser with a file that
 * only this user can read and that leads to a link for one use. On a terminal Enter shows a new one, and a person's name a
 * ticket with which that person registers a passkey.
 *
 * --json: {url}, which lets one person in, once, within a minute.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type RunningConsole, startConsole } from '../../console/console.ts';
import { personCalled } from '../../domain/people/person.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { openFor, payfileOf } from '../../payfile.ts';
import type { Call } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';

export async function console(call: Call): Promise<ExitCode> {
  const { terminal, context, stopping } = call;
  const say = (line: string) => terminal.talk(line);
  const door = await openFor(requestOf(call), contextOf(call), {
    onProgress: () => undefined,
    warn: (sentence) => say(`Warning: ${sentence}`),
    say,
    onEnd: call.onEnd,
  });
  door.requireService();
  const person = personCalled(context.user, { roster: door.settings.people, user: context.user });
  if (person === undefined) throw new RequestRefused(`Nothing says what ${context.user} may do here.`);
  const payfile = payfileOf(door);
  const running = await startConsole({
    port: call.flags.port ?? 0,
    environment: payfile.environment,
    person,
    payfile,
    temporary: context.temporary,
    now: () => nowOf(context),
    say,
  });
  call.onEnd(() => running.close());
  stopping.countInFlight(() => running.inFlight());
  stopping.onFirst(() =>
    say('Ending: nothing new is begun; waiting for what is in flight. Press Ctrl-C again to stop at once.'),
  );
  await tellLink(running, call);
  await untilStopped(running, call);
  return EXIT.done;
}

async function tellLink(running: RunningConsole, call: Call): Promise<void> {
  const { terminal, flags } = call;
  const isOpened = flags.open !== false && !terminal.isJson && (await openBrowser(running, call));
  const url = isOpened ? undefined : running.link();
  terminal.talk(
    isOpened
      ? `The console listens on localhost:${running.port} and was opened in your browser.`
      : `The console listens on localhost:${running.port}. Open this link; it lets one person in, once, within a minute:`,
  );
  if (url !== undefined) terminal.print(url);
  terminal.talk(
    'Press Enter for a new link. Type a name for a ticket to register a passkey. End the console with Ctrl-C.',
  );
  terminal.answer({
    command: 'console',
    environment: flags.sandbox === true ? 'sandbox' : 'live',
    exitCode: EXIT.done,
    url,
  });
}

/** False where this machine has nothing that opens a browser. */
async function openBrowser(running: RunningConsole, { context: { env } }: Call): Promise<boolean> {
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  const openers =
    env['BROWSER'] === undefined ? ['open', ...(hasScreen ? ['xdg-open'] : [])] : [env['BROWSER']];
  const page = pathToFileURL(await running.pageWithLink()).href;
  for (const opener of openers) {
    const child = spawn(opener, [page], { stdio: 'ignore', detached: true });
    child.unref();
    const isStarted = await once(child, 'spawn').then(
      () => true,
      () => false,
    );
    if (isStarted) return true;
  }
  return false;
}

async function answerLine(person: string, running: RunningConsole, { terminal }: Call): Promise<void> {
  if (person === '') return terminal.print(running.link());
  try {
    const link = await running.ticketLink(person);
    terminal.talk(
      `A ticket for ${person}: it registers one passkey, once, within 15 minutes. Give it to nobody else.`,
    );
    terminal.print(link);
  } catch (error) {
    terminal.talk(error instanceof Error ? error.message : String(error));
  }
}

async function untilStopped(running: RunningConsole, call: Call): Promise<void> {
  const { stopping, context } = call;
  const { signal } = stopping;
  const isTerminal = context.stdin.isTTY === true;
  const lines = isTerminal ? createInterface({ input: context.stdin }) : undefined;
  lines?.on('line', (typed) => {
    if (!signal.aborted) void answerLine(typed.trim(), running, call);
  });
  if (!signal.aborted) await once(signal, 'abort');
  lines?.close();
}
