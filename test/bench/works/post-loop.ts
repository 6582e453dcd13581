import http from 'node:http';
import net from 'node:net';
import got from 'got';
import { COUNTRIES } from '../../../src/sandbox/directory.ts';
import { rowOf } from '../payout-data.ts';
import { printResult } from '../work-result.ts';

const [serviceJson = '{}', countText = '0', atOnceText = '64'] = process.argv.slice(2);
const { baseUrl, authUrl, id, password } = JSON.parse(serviceJson);
const count = Number(countText);
const login = await got
  .post(`${authUrl}/login`, { json: { id, password } })
  .json<{ data: Record<string, string> }>();
const headers = { id: login.data['id'], token: login.data['token'], expiry: login.data['expiry'] };
const find = (name: string) => COUNTRIES.find((country) => country.name === name);
const [source, ghana] = [find('United Kingdom'), find('Ghana')];
let next = 0,
  accepted = 0;
const u = new URL(baseUrl);
const open = () =>
  new Promise<net.Socket>((ok) => {
    const s = net.connect({ host: u.hostname, port: Number(u.port) });
    s.once('connect', () => ok(s));
  });
const cpuBefore = process.cpuUsage();
const started = performance.now();
let waits = 0;
await Promise.all(
  Array.from({ length: Number(atOnceText) }, async () => {
    while (next < count) {
      const [, , , AccountNo, Name, amount] = rowOf(2 * next++);
      const body = JSON.stringify({
        Source: source?.id,
        Destination: ghana?.id,
        Amount: Number(amount),
        Fi: ghana?.institutions.find(({ name }) => name === 'MTN Mobile Money')?.id,
        Note: 'x',
        AccountNo,
        Name,
        Phone: '',
      });
      const socket = await open();
      const t = performance.now();
      const text = await new Promise<string>((ok) => {
        const r = http.request({
          method: 'POST',
          path: `${u.pathname.replace(/\/$/, '')}/transfer`,
          createConnection: () => socket,
          setDefaultHeaders: false,
          headers: {
            host: u.host,
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            connection: 'close',
          } as never,
        });
        r.once('response', (res) => {
          const c: Buffer[] = [];
          res.on('data', (d) => c.push(d));
          res.on('end', () => {
            socket.destroy();
            ok(Buffer.concat(c).toString());
          });
        });
        r.end(body);
      });
      waits += performance.now() - t;
      if (JSON.parse(text).data?.id !== undefined) accepted += 1;
    }
  }),
);
const ms = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
printResult({
  ms,
  rows: accepted,
  note: `${Math.round((cpu.user + cpu.system) / count)} µs CPU each, ${(waits / count).toFixed(1)} ms each`,
});
