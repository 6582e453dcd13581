/** The session of one process alone keeps the promises of the port. */
import { createOwnAccess } from '../../src/service/access.ts';
import { sharedSessionContract } from '../contracts/shared-session-contract.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';

sharedSessionContract('one process', async () => {
  const clock = createJumpingClock();
  const { session } = createOwnAccess(clock);
  return {
    another: () => session,
    monotonicMs: clock.monotonicMs,
    advance: async (milliseconds) => clock.advance(milliseconds),
    end: async () => undefined,
  };
});
