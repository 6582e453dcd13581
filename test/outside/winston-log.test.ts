/** The log keeps what support needs and nothing that identifies an account. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createWinstonLog, maskNumbers } from '../../src/outside/winston-log.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('what is masked in free text', () => {
  it.each([
    ['no account 0244123456 there', 'no account ••••3456 there'],
    ['SN0120 1020 0012 3456', 'SN••••3456'],
    [`token ${'a1'.repeat(20)} refused`, 'token ••••a1a1 refused'],
    ['on 2026-05-04 at 10:15', 'on 2026-05-04 at 10:15'],
    ['HTTP 503 after 120 s', 'HTTP 503 after 120 s'],
  ])('%s', (text, shown) => {
    expect(maskNumbers(text)).toBe(shown);
  });
});

describe('the log', () => {
  it('is in the file, whole, when close resolves, readable by its owner only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-log-'));
    folders.push(folder);
    const file = join(folder, 'payfile.log');
    const log = createWinstonLog({ level: undefined, file, say: () => undefined });
    for (let row = 1; row <= 500; row += 1) log.write('info', 'row_accepted', { row, batch: '7' });
    log.write('debug', 'not_at_this_level');
    await log.close();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(500);
    expect(JSON.parse(lines[499] ?? '')).toMatchObject({
      level: 'info',
      message: 'row_accepted',
      row: 500,
      batch: '7',
    });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('drops fields that are not on the list', async () => {
    const said: string[] = [];
    const log = createWinstonLog({ level: 'info', file: undefined, say: (line) => said.push(line) });
    const slipped = { row: 3, account: '0244123456', token: 'abc' };
    log.write('warn', 'row_refused', slipped);
    await log.close();
    expect(said).toEqual(['Warning: row refused (row 3)']);
  });

  it('has every field that is on the list, such as the queue that a job went back to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-log-'));
    folders.push(folder);
    const file = join(folder, 'payfile.log');
    const log = createWinstonLog({ level: undefined, file, say: () => undefined });
    log.write('error', 'job_given_back', { queue: 'send', batch: '7', reason: 'no ledger' });
    await log.close();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ queue: 'send', reason: 'no ledger' });
  });

  it('says the same warning once on a terminal, and no line below its level', async () => {
    const said: string[] = [];
    const log = createWinstonLog({ level: undefined, file: undefined, say: (line) => said.push(line) });
    for (let times = 0; times < 3; times += 1)
      log.write('warn', 'service_gave_no_answer', { endpoint: 'countries', reason: 'connection refused' });
    log.write('info', 'nobody_asked');
    await log.close();
    expect(said).toEqual(['Warning: service gave no answer (countries, connection refused)']);
  });

  it('refuses a file that cannot be written before any work begins', () => {
    const open = () =>
      createWinstonLog({ level: undefined, file: '/no/such/folder/x.log', say: () => undefined });
    expect(open).toThrow(/cannot be written \(ENOENT\)/);
  });
});
