/**
 * No password, token or account number in any log line, error or refusal, whatever the service echoes back.
 */
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { asInstitutionId } from '../../src/domain/rows/directory.ts';
import { Sensitive } from '../../src/domain/text/sensitive.ts';
import { createJumpingClock } from '../fakes/jumping-clock.ts';
import { envelope, json, startScriptedService } from '../fakes/scripted-service.ts';
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
  for (const script of [json(400, envelope('failed', 7, {}, ECHO)), json(429, ECHO), json(500, ECHO)]) {
    scripted.on('POST /v1/transfer', script);
    outcomes.push(await sendOnce(service));
  }
  const prepared = await service.prepareSend();
  if (prepared.kind === 'prepared') prepared.discard();
  outcomes.push(prepared);
  expect(log.lines.length).toBeGreaterThan(5);
  expectNoSecret(log.lines, outcomes);
  await service.close();
  await scripted.close();
});

const escaped = (text: string) =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const SPELLINGS: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['behind so many words that it is cut', (text) => `${'x'.repeat(490)} ${text}`],
  ['over two lines', (text) => `${text.slice(0, 7)}\r\n${text.slice(7)}`],
  ['with a mark in it that is taken out', (text) => `${text.slice(0, 7)}\u200b${text.slice(7)}`],
  ['in JSON escapes', escaped],
  ['in JSON within JSON', (text) => JSON.stringify(`"${escaped(text)}"`)],
  ['percent-encoded', (text) => text.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)],
  ['in HTML entities', (text) => text.replace(/./g, (sign) => `&#${sign.charCodeAt(0)};`)],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
];
/** Of a secret at most its first characters may be left, of an account its last four, in whatever spelling. */
const LEAKED = [PASSWORD, TOKEN, ACCOUNT].map((secret) => secret.slice(3, 8));

it.each(SPELLINGS)(
  'keeps what the service repeats %s out of everything that is kept and shown',
  async (_how, spelt) => {
    const said = `no ${spelt(PASSWORD)} or ${spelt(TOKEN)} or ${spelt(ACCOUNT)}`;
    const scripted = await startScriptedService();
    letLogIn(scripted);
    const { service, log } = aClient(scripted, {}, createJumpingClock());
    const outcomes: unknown[] = [];
    for (const text of [said, spelt(ACCOUNT), spelt(PASSWORD), spelt(TOKEN)]) {
      scripted.on('POST /v1/transfer', json(400, envelope('failed', 7, {}, text)), json(500, text));
      outcomes.push(await sendOnce(service), await sendOnce(service));
    }
    scripted.on('GET /v1/countries', json(400, envelope('failed', 7, {}, `no ${spelt(TOKEN)}`)));
    scripted.on('GET /v1/profile', json(200, envelope('success', 0, { token: spelt(TOKEN), name: 'Owner' })));
    outcomes.push(await service.countries(), await service.profile(), log.lines);
    const shown = JSON.stringify(outcomes);
    for (const part of LEAKED.flatMap((leaked) => [leaked, spelt(leaked)])) expect(shown).not.toContain(part);
    expect(shown).toContain('••••7890');
    expect(shown).toContain('Owner');
    await service.close();
    await scripted.close();
  },
);

it.each(SPELLINGS)('shows nothing of a password that a refused login repeats %s', async (_how, spelt) => {
  const scripted = await startScriptedService();
  scripted.on('POST /auth/login', json(200, envelope('failed', 1, {}, `wrong: ${spelt(PASSWORD)}`)));
  const { service, log } = aClient(scripted);
  const refused = await service.countries().catch((error: unknown) => error);
  const shown = `${String(refused)} ${JSON.stringify(log.lines)}`;
  expect(shown).toContain('wrong: ');
  expect(shown).not.toMatch(/anary|5150/);
  for (const part of [PASSWORD.slice(0, 7), PASSWORD.slice(-4)]) expect(shown).not.toContain(spelt(part));
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
