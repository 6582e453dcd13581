/** Four eyes in the console: whoever shaped a file has no way to agree to it, and is told why. */
import { expect, it } from 'vitest';
import { anAuthenticator } from '../builders/authenticator.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { aConsole, ORIGIN } from './a-console.ts';

const FILE = 'Reference,Country,Institution,Account,Amount\nR-1,Ghana,GCB Bnak,1011130024576,500.00\n';
const OWN = FILE.replace('24576', '24577');

it('lets nobody agree to a file that is read by what he said of names, and says so', async () => {
  const both = ['maker', 'approver'] as const;
  const people = { ada: both, eve: both };
  const { payfile, visitor, idle } = aConsole({ policy: { fourEyes: true }, people });
  const [ada, eve] = [visitor('ada', both), visitor('eve', both)];
  const own = (await eve.upload('/uploads', 'own.csv', OWN)).headers.get('location') ?? '';
  await eve.page(own);
  await idle();
  await eve.post(`${own}/answers`, { 'code-0': 'institution_unknown', 'answer-0': '0' });
  await eve.page(own);
  await idle();
  await eve.post(`${own}/plan`, { batch: 'own', saveReading: 'ours' });
  await idle();
  const at = (await ada.upload('/uploads', 'may.csv', FILE)).headers.get('location') ?? '';
  await ada.page(at);
  await idle();
  await ada.post(`${at}/plan`, { batch: 'may' });
  await idle();
  const [batch] = await batchesOf(payfile);
  const page = await eve.page(`/batches/${batch?.id}`);
  expect(page).toContain('eve answered questions about this file');
  expect(page).not.toContain('>Review and approve 1 row</a>');
  const { plan } = await stateOf(payfile, 'may');
  const [line] = plan?.toApprove ?? [];
  expect(line?.count).toBe(1);
  const asked = await eve.page(`/batches/${batch?.id}/plan`);
  expect(asked).toContain('eve answered questions about this file');
  expect(asked).not.toContain('>Approve 1 row</button>');
  const answer = await eve.post(`/batches/${batch?.id}/approval`, { digest: plan?.digest ?? '', total: '1' });
  expect([answer.status, (await batchesOf(payfile))[0]?.approval]).toEqual([409, undefined]);
  expect(await answer.text()).toContain('another person has to approve it');
  expect(await eve.page('/')).toContain('Another person approves it');
  // Whoever uploaded it is told before anybody is sent for, and both are told the way out, which ada goes.
  const wayOut = 'withdraw its rows and forget the remembered answers';
  const told = await ada.page(`/batches/${batch?.id}`);
  expect(told).toContain('eve may not approve it either: eve answered questions about this file.');
  expect([page.includes(wayOut), told.includes(wayOut)]).toEqual([true, true]);
  const row = await ada.page(`/batches/${batch?.id}/rows/2`);
  const id = /name="payout" value="(\d+)"/.exec(row)?.[1] ?? '';
  await ada.post(`/batches/${batch?.id}/rows/2/withdraw`, { payout: id, reason: 'answered anew' });
  await ada.post('/readings/ours/forget');
  const anew = (await ada.upload('/uploads', 'may.csv', FILE)).headers.get('location') ?? '';
  await ada.page(anew);
  await idle();
  await ada.post(`${anew}/answers`, { 'code-0': 'institution_unknown', 'answer-0': '0' });
  await ada.page(anew);
  await idle();
  await ada.post(`${anew}/plan`, { batch: 'may anew' });
  await idle();
  const next = (await batchesOf(payfile)).find(({ name }) => name === 'may anew');
  const open = await eve.page(`/batches/${next?.id}`);
  expect(open).toContain('>Review and approve 1 row</a>');
  expect(open).not.toContain('Four eyes:');
});

