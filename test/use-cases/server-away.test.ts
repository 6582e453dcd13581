/** What a person is told when the server of the ledger goes away while work is asked for. */
import { expect, it } from 'vitest';
import { LedgerError } from '../../src/ports/ledger/errors.ts';
import { orServerAway } from '../../src/use-cases/fleet/server-away.ts';

it.each([
  'Client has encountered a connection error and is not queryable',
  'Connection terminated unexpectedly',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'timeout expired',
])('a lost server is no bug of the program: %s', (message) => {
  const told = orServerAway(new Error(message));
  expect(told).toMatchObject({
    code: 'ledger_unreachable',
    message: expect.stringContaining('run the same command again'),
  });
});

it('an error of the ledger, and a bug, stay what they are', () => {
  const ours = new LedgerError('ledger_busy', 'locked');
  const bug = new TypeError('x is not a function');
  expect([orServerAway(ours), orServerAway(bug)]).toEqual([ours, bug]);
});
