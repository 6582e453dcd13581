import { createPayfile } from '../../src/index.ts';

const payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
const { outcome, exitCode, sentence, ties } = await payfile.run({
  file: 'samples/suppliers.csv',
  batch: 'suppliers-2026-05',
  consent: async (_plan) => ({ kind: 'agreed', how: 'library' }), // look at the plan before you agree
  report: ['suppliers.json'],
});
console.log(outcome, exitCode, sentence, ties);
await payfile.close();
