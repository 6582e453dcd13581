/**
 * Yardstick: a bare got loop, no ledger. Arguments: service JSON, requests, at once, and `kept` for connections that are
 * used again, `single` for a new one for each request.
 */
import { Agent } from 'node:http';
import got from 'got';
import { COUNTRIES } from '../../../src/sandbox/directory.ts';
import { rowOf } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

const [serviceJson = '{}', countText = '0', atOnceText = '64', how = 'kept'] = process.argv.slice(2);
const { baseUrl, authUrl, id, password } = JSON.parse(serviceJson);
const count = Number(countText);
const login = await got
  .post(`${authUrl}/login`, { json: { id, password } })
  .json<{ data: Record<string, string> }>();
const headers = { id: login.data.id, token: login.data.token, expiry: login.data.expiry };
const find = (name: string) => COUNTRIES.find((country) => country.name === name);
const [source, ghana] = [find('United Kingdom'), find('Ghana')];
const agent = { http: new Agent({ keepAlive: how === 'kept', maxSockets: Number(atOnceText) }) };
const client = got.extend({ agent, headers, retry: { limit: 0 } });
let next = 0;
let accepted = 0;
const cpuBefore = process.cpuUsage();
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(atOnceText) }, async () => {
    while (next < count) {
      const [, , , AccountNo, Name, amount] = rowOf(2 * next++);
      const order = {
        Source: source?.id,
        Destination: ghana?.id,
        Amount: Number(amount),
        Fi: ghana?.institutions.find(({ name }) => name === 'MTN Mobile Money')?.id,
        Note: 'x',
        AccountNo,
        Name,
        Phone: '',
      };
      const answer = await client
        .post(`${baseUrl}/transfer`, { json: order })
        .json<{ data: { id?: string } }>();
      if (answer.data.id !== undefined) accepted += 1;
    }
  }),
);
const ms = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
printResult({ ms, rows: accepted, cpuEach: Math.round((cpu.user + cpu.system) / count) });
