/**
 * A home that the old program left, on the day that it was left, with the service that it paid through: the present
 * program is called in it as a person would.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Ended, openOffice } from '../builders/office.ts';
import { setClock, shiftTo } from './as-then.ts';
import { restoreHome } from './kept-home.ts';
import {
  type Executed,
  holdAddress,
  type KeptService,
  SERVICE_ENV,
  startKeptService,
} from './kept-service.ts';

export interface Upgrade {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly service: KeptService;
  /** What the old program had paid. */
  readonly before: readonly Executed[];
  /** `reference → status` of a batch, from its report; throws when a row is there twice. */
  states(batch: string, ...more: string[]): Promise<Readonly<Record<string, string>>>;
  payfile(...words: string[]): Promise<Ended>;
  /** Runs a command and says what is wrong when it ends with another exit code. */
  ends(code: number, ...words: string[]): Promise<Ended>;
  /** The same in a process of its own; its exit code. */
  child(...words: string[]): Promise<number | null>;
  file(name: string, text: string): string;
  remove(name: string): void;
  /** So many hours after the old program was last used. */
  later(hours: number): void;
  /** What the present program paid: accounts, without spaces. */
  paid(): readonly string[];
  close(): void;
}

/** For the tests of a file: one file at a time has the address, however long the others take. */
export function useUpgrades(): (name: string, env?: Readonly<Record<string, string>>) => Upgrade {
  const open: Upgrade[] = [];
  let server: Server;
  beforeAll(async () => {
    server = await holdAddress();
  }, 600_000);
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });
  afterAll(() => {
    server.close();
  });
  return (name, env = SERVICE_ENV) => {
    const upgrade = openUpgrade(server, name, env);
    open.push(upgrade);
    return upgrade;
  };
}

function openUpgrade(server: Server, name: string, env: Readonly<Record<string, string>>): Upgrade {
  const office = openOffice({ PAYFILE_SOURCE: 'GB', CI: 'true', ...env });
  const { leftAt, book } = restoreHome(name, office.folder);
  const later = (hours: number) => setClock(new Date(Date.parse(leftAt) + hours * 3_600_000).toISOString());
  later(1);
  const service = startKeptService(server, book);
  service.mend();
  let reports = 0;
  return {
    ...{ folder: office.folder, env: office.env, service, before: book, later },
    payfile: office.payfile,
    async ends(code, ...words) {
      const called = await office.payfile(...words);
      if (called.code === code) return called;
      const said = `${called.stdout}\n${called.stderr}`;
      throw new Error(`payfile ${words.join(' ')}: ${called.code}, expected ${code}\n${said}`);
    },
    async states(batch, ...more) {
      reports += 1;
      const path = office.at(`shown-${reports}.json`);
      await office.payfile('report', batch, '-o', path, ...more);
      const { rows } = JSON.parse(readFileSync(path, 'utf8')) as {
        rows: { row: number; original: object; status: string }[];
      };
      const told = rows.map(({ original, status }) => [Object.values(original)[0], status]);
      if (new Set(told.map(([reference]) => reference)).size !== rows.length)
        throw new Error('a row is there twice');
      return Object.fromEntries(told);
    },
    child: async (...words) => {
      const shift = String(shiftTo(new Date().toISOString()));
      const as = { NODE_OPTIONS: `--import ${AS_THEN}`, PAYFILE_TEST_SHIFT_MS: shift };
      return (await office.start(words, as).ended).code;
    },
    file: office.file,
    remove: (path) => rmSync(office.at(path)),
    paid: () => service.book.slice(book.length).map(({ account }) => account.replace(/\s/g, '')),
    close() {
      service.close();
      office.close();
    },
  };
}

const AS_THEN = new URL('as-then.ts', import.meta.url).href;
