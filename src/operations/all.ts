/**
 * All operations, by library group. Each loads on first use, so that a command starts without the code of the others.
 * The key is the method name.
 */
import type { DeclaredCommand, Operation } from './operation.ts';

/** Headings of the help, in this order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends DeclaredCommand = Operation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** A few words for the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: export name of the operation. `name`: its command, if different. */
const from =
  <File extends object>(file: () => Promise<File>) =>
  <Of extends keyof File & string>(of: Of, summary: string, group?: HelpGroup, name: string = of) => ({
    ...{ name, group, summary },
    load: async () => (await file())[of],
  });

const approvals = from(() => import('./approve.ts'));
const checks = from(() => import('./check.ts'));
const files = from(() => import('./file.ts'));
const fleets = from(() => import('./fleet.ts'));
const heldRows = from(() => import('./held.ts'));
const ledger = from(() => import('./ledger.ts'));
const lists = from(() => import('./lists.ts'));
const machine = from(() => import('./doctor.ts'));
const mappings = from(() => import('./mapping.ts'));
const pauses = from(() => import('./pause.ts'));
const people = from(() => import('./people.ts'));
const plans = from(() => import('./plan.ts'));
const reports = from(() => import('./report.ts'));
const rowLists = from(() => import('./row-list.ts'));
const rows = from(() => import('./rows.ts'));
const rulings = from(() => import('./ruling.ts'));
const runs = from(() => import('./run.ts'));
const sandboxes = from(() => import('./sandbox.ts'));
const sendings = from(() => import('./send.ts'));
const settlings = from(() => import('./settle.ts'));
const states = from(() => import('./status.ts'));
const statements = from(() => import('./reconciliation.ts'));
const stories = from(() => import('./explain.ts'));
const terminal = from(() => import('./terminal.ts'));
const workers = from(() => import('./worker.ts'));

/** Methods of `payfile` itself. */
export const FRONT = {
  run: runs('run', 'do all steps at once; safe to repeat', 'Pay'),
  check: checks('check', 'read and validate a file, without names and fees', 'Pay'),
  plan: plans('plan', 'add names and fees; shows totals and the digest', 'Pay'),
  approve: approvals('approve', 'agree to a plan', 'Pay'),
  send: sendings('send', 'send what is approved', 'Pay'),
  settle: settlings('settle', 'look up transfers until all are final', 'Pay'),
  report: reports('report', 'report the result of every row, or of all batches', 'Look'),
  status: states('status', 'show all batches, or one', 'Look'),
  explain: stories('explain', 'show the whole history of one row', 'Look'),
};

/** Methods of `payfile.rows`. */
export const ROWS = {
  list: rowLists('rowList', 'list rows of a batch, a page at a time'),
  release: rows('release', 'release held rows', 'Decide'),
  cancel: rows('cancel', 'withdraw rows that are not sent', 'Decide'),
  resolve: rulings('resolve', 'rule on a row in doubt, or accept a difference', 'Decide'),
  reissue: rows('reissue', 'pay again what is proven unpaid', 'Decide'),
  held: heldRows('held', 'list rows that wait for a person'),
  showAccount: stories('showAccount', 'show the full account number of a row; the journal records it'),
};

/** Methods of `payfile.batches`. */
export const BATCHES = {
  price: plans('price', 'ask for names and fees again'),
  planToAgree: approvals('planToAgree', 'show the plan that waits for approval'),
  reconcile: statements('reconcile', 'compare a batch with a statement of the bank', 'Decide'),
  pause: pauses('pause', 'start no new transfer of a batch', 'Decide'),
  resume: pauses('resume', 'end the pause', 'Decide'),
  list: states('overview', 'list all batches, newest first, a page at a time'),
  look: states('look', 'show the status of a batch, fast even for a million rows'),
  history: states('history', 'list the decisions of people about a batch, newest first'),
};

/** Methods of `payfile.lists`. */
export const LISTS = {
  countries: lists('countries', 'list the countries', 'Lists'),
  institutions: lists('institutions', 'list banks and mobile money of a country', 'Lists'),
  rate: lists('rate', 'show a rate, or what an amount costs', 'Lists'),
  name: lists(
    'accountName',
    'show the holder of an account; INSTITUTION is an id or COUNTRY/NAME',
    'Lists',
    'name',
  ),
  transaction: lists('transaction', 'show the status of a transfer', 'Lists'),
  profile: lists('profile', 'show your profile at the service', 'Lists'),
  template: lists('template', 'make a workbook to fill in, with lists of banks', 'Set up'),
};

