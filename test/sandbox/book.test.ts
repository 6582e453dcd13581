/** The book: what executed stays written, through restarts, kills and torn lines, and says so to a reader. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBook } from '../../src/sandbox/book.ts';
import { bookStatement, bookSums } from '../../src/sandbox/book-statement.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { BECOME_NOBODY } from '../builders/another-user.ts';
import { aTransfer, get, idOf, pay, sessionOf, transferIdOf } from './a-client.ts';

let folder: string;
let bookPath: string;
const open: Sandbox[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-book-'));
  bookPath = join(folder, 'kept', 'book.jsonl');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
  rmSync(folder, { recursive: true });
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ bookPath, ...options });
  open.push(sandbox);
  return sandbox;
}

/** Pays once per note and gives the transfer ids. */
async function payAll(sandbox: Sandbox, notes: readonly string[]): Promise<string[]> {
  const session = await sessionOf(sandbox);
  const answers = notes.map((Note) => pay(sandbox, session, aTransfer({ Note })));
  return (await Promise.all(answers)).map(transferIdOf);
}

const NOTES = ['one', 'two', 'three'];

describe('a book in a file', () => {
  it('is there after a restart, and goes on with new ids', async () => {
    const first = await start();
    const ids = await payAll(first, NOTES);
    await first.close();
    const second = await start();
    expect(
      second.book
        .entries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
    const [fourth] = await payAll(second, ['four']);
    expect(ids).not.toContain(fourth);
    const session = await sessionOf(second);
    expect((await get(second, `/transaction/${ids[0]}`, session)).json.data).toMatchObject({ id: ids[0] });
  });

  it('finishes transfers although nobody was running when their time came', async () => {
    const at = Date.UTC(2026, 0, 1);
    const first = await start({ clock: () => at });
    const [id] = await payAll(first, ['overnight']);
    await first.close();
    const second = await start({ clock: () => at + 3_600_000 });
    const { data } = (await get(second, `/transaction/${id}`, await sessionOf(second))).json;
    expect((data as { Status: string }).Status).toBe('Finished');
  });

  it('is read and written by its owner only', async () => {
    await start();
    expect(statSync(bookPath).mode & 0o777).toBe(0o600);
  });

  it('drops a torn last line, which nobody was answered for, and goes on behind it', async () => {
    const first = await start();
    const ids = await payAll(first, NOTES);
    await first.close();
    appendFileSync(bookPath, '{"id":"trf-torn","at":17637');
    const second = await start();
    expect(second.book.size).toBe(3);
    const [fourth] = await payAll(second, ['four']);
    await second.close();
    expect(
      readBook(bookPath)
        .entries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids, fourth].sort());
  });

  it('starts afresh when even the first line is torn', async () => {
    await (await start()).close();
    writeFileSync(bookPath, readFileSync(bookPath, 'utf8').slice(0, 20));
    const again = await start();
    await payAll(again, ['one']);
    await again.close();
    expect(readBook(bookPath).size).toBe(1);
  });

  it.each([
    ['a file that is not a book', 'reference,amount\n1,2\n', 'first line'],
    ['a file without a line that is not a book', 'my only copy', 'does not begin like one'],
    ['a book with a damaged line in its middle', undefined, 'line 3 is not an entry'],
  ])('refuses %s and leaves it as it was', async (_, text, complaint) => {
    const sandbox = await start();
    await payAll(sandbox, NOTES);
    await sandbox.close();
    const lines = readFileSync(bookPath, 'utf8').split('\n');
    const damaged = text ?? [...lines.slice(0, 2), '{"id":"x"}', ...lines.slice(3)].join('\n');
    writeFileSync(bookPath, damaged);
    await expect(startSandbox({ bookPath })).rejects.toMatchObject({
      code: 'book_damaged',
      message: expect.stringContaining(complaint),
    });
    expect(readFileSync(bookPath, 'utf8')).toBe(damaged);
  });

  it('is shared by sandboxes, each of which knows what the others executed', async () => {
    const [first, second] = [await start(), await start()];
    const ids = [...(await payAll(first, NOTES)), ...(await payAll(second, NOTES))];
    expect(new Set(ids).size).toBe(6);
    for (const sandbox of [first, second]) {
      expect(sandbox.book.size).toBe(6);
      const session = await sessionOf(sandbox);
      for (const id of ids)
        expect((await get(sandbox, `/transaction/${id}`, session)).json.data).toMatchObject({ id });
    }
  });

  it('has every answered transfer of processes that were killed, each line whole and once', async () => {
    const children = Array.from({ length: 2 }, () =>
      fork(fileURLToPath(new URL('book-child.ts', import.meta.url)), [bookPath]),
    );
    const answered = await Promise.all(
      children.map(async (child) => ((await once(child, 'message')) as [string[]])[0]),
    );
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    const ids = answered.flat();
    expect(new Set(ids).size).toBe(40);
    const again = await start();
    const kept = again.book.entries().map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining(ids));
    expect(new Set(kept).size).toBe(kept.length);
  });

  it('leaves a line to whoever is about to end it', async () => {
    const [first, second] = [await start(), await start()];
    const [id] = await payAll(first, ['one']);
    const whole = readFileSync(bookPath, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    const other = whole.replace(String(id), 'trf-other');
    appendFileSync(bookPath, other.slice(0, 30));
    expect(second.book.size).toBe(1);
    appendFileSync(bookPath, `${other.slice(30)}\n`);
    expect(second.book.find('trf-other')).toMatchObject({ id: 'trf-other' });
    appendFileSync(bookPath, '\n#\n');
    expect([first.book.size, readBook(bookPath).size]).toEqual([2, 2]);
  });

  it('of another user is refused, with another ledger as the way out', () => {
    mkdirSync(dirname(bookPath));
    chmodSync(folder, 0o755);
    writeFileSync(bookPath, '', { mode: 0o600 });
    const module = new URL('../../src/sandbox/book-file.ts', import.meta.url).href;
    const isRoot = process.getuid?.() === 0;
    // Root may read everything, so another user opens it; anybody else takes the right from himself.
    if (isRoot) chmodSync(dirname(bookPath), 0o777);
    else chmodSync(bookPath, 0);
    const text = `
      const book = await import(${JSON.stringify(module)});
      ${isRoot ? BECOME_NOBODY : ''}
      await book.openBookFile(${JSON.stringify(bookPath)}, 's').catch((error) => console.log(error.code, error.message));`;
    const words = ['--input-type=module', '-e', text];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stdout).toContain(`book_unwritable This user cannot read and write the sandbox book ${bookPath}`);
    expect(stdout).toContain('--ledger');
  });
});

