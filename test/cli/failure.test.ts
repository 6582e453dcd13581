/** What is said of an error that ends a command. */
import { expect, it } from 'vitest';
import type { Call } from '../../src/cli/call.ts';
import { failureOf } from '../../src/cli/failure.ts';
import { Interrupted } from '../../src/domain/reporting/exit-code.ts';
import { PortTaken } from '../../src/payfile.ts';

const stopped = { stopping: { exitCode: () => 130 as const } } as Pick<Call, 'stopping'> as Call;

it.each([
  ['our own stop', new Interrupted('SIGINT', 130)],
  ['a library that was told to stop', new DOMException('This operation was aborted', 'AbortError')],
])('calls the end of work by %s interrupted', (_what, error) => {
  expect(failureOf(error, stopped)).toMatchObject({ exitCode: 130, code: 'interrupted' });
});

it('calls a bug a bug, also after a signal: nobody knows then what was sent', () => {
  const failure = failureOf(new TypeError('x is undefined'), stopped);
  expect(failure).toMatchObject({ exitCode: 1, code: 'bug' });
  expect(failure.message).toContain('x is undefined');
});

it('calls a port that another program has no bug', () => {
  const failure = failureOf(new PortTaken(8080), undefined);
  expect(failure).toMatchObject({ exitCode: 78, code: 'port_taken' });
  expect(failure.message).not.toContain('bug');
});
