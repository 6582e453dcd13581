/**
 * The operations that are not about one batch: lists of the service, people, sandbox, machine and ledger. Methods of
 * `payfile.lists`, `.people`, `.sandbox`, `.machine` and `.ledger`.
 */
import { operationsIn } from './listed.ts';

const erasures = operationsIn(() => import('./erase.ts'));
const fleets = operationsIn(() => import('./fleet.ts'));
const machine = operationsIn(() => import('./doctor.ts'));
const ledger = operationsIn(() => import('./ledger.ts'));
const lists = operationsIn(() => import('./lists.ts'));
const people = operationsIn(() => import('./people.ts'));
const sandboxes = operationsIn(() => import('./sandbox.ts'));
const terminal = operationsIn(() => import('./terminal.ts'));
const workers = operationsIn(() => import('./worker.ts'));

export const LISTS = {
  /**
   * Lists the countries that the service pays to.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { countries } = await payfile.lists.countries();
   * for (const { name, iso } of countries) console.log(name, iso);
   */
  countries: lists('countries', 'list the countries', 'Lists'),
  /**
   * Lists banks and mobile money of a country: a name, an ISO code or an id of the service.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { institutions } = await payfile.lists.institutions({ country: 'GH' });
   * for (const { name, currency, id } of institutions) console.log(name, currency, id);
   */
  institutions: lists('institutions', 'list banks and mobile money of a country', 'Lists'),
  /**
   * Requests a rate: the amount in the currency of `to` for one unit of the currency of `from`. With an amount in the
   * currency of `to`, requests what it costs.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const said = await payfile.lists.rate({ from: 'GB', to: 'GH', amount: '1200.50' });
   * if ('estimate' in said) console.log(said.estimate.rate, said.estimate.fee);
   */
  rate: lists('rate', 'show a rate, or what an amount costs', 'Lists'),
  /**
   * Asks who holds an account. `name` is null if the service does not say.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { name } = await payfile.lists.name({ institution: 'GH/GCB Bank', account: '1234567890123' });
   * console.log(name);
   */
  name: lists(
    'accountName',
    'show the holder of an account; INSTITUTION is an id or COUNTRY/NAME',
    'Lists',
    'name',
  ),
  /**
   * Asks for a transfer by its id, as the service knows it.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { transaction } = await payfile.lists.transaction({ id: 'TRANSFER_ID' });
   * console.log(transaction.status);
   */
  transaction: lists('transaction', 'show the status of a transfer', 'Lists'),
  /**
   * Requests your profile at the service. Returns the answer unchanged.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { profile } = await payfile.lists.profile();
   * console.log(profile);
   */
  profile: lists('profile', 'show your profile at the service', 'Lists'),
  /**
   * Writes a workbook to fill in. Its lists have the countries and institutions of the service.
   *
   * Errors: ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * @example
   * await payfile.lists.template({ output: 'payroll.xlsx', country: ['GH', 'KE'], overwrite: true });
   */
  template: lists('template', 'make a workbook to fill in, with lists of banks', 'Set up'),
};

