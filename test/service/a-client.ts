/**
 * A service client against a scripted service, with everything that matters settable.
 */

import { formatStamp } from '../../src/contract/wire-date.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { systemClock } from '../../src/outside/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { PaymentService, SendOutcome, TransferOrder } from '../../src/ports/payment-service.ts';
import {
  createHttpPaymentService,
  type HttpPaymentServiceSettings,
} from '../../src/service/http-payment-service.ts';
import { createKeptLog, type KeptLog } from '../fakes/kept-log.ts';
import { envelope, json, type ScriptedService, session } from '../fakes/scripted-service.ts';

export const PASSWORD = 'canary-password-5150';
export const TOKEN = 'canary-token-90210';
export const ACCOUNT = '0241234567890';

export interface Client {
  readonly service: PaymentService;
  readonly log: KeptLog;
}

export function aClient(
  scripted: Pick<ScriptedService, 'url'>,
  settings: Partial<HttpPaymentServiceSettings> = {},
  clock: Clock = systemClock,
): Client {
  const log = createKeptLog();
  const service = createHttpPaymentService(
    {
      baseUrl: `${scripted.url}/v1`,
      authUrl: `${scripted.url}/auth`,
      id: 'canary-login-id',
      password: new Sensitive(PASSWORD),
      postTimeoutMs: 2_000,
      answersRefused: [],
      requestsPerSecond: undefined,
      openAhead: 2,
      readTimeoutMs: 2_000,
      connectTimeoutMs: 1_000,
      ...settings,
    },
    { clock, log },
  );
  return { service, log };
}

/** Logs everyone in for an hour of UTC, and has a good profile. */
export function letLogIn(scripted: ScriptedService): void {
  scripted.on('POST /auth/login', session(TOKEN, formatStamp(Date.now() + 3_600_000, 0)));
  scripted.on('GET /v1/profile', json(200, envelope('success', 0, { name: 'Owner' })));
}

export function anOrder(changes: Partial<TransferOrder> = {}): TransferOrder {
  return {
    attempt: 1,
    sourceId: asCountryId('gh'),
    destinationId: asCountryId('ke'),
    amount: '1500.25',
    institutionId: asInstitutionId('fi-7'),
    account: new Sensitive(ACCOUNT),
    name: 'Amina Wanjirũ',
    phone: '+254700000000',
    note: 'PF-ABCDEFGH May salary',
    ...changes,
  };
}

/** Prepares and sends; fails the test when preparing does not work. */
export async function sendOnce(service: PaymentService, order = anOrder()): Promise<SendOutcome> {
  const prepared = await service.prepareSend();
  if (prepared.kind === 'not_sent') throw new Error(`not prepared: ${prepared.phase} ${prepared.reason}`);
  return service.send(order, prepared);
}
