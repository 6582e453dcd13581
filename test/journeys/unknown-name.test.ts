/** A name of an institution that the service does not list: said plainly, bound by nobody but a person. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { GOOD, type Office, openOffice } from '../builders/office.ts';

let office: Office | undefined;
afterEach(() => office?.close());

it('[F27] an unknown institution is an issue with proposals, and the command that binds it has to be filled in', async () => {
  office = openOffice({ PAYFILE_SOURCE: 'GB' });
  office.file('may.csv', `Country,House,Account,Amount\nGH,GCB & Co,${GOOD[0]},10.00\n`);
  const reading = ['may.csv', '--map', 'institution=House', '--sandbox'];
  const refused = await office.payfile('check', ...reading);
  expect(refused.code, refused.stderr).toBe(65);
  expect(refused.stdout).toContain('GCB & Co');
  expect(refused.stderr).toContain(
    "payfile mapping save NAME may.csv --map institution=House --value 'GCB & Co=INSTITUTION' --sandbox",
  );
  expect(existsSync(join(office.folder, 'config', 'payfile', 'mappings.json'))).toBe(false);
  const saved = await office.payfile('mapping', 'save', 'acme', ...reading, '--value', 'GCB & Co=GCB Bank');
  expect(saved.code, saved.stderr).toBe(0);
  expect((await office.payfile('check', 'may.csv', '--sandbox')).code).toBe(0);
});
