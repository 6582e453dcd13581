/** A question that nobody can answer any more ends, and agrees to nothing: the input was closed, or who asked is gone. */
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { listenForStop } from '../../src/faces/cli/terminal/stopping.ts';
import { GOOD, payrollCsv } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';

const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

/** A run at a terminal, up to its question; then `leave` happens. */
async function leftAlone(leave: (stdin: PassThrough) => void, isAbandoned?: () => boolean) {
  const office = newOffice();
  office.file('may.csv', payrollCsv([[GOOD[0] ?? '', '100.50']]));
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  let screen = '';
  const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
    const asked = screen.includes('Type the total');
    screen += String(chunk);
    if (!asked && screen.includes('Type the total')) setTimeout(() => leave(stdin), 50);
    done();
  };
  const output = () =>
    Object.assign(new Writable({ write, decodeStrings: false }), { isTTY: true, columns: 100 });
  const streams = { stdin, stdout: output(), stderr: output() };
  const words = ['run', 'may.csv', '--batch', 'may', '--sandbox'];
  const { code } = await callMain(words, office, { ...streams, ...(isAbandoned && { isAbandoned }) });
  const status = await office.payfile('status', 'may', '--sandbox', '--json');
  const again = await office.payfile(...words, '--yes');
  return { code, screen, counts: status.json().counts, again: again.code };
}

it('ends a question whose input is closed (143), and leaves the batch free', async () => {
  const { code, screen, counts, again } = await leftAlone((stdin) => void stdin.end());
  expect(code, screen).toBe(143);
  expect(screen).toContain('Nobody is there to answer any more. Nothing was agreed to.');
  expect(counts).toMatchObject({ quoted: 1 });
  expect(again).toBe(0);
}, 30_000);

it('takes what the input broke with for no bug, and everything else for one', () => {
  let bug: (error: unknown) => void = () => undefined;
  let said = '';
  const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
    said += String(chunk);
    done();
  };
  const stopping = listenForStop({
    stderr: new Writable({ write }),
    exit: () => undefined,
    onSignal: () => () => undefined,
    onBug(receive) {
      bug = receive;
      return () => undefined;
    },
  });
  const broken = new Error('read EIO');
  stopping.abandon(broken);
  bug(broken);
  expect([said, stopping.exitCode()]).toEqual(['', 143]);
  bug(new Error('another'));
  expect(said).toContain('This is a bug of payfile: another');
});

it('ends a question when what started the command is gone', async () => {
  let isGone = false;
  const leave = () => {
    isGone = true;
  };
  const { code, screen, counts } = await leftAlone(leave, () => isGone);
  expect(code, screen).toBe(143);
  expect(screen).toContain('Nothing was agreed to.');
  expect(counts).toMatchObject({ quoted: 1 });
}, 30_000);
