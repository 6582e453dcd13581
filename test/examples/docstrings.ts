/** The examples of the docstrings (test/api). Do not edit. */
import { createPayfile, type CurrencyCode, formatDecimal, formatMoney, parseCurrency, parseDecimal, type Payfile } from '../../src/index.ts';

export const EXAMPLES = {
  async check(payfile: Payfile) {
    const { file, issues } = await payfile.check({ file: 'samples/suppliers.csv' });
    console.log(file.rows, file.invalid, issues);
  },
  async plan(payfile: Payfile) {
    const planned = await payfile.plan({ file: 'samples/suppliers.csv', batch: 'suppliers-2026-05' });
    console.log(planned.plan?.digest, planned.plan?.toApprove);
  },
  async approve(payfile: Payfile) {
    const { planDigest } = await payfile.batches.look({ batch: 'suppliers-2026-05' });
    const { outcome, approved } = await payfile.approve({
      batch: 'suppliers-2026-05',
      digest: planDigest ?? '',
    });
    console.log(outcome, approved);
  },
  async send(payfile: Payfile) {
    const { outcome, counts } = await payfile.send({ batch: 'suppliers-2026-05', deadline: 60_000 });
    console.log(outcome, counts.accepted);
  },
  async settle(payfile: Payfile) {
    const fourteenDays = 14 * 24 * 3_600_000;
    const { changes } = await payfile.settle({ batch: 'suppliers-2026-05', watchReturns: fourteenDays });
    console.log(changes);
  },
  async run(payfile: Payfile) {
    const { outcome, exitCode, attention } = await payfile.run({
      file: 'samples/suppliers.csv',
      batch: 'suppliers-2026-05',
      consent: async (plan) => {
        console.log(plan.counts, plan.toApprove);
        return { kind: 'agreed', how: 'library' };
      },
    });
    console.log(outcome, exitCode, attention);
  },
  async report(payfile: Payfile) {
    await payfile.report({ batch: 'suppliers-2026-05', output: 'suppliers.xlsx', overwrite: true });
    await payfile.report({ from: '2026-05-01', to: '2026-05-31', output: 'may.csv', overwrite: true });
  },
  async status(payfile: Payfile) {
    const status = await payfile.status({ batch: 'suppliers-2026-05' });
    console.log(status);
  },
  async explain(payfile: Payfile) {
    const { status, sentence, events } = await payfile.explain({ batch: 'suppliers-2026-05', row: '4' });
    console.log(status, sentence, events.length);
  },
  async close(payfile: Payfile) {
    await payfile.close();
  },
  async 'rows.list'(payfile: Payfile) {
    const { rows, after } = await payfile.rows.list({ batch: 'suppliers-2026-05', statuses: ['failed'] });
    console.log(rows.length, after);
  },
  async 'rows.release'(payfile: Payfile) {
    const { released, refused } = await payfile.rows.release({
      batch: 'suppliers-2026-05',
      rows: ['6'],
      reason: 'HR confirmed the name',
    });
    console.log(released, refused);
  },
  async 'rows.cancel'(payfile: Payfile) {
    await payfile.rows.cancel({ batch: 'suppliers-2026-05', all: true, reason: 'ordered twice' });
  },
  async 'rows.resolve'(payfile: Payfile) {
    await payfile.rows.resolve({
      batch: 'suppliers-2026-05',
      row: '3',
      notPaid: true,
      evidence: 'The service wrote on 3 May: no such transfer',
      accept: 'not_paid',
    });
  },
  async 'rows.reissue'(payfile: Payfile) {
    const { done, refused } = await payfile.rows.reissue({ batch: 'suppliers-2026-05', allFailed: true });
    console.log(done, refused);
  },
  async 'rows.held'(payfile: Payfile) {
    const { rows } = await payfile.rows.held({ batch: 'suppliers-2026-05' });
    for (const { row, name, holder, reasons } of rows) console.log(row, name, holder, reasons);
  },
  async 'rows.showAccount'(payfile: Payfile) {
    const { account } = await payfile.rows.showAccount({ batch: 'suppliers-2026-05', row: '4' });
    console.log(account);
  },
  async 'batches.price'(payfile: Payfile) {
    const { unpriced, reason } = await payfile.batches.price({ batch: 'suppliers-2026-05' });
    console.log(unpriced, reason);
  },
  async 'batches.planToAgree'(payfile: Payfile) {
    const { plan } = await payfile.batches.planToAgree({ batch: 'suppliers-2026-05' });
    console.log(plan.digest, plan.toApprove);
  },
  async 'batches.reconcile'(payfile: Payfile) {
    const { counts, findings } = await payfile.batches.reconcile({
      batches: ['suppliers-2026-05'],
      statement: 'statement.csv',
      payments: 'minus',
    });
    console.log(counts, findings.length);
  },
  async 'batches.pause'(payfile: Payfile) {
    await payfile.batches.pause({ batch: 'suppliers-2026-05', reason: 'a supplier called' });
  },
  async 'batches.resume'(payfile: Payfile) {
    await payfile.batches.resume({ batch: 'suppliers-2026-05' });
  },
  async 'batches.advice'(payfile: Payfile) {
    await payfile.batches.advice({ batch: 'suppliers-2026-05', output: 'advice.html' });
  },
  async 'batches.list'(payfile: Payfile) {
    const first = await payfile.batches.list({ limit: 50 });
    if (first.after !== null) await payfile.batches.list({ limit: 50, after: first.after });
  },
  async 'batches.look'(payfile: Payfile) {
    const { sentence, counts } = await payfile.batches.look({ batch: 'suppliers-2026-05' });
    console.log(sentence, counts);
  },
  async 'batches.history'(payfile: Payfile) {
    const { decisions } = await payfile.batches.history({ batch: 'suppliers-2026-05' });
    for (const { at, by, what } of decisions) console.log(at, by, what);
  },
  async 'files.columns'(payfile: Payfile) {
    const { columns } = await payfile.files.columns({ file: 'samples/suppliers.csv' });
    for (const { letter, header, field } of columns) console.log(letter, header, field);
  },
  async 'files.writeCorrected'(payfile: Payfile) {
    const { path, rows } = await payfile.files.writeCorrected({
      file: 'samples/suppliers.csv',
      output: 'corrected.xlsx',
    });
    console.log(path, rows);
  },
  async 'files.proposedName'(payfile: Payfile) {
    const { name } = await payfile.files.proposedName({ fileName: 'suppliers.csv' });
    console.log(name);
  },
  async 'readings.list'(payfile: Payfile) {
    const { readings } = await payfile.readings.list();
    for (const { name, headers, answers } of readings) console.log(name, headers, answers);
  },
  async 'readings.save'(payfile: Payfile) {
    const { reading } = await payfile.readings.save({
      name: 'suppliers',
      file: 'samples/suppliers.csv',
      set: new Map([['note', 'Invoice']]),
    });
    console.log(reading.answers);
  },
  async 'readings.forget'(payfile: Payfile) {
    await payfile.readings.forget({ name: 'suppliers' });
  },
  async 'lists.countries'(payfile: Payfile) {
    const { countries } = await payfile.lists.countries();
    for (const { name, iso } of countries) console.log(name, iso);
  },
  async 'lists.institutions'(payfile: Payfile) {
    const { institutions } = await payfile.lists.institutions({ country: 'GH' });
    for (const { name, currency, id } of institutions) console.log(name, currency, id);
  },
  async 'lists.rate'(payfile: Payfile) {
    const said = await payfile.lists.rate({ from: 'GB', to: 'GH', amount: '1200.50' });
    if ('estimate' in said) console.log(said.estimate.rate, said.estimate.fee);
  },
  async 'lists.name'(payfile: Payfile) {
    const { name } = await payfile.lists.name({ institution: 'GH/GCB Bank', account: '1234567890123' });
    console.log(name);
  },
  async 'lists.transaction'(payfile: Payfile) {
    const { transaction } = await payfile.lists.transaction({ id: 'TRANSFER_ID' });
    console.log(transaction.status);
  },
  async 'lists.profile'(payfile: Payfile) {
    const { profile } = await payfile.lists.profile();
    console.log(profile);
  },
  async 'lists.template'(payfile: Payfile) {
    await payfile.lists.template({ output: 'payroll.xlsx', country: ['GH', 'KE'], overwrite: true });
  },
  async 'people.list'(payfile: Payfile) {
    const { people } = await payfile.people.list();
    for (const { name, roles, passkeys } of people) console.log(name, roles, passkeys.length);
  },
  async 'people.invite'(payfile: Payfile) {
    const { ticket, until } = await payfile.people.invite({ person: 'eve' });
    console.log(ticket, until);
  },
  async 'people.registration'(payfile: Payfile) {
    const { ticket } = await payfile.people.invite({ person: 'eve' });
    const { options } = await payfile.people.registration({ ticket });
    console.log(options);
  },
  async 'people.register'(payfile: Payfile) {
    const answer = '{"id":"…"}'; // JSON.stringify(credential), in the browser
    await payfile.people.register({ ticket: 'TICKET', answer, origin: 'http://localhost:4000' });
  },
  async 'people.removePasskey'(payfile: Payfile) {
    await payfile.people.removePasskey({ credentialId: 'CREDENTIAL' });
  },
  async 'people.hasPasskey'(payfile: Payfile) {
    const { isKnown } = await payfile.people.hasPasskey({ credentialId: 'CREDENTIAL' });
    console.log(isKnown);
  },
  async 'people.askSignIn'(payfile: Payfile) {
    const { nonce, options } = await payfile.people.askSignIn({ origin: 'http://localhost:4000' });
    console.log(nonce, options);
  },
  async 'people.signIn'(payfile: Payfile) {
    const { person, credentialId } = await payfile.people.signIn({ nonce: 'NONCE', answer: '{"id":"…"}' });
    const own = payfile.as(person.id, { cameWith: credentialId });
    await own.close();
  },
  async 'people.needsPasskey'(payfile: Payfile) {
    const { isNeeded } = await payfile.people.needsPasskey({ batch: 'suppliers-2026-05' });
    console.log(isNeeded);
  },
  async 'people.askApproval'(payfile: Payfile) {
    const { plan } = await payfile.batches.planToAgree({ batch: 'suppliers-2026-05' });
    const question = await payfile.people.askApproval({
      batch: 'suppliers-2026-05',
      digest: plan.digest,
      origin: 'http://localhost:4000',
    });
    console.log(question.options);
  },
  async 'sandbox.start'(payfile: Payfile) {
    const { baseUrl, authUrl } = await payfile.sandbox.start();
    console.log(baseUrl, authUrl);
  },
  async 'sandbox.book'(payfile: Payfile) {
    const { entries } = await payfile.sandbox.book();
    console.log(entries.length);
  },
  async 'sandbox.scenarios'(payfile: Payfile) {
    const { scenarios, accounts } = await payfile.sandbox.scenarios();
    console.log(scenarios, accounts);
  },
  async 'machine.doctor'(payfile: Payfile) {
    const { checks } = await payfile.machine.doctor();
    for (const { what, isGood, text } of checks) console.log(what, isGood, text);
  },
  async 'ledger.verify'(payfile: Payfile) {
    const { problems, head } = await payfile.ledger.verify();
    console.log(problems, head);
  },
  async 'ledger.init'(payfile: Payfile) {
    const { created, ledger } = await payfile.ledger.init();
    console.log(created, ledger.path);
  },
  async 'ledger.backup'(payfile: Payfile) {
    const { backup } = await payfile.ledger.backup({ output: 'ledger-backup.db' });
    console.log(backup.entries, backup.until);
  },
  async 'ledger.restore'(payfile: Payfile) {
    const { restored } = await payfile.ledger.restore({ file: 'ledger-backup.db', replace: true });
    console.log(restored.keptAt, restored.sentSince);
  },
  async 'ledger.erase'(payfile: Payfile) {
    const { plan, erased } = await payfile.ledger.erase({ before: '2015-01-01', rows: 0 });
    console.log(plan.rows, erased);
  },
  async 'ledger.move'(payfile: Payfile) {
    const { ledger } = await payfile.ledger.move({ to: 'postgres://payfile@db.example/payroll' });
    console.log(ledger.from, ledger.to);
  },
  async 'fleet.work'(payfile: Payfile) {
    const { exitCode } = await payfile.fleet.work({ once: true });
    console.log(exitCode);
  },
  async 'fleet.status'(payfile: Payfile) {
    const { workers, works } = await payfile.fleet.status();
    console.log(workers.length, works.length);
  },
  async as(payfile: Payfile) {
    const eve = payfile.as('eve');
    await eve.rows.release({ batch: 'suppliers-2026-05', rows: ['6'], reason: 'HR confirmed the name' });
    await eve.close();
  },
  parseCurrency() {
    const currency = parseCurrency('ghs');
    console.log(currency); // GHS
  },
  formatDecimal() {
    console.log(formatDecimal({ minor: 150010n, currency: 'GHS' as CurrencyCode })); // 1500.10
  },
  formatMoney() {
    console.log(formatMoney({ minor: 412000000n, currency: 'KES' as CurrencyCode })); // KES 4,120,000.00
  },
  parseDecimal() {
    const currency = parseCurrency('GHS');
    const ceiling = currency && parseDecimal('1500.10', currency);
    console.log(ceiling?.minor); // 150010n
  },
  async createPayfile() {
    const own = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
    console.log(own.environment);
    await own.close();
  },
};
