/** Four eyes in the console: whoever shaped a file has no way to agree to it, and is told why. */
import { expect, it } from 'vitest';
import { aConsole } from './a-console.ts';

const FILE = 'Reference,Country,Institution,Account,Amount\nR-1,Ghana,GCB Bnak,1011130024576,500.00\n';

it('lets nobody agree to a file that is read by what he said of names, and says so', async () => {
  const { payfile, visitor, idle } = aConsole({ policy: { fourEyes: true } });
  const [ada, eve] = [visitor('ada'), visitor('eve')];
  const own = (await eve.upload('/uploads', 'own.csv', FILE)).headers.get('location') ?? '';
  const [, id = ''] = /<option value="([^"]+)">GCB Bank \(GHS\)/.exec(await eve.page(`${own}/values`)) ?? [];
  const said = { mapping: 'ours', 'written-0': 'GH/GCB Bnak', 'means-0': id };
  expect((await eve.post(`${own}/values`, said)).status).toBe(303);
  const at = (await ada.upload('/uploads', 'may.csv', FILE)).headers.get('location') ?? '';
  await ada.page(at);
  await idle();
  await ada.post(`${at}/plan`, { batch: 'may' });
  await idle();
  const [batch] = await payfile.batches();
  const page = await eve.page(`/batches/${batch?.id}`);
  expect(page).toContain('eve saved columns or bank names by which this file is read');
  expect(page).not.toContain('Agree to it');
  const { plan } = await payfile.status('may');
  const [line] = plan?.toApprove ?? [];
  expect(line?.count).toBe(1);
  const asked = await eve.get(`/batches/${batch?.id}/approval`);
  expect([asked.status, asked.headers.get('location')]).toEqual([303, `/batches/${batch?.id}`]);
  const answer = await eve.post(`/batches/${batch?.id}/approval`, { digest: plan?.digest ?? '', total: '1' });
  expect([answer.status, (await payfile.batches())[0]?.approval]).toEqual([409, undefined]);
  expect(await answer.text()).toContain('another person has to approve it');
});
