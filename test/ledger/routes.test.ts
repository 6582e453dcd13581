/** Each row is stored with its own way, however often the way changes from row to row. */
import { expect, it } from 'vitest';
import type { Instruction } from '../../src/domain/payouts/instruction.ts';
import { asCountryId, asInstitutionId } from '../../src/domain/rows/directory.ts';
import { q } from '../../src/ledger/sql.ts';
import { anInstruction, money, NOW } from '../builders/payouts.ts';
import { onBoth } from './both-databases.ts';
import type { Opened } from './new-ledgers.ts';

const ways = [
  anInstruction(),
  anInstruction({ sourceId: asCountryId('c-fr') }),
  anInstruction({ sourceName: 'Great Britain' }),
  anInstruction({ destinationId: asCountryId('c-ke') }),
  anInstruction({ destinationIso: 'KE' }),
  anInstruction({ destinationName: 'Republic of Ghana' }),
  anInstruction({ institutionId: asInstitutionId('i-other') }),
  anInstruction({ institutionName: 'MTN MoMo' }),
  anInstruction({ amount: money('KES 1200.00') }),
];

onBoth((place) => {
  const idsOf = ({ parts }: Opened, asked: readonly Instruction[]) =>
    parts.writer.write(async (commit) => {
      const ids: number[] = [];
      for (const way of asked) ids.push(await parts.routes.idIn(commit, way, { batch: 1, at: NOW }));
      return ids;
    });

  it('tells apart ways that differ in one thing alone, and knows each again, also in another process', async () => {
    const at = await place();
    const opened = await at.open();
    const ids = await idsOf(opened, ways);
    expect(new Set(ids).size).toBe(ways.length);
    expect(await idsOf(opened, [...ways, ...ways])).toEqual([...ids, ...ids]);
    expect(await idsOf(await at.open(), ways.toReversed())).toEqual(ids.toReversed());
    expect(await opened.parts.read.get(q`SELECT count(*) AS n FROM journal WHERE kind = 'route'`)).toEqual({
      n: BigInt(ways.length),
    });
  });

  it('forgets what a failed part wrote, also of the way that was seen last', async () => {
    const opened = await (await place()).open();
    const { writer, routes } = opened.parts;
    const fails = async () => {
      throw new Error('it fails');
    };
    const failing = writer.write(async (commit) => {
      await routes.idIn(commit, anInstruction(), { batch: 1, at: NOW });
      await fails();
    });
    await expect(failing).rejects.toThrow('it fails');
    const [id] = await idsOf(opened, [anInstruction()]);
    expect(await opened.parts.read.all(q`SELECT id FROM routes`)).toEqual([{ id: BigInt(id ?? 0) }]);
  });
});
