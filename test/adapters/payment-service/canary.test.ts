/**
 * No password, token or account number in any log line, error or refusal, whatever the service echoes back.
 */
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { asInstitutionId } from '../../../src/domain/country.ts';
import { Sensitive } from '../../../src/domain/sensitive.ts';
import { createJumpingClock } from '../../fakes/jumping-clock.ts';
import { envelope, json, startScriptedService } from '../../fakes/scripted-service.ts';
import { ACCOUNT, aClient, letLogIn, PASSWORD, sendOnce, TOKEN } from './a-client.ts';

const ECHO = `you sent ${TOKEN} ${ACCOUNT}`;

function expectNoSecret(...shown: unknown[]): void {
  const text = shown.map((value) => inspect(value, { depth: 10 }) + JSON.stringify(value)).join('\n');
  for (const secret of [PASSWORD, TOKEN, ACCOUNT]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    expect(text).not.toContain(encodeURIComponent(secret));
  }
}

it('keeps secrets out of logs and outcomes of questions and transfers that go wrong', async () => {
  const scripted = await startScriptedService();
  letLogIn(scripted);
  const { service, log } = aClient(scripted, {}, createJumpingClock());
  const question = { institutionId: asInstitutionId('fi-7'), account: new Sensitive(ACCOUNT) };
  const outcomes: unknown[] = [];
  for (const script of [
    json(500, ECHO),
    json(302, '', { Location: `/${ACCOUNT}` }),
    'rubbish',
    json(401, ECHO),
  ]) {
    scripted.on(`GET /v1/fisit/fi-7/${ACCOUNT}`, script);
    outcomes.push(await service.accountName(question));
  }
  scripted.on('GET /v1/countries', json(400, envelope('failed', 7, {}, `no ${TOKEN}`)));
  outcomes.push(await service.countries());
  for (const script of [json(400, envelope('failed', 7, {}, ECHO)), json(429, ''), json(500, '')]) {
    scripted.on('POST /v1/transfer', script);
    const { evidence, ...outcome } = { evidence: undefined, ...(await sendOnce(service)) };
    outcomes.push(outcome, { ...(evidence ?? {}), fragment: undefined });
  }
  const prepared = await service.prepareSend();
  if (prepared.kind === 'prepared') prepared.discard();
  outcomes.push(prepared);
  expect(log.lines.length).toBeGreaterThan(5);
  expectNoSecret(log.lines, outcomes);
  await service.close();
  await scripted.close();
});

it('keeps secrets out of a refused login', async () => {
  const scripted = await startScriptedService();
  scripted.on('POST /auth/login', json(200, envelope('failed', 1, {}, `wrong: ${PASSWORD}`)));
  const { service, log } = aClient(scripted);
  const refused = await service.countries().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expectNoSecret(refused, String(refused), log.lines, service);
  await service.close();
  await scripted.close();
});
