/**
 * Answers that never end, or end elsewhere than they say: given up at a limit or in doubt, one request each.
 */
import type net from 'node:net';
import { expect, it } from 'vitest';
import { envelope, json, type Script, startScriptedService } from '../fakes/scripted-service.ts';
import { aClient, letLogIn, sendOnce } from '../service/a-client.ts';

const POSTED = envelope('success', 0, { id: 'tr_1' }, 'posted');
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const SPACES = `ea60\r\n${' '.repeat(60_000)}\r\n`;
const withLength = (length: number) => json(200, POSTED).replace(/Length: \d+/, `Length: ${length}`);

it.each<[string, Script, string, string]>([
  [
    '[H16] chunks without end',
    (socket) => flood(socket, CHUNKED, SPACES),
    'answer_incomplete',
    'answer_too_large',
  ],
  [
    '[H16] a body of a gigabyte',
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n', SPACES),
    'answer_incomplete',
    'answer_too_large',
  ],
  [
    '[H16] a head without end',
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: and more and more and more\r\n'),
    'answer_unreadable',
    'HPE_HEADER_OVERFLOW',
  ],
  [
    '[N20] interim answers without end',
    (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
    'no_answer',
    'timeout',
  ],
  ['[N15] a length longer than its body', withLength(POSTED.length + 5), 'answer_incomplete', 'timeout'],
  ['[N15] a length shorter than its body', withLength(POSTED.length - 5), 'answer_unreadable', ''],
])('%s: in doubt, one request', async (_what, script, reason, errorCode) => {
  const scripted = await startScriptedService();
  letLogIn(scripted);
  scripted.on('POST /v1/transfer', script);
  const { service } = aClient(scripted, { postTimeoutMs: 700, lateAnswerMs: 0 });
  const outcome = await sendOnce(service);
  expect(outcome).toMatchObject({ kind: 'in_doubt', reason });
  if (outcome.kind === 'in_doubt') expect(outcome.evidence.errorCode ?? '').toBe(errorCode);
  expect(scripted.count('POST /v1/transfer')).toBe(1);
  await service.close();
  await scripted.close();
});

/** Writes the same again and again, as fast as it is read. */
function flood(socket: net.Socket, first: string, again: string): void {
  if (first !== '') socket.write(first);
  const next = () => {
    if (!socket.destroyed) socket.write(again, () => setImmediate(next));
  };
  next();
}
