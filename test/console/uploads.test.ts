/** Files as they arrive: whole or not at all, under a name that can be written, and nothing of them is cut unseen. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { createKeptFiles, FILES_MAX } from '../../src/console/files/kept-files.ts';
import { listen } from '../../src/console/server/listen.ts';

import { receiveUpload } from '../../src/console/server/uploads.ts';
import { aConsole } from './a-console.ts';

const TYPE = { 'content-type': 'multipart/form-data; boundary=x' };
const part = (name: string, content: string, more = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const filePart = (content: string) => part('file', content, '; filename="may.csv"');

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'uploads-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const bodyOf = (text: string) => new Response(text).body;

/** A body that begins so, and whose browser then goes away. */
function brokenOff(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isSent) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return controller.error(new Error('gone'));
      }
      isSent = true;
      controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

it('keeps nothing of a file whose browser goes away', async () => {
  const folder = aFolder();
  const arriving = receiveUpload(TYPE, brokenOff(filePart('a'.repeat(100_000)).slice(0, -2)), folder);
  await expect(arriving).rejects.toThrow('did not arrive whole');
  expect(readdirSync(folder)).toEqual([]);
});

it('says so where the file cannot be written', async () => {
  const missing = join(aFolder(), 'missing');
  const arriving = receiveUpload(TYPE, bodyOf(`${filePart('a'.repeat(1_000_000))}--x--\r\n`), missing);
  await expect(arriving).rejects.toThrow('did not arrive whole');
});

it('cuts no field unseen, and takes no more fields than a form has', async () => {
  const folder = aFolder();
  const long = part('evidence', 'a'.repeat(4_097));
  const many = Array.from({ length: 11 }, (_, at) => part(`f${at}`, 'x')).join('');
  for (const [fields, why] of [
    [filePart('a') + long, 'at most 4,096 bytes'],
    [filePart('a') + many, 'more fields'],
    [filePart('a') + filePart('b'), 'one file'],
  ] as const)
    await expect(receiveUpload(TYPE, bodyOf(`${fields}--x--\r\n`), folder)).rejects.toThrow(why);
  expect(readdirSync(folder)).toEqual([]);
  const form = await receiveUpload(TYPE, bodyOf(`${part('evidence', 'a'.repeat(4_096))}--x--\r\n`), folder);
  expect(form.text('evidence')).toHaveLength(4_096);
});

it('refuses a form whose parts cannot be told apart', async () => {
  for (const type of ['multipart/form-data', `multipart/form-data; boundary=${'b'.repeat(300)}`])
    await expect(receiveUpload({ 'content-type': type }, bodyOf('x'), aFolder())).rejects.toMatchObject({
      code: 'form_refused',
    });
});

it('gives back a file whose name is long and of pictures', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const content = 'Country,Institution,Account,Amount\nGhana,GCB Bank,1011130024576,5.00\n';
  const brought = await ada.upload('/uploads', `${'🎉'.repeat(120)}b.csv`, content);
  const download = await ada.get(`${brought.headers.get('location')}/corrected.xlsx`);
  expect(download.status).toBe(200);
  expect(download.headers.get('content-disposition')).toContain(encodeURIComponent('🎉b-corrected.xlsx'));
  await download.arrayBuffer();
});

it('keeps no more files than there is room for, also where each is a copy of the sample that was planned', async () => {
  const folder = aFolder();
  const files = createKeptFiles(folder, () => 0);
  for (let count = 0; count < FILES_MAX.all + 3; count += 1) {
    const { id } = await files.keepCopy('samples/suppliers.csv', 'ada');
    files.change(id, () => ({ plan: { kind: 'planned', batchId: '1' } }));
  }
  expect(readdirSync(folder)).toHaveLength(FILES_MAX.all);
});

it('stops reading a file at the limit, answers, and closes the connection', async () => {
  const all = aConsole();
  const ada = all.visitor();
  const app = await listen(0, () => ({ url, method, headers, body }) => {
    const { pathname } = new URL(url);
    return all.request(pathname, { method, headers, body, duplex: 'half' } as RequestInit);
  });
  onTestFinished(() => app.close());
  const socket = connect(app.port, '127.0.0.1');
  const heads = [`POST ${ada.own}/uploads HTTP/1.1`, 'host: localhost:4870', `cookie: ${ada.cookie}`];
  const more = [
    'sec-fetch-site: same-origin',
    `content-type: ${TYPE['content-type']}`,
    'transfer-encoding: chunked',
  ];
  socket.write(`${[...heads, ...more].join('\r\n')}\r\n\r\n`);
  const chunk = (text: string | Buffer) =>
    Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
  socket.write(chunk(filePart('').slice(0, -2)));
  const mib = chunk(Buffer.alloc(1024 * 1024, 'a'));
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  let sent = 0;
  for (; sent < 400 && !socket.destroyed && answer === ''; sent += 1)
    if (!socket.write(mib))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('larger than 64 MiB');
  expect(answer).toMatch(/connection: close/i);
  expect(sent).toBeLessThan(200);
  expect(readdirSync(all.desk.uploads)).toEqual([]);
});
