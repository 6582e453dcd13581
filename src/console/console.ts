/**
 * The console: pages on this machine for whoever has a link, and the links. It looks at nothing of its process; who
 * starts it hands in payfile, a folder and the clock.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Person } from '../domain/people/person.ts';
import type { InFlight, Payfile } from '../payfile.ts';
import { html } from '../views/html.ts';
import type { Desk } from './desk.ts';
import { createKeptFiles } from './files/kept-files.ts';
import { createJobs } from './jobs.ts';
import { createPace } from './page/asks-again.ts';
import { createWatching } from './page/watching.ts';
import { ROUTES } from './routes.ts';
import { createApp } from './server/app.ts';
import { ownHost } from './server/guards.ts';
import { listen } from './server/listen.ts';
import { makeOwnFolder } from './server/own-folder.ts';
import { createSessions, createTickets } from './server/sessions.ts';
import { createKeptStatements } from './statements/kept-statements.ts';
import { createTurnsOfConsole } from './turns.ts';

export interface ConsoleRequest {
  /** 0: any that is free. */
  readonly port: number;
  readonly environment: 'live' | 'sandbox';
  /** Who starts it. */
  readonly person: Person;
  readonly payfile: Payfile;
  /** Where a folder for files on their way is made. */
  readonly temporary: string;
  readonly now: () => number;
  readonly say: (line: string) => void;
}

export interface RunningConsole {
  readonly port: number;
  /** A link that lets whoever started the console in, once, within a minute. */
  link(): string;
  /** A link that lets this person register a passkey, also without one that they had: it is made in the terminal. */
  ticketLink(person: string): Promise<string>;
  /** A page that leads there, readable by this user alone: a link in a command would be seen by every other user. */
  pageWithLink(link?: string): Promise<string>;
  /** What the work that was begun here has on the wire. */
  inFlight(): InFlight;
  /** Ends what is under way in order, waits for it, and closes. */
  close(): Promise<void>;
}

/** Errors: PortTaken. */
export async function startConsole(request: ConsoleRequest): Promise<RunningConsole> {
  const { person, environment, payfile, now, say } = request;
  const open = new Map<string, Payfile>();
  const payfileAs = ({ id, cameWith }: Pick<Person, 'id' | 'cameWith'>) => {
    const key = JSON.stringify([id, cameWith]);
    const own = open.get(key) ?? payfile.as(id, { cameWith });
    open.set(key, own);
    return own;
  };
  const own = await makeOwnFolder(request.temporary);
  const folder = own.path;
  const tickets = createTickets(now);
  const jobs = createJobs(now);
  const files = createKeptFiles(folder, now);
  const statements = createKeptStatements(folder);
  const held = {
    environment,
    tickets,
    jobs,
    pace: createPace(now),
    watching: createWatching(now),
    files,
    statements,
    ...createTurnsOfConsole(),
    payfile,
    payfileAs,
    now,
    say,
    uploads: folder,
  };
  try {
    const listening = await listen(request.port, (port) => {
      const desk: Desk = { ...held, port, sessions: createSessions(now, say) };
      return createApp(ROUTES, desk);
    });
    const { port } = listening;
    const link = () => `http://${ownHost(port)}/enter/${tickets.issue(person)}`;
    return {
      port,
      link,
      ticketLink: async (id) =>
        `http://${ownHost(port)}/passkeys/${(await payfile.people.invite({ person: id })).ticket}`,
      async pageWithLink(to = link()) {
        const path = join(folder, 'open.html');
        await rm(path, { force: true });
        await writeFile(path, leadingTo(to), { mode: 0o600, flag: 'wx' });
        return path;
      },
      inFlight: jobs.inFlight,
      async close() {
        await jobs.stop();
        await listening.close();
        await own.remove();
      },
    };
  } catch (error) {
    await own.remove();
    throw error;
  }
}

function leadingTo(link: string): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>payfile</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"></head>
<body><p><a href="${link}">Open the console of payfile</a></p></body></html>
`.text;
}
