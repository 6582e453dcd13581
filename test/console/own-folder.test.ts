/** What a killed console left lies there no longer than until the next one starts. */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startConsole } from '../../src/console/console.ts';
import { ROLES } from '../../src/domain/people/person.ts';
import { createPayfile } from '../../src/payfile.ts';

it('removes the files of a console that was killed, and those of no other', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'own-folder-'));
  const payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada' }, { env: {} });
  const person = { id: 'ada', name: 'ada', roles: ROLES };
  const start = () =>
    startConsole({
      ...{ port: 0, environment: 'sandbox', person, payfile, temporary },
      now: () => Date.now(),
      say: () => undefined,
    } as const);
  const living = await start();
  onTestFinished(async () => {
    await living.close();
    await payfile.close();
    rmSync(temporary, { recursive: true, force: true });
  });
  const [folder = ''] = readdirSync(temporary);
  const [killed, unknown, foreign] = ['payfile-console-killed', 'payfile-console-unknown', 'other'].map(
    (name) => {
      mkdirSync(join(temporary, name));
      writeFileSync(join(temporary, name, 'may.csv'), '1011130024576');
      return name;
    },
  );
  // A socket whose process is gone: its file stays, and nobody listens.
  const server = createServer().listen(join(temporary, 'socket'));
  await once(server, 'listening');
  renameSync(join(temporary, 'socket'), join(temporary, killed ?? '', 'alive'));
  server.close();
  await once(server, 'close');
  await (await start()).close();
  expect(readdirSync(temporary).sort()).toEqual([folder, foreign, unknown].sort());
  expect(existsSync(join(temporary, folder, 'alive'))).toBe(true);
});
