/**
 * The same answer from a service that executed the transfer and from one that did not: we cannot tell, so the
 * outcome must be the same, and it must not be “not paid” unless the answer proves it.
 */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { json } from '../fakes/scripted-service.ts';
import { openLane } from './lane.ts';

const page = (httpStatus: number) => json(httpStatus, '<html><body>Sorry</body></html>');
const failed = (httpStatus: number, code: number) =>
  json(httpStatus, JSON.stringify({ status: 'failed', data: {}, message: 'no', code }));
const ACCEPTED = Buffer.from('{"status":"success","data":{"id":"tr-1"},"message":"posted","code":0}');
const packed = (cutBytes: number) => {
  const body = gzipSync(ACCEPTED);
  const kept = body.subarray(0, body.length - cutBytes);
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${kept.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), kept]).toString('latin1');
};

it.each<[string, string]>([
  ['[H10] 500 with a page', page(500)],
  ['[H10] 500 with an envelope', failed(500, 9)],
  ['[H11] 502', page(502)],
  ['[H11] 503', failed(503, 9)],
  ['[H11] 504', page(504)],
  ['[H11] 520', page(520)],
  ['[H11] 527', page(527)],
  ['[H5] 408', failed(408, 9)],
  ['[H6] 409', failed(409, 9)],
  ['[H2] 403 with a page', page(403)],
  ['[H3] 401 while the token is good', failed(401, 1)],
  ['[H12] 302', json(302, '', { Location: '/v1/transfer' })],
  ['[H13] 307', json(307, '', { Location: '/v1/transfer' })],
  ['[H7] 421', page(421)],
  ['[N18] an acceptance packed although nobody asked for it', packed(0)],
  ['[N18] a packed acceptance that lost its end', packed(4)],
])('%s is in doubt, executed or not, and one request', async (_what, answer) => {
  const lane = await openLane({ secure: false, postTimeoutMs: 10_000 });
  for (const executes of [true, false]) {
    const { outcome, posts } = await lane.send({ executes, answer: () => answer });
    expect(outcome.kind).toBe('in_doubt');
    expect(posts).toMatchObject([{ executed: executes, complete: true }]);
  }
  await lane.close();
});
