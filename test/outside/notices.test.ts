/** Whoever wants to know is told once, within limits, and a deaf listener never holds anything up. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { notifyTargetOf } from '../../src/domain/reporting/notify-target.ts';
import { changeMetricsFile, readMetricsFile } from '../../src/files/metrics-file.ts';
import { postNotice, runNoticeProgram } from '../../src/outside/send-notice.ts';

const BODY = '{"exitCode":5}';
const HERE = { env: process.env, cwd: tmpdir() };
const QUICK = { totalMs: 2_000, tryMs: 500, waitsMs: [5, 5] };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfile-notice-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers with these statuses, one after the other; 0 is no answer at all. */
async function listener(...statuses: readonly number[]) {
  const heard: { readonly method: string; readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const status = statuses[heard.length] ?? 200;
    heard.push({ method: request.method ?? '', path: request.url ?? '', body });
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook/secret`, heard };
}

it('posts the document once where it is taken', async () => {
  const { url, heard } = await listener(204);
  expect(await postNotice(url, BODY, QUICK)).toBeUndefined();
  expect(heard).toEqual([{ method: 'POST', path: '/hook/secret', body: BODY }]);
});

it('gives up on a listener that takes the document and never answers', async () => {
  const deaf = createServer(() => undefined);
  servers.push(deaf);
  await new Promise<void>((resolve) => void deaf.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
  const began = Date.now();
  expect(await postNotice(url, BODY, { totalMs: 400, tryMs: 150, waitsMs: [5, 5_000] })).toBe(
    'no answer in time',
  );
  expect(Date.now() - began).toBeLessThan(2_000);
});

it('tries again after a passing trouble, three times in all', async () => {
  const { url, heard } = await listener(503, 0, 200);
  expect(await postNotice(url, BODY, QUICK)).toBeUndefined();
  expect(heard).toHaveLength(3);
  const dead = await listener(500, 500, 500, 200);
  expect(await postNotice(dead.url, BODY, QUICK)).toBe('HTTP 500');
  expect(dead.heard).toHaveLength(3);
}, 10_000);

it('does not try again what was refused, and follows no redirect', async () => {
  const refusing = await listener(404);
  expect(await postNotice(refusing.url, BODY)).toBe('HTTP 404');
  const moving = await listener(302);
  expect(await postNotice(moving.url, BODY)).toBe('HTTP 302');
  expect([...refusing.heard, ...moving.heard].map(({ path }) => path)).toEqual([
    '/hook/secret',
    '/hook/secret',
  ]);
});

it('says that nobody listens without writing down the address, which may be a secret', async () => {
  const { url } = await listener();
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  const problem = await postNotice(url, BODY, QUICK);
  expect(problem).toBe('no connection (ECONNREFUSED)');
}, 10_000);

it('takes https anywhere, http on this machine only, and programs without a shell', () => {
  const kinds = [
    ['https://hooks.example.com/a?b=c', { kind: 'url', shown: 'https://hooks.example.com' }],
    ['http://127.0.0.1:9/x', { kind: 'url', shown: 'http://127.0.0.1:9' }],
    ['http://[::1]:9/x', { kind: 'url' }],
    [
      'exec:/usr/bin/page on call; rm -rf /',
      { kind: 'program', program: '/usr/bin/page', args: ['on', 'call;', 'rm', '-rf', '/'] },
    ],
  ] as const;
  for (const [text, expected] of kinds) expect(notifyTargetOf(text), text).toMatchObject(expected);
  for (const text of [
    'http://example.com/x',
    'http://127.0.0.1.example.com/',
    'ftp://h/x',
    'exec:',
    'exec: ',
    'page',
    '',
  ])
    expect(notifyTargetOf(text), text).toBeUndefined();
});

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

it('gives a program the document on its standard input and keeps the password from it', async () => {
  const out = join(folder, 'heard');
  const path = program(
    'page',
    `cat > "$1"; echo "password:$PAYFILE_PASSWORD" >> "$1"; echo loud; echo loud >&2`,
  );
  const secret = { ...HERE, env: { ...process.env, PAYFILE_PASSWORD: 'hunter2' } };
  expect(await runNoticeProgram({ program: path, args: [out] }, BODY, secret)).toBeUndefined();
  expect(readFileSync(out, 'utf8')).toBe(`${BODY}password:\n`);
});

it('says when a program is not there, fails, or takes too long', async () => {
  const run = (path: string, patience?: number) =>
    runNoticeProgram({ program: path, args: [] }, BODY, HERE, patience);
  expect(await run(join(folder, 'nothing-there'))).toBe('it cannot be started (ENOENT)');
  expect(await run(program('fails', 'exit 3'))).toBe('it ended with 3');
  const began = Date.now();
  expect(await run(program('slow', 'exec sleep 20'), 300)).toMatch(/longer than 1 s/);
  expect(Date.now() - began).toBeLessThan(5_000);
});

it('puts a metrics file in place whole, for all to read, with nothing left beside it', async () => {
  const path = join(folder, 'metrics', 'payfile.prom');
  expect(await changeMetricsFile(path, () => 'a 1\n')).toBe('ENOENT');
  const place = join(folder, 'payfile.prom');
  expect(await changeMetricsFile(place, () => 'a 1\n')).toBeUndefined();
  expect(await changeMetricsFile(place, () => 'a 2\n')).toBeUndefined();
  expect(readFileSync(place, 'utf8')).toBe('a 2\n');
  expect((statSync(place).mode & 0o044) !== 0).toBe(true);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

it('ends a program that hangs together with whatever it started', async () => {
  const path = join(folder, 'hangs.sh');
  const child = join(folder, 'child.pid');
  writeFileSync(path, `#!/bin/sh\nsleep 60 &\necho $! > ${child}\nwait\n`);
  chmodSync(path, 0o755);
  const problem = await runNoticeProgram({ program: path, args: [] }, BODY, HERE, 1_500);
  expect(problem).toBe('it took longer than 2 s and was stopped');
  const pid = Number(readFileSync(child, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  const isAlive = () =>
    existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  for (let waited = 0; isAlive() && waited < 2_000; waited += 20) await sleep(20);
  expect(isAlive()).toBe(false);
}, 10_000);

it('lets every collector read the metrics, whatever the umask, and gives back only a file of ours', async () => {
  const path = join(folder, 'umask.prom');
  const before = process.umask(0o077);
  try {
    expect(await changeMetricsFile(path, () => '# HELP payfile_x y\n')).toBeUndefined();
  } finally {
    process.umask(before);
  }
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(await readMetricsFile(path)).toBe('# HELP payfile_x y\n');
  writeFileSync(path, 'node_load1 3\n');
  expect(await readMetricsFile(path)).toBe('');
  expect(await readMetricsFile(join(folder, 'none.prom'))).toBe('');
});

it('makes one change of a metrics file at a time', async () => {
  const path = join(folder, 'shared.prom');
  const more = (line: string) => (before: string) => `${before}# HELP payfile_${line}\n`;
  expect(await Promise.all(['a', 'b', 'c'].map((line) => changeMetricsFile(path, more(line))))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(await readMetricsFile(path)).toBe('# HELP payfile_a\n# HELP payfile_b\n# HELP payfile_c\n');
});
