/** A machine that is new to a ledger on a server: what it is told, how it joins, and what acceptance does to all. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { payrollOf, someMachines } from '../builders/machines.ts';
import type { Office } from '../builders/office.ts';

const machines = someMachines();
const RUN = ['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000'];

/** One that nothing was written to yet may be used by everybody. */
async function aWorkedOne() {
  const made = await machines(5);
  made.office.file('april.csv', payrollOf(1));
  const words = ['run', 'april.csv', '--batch', 'april', '--max-total', 'GHS=100000'];
  expect((await made.office.payfile(...words)).code).toBe(0);
  made.office.file('may.csv', payrollOf(2));
  return made;
}

/** As another machine: nothing is remembered on it. */
function asNew(office: Office, name: string): void {
  for (const kind of ['CONFIG', 'STATE']) office.env[`XDG_${kind}_HOME`] = office.at(`${name}-${kind}`);
}

function configure(office: Office, name: string, ledger: object): void {
  const folder = office.at(`${name}-CONFIG/payfile`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/config.json`, JSON.stringify({ ledger }), { mode: 0o600 });
}

it('names the id first to a machine that is new to a server, and the id that doctor shows lets it join', async () => {
  const { office, service } = await aWorkedOne();
  const known = await office.payfile('doctor');
  const [, id = ''] = /Ledger: .*, id ([0-9a-f]{32})/.exec(known.stdout) ?? [];
  expect(id, known.stdout).not.toBe('');

  asNew(office, 'new');
  for (const words of [RUN, ['verify'], ['doctor']]) {
    const refused = await office.payfile(...words);
    const told = refused.stdout + refused.stderr;
    if (words !== RUN) expect(told).not.toContain('Then:');
    else expect(refused.code).toBe(78);
    expect(told).toContain('"ledger": {"id": "ID"}');
    expect(told).toContain('payfile doctor on a machine that works with it shows the id');
    expect(told).toMatch(/payfile help server/);
    expect(told).not.toMatch(/Then: payfile verify/);
    expect(told).not.toContain(id);
  }
  configure(office, 'new', { id });
  const joined = await office.payfile(...RUN);
  // The person of April is held.
  expect(joined.code, joined.stderr).toBe(3);
  expect(service.sandbox.book.size).toBe(2);
});

it('says after an acceptance what holds for a server, and what ends the pause of a batch', async () => {
  const { office } = await aWorkedOne();
  asNew(office, 'new');
  const accepted = await office.payfile('verify', '--accept-ledger');
  expect(accepted.code, accepted.stderr).toBe(0);
  expect(accepted.stderr).toContain('on all machines');
  expect(accepted.stderr).not.toContain('Use this one alone');
  const waiting = await office.payfile(...RUN);
  expect(waiting.code, waiting.stderr).toBe(6);
  expect(waiting.stdout + waiting.stderr).toContain('this ends it for all of them: payfile resume --all');
  expect((await office.payfile('status', 'may')).stdout).toContain('payfile resume --all');
  expect((await office.payfile('resume', '--all')).code).toBe(0);
  expect((await office.payfile(...RUN)).code).toBe(3);
});