describe('ids', () => {
  it('are the same for the same seed, and never guessable from one another', async () => {
    const idsOf = async (seed: number) => {
      const sandbox = await startSandbox({ seed });
      open.push(sandbox);
      const ids: string[] = [];
      for (const note of NOTES) ids.push(...(await payAll(sandbox, [note])));
      return ids;
    };
    const [first, second, other] = [await idsOf(5), await idsOf(5), await idsOf(6)];
    expect(first).toEqual(second);
    expect(other.some((id) => first.includes(id))).toBe(false);
  });

  it('differ between two new books when no seed is given', async () => {
    const [first, second] = [await start({ bookPath: undefined }), await start({ bookPath: undefined })];
    expect(await payAll(first, ['one'])).not.toEqual(await payAll(second, ['one']));
  });
});

it('refuses transfers when the book is full', async () => {
  const sandbox = await start({ bookEntriesMax: 2 });
  const session = await sessionOf(sandbox);
  const codes: unknown[] = [];
  for (const Note of NOTES) codes.push((await pay(sandbox, session, aTransfer({ Note }))).json.code);
  expect([codes, sandbox.book.size]).toEqual([[0, 0, 72], 2]);
});

describe('the sum of executed transfers', () => {
  const at = Date.UTC(2026, 4, 29, 12, 0, 0);
  const now = at + 60_000;

  it('has one line per current status and currency', async () => {
    const sandbox = await start({ clock: () => at });
    const session = await sessionOf(sandbox);
    await pay(sandbox, session, aTransfer({ Amount: 1200.25 }));
    await pay(sandbox, session, aTransfer({ AccountNo: '0244990011' }));
    await pay(sandbox, session, aTransfer({ Amount: 99.75, Note: 'another' }));
    expect(bookSums(sandbox.book, now)).toEqual([
      { status: 'Finished', currency: 'GHS', count: 2, amount: '1300.00' },
      { status: 'Processing', currency: 'GHS', count: 1, amount: '150.50' },
    ]);
  });

  it('counts failed transfers apart, and is empty if nothing was executed', async () => {
    const sandbox = await start({ clock: () => at });
    expect(bookSums(sandbox.book, now)).toEqual([]);
    const session = await sessionOf(sandbox);
    await pay(sandbox, session, aTransfer({ Amount: 100 }));
    await pay(sandbox, session, aTransfer({ Amount: 30, AccountNo: '0244990012' }));
    expect(bookSums(sandbox.book, at + 3_600_000)).toEqual([
      { status: 'Finished', currency: 'GHS', count: 1, amount: '100.00' },
      { status: 'Failed', currency: 'GHS', count: 1, amount: '30.00' },
    ]);
  });

  it('exports a statement with quotes where CSV needs them', async () => {
    const sandbox = await start({ clock: () => at });
    const session = await sessionOf(sandbox);
    const id = transferIdOf(
      await pay(sandbox, session, aTransfer({ Note: 'PF-7K2M9QXD rent, "May"', Source: idOf('US') })),
    );
    expect(bookStatement(sandbox.book, { now, closing: 'all of it' })).toBe(
      'Date,Id,Status,Amount,Currency,Country,Institution,Account,Name,Narration\r\n' +
        `2026-05-29T12:00:00.000Z,${id},Finished,150.5,GHS,Ghana,MTN Mobile Money,0244123456,Ama Serwaa Boateng,` +
        '"PF-7K2M9QXD rent, ""May"""\r\n' +
        '2026-05-29T12:01:00.000Z,,,0.00,,,,,,all of it\r\n',
    );
  });
});
