import { createPayfile } from '../../src/index.ts';

const payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
const { placed, run } = await payfile.run('samples/suppliers.csv', {
  batch: 'suppliers-2026-05',
  consent: async (_plan) => ({ kind: 'agreed', how: 'library', by: 'ada' }), // look at the plan before you agree
});
const { outcome, ties } = await payfile.report('suppliers-2026-05', 'suppliers.json');
console.log(placed.kind, run?.sent?.stop, outcome.sentence, ties);
await payfile.close();
