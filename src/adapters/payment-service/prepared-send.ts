/**
 * What a transfer needs before it may be written: a valid token and an untouched connection.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Prepared } from '../../ports/payment-service.ts';
import type { ReadyConnection } from './ready-connection.ts';
import type { Token } from './token.ts';

// After this long between preparing and writing (a slow disk, a stopped process) the connection may be half
// closed, and a request written into it would be in doubt.
const PREPARED_MS_MAX = 2_000;

export class PreparedSend implements Prepared {
  readonly kind = 'prepared';
  readonly discard: () => void;
  readonly token: Token;
  readonly #connection: ReadyConnection;
  readonly #sinceMs: number;
  #isTaken = false;

  constructor(token: Token, connection: ReadyConnection, clock: Clock) {
    this.token = token;
    this.#connection = connection;
    this.#sinceMs = clock.monotonicMs();
    this.discard = () => {
      if (!this.#isTaken) connection.discard();
      this.#isTaken = true;
    };
  }

  /** The connection, once, or the reason why it must not be written to. */
  take(clock: Clock): ReadyConnection | string {
    if (this.#isTaken) return 'the prepared connection was used or discarded';
    const isFresh = clock.monotonicMs() - this.#sinceMs <= PREPARED_MS_MAX;
    if (!isFresh || !this.#connection.isUsable()) {
      this.discard();
      return isFresh
        ? 'the prepared connection closed before use'
        : 'the connection was prepared too long ago';
    }
    this.#isTaken = true;
    return this.#connection;
  }
}
