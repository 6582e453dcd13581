/**
 * `payfile console`: serves pages to the browser of this machine until the user stops it. Opens the browser with a
 * private file that redirects to a one-time link. On a terminal, Enter prints a new link. A typed name prints a ticket,
 * with which this person registers a passkey.
 *
 * --json: {url}, a link that signs one person in, once, within a minute.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type RunningConsole, startConsole } from '../../console/console.ts';
import { commandInWords } from '../../console/page/words.ts';
import { personCalled } from '../../domain/people/person.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { RequestRefused } from '../../domain/text/request-refused.ts';
import { openFor, payfileOf, requireService } from '../../payfile.ts';
import { absolutePlaceOf, type Call } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import { INSTALLED_PORT, plannedUnit, registerFirst, writeUnit } from './install-console.ts';

export async function console(call: Call): Promise<ExitCode> {
  const { terminal, context, stopping } = call;
  const unit = call.flags.install === true ? await plannedUnit(call) : undefined;
  const say = (line: string) => terminal.talk(line);
  // Who reads the files that it makes has pages.
  const place = { ...absolutePlaceOf(call), inWords: commandInWords };
  const parts = await openFor(
    requestOf(call),
    { ...contextOf(call), place },
    {
      onProgress: () => undefined,
      warn: (sentence) => say(`Warning: ${sentence}`),
      say,
      onEnd: call.onEnd,
    },
  );
  requireService(parts.settings);
  const person = personCalled(context.user, { roster: parts.settings.people, user: context.user });
  if (person === undefined) throw new RequestRefused(`${context.user} has no role in the configuration.`);
  const payfile = payfileOf(parts);
  const running = await startConsole({
    port: call.flags.port ?? (unit === undefined ? 0 : INSTALLED_PORT),
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
    say(
      'Stopping: payfile starts no new transfer and waits for transfers in flight. Press Ctrl-C again to stop at once.',
    ),
  );
  if (unit !== undefined) {
    const open = async (link: string) => {
      const isOpened =
        call.flags.open !== false && (await openBrowser(await running.pageWithLink(link), call));
      if (!isOpened) terminal.print(link);
    };
    if (await registerFirst(person.id, payfile, { running, open, call })) await writeUnit(unit, call);
    else say('Nothing was installed.');
    terminal.answer({ command: 'console', environment: payfile.environment, exitCode: EXIT.done, url: null });
    return EXIT.done;
  }
  await showLink(running, call);
  await untilStopped(running, call);
  return EXIT.done;
}

async function showLink(running: RunningConsole, call: Call): Promise<void> {
  const { terminal, flags } = call;
  const isOpened =
    flags.open !== false && !terminal.isJson && (await openBrowser(await running.pageWithLink(), call));
  const url = isOpened ? undefined : running.link();
  terminal.talk(
    isOpened
      ? `The console runs on localhost:${running.port}. Your browser opens it now.`
      : `The console runs on localhost:${running.port}. Open this link. It signs one person in, once, within a minute:`,
  );
  if (url !== undefined) terminal.print(url);
  terminal.talk(
    'Press Enter for a new link. To let a person register a passkey, type their name. Press Ctrl-C to stop the console.',
  );
  terminal.answer({
    command: 'console',
    environment: flags.sandbox === true ? 'sandbox' : 'live',
    exitCode: EXIT.done,
    url,
  });
}

/** False if this machine cannot open a browser. */
async function openBrowser(path: string, { context: { env } }: Call): Promise<boolean> {
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  const openers =
    env['BROWSER'] === undefined ? ['open', ...(hasScreen ? ['xdg-open'] : [])] : [env['BROWSER']];
  const page = pathToFileURL(path).href;
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

async function printLinkFor(person: string, running: RunningConsole, { terminal }: Call): Promise<void> {
  if (person === '') return terminal.print(running.link());
  try {
    const link = await running.ticketLink(person);
    terminal.talk(`Link for ${person}: it registers one passkey within 15 minutes. Give it to nobody else.`);
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
    if (!signal.aborted) void printLinkFor(typed.trim(), running, call);
  });
  if (!signal.aborted) await once(signal, 'abort');
  lines?.close();
}
