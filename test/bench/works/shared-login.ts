/**
 * One of several processes that share a login: sends transfers until its standard input ends.
 * Arguments: service JSON, place of the ledger JSON, requests per second (0: as fast as the service answers), concurrency.
 * Prints what came of them.
 */

import { asCountryId, asInstitutionId } from '../../../src/domain/rows/directory.ts';
import { Sensitive } from '../../../src/domain/text/sensitive.ts';
import { serverRecords } from '../../../src/ledger/access.ts';
import { systemClock } from '../../../src/outside/system-clock.ts';
import type { TransferOrder } from '../../../src/ports/payment-service.ts';
import { countryByIso, institutionIdOf } from '../../../src/sandbox/directory.ts';
import { createCommonAccess } from '../../../src/service/access.ts';
import { createHttpPaymentService } from '../../../src/service/http-payment-service.ts';

export interface SharedLoginResult {
  readonly accepted: number;
  readonly turnedAway: number;
  /** Orders whose preparation failed, with the last reason. */
  readonly unsent: number;
  readonly reason: string | undefined;
  /** Most times that one order was tried. */
  readonly triesMax: number;
  /** Outcomes that may not be, and errors. */
  readonly others: readonly string[];
}

const [serviceJson = '{}', placeJson = '{}', rate = '0', concurrency = '1'] = process.argv.slice(2);
const { baseUrl, authUrl, id, password: text } = JSON.parse(serviceJson);
const password = new Sensitive(text);
const login = { name: `${id} ${authUrl}`, password };
const records = serverRecords(JSON.parse(placeJson), login.name);
const access = createCommonAccess(records, login, systemClock);
const service = createHttpPaymentService(
  {
    ...{ baseUrl, authUrl, id, password, postTimeoutMs: 30_000, answersRefused: [] },
    requestsPerSecond: rate === '0' ? undefined : Number(rate),
    openAhead: Number(concurrency),
  },
  { clock: systemClock, log: { write: () => undefined }, access },
);
const [from, to] = ['GB', 'GH'].map((iso) => asCountryId(countryByIso(iso)?.id ?? '')) as [never, never];
const order: TransferOrder = {
  ...{ attempt: 1, sourceId: from, destinationId: to, amount: '10.00' },
  institutionId: asInstitutionId(institutionIdOf('GH', 'MTN Mobile Money') ?? ''),
  account: new Sensitive('0244123456'),
  ...{ name: 'Ama Serwaa Boateng', phone: '+233244123456', note: 'PF-ABCDEFGH' },
};

let [accepted, turnedAway, unsent, triesMax] = [0, 0, 0, 0];
let reason: string | undefined;
const others: string[] = [];
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();

async function sendOne(): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const prepared = await service.prepareSend();
    if (prepared.kind === 'not_sent') {
      unsent += 1;
      reason = prepared.reason;
      return;
    }
    const outcome = await service.send(order, prepared);
    triesMax = Math.max(triesMax, tries);
    if (outcome.kind === 'accepted') accepted += 1;
    else if (outcome.kind === 'turned_away') turnedAway += 1;
    else others.push(outcome.kind);
    if (outcome.kind !== 'turned_away') return;
  }
}

async function work(): Promise<void> {
  while (!isOver) await sendOne();
}

try {
  // Proves the zone of the service's stamps, without which a short lifetime is not believed.
  await service.rate(from, to);
  console.log('ready');
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
} catch (error) {
  others.push(String(error));
}
await service.close();
const result: SharedLoginResult = { accepted, turnedAway, unsent, reason, triesMax, others };
console.log(JSON.stringify(result));
process.exit(0);
