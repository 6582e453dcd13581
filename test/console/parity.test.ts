/** What a program can do with payfile can be done in the console, or is done in a terminal for a reason. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/parse/command-table.ts';
import { createPayfile } from '../../src/payfile.ts';

const METHODS_ELSEWHERE: Readonly<Record<string, string>> = {
  as: 'how the console acts in the name of who came in',
  advice: 'the console issue gives it a button',
  close: 'ending the console does it',
  run: 'on pages its steps are taken one after the other: plan, approve, send, settle',
  status: 'a page of a batch comes from look, rows and history',
  list: 'pages list readings by the operation readings',
  save: 'pages save what was said of a file by saveReading',
  forget: 'pages forget a reading by forgetReading',
  init: 'creates a ledger for real money, once, by who sets the machine up',
  backup: 'copies the ledger to a path of the machine',
  restore: 'replaces the ledger that the console works with',
  erase: 'once a year, by who looks after the ledger, while nobody works with it',
  move: 'ends the ledger that this console has open',
};
const TERMINAL_ONLY: Readonly<Record<string, string>> = {
  rate: 'a single question; the plan shows the rate of each currency',
  name: 'a single question; the plan asks for every row',
  transaction: 'a single question; a row shows what the service says of it',
  profile: 'shows what the service knows of the login: doctor checks it',
  start: 'a service for other programs',
  work: 'a process of its own, which waits without a person',
};
const COMMANDS_ELSEWHERE: Readonly<Record<string, string>> = {
  console: 'starts it',
  completion: 'for the tab key of a shell',
  init: 'creates a ledger for real money, once, by who sets the machine up',
  demo: 'a story for the terminal; the sandbox has a sample payroll of its own',
  advice: 'the console issue gives it a button',
  sandbox: 'starts a service for other programs',
  backup: 'copies the ledger to a path of the machine',
  restore: 'replaces the ledger that the console works with',
  erase: 'once a year, by who looks after the ledger, while nobody works with it',
  rate: TERMINAL_ONLY['rate'] ?? '',
  name: TERMINAL_ONLY['name'] ?? '',
  transaction: TERMINAL_ONLY['transaction'] ?? '',
  profile: TERMINAL_ONLY['profile'] ?? '',
  ledger: 'moves the ledger that this console has open',
  worker: TERMINAL_ONLY['work'] ?? '',
  fleet: 'for who looks after the machines that work by themselves',
};

const source = globSync(fileURLToPath(new URL('../../src/console/**/*.ts', import.meta.url)))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
/** By its method, in a group or not, or as an operation. */
const isUsed = (name: string) => {
  const aliases = [...source.matchAll(new RegExp(`\\b${name} as (\\w+)`, 'g'))].map(([, alias]) => alias);
  return new RegExp(`\\.(${name}\\(|call\\(\\s*(${[name, ...aliases].join('|')})\\b)`).test(source);
};

it('reaches every method of the door, or says why not', async () => {
  const payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
  const methods = Object.entries(payfile).flatMap(([name, is]) =>
    typeof is === 'function' ? [name] : typeof is === 'object' ? Object.keys(is) : [],
  );
  await payfile.close();
  const reasons = { ...METHODS_ELSEWHERE, ...TERMINAL_ONLY };
  expect(methods.filter((name) => !isUsed(name) && reasons[name] === undefined)).toEqual([]);
  // A reason for what can be done here, or no longer is, is none.
  expect(Object.keys(TERMINAL_ONLY).filter((name) => isUsed(name) || !methods.includes(name))).toEqual([]);
});

it('has a page for every command, or says why not', () => {
  const names = COMMANDS.map(({ name }) => name);
  const pages: Readonly<Record<string, string>> = {
    check: 'check',
    plan: 'plan',
    approve: 'approve',
    send: 'send',
    settle: 'settle',
    run: 'plan',
    template: 'template',
    report: 'report',
    reconcile: 'reconcile',
    status: 'look',
    explain: 'explain',
    verify: 'verify',
    release: 'release',
    cancel: 'cancel',
    reissue: 'reissue',
    resolve: 'resolve',
    pause: 'pause',
    resume: 'resume',
    doctor: 'doctor',
    countries: 'countries',
    institutions: 'institutions',
  };
  const missing = names.filter((name) => {
    const method = pages[name];
    return method === undefined ? COMMANDS_ELSEWHERE[name] === undefined : !isUsed(method);
  });
  expect(missing).toEqual([]);
});
