/** A sandbox on a port that another program has. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callMain } from '../builders/process-context.ts';

it('is refused as a mistake of the set-up, and no bug', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'port-test-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const said = await callMain(['sandbox', '--port', String(port)], { folder, env: { HOME: folder } });
  expect(said.code).toBe(78);
  expect(said.text).toContain(`Port ${port} of this machine is taken by another program.`);
  expect(said.text).not.toContain('bug');
});