export const PEOPLE = {
  /**
   * Lists everybody who has a role or a passkey.
   *
   * @example
   * const { people } = await payfile.people.list();
   * for (const { name, roles, passkeys } of people) console.log(name, roles, passkeys.length);
   */
  list: people('list', 'list all people with a role or a passkey'),
  /**
   * Makes a ticket. A person registers one passkey with it, once, within minutes. Only this result shows it.
   *
   * @example
   * const { ticket, until } = await payfile.people.invite({ person: 'eve' });
   * console.log(ticket, until);
   */
  invite: people('invite', 'make a ticket that registers one passkey, within minutes'),
  /**
   * Returns the person of a ticket, and the options with which a browser creates the passkey.
   *
   * @example
   * const { ticket } = await payfile.people.invite({ person: 'eve' });
   * const { options } = await payfile.people.registration({ ticket });
   * console.log(options);
   */
  registration: people('registration', 'show the person of a ticket, and the options for the browser'),
  /**
   * Registers the passkey that the browser made. `answer` is the JSON of the browser's credential.
   *
   * @example
   * const answer = '{"id":"…"}'; // JSON.stringify(credential), in the browser
   * await payfile.people.register({ ticket: 'TICKET', answer, origin: 'http://localhost:4000' });
   */
  register: people('register', 'register the passkey that the browser made'),
  /**
   * Removes a passkey. Its earlier signatures stay valid.
   *
   * @example
   * await payfile.people.removePasskey({ credentialId: 'CREDENTIAL' });
   */
  removePasskey: people('removePasskey', 'remove a passkey; its signatures stay valid'),
  /**
   * Tells whether a person can still sign in with a passkey.
   *
   * @example
   * const { isKnown } = await payfile.people.hasPasskey({ credentialId: 'CREDENTIAL' });
   * console.log(isKnown);
   */
  hasPasskey: people('hasPasskey', 'tell whether a passkey is still valid for sign-in'),
  /**
   * Returns the challenge that the browser signs to sign in.
   *
   * @example
   * const { nonce, options } = await payfile.people.askSignIn({ origin: 'http://localhost:4000' });
   * console.log(nonce, options);
   */
  askSignIn: people('askSignIn', 'get the challenge that the browser signs to sign in'),
  /**
   * Verifies the signature, and returns the person and the passkey. Give that passkey to `payfile.as`.
   *
   * @example
   * const { person, credentialId } = await payfile.people.signIn({ nonce: 'NONCE', answer: '{"id":"…"}' });
   * const own = payfile.as(person.id, { cameWith: credentialId });
   * await own.close();
   */
  signIn: people('signIn', 'verify the signature; return the person and the passkey'),
  /**
   * Tells whether the approval of a batch needs a passkey.
   *
   * Errors: BatchNotFound.
   * @example
   * const { isNeeded } = await payfile.people.needsPasskey({ batch: 'suppliers-2026-05' });
   * console.log(isNeeded);
   */
  needsPasskey: people('needsPasskey', 'tell whether a batch is approved with a passkey only'),
  /**
   * Returns the challenge that the browser signs to approve the plan with this digest.
   *
   * Errors: BatchNotFound.
   * @example
   * const { plan } = await payfile.batches.planToAgree({ batch: 'suppliers-2026-05' });
   * const question = await payfile.people.askApproval({
   *   batch: 'suppliers-2026-05',
   *   digest: plan.digest,
   *   origin: 'http://localhost:4000',
   * });
   * console.log(question.options);
   */
  askApproval: people('askApproval', 'get the challenge that the browser signs to approve a plan'),
};

export const SANDBOX = {
  /**
   * Starts the sandbox as a service on 127.0.0.1, until payfile is closed. Returns the settings with which payfile uses it
   * as a live service.
   *
   * @example
   * const { baseUrl, authUrl } = await payfile.sandbox.start();
   * console.log(baseUrl, authUrl);
   */
  start: sandboxes('start', 'run the sandbox on your machine until payfile closes'),
  /**
   * Returns the transfers that the sandbox executed. With a file, also writes them as a statement.
   *
   * Errors: ReportUnwritable.
   * @example
   * const { entries } = await payfile.sandbox.book();
   * console.log(entries.length);
   */
  book: sandboxes('book', 'count executed transfers of the sandbox; with a file, write a statement'),
  /**
   * Lists the scenarios of the sandbox and of its accounts.
   *
   * @example
   * const { scenarios, accounts } = await payfile.sandbox.scenarios();
   * console.log(scenarios, accounts);
   */
  scenarios: sandboxes('scenarios', 'list the scenarios of the sandbox and its accounts'),
};

