/** What a plan says to whoever is to agree to it: whose file it is, which one, and who may agree. */
import { expect, it } from 'vitest';
import { history } from '../../src/operations/status.ts';
import { anAuthenticator } from '../builders/authenticator.ts';
import { batchesOf, stateOf } from '../builders/batch-state.ts';
import { aConsole, ORIGIN } from './a-console.ts';

const file = (amount: string) =>
  `Reference,Country,Institution,Account,Amount\nR-1,Ghana,GCB Bank,1011130024576,${amount}\n`;

async function planned() {
  const opened = aConsole({
    policy: { fourEyes: true },
    people: { ben: ['maker', 'approver'], max: ['maker'], eve: ['approver'], zoe: ['approver'] },
  });
  const { payfile } = opened;
  const key = anAuthenticator();
  const { ticket } = await payfile.people.invite({ person: 'eve' });
  const { options } = await payfile.people.registration({ ticket });
  await payfile.people.register({ ticket, answer: key.make(options, ORIGIN), origin: ORIGIN });
  const bring = async (who: string, amount: string) => {
    const maker = opened.visitor(who, ['maker']);
    const at = (await maker.upload('/uploads', 'may.csv', file(amount))).headers.get('location') ?? '';
    await maker.page(at);
    await opened.idle();
    await maker.post(`${at}/plan`, { batch: 'may' });
    const [, newer] = /name="newer" value="([^"]+)"/.exec(await maker.page(at)) ?? [];
    if (newer !== undefined) await maker.post(`${at}/plan`, { batch: 'may', newer });
    await opened.idle();
  };
  await bring('ben', '500.00');
  const [batch] = await batchesOf(payfile);
  return { ...opened, bring, key, path: `/batches/${batch?.id}` };
}

it('says who brought the file, and who each earlier revision of it', async () => {
  const { visitor, bring, path, payfile } = await planned();
  const eve = visitor('eve', ['approver']);
  expect(await eve.page(`${path}/plan`)).toMatch(/ben uploaded the file, <time/);
  await bring('max', '600.00');
  const page = await eve.page(`${path}/plan`);
  expect(page).toMatch(/max uploaded revision 2, <time.*This plan is of this file\./);
  expect(page).toMatch(/ben uploaded revision 1, <time/);
  const { decisions } = await payfile.call(history, { batch: 'may' });
  expect(decisions.find(({ kind }) => kind === 'cancel')?.why).toBe(
    'revision 2 of the file does not have this row',
  );
});

it('offers to agree only to whoever may, and tells the others who may', async () => {
  const { visitor, path, payfile, key } = await planned();
  const plan = (who: string, role: 'maker' | 'approver') => visitor(who, [role]).page(`${path}/plan`);
  expect(await plan('eve', 'approver')).toContain('>Approve 1 row</button>');
  const other = await plan('max', 'maker');
  expect(other).not.toContain('>Approve 1 row</button>');
  expect(other).toContain('Review and approve 1 row: for a person with the role approver.');
  const own = await plan('ben', 'approver');
  expect(own).not.toContain('>Approve 1 row</button>');
  expect(own).toContain('another person has to approve it');
  expect(await visitor('ben', ['approver']).page(path)).toContain('Four eyes: ben made this plan');
  const form = await visitor('eve', ['approver']).page(`${path}/plan`);
  const [, total = ''] = /Type the total: ([^<]*)</.exec(form) ?? [];
  const digest = (await stateOf(payfile, 'may')).plan?.digest ?? '';
  const agree = (who: string, signed = {}) =>
    visitor(who, ['approver']).post(`${path}/approval`, { digest, total, ...signed });
  expect((await agree('ben')).status).toBe(409);
  const unsigned = await agree('eve');
  expect([unsigned.status, await unsigned.text()]).toEqual([
    409,
    expect.stringContaining('is approved with a passkey, and so in the console alone. Nothing was approved.'),
  ]);
  expect((await batchesOf(payfile))[0]?.approval).toBeUndefined();
  const shown = await visitor('eve', ['approver']).page(`${path}/plan`);
  const [, json = ''] = /data-sign="([^"]+)"/.exec(shown) ?? [];
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(shown) ?? [];
  const answer = key.sign(JSON.parse(json.replaceAll('&quot;', '"')), ORIGIN);
  expect((await agree('eve', { nonce, answer })).status).toBe(303);
  expect((await batchesOf(payfile))[0]?.approval?.by).toBe('eve');
});

it('shows the plan also to an approver who has no passkey yet, with the way to one in place of the form', async () => {
  const { visitor, path } = await planned();
  const zoe = visitor('zoe', ['approver']);
  const page = await zoe.page(`${path}/plan`);
  expect(page).toContain('Each payment of this plan');
  expect(page).toContain('500.00 GHS');
  expect(page).not.toContain('Type the total');
  const [, said = ''] = /<p class="doubtful" id="approve">([\s\S]*?)<\/p>/.exec(page) ?? [];
  expect(said).toBe('You have no passkey here. Ask an administrator for a link to register one.');
});