/** Methods of `payfile.files`: files that are no batches yet. */
export const FILES = {
  columns: files('columns', 'show how the columns of a file are read'),
  unknownInstitutions: mappings(
    'unknownInstitutions',
    'list institution names that the service does not know',
  ),
  writeCorrected: files('writeCorrected', 'write a workbook of the file with its corrections'),
  proposedName: files('proposedName', 'propose a name for the batch of a file'),
};

/** Methods of `payfile.mappings`. */
export const MAPPINGS = {
  list: mappings('mappings', 'list the mappings', 'Set up', 'mapping list'),
  show: mappings('showMapping', 'show a mapping', 'Set up', 'mapping show'),
  save: mappings('saveMapping', 'save columns and institution names', 'Set up', 'mapping save'),
  forget: mappings('forgetMapping', 'remove a mapping', 'Set up', 'mapping forget'),
};

/** Methods of `payfile.people`. */
export const PEOPLE = {
  list: people('list', 'list all people with a role or a passkey', undefined, 'people'),
  invite: people('invite', 'make a ticket that registers one passkey, within minutes'),
  registration: people('registration', 'show the person of a ticket, and the options for the browser'),
  register: people('register', 'register the passkey that the browser made'),
  removePasskey: people('removePasskey', 'remove a passkey; its signatures stay valid'),
  hasPasskey: people('hasPasskey', 'tell whether a passkey is still valid for sign-in'),
  askSignIn: people('askSignIn', 'get the challenge that the browser signs to sign in'),
  signIn: people('signIn', 'verify the signature; return the person and the passkey'),
  needsPasskey: people('needsPasskey', 'tell whether a batch is approved with a passkey only'),
  askApproval: people('askApproval', 'get the challenge that the browser signs to approve a plan'),
};

/** Methods of `payfile.sandbox`. */
export const SANDBOX = {
  start: sandboxes('start', 'run the sandbox on your machine until payfile closes'),
  book: sandboxes('book', 'count executed transfers of the sandbox; with a file, write a statement'),
  scenarios: sandboxes('scenarios', 'list the scenarios of the sandbox and its accounts'),
};

/** Methods of `payfile.machine`. */
export const MACHINE = {
  doctor: machine('doctor', 'find problems of the set-up, and how to fix them', 'Set up'),
};

/** Methods of `payfile.fleet`. */
export const FLEET = {
  work: workers('work', 'share the work of runs with other workers', 'Several machines', 'worker'),
  status: fleets('fleet', 'show workers, their work, and waiting jobs', 'Several machines'),
};

/** Commands that the terminal runs itself. */
export const TERMINAL = {
  demo: terminal('demo', 'pay a sample workbook in the sandbox', 'Set up'),
  console: terminal('console', 'open pages in the browser: pay without a terminal', 'Set up'),
  completion: terminal('completion', 'print a completion script for bash, zsh or fish'),
};

/** One command of the command line for three methods. */
const COMMAND = {
  sandbox: sandboxes('sandbox', 'run the service on your own machine', 'Set up'),
};

/** Methods of `payfile.ledger`. */
export const LEDGER = {
  verify: ledger('verify', 'verify that nobody changed the ledger', 'Look'),
  init: ledger('init', 'create the ledger', 'Set up'),
  backup: ledger('backup', 'copy the whole ledger, also during a run', 'Set up'),
  restore: ledger('restore', 'restore a backup; accept it before sending', 'Set up'),
  move: ledger('move', 'move the ledger to a server', 'Set up', 'ledger move'),
};

export const OPERATIONS: readonly ListedOperation[] = [
  FRONT,
  ROWS,
  BATCHES,
  FILES,
  MAPPINGS,
  LISTS,
  PEOPLE,
  SANDBOX,
  MACHINE,
  FLEET,
  LEDGER,
  COMMAND,
].flatMap((group) => Object.values<ListedOperation>(group));