export const MACHINE = {
  /**
   * Checks settings, service, clock, ledger and machine, and says how to fix problems. Changes nothing.
   *
   * Exit codes: 0, 69, 73, 77, 78.
   * @example
   * const { checks } = await payfile.machine.doctor();
   * for (const { what, isGood, text } of checks) console.log(what, isGood, text);
   */
  doctor: machine('doctor', 'find problems of the set-up, and how to fix them', 'Set up'),
};

export const FLEET = {
  /**
   * Works on batches together with other workers, until the signal aborts.
   *
   * Errors: LedgerError, CredentialsRefused.
   * Exit codes: 0, 130.
   * @example
   * const { exitCode } = await payfile.fleet.work({ once: true });
   * console.log(exitCode);
   */
  work: workers('work', 'share the work of runs with other workers', 'Several machines', 'worker'),
  /**
   * Lists the workers of the ledger and the work that waits. Both are empty if no worker ever ran.
   *
   * Errors: LedgerError.
   * Exit codes: 0, 4.
   * @example
   * const { workers, works } = await payfile.fleet.status();
   * console.log(workers.length, works.length);
   */
  status: fleets('fleet', 'show workers, their work, and waiting jobs', 'Several machines'),
};

/** Commands that the terminal does itself. */
export const TERMINAL = {
  demo: terminal('demo', 'pay a sample workbook in the sandbox', 'Set up'),
  console: terminal('console', 'open pages in the browser: pay without a terminal', 'Set up'),
  completion: terminal('completion', 'print a completion script for bash, zsh or fish'),
};

/** Only the command line has it: one command for three methods. */
export const COMMAND = {
  sandbox: sandboxes('sandbox', 'run the service on your own machine', 'Set up'),
};

export const LEDGER = {
  /**
   * Verifies that nobody changed the ledger. An `accept…` input accepts a ledger that payfile refuses otherwise.
   *
   * Errors: BatchNotFound.
   * Exit codes: 0, 78.
   * @example
   * const { problems, head } = await payfile.ledger.verify();
   * console.log(problems, head);
   */
  verify: ledger('verify', 'verify that nobody changed the ledger', 'Look'),
  /**
   * Creates the ledger. `created` is false if it already exists.
   *
   * @example
   * const { created, ledger } = await payfile.ledger.init();
   * console.log(created, ledger.path);
   */
  init: ledger('init', 'create the ledger', 'Set up'),
  /**
   * Copies the whole ledger to a file, also during a run. Verifies the copy.
   *
   * @example
   * const { backup } = await payfile.ledger.backup({ output: 'ledger-backup.db' });
   * console.log(backup.entries, backup.until);
   */
  backup: ledger('backup', 'copy the whole ledger, also during a run', 'Set up'),
  /**
   * Restores a backup as the ledger. payfile sends nothing with it until a person accepts it.
   *
   * @example
   * const { restored } = await payfile.ledger.restore({ file: 'ledger-backup.db', replace: true });
   * console.log(restored.keptAt, restored.sentSince);
   */
  restore: ledger('restore', 'restore a backup; accept it before sending', 'Set up'),
  /**
   * Erases names, accounts, phones, notes and cells of rows that ended before a day. Amounts, states, days and hashes stay,
   * and `verify` still proves them. `rows`: how many rows you agree to erase; without it, the result only shows the plan.
   *
   * Errors: RequestRefused, LedgerError.
   * Exit codes: 0, 10.
   * @example
   * const { plan, erased } = await payfile.ledger.erase({ before: '2015-01-01', rows: 0 });
   * console.log(plan.rows, erased);
   */
  erase: erasures('erase', 'erase names and accounts of old payments', 'Set up'),
  /**
   * Moves the ledger from its file to a PostgreSQL server. After an interruption the same call completes the move.
   *
   * @example
   * const { ledger } = await payfile.ledger.move({ to: 'postgres://payfile@db.example/payroll' });
   * console.log(ledger.from, ledger.to);
   */
  move: ledger('move', 'move the ledger to a server', 'Set up', 'ledger move'),
};
