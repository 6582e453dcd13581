/** What is sent compressed, to whom, and what never is. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ASSETS } from '../../src/console/server/assets.ts';
import { aConsole } from './a-console.ts';

const GZIP = { 'accept-encoding': 'gzip, deflate, br, zstd' };

it('sends style and scripts compressed to a browser that takes them so, and as they are to any other', async () => {
  const { request } = aConsole();
  for (const { path, body } of Object.values(ASSETS)) {
    const small = await request(path, { headers: GZIP });
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(small.headers.get('vary')).toBe('accept-encoding');
    expect(gunzipSync(await small.arrayBuffer()).toString()).toBe(body);
    for (const accepted of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0, identity' }]) {
      const plain = await request(path, { headers: accepted });
      expect(plain.headers.get('content-encoding')).toBe(null);
      expect(plain.headers.get('vary')).toBe('accept-encoding');
      expect(await plain.text()).toBe(body);
    }
  }
});

it('compresses no page: its length would tell how much of its secrets is like text from a file', async () => {
  const { request, visitor } = aConsole();
  for (const path of ['/', '/new', '/people', '/health', '/lists'])
    expect((await visitor().get(path, GZIP)).headers.get('content-encoding')).toBe(null);
  expect((await request('/enter', { headers: GZIP })).headers.get('content-encoding')).toBe(null);
});
