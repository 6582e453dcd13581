/**
 * The operations beside batches: the lists of the service, people, the sandbox, the machine and the ledger. Methods of
 * `payfile.lists`, `.people`, `.sandbox`, `.machine` and `.ledger`.
 */
import { listed, unlisted } from './listed.ts';

const ledger = () => import('./ledger.ts');
const lists = () => import('./lists.ts');
const people = () => import('./people.ts');
const sandboxes = () => import('./sandbox.ts');

export const LISTS = {
  /**
   * Lists the countries that the service pays to.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { countries } = await payfile.lists.countries();
   * for (const { name, iso } of countries) console.log(name, iso);
   */
  countries: listed('countries', 'Lists', 'list the countries', lists, 'countries'),
  /**
   * Lists banks and mobile money of a country: a name, an ISO code or an id of the service.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { institutions } = await payfile.lists.institutions({ country: 'GH' });
   * for (const { name, currency, id } of institutions) console.log(name, currency, id);
   */
  institutions: listed(
    'institutions',
    'Lists',
    'list banks and mobile money of a country',
    lists,
    'institutions',
  ),
  /**
   * Asks for a rate: units of the currency of `to` for one of `from`. With an amount in the currency of `to`: what it costs.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const said = await payfile.lists.rate({ from: 'GB', to: 'GH', amount: '1200.50' });
   * if ('estimate' in said) console.log(said.estimate.rate, said.estimate.fee);
   */
  rate: listed('rate', 'Lists', 'show a rate, or what an amount costs', lists, 'rate'),
  /**
   * Asks who holds an account. `name` is null if the service does not say.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { name } = await payfile.lists.name({ institution: 'GH/GCB Bank', account: '1234567890123' });
   * console.log(name);
   */
  name: listed(
    'name',
    'Lists',
    'show whose account it is; INSTITUTION is an id or COUNTRY/NAME',
    lists,
    'accountName',
  ),
  /**
   * Asks for a transfer by its id, as the service knows it.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { transaction } = await payfile.lists.transaction({ id: 'TRANSFER_ID' });
   * console.log(transaction.status);
   */
  transaction: listed('transaction', 'Lists', 'show the status of a transfer', lists, 'transaction'),
  /**
   * Asks what the service knows of you. The answer is as the service gives it.
   *
   * Errors: ServiceUnavailable, CredentialsRefused.
   * @example
   * const { profile } = await payfile.lists.profile();
   * console.log(profile);
   */
  profile: listed('profile', 'Lists', 'show what the service knows of you', lists, 'profile'),
  /**
   * Writes a workbook to fill in. Its lists have the countries and institutions of the service.
   *
   * Errors: ServiceUnavailable, CredentialsRefused, ReportUnwritable.
   * @example
   * await payfile.lists.template({ output: 'payroll.xlsx', country: ['GH', 'KE'], overwrite: true });
   */
  template: listed(
    'template',
    'Set up',
    'make a workbook to fill in, with lists of banks',
    lists,
    'template',
  ),
};

