/**
 * The tests of the use cases, with a ledger on PostgreSQL instead of one in memory.
 *
 * Usage:   node test/on-postgres.ts [test files]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from './builders/servers.ts';

const server = await startPostgres(['max_connections=200']);
try {
  const given = process.argv.slice(2);
  const files = given.length > 0 ? given : ['test/use-cases'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...files];
  const env = { ...process.env, TEST_LEDGER_SERVER: JSON.stringify(server.place) };
  const [code] = await once(spawn(process.execPath, vitest, { env, stdio: 'inherit' }), 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  await server.stop();
}