it('gives the approval to nobody who took over a session of somebody who has a passkey', async () => {
  const { payfile, visitor, request, idle } = aConsole({
    policy: { fourEyes: true },
    people: { ben: ['maker'], eve: ['approver'], max: ['approver'], boss: ['administrator'] },
  });
  const own = anAuthenticator();
  const { ticket } = await payfile.as('boss').people.invite({ person: 'eve' });
  const { options } = await payfile.people.registration({ ticket });
  await payfile.people.register({ ticket, answer: own.make(options, ORIGIN), origin: ORIGIN });
  const ben = visitor('ben', ['maker']);
  const at =
    (await ben.upload('/uploads', 'may.csv', FILE.replace('Bnak', 'Bank'))).headers.get('location') ?? '';
  await ben.page(at);
  await idle();
  await ben.post(`${at}/plan`, { batch: 'may' });
  await idle();
  const stolen = visitor('boss', ['administrator']);
  const key = anAuthenticator();
  const ticketFor = async (person: string) => {
    const page = await (await stolen.post(`/people/${person}/ticket`)).text();
    return new URL(/<code>([^<]*\/passkeys\/[^<]*)<\/code>/.exec(page)?.[1] ?? ORIGIN).pathname;
  };
  const form = (fields: Readonly<Record<string, string>>) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const link = await ticketFor('eve');
  const shown = await (await request(link)).text();
  const [, json = ''] = /data-make="([^"]+)"/.exec(shown) ?? [];
  const made = key.make(JSON.parse(json.replaceAll('&quot;', '"')), ORIGIN);
  const asked = await (await request(link, form({ answer: made }))).text();
  expect(asked).toContain('Another passkey for eve');
  expect(asked).toContain('eve has a passkey already');
  const [, sign = ''] = /data-sign="([^"]+)"/.exec(asked) ?? [];
  const toSign = JSON.parse(sign.replaceAll('&quot;', '"'));
  const forged = await request(link, form({ made, answer: key.sign(toSign, ORIGIN) }));
  expect(await forged.text()).toContain('it needs a signature with a passkey of this person');
  expect((await stolen.post(`/people/passkeys/${own.credentialId}/remove`)).status).toBe(303);
  const refused = await stolen.post('/people/eve/ticket');
  expect(await refused.text()).toContain('Only the terminal makes a link for a new one');
  const late = await request(link, form({ made }));
  expect(late.status).not.toBe(200);
  expect((await payfile.people.list()).people.flatMap(({ passkeys }) => passkeys)).toEqual([]);
});

it('registers a further passkey where its owner signs with the one that is there', async () => {
  const { payfile, visitor, request } = aConsole({ people: { eve: ['approver'] } });
  const [own, key] = [anAuthenticator(), anAuthenticator()];
  const first = await payfile.people.invite({ person: 'eve' });
  const { options } = await payfile.people.registration({ ticket: first.ticket });
  await payfile.people.register({ ticket: first.ticket, answer: own.make(options, ORIGIN), origin: ORIGIN });
  const page = await (await visitor().post('/people/eve/ticket')).text();
  expect(page).toContain('If eve has a passkey, eve signs with it for the new one.');
  const link = new URL(/<code>([^<]*)<\/code>/.exec(page)?.[1] ?? ORIGIN).pathname;
  const given = (text: string, name: string) =>
    JSON.parse((new RegExp(`data-${name}="([^"]+)"`).exec(text)?.[1] ?? '').replaceAll('&quot;', '"'));
  const sent = async (fields: Readonly<Record<string, string>>) =>
    (
      await request(link, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    ).text();
  const made = key.make(given(await (await request(link)).text(), 'make'), ORIGIN);
  const asked = await sent({ answer: made });
  expect(asked).toContain(`name="made" value="${made.replaceAll('"', '&quot;')}"`);
  const done = await sent({ made, answer: own.sign(given(asked, 'sign'), ORIGIN) });
  expect(done).toContain('The passkey is registered');
  const [, eve] = (await payfile.people.list()).people;
  expect(eve?.passkeys.map(({ credentialId }) => credentialId)).toEqual([own.credentialId, key.credentialId]);
});
