/**
 * A session token: three headers, sent back exactly as they came, and its age.
 *
 * Printing one shows nothing: the text lives in private fields.
 */
import type { SessionWire } from '../../contract/wire.ts';
import type { Sensitive } from '../../domain/sensitive.ts';
import { type Echo, echoesOfSecret } from '../../domain/without-echoes.ts';
import type { Clock } from '../../ports/clock.ts';
import { lifetimeOf, renewalAgeOf } from './token-lifetime.ts';

export interface TokenGrant {
  readonly session: SessionWire;
  /** When the login was answered, on the service's clock where its Date header showed one. */
  readonly grantedAtMs: number;
  readonly clock: Clock;
  /** What it was granted for; a service that repeats it must not bring it into a message. */
  readonly password: Sensitive;
}

export class Token {
  readonly #session: SessionWire;
  readonly #grantedAtMs: number;
  readonly #clock: Clock;
  readonly #echoes: readonly Echo[];
  readonly #wallMs: number;
  readonly #monotonicMs: number;

  constructor(grant: TokenGrant) {
    this.#session = grant.session;
    this.#grantedAtMs = grant.grantedAtMs;
    this.#clock = grant.clock;
    this.#echoes = [grant.session.token, grant.password.reveal()].flatMap(echoesOfSecret);
    this.#wallMs = grant.clock.now();
    this.#monotonicMs = grant.clock.monotonicMs();
  }

  headers(): Record<'id' | 'token' | 'expiry', string> {
    const { id, token, expiry } = this.#session;
    return { id, token, expiry };
  }

  /** What must not be shown anywhere. */
  echoes(): readonly Echo[] {
    return this.#echoes;
  }

  /** Whether it is time for another. Not asked of a token just granted: whoever waited for the login uses it. */
  isDue(offsetMinutes: number | undefined, postTimeoutMs: number): boolean {
    const { expiry } = this.#session;
    const lifetime = lifetimeOf({ expiry, grantedAtMs: this.#grantedAtMs, offsetMinutes });
    return this.#ageMs() >= renewalAgeOf(lifetime, postTimeoutMs);
  }

  /** The wall clock may be set back, the monotonic one may sleep with the machine: the older reading counts. */
  #ageMs(): number {
    return Math.max(this.#clock.now() - this.#wallMs, this.#clock.monotonicMs() - this.#monotonicMs);
  }
}
