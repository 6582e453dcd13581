/** The decimal mark that somebody said of a batch counts for its file the next time. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPayfile } from '../../src/payfile.ts';
import { planFile } from '../builders/library-calls.ts';

const HEADER = 'Name,Country,Institution,Account,Amount';
const row = (last: number, amount: string) =>
  `Esi ${last},Uganda,MTN Mobile Money,077241830${last},"${amount}"`;

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'kept-decimal-'));
  const settings = { sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' } as const;
  const payfile = createPayfile(settings, { env: { HOME: folder } });
  onTestFinished(() => payfile.close());
  const write = (...rows: readonly string[]) => {
    const path = join(folder, 'may.csv');
    writeFileSync(path, `${[HEADER, ...rows].join('\n')}\n`);
    return path;
  };
  return { payfile, write };
}

it('also where other rows came, whose amounts can be read in two ways', async () => {
  const { payfile, write } = place();
  await planFile(payfile, write(row(1, '150,000')), { batch: 'may', decimal: 'point' });
  const again = await planFile(payfile, write(row(1, '150,000'), row(2, '175,000')), { batch: 'may' });
  expect(again.plan?.plan.held.map(({ minor }) => minor)).toEqual([325_000n]);
});

it('not for another batch', async () => {
  const { payfile, write } = place();
  await planFile(payfile, write(row(1, '150,000')), { batch: 'may', decimal: 'point' });
  const june = await planFile(payfile, write(row(1, '175,000')), { batch: 'june', skipInvalid: true });
  expect(june.plan?.plan.counts).toEqual({ invalid: 1 });
});
