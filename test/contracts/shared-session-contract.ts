/**
 * What everybody who shares a login may rely on, however the session is kept.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import type {
  AskedSession,
  Grant,
  LoginResult,
  SessionResult,
  SharedSession,
} from '../../src/service/shared-session.ts';

export interface SharedSessionHarness {
  /** One more who shares the login: another process, where there can be one. */
  another(): SharedSession;
  monotonicMs(): number;
  /** As if so much time had passed since all that was done. */
  advance(milliseconds: number): Promise<void>;
  end(): Promise<void>;
}

const MINUTE = 60_000;
const GOES_ON = new AbortController().signal;
const aGrant = (token: string): Grant => ({ session: new Sensitive(token), grantedAtMs: 5 });
const anAsk = (changes: Partial<AskedSession> = {}): AskedSession => ({
  epoch: 0,
  isLost: false,
  zoneMinutes: undefined,
  isDue: () => false,
  ...changes,
});

export function sharedSessionContract(name: string, open: () => Promise<SharedSessionHarness>): void {
  let harness: SharedSessionHarness;
  let logins: number[];
  beforeEach(async () => {
    harness = await open();
    logins = [];
  });
  afterEach(() => harness.end());

  /** A login that gives token-1, token-2 and so on, or what it is told. */
  const logIn = (result?: LoginResult) => async (): Promise<LoginResult> => {
    logins.push(harness.monotonicMs());
    return result ?? { kind: 'granted', grant: aGrant(`token-${logins.length}`) };
  };
  const ask = (session: SharedSession, changes: Partial<AskedSession> = {}, result?: LoginResult) =>
    session.newerThan(anAsk(changes), logIn(result), GOES_ON);
  const tokenOf = (result: SessionResult) =>
    result.kind === 'held' ? result.held.session.reveal() : result.kind;
  const epochOf = (result: SessionResult) => (result.kind === 'held' ? result.held.epoch : Number.NaN);

  describe(`a session that is shared (${name})`, () => {
    it('is begun by one login, however many ask at once', async () => {
      const sharers = Array.from({ length: 4 }, () => harness.another());
      const asked = await Promise.all([...sharers, ...sharers].map((session) => ask(session)));
      expect(asked.map(tokenOf)).toEqual(Array(8).fill('token-1'));
      expect(logins).toHaveLength(1);
    });

    it('is taken over from whoever renewed it, without another login', async () => {
      const [one, other] = [harness.another(), harness.another()];
      const first = epochOf(await ask(one));
      await ask(other);
      await harness.advance(1_000);
      const second = await ask(one, { epoch: first, isLost: true });
      expect(await one.newestEpoch()).toBe(epochOf(second));
      expect(tokenOf(await ask(other, { epoch: first, isLost: true }))).toBe('token-2');
      expect(tokenOf(await ask(other, { epoch: first }))).toBe('token-2');
      expect(logins).toHaveLength(2);
    });

    it('is not handed on when it is due', async () => {
      await ask(harness.another());
      await harness.advance(20 * MINUTE);
      const ages: number[] = [];
      const isDue = ({ ageMs }: { ageMs: number }) => {
        ages.push(ageMs);
        return ageMs > 10 * MINUTE;
      };
      expect(tokenOf(await ask(harness.another(), { isDue }))).toBe('token-2');
      expect(tokenOf(await ask(harness.another(), { isDue }))).toBe('token-2');
      expect(ages[0]).toBeGreaterThanOrEqual(20 * MINUTE);
      expect(logins).toHaveLength(2);
    });

    it('is begun anew after two losses within ten minutes, and not after a third, whoever has them', async () => {
      const sharers = [harness.another(), harness.another(), harness.another(), harness.another()] as const;
      let epoch = epochOf(await ask(sharers[0]));
      for (const session of sharers.slice(1, 3)) {
        await harness.advance(1_000);
        epoch = epochOf(await ask(session, { epoch, isLost: true }));
        // The same loss, seen by somebody else.
        await ask(sharers[0], { epoch: epoch - 1, isLost: true });
      }
      expect(await ask(sharers[3], { epoch, isLost: true })).toMatchObject({ kind: 'lost_too_often' });
      expect(await ask(sharers[0], { epoch, isLost: true })).toMatchObject({ kind: 'lost_too_often' });
      expect(await ask(harness.another())).toMatchObject({ kind: 'lost_too_often' });
      expect(logins).toHaveLength(3);
      await harness.advance(11 * MINUTE);
      expect(tokenOf(await ask(sharers[0], { epoch, isLost: true }))).toBe('token-4');
    });

    it('is begun anew for ever when it ends by time', async () => {
      let epoch = 0;
      for (let renewed = 0; renewed < 6; renewed += 1) {
        epoch = epochOf(await ask(harness.another(), { epoch }));
        await harness.advance(MINUTE);
      }
      expect(logins).toHaveLength(6);
    });

    it('is refused to all by one plain no', async () => {
      const no = { kind: 'refused', text: 'The service refused the login of id ••••.' } as const;
      const sharers = Array.from({ length: 4 }, () => harness.another());
      expect(await Promise.all(sharers.map((session) => ask(session, {}, no)))).toEqual(Array(4).fill(no));
      expect(await ask(harness.another(), { epoch: 3 })).toEqual(no);
      expect(logins).toHaveLength(1);
    });

    it('is asked for again when the service gave no answer, and never twice within a second', async () => {
      const sharer = harness.another();
      const none = { kind: 'unavailable', reason: 'login: HTTP 503' } as const;
      expect(await ask(sharer, {}, none)).toEqual(none);
      expect(tokenOf(await ask(sharer))).toBe('token-2');
      expect(tokenOf(await ask(harness.another(), { epoch: 1 }))).toBe('token-3');
      const gaps = logins.slice(1).map((at, index) => at - (logins[index] ?? 0));
      // The clocks of server and process count on their own.
      expect(gaps.every((gap) => gap > 980)).toBe(true);
    });

    it('knows the zone of the service from whoever proved it', async () => {
      await ask(harness.another());
      await harness.advance(1_000);
      await ask(harness.another(), { epoch: 1, zoneMinutes: -570 });
      expect(await ask(harness.another(), { epoch: 1 })).toMatchObject({
        held: { zoneMinutes: -570, grantedAtMs: 5, epoch: 2 },
      });
    });

    it('is waited for no longer than the caller wants', async () => {
      const stop = new AbortController();
      const session = harness.another();
      await ask(session);
      stop.abort(new Error('stopped by hand'));
      await expect(session.newerThan(anAsk({ epoch: 1 }), logIn(), stop.signal)).rejects.toThrow(
        'stopped by hand',
      );
      expect(logins).toHaveLength(1);
    });
  });
}
