/**
 * What every stage works with: the ports, the policy, and someone to tell about progress.
 */
import type { Policy } from '../domain/policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Log } from '../ports/log.ts';
import type { PaymentService } from '../ports/payment-service.ts';
import type { Patience } from './patience.ts';
import type { Tell } from './progress.ts';

export interface World {
  readonly ledger: Ledger;
  readonly paymentService: PaymentService;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: Policy;
  readonly tell: Tell;
  /** Where somebody bounds the waiting for a service that says nothing. */
  readonly patience?: Patience | undefined;
}
