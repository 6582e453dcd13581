/**
 * The fault server as a process of its own, for tests that kill the real command and ask afterwards what executed.
 *
 * Start:   node test/fakes/fault-server/main.ts [--port 0] [--plan JSON|FILE] [--book FILE]
 * Plan:    {"default":"accept","byAccountEnding":{"007":"lose_reset"},"turns":["accept"],"latencyMs":0,"lateMs":500,
 *          "tokenSeconds":3600}; the words are FAULT_WORDS of fault.ts. A transfer takes the next of `turns` while
 *          there are any, else the longest account ending that fits, else the default.
 * Says:    one JSON line on stdout when it listens: {"port","env":{PAYFILE_BASE_URL, …}}; give `env` to payfile.
 * Book:    JSON lines, each written before the answer is (book.ts): {"kind":"post","number","executed","complete",
 *          "transferId","account","amount","note",…} and {"kind":"answered","number","bytes","whole"}.
 * Rows:    countries GB, GH, KE; institutions GCB Bank, MTN Mobile Money (GH), M-Pesa (KE); everyone is AMA MENSAH;
 *          every executed transfer is Finished. Ends with its parent's stdin or by SIGTERM.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { planned } from './plan.ts';
import { startFaultServer } from './server.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, plan: { type: 'string' }, book: { type: 'string' } },
});
const text = values.plan ?? '{}';
const plan = planned(existsSync(text) ? readFileSync(text, 'utf8') : text);
const server = await startFaultServer({
  next: plan.next,
  port: Number(values.port ?? 0),
  bookPath: values.book,
  tokenSeconds: plan.tokenSeconds,
});
const env = {
  PAYFILE_BASE_URL: `${server.url}/v1`,
  PAYFILE_AUTH_URL: `${server.url}/auth`,
  PAYFILE_ID: 'fault-server-user',
  PAYFILE_PASSWORD: 'fault-server-password',
  PAYFILE_SOURCE: 'GB',
};
process.stdout.write(`${JSON.stringify({ port: server.port, env })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