export const PEOPLE = {
  /**
   * Lists everybody who has a role or a passkey.
   *
   * @example
   * const { people } = await payfile.people.list();
   * for (const { name, roles, passkeys } of people) console.log(name, roles, passkeys.length);
   */
  list: unlisted('people', 'list everybody who may do something or has a passkey', people, 'list'),
  /**
   * Makes a ticket. A person registers one passkey with it, once, within minutes. It is shown only here.
   *
   * @example
   * const { ticket, until } = await payfile.people.invite({ person: 'eve' });
   * console.log(ticket, until);
   */
  invite: unlisted(
    'invite',
    'make a ticket: a person registers one passkey with it, once, within minutes',
    people,
    'invite',
  ),
  /**
   * Tells whose ticket it is, and gives the options with which a browser makes the passkey.
   *
   * @example
   * const { ticket } = await payfile.people.invite({ person: 'eve' });
   * const { options } = await payfile.people.registration({ ticket });
   * console.log(options);
   */
  registration: unlisted(
    'registration',
    'show whose ticket it is, and what the browser makes the passkey with',
    people,
    'registration',
  ),
  /**
   * Registers the passkey that the browser made. `answer` is the JSON of the browser's credential.
   *
   * @example
   * const answer = '{"id":"…"}'; // JSON.stringify(credential), in the browser
   * await payfile.people.register({ ticket: 'TICKET', answer, origin: 'http://localhost:4000' });
   */
  register: unlisted('register', 'register the passkey that the browser made', people, 'register'),
  /**
   * Removes a passkey. What it signed stays proven.
   *
   * @example
   * await payfile.people.removePasskey({ credentialId: 'CREDENTIAL' });
   */
  removePasskey: unlisted(
    'removePasskey',
    'remove a passkey; what it signed stays proven',
    people,
    'removePasskey',
  ),
  /**
   * Tells whether a passkey still signs its person in.
   *
   * @example
   * const { isKnown } = await payfile.people.hasPasskey({ credentialId: 'CREDENTIAL' });
   * console.log(isKnown);
   */
  hasPasskey: unlisted(
    'hasPasskey',
    'tell whether a passkey still signs its person in',
    people,
    'hasPasskey',
  ),
  /**
   * Asks a question that a browser signs, to say who signs in.
   *
   * @example
   * const { nonce, options } = await payfile.people.askSignIn({ origin: 'http://localhost:4000' });
   * console.log(nonce, options);
   */
  askSignIn: unlisted('askSignIn', 'ask what the browser signs to say who signs in', people, 'askSignIn'),
  /**
   * Tells who signed, and with which passkey. Give that passkey to `payfile.as`.
   *
   * @example
   * const { person, credentialId } = await payfile.people.signIn({ nonce: 'NONCE', answer: '{"id":"…"}' });
   * const own = payfile.as(person.id, { cameWith: credentialId });
   * await own.close();
   */
  signIn: unlisted('signIn', 'tell who signed, and with which passkey', people, 'signIn'),
  /**
   * Tells whether a batch is approved with a passkey only.
   *
   * Errors: BatchNotFound.
   * @example
   * const { isNeeded } = await payfile.people.needsPasskey({ batch: 'suppliers-2026-05' });
   * console.log(isNeeded);
   */
  needsPasskey: unlisted(
    'needsPasskey',
    'tell whether a batch is approved with a passkey only',
    people,
    'needsPasskey',
  ),
  /**
   * Asks a question that a browser signs, to approve the plan of this digest with its totals.
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
  askApproval: unlisted(
    'askApproval',
    'ask what the browser signs to approve a plan with its totals',
    people,
    'askApproval',
  ),
};

export const SANDBOX = {
  /**
   * Starts the sandbox as a service on 127.0.0.1, until payfile is closed. It gives the settings of a live service.
   *
   * @example
   * const { baseUrl, authUrl } = await payfile.sandbox.start();
   * console.log(baseUrl, authUrl);
   */
  start: unlisted(
    'start',
    'start the service on your own machine, until payfile is closed',
    sandboxes,
    'start',
  ),
  /**
   * Gives the transfers that the sandbox executed. With a file, writes them as a statement.
   *
   * Errors: ReportUnwritable.
   * @example
   * const { entries } = await payfile.sandbox.book();
   * console.log(entries.length);
   */
  book: unlisted(
    'book',
    'count what the sandbox executed; with a file, write it as a statement',
    sandboxes,
    'book',
  ),
  /**
   * Lists how the sandbox, or one account of it, may behave.
   *
   * @example
   * const { scenarios, accounts } = await payfile.sandbox.scenarios();
   * console.log(scenarios, accounts);
   */
  scenarios: unlisted(
    'scenarios',
    'list how the sandbox, or one account of it, may behave',
    sandboxes,
    'scenarios',
  ),
};

export const MACHINE = {
  /**
   * Checks settings, service, clock, ledger and machine, and says how to mend what is wrong. Changes nothing.
   *
   * Exit codes: 0, 69, 73, 77, 78.
   * @example
   * const { checks } = await payfile.machine.doctor();
   * for (const { what, isGood, text } of checks) console.log(what, isGood, text);
   */
  doctor: listed(
    'doctor',
    'Set up',
    'find what is wrong with the set-up, and mend it',
    () => import('./doctor.ts'),
    'doctor',
  ),
};

/** Only the command line has it: one command for three methods. */
export const COMMAND = {
  sandbox: listed('sandbox', 'Set up', 'run the service on your own machine', sandboxes, 'sandbox'),
};

export const LEDGER = {
  /**
   * Proves that nothing in the ledger was changed. With an `accept…` input, goes on with a ledger that is refused otherwise.
   *
   * Errors: BatchNotFound.
   * Exit codes: 0, 78.
   * @example
   * const { problems, head } = await payfile.ledger.verify();
   * console.log(problems, head);
   */
  verify: listed('verify', 'Look', 'prove that nothing in the ledger was changed', ledger, 'verify'),
  /**
   * Creates the ledger. `created` is false if it is there already.
   *
   * @example
   * const { created, ledger } = await payfile.ledger.init();
   * console.log(created, ledger.path);
   */
  init: listed('init', 'Set up', 'create the ledger', ledger, 'init'),
  /**
   * Copies the whole ledger to a file, also while a run goes on. The copy is checked.
   *
   * @example
   * const { backup } = await payfile.ledger.backup({ output: 'ledger-backup.db' });
   * console.log(backup.entries, backup.until);
   */
  backup: listed('backup', 'Set up', 'copy the whole ledger, also beside a run', ledger, 'backup'),
  /**
   * Makes a backup the ledger. Nothing is sent with it until a person accepts it.
   *
   * @example
   * const { restored } = await payfile.ledger.restore({ file: 'ledger-backup.db', replace: true });
   * console.log(restored.keptAt, restored.sentSince);
   */
  restore: listed(
    'restore',
    'Set up',
    'make a backup the ledger; sends once you accept it',
    ledger,
    'restore',
  ),
  /**
   * Moves the ledger from its file to a PostgreSQL server. After an interruption the same call completes the move.
   *
   * @example
   * const { ledger } = await payfile.ledger.move({ to: 'postgres://payfile@db.example/payroll' });
   * console.log(ledger.from, ledger.to);
   */
  move: listed('ledger move', 'Set up', 'move the ledger to a server', ledger, 'move'),
};
