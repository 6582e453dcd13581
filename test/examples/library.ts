import { createPayfile } from '../../src/index.ts';

const payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
const { end, batchEnd } = await payfile.run('samples/suppliers.csv', {
  batch: 'suppliers-2026-05',
  consent: async (_plan) => ({ kind: 'agreed', how: 'library' }), // look at the plan before you agree
  reports: ['suppliers.json'],
});
console.log(end.kind, batchEnd?.exitCode, batchEnd?.outcome.sentence, batchEnd?.totals.ties);
await payfile.close();
