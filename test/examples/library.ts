import { createPayfile } from '../../src/index.ts';

const { PAYFILE_BASE_URL: baseUrl = '', PAYFILE_AUTH_URL: authUrl = '' } = process.env;
const { PAYFILE_ID: id = '', PAYFILE_PASSWORD: password = '' } = process.env;
const service = { baseUrl, authUrl, id, password };
const payfile =
  baseUrl === ''
    ? createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' }) // rehearses
    : createPayfile({ service, ledger: 'payroll.db', createLedger: true, actor: 'ada', source: 'GB' }); // pays
const { outcome, exitCode, sentence, ties } = await payfile.run({
  file: 'samples/suppliers.csv',
  batch: 'suppliers-2026-05',
  consent: async (_plan) => ({ kind: 'agreed', how: 'library' }), // look at the plan before you agree
});
console.log(outcome, exitCode, sentence, ties);
await payfile.close();
