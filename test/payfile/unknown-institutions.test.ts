/** Which names of institutions in a file mean nothing to the service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPayfile } from '../../src/payfile.ts';

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'unknown-test-'));
  const options = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(options, { env: { HOME: folder } });
  onTestFinished(async () => {
    await payfile.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'may.csv');
  writeFileSync(
    path,
    'Where,Bank,Account,Amount\nGhana,GCB Bnak,1011130024576,1.00\nGhana,gcb bnak,1011130024577,2.00\nGhana,GCB Bank,1011130024578,3.00\n',
  );
  return { payfile, path, open: { map: new Map([['country', 'Where']] as const) } };
}

it('names each unknown institution once, until a mapping says what it means', async () => {
  const { payfile, path, open } = opened();
  const before = await payfile.unknownInstitutions(path, open);
  expect(before.mapping).toBeUndefined();
  expect(before.unknown.map(({ country, written, rows }) => [country.iso, written, rows])).toEqual([
    ['GH', 'GCB Bnak', 2],
  ]);
  const values = [{ written: 'GH/GCB Bnak', institution: 'GCB Bank', flag: 'GCB Bnak=GCB Bank' }];
  await payfile.saveMapping('ours', path, { ...open, values });
  const after = await payfile.unknownInstitutions(path);
  expect([after.mapping?.name, after.unknown]).toEqual(['ours', []]);
});

it('refuses options that it does not know', async () => {
  const { payfile, path } = opened();
  const wrong = { header: 3 } as unknown as { headerRow: number };
  await expect(payfile.unknownInstitutions(path, wrong)).rejects.toThrow('unknownInstitutions:');
});
