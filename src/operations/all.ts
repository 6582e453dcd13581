/**
 * All operations, by the group of the library that has them. Each is loaded when it is needed, so that a command starts
 * without the code of the others. The key is the name of its method.
 */
import type { Declared, Operation } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends Declared = Operation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words: the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: the name of the operation in its file. `name`: its command, where that is another. */
const from =
  <File extends object>(file: () => Promise<File>) =>
  <Of extends keyof File & string>(of: Of, summary: string, group?: HelpGroup, name: string = of) => ({
    ...{ name, group, summary },
    load: async () => (await file())[of],
  });

const advices = from(() => import('./advice.ts'));
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
  run: runs('run', 'do all steps in one go; safe to run again', 'Pay'),
  check: checks('check', 'read and validate a file, without names and fees', 'Pay'),
  plan: plans('plan', 'add names and fees; shows totals and the digest', 'Pay'),
  approve: approvals('approve', 'agree to a plan', 'Pay'),
  send: sendings('send', 'send what is approved', 'Pay'),
  settle: settlings('settle', 'look up transfers until all are final', 'Pay'),
  report: reports('report', 'report what became of every row, or of all batches', 'Look'),
  status: states('status', 'show all batches, or one', 'Look'),
  explain: stories('explain', 'tell the whole story of one row', 'Look'),
};

/** Methods of `payfile.rows`. */
export const ROWS = {
  list: rowLists('rowList', 'list rows of a batch, a page at a time'),
  release: rows('release', 'let held rows go on', 'Decide'),
  cancel: rows('cancel', 'withdraw rows that are not sent', 'Decide'),
  resolve: rulings('resolve', 'rule on a row in doubt, or accept a difference', 'Decide'),
  reissue: rows('reissue', 'pay again what is proven unpaid', 'Decide'),
  held: heldRows('held', 'list rows that wait for a person'),
  showAccount: stories(
    'showAccount',
    'show the whole account number of a row; the journal keeps that you looked',
  ),
};

/** Methods of `payfile.batches`. */
export const BATCHES = {
  price: plans('price', 'ask for names and fees again'),
  planToAgree: approvals('planToAgree', 'show what waits for approval'),
  reconcile: statements('reconcile', 'compare a batch with a statement of the bank', 'Decide'),
  pause: pauses('pause', 'start no new transfer of a batch', 'Decide'),
  resume: pauses('resume', 'lift the pause', 'Decide'),
  advice: advices('advice', 'make a page or a message for each beneficiary', 'Look'),
  list: states('overview', 'list all batches, newest first, a page at a time'),
  look: states('look', 'show how a batch stands, at once for a million rows'),
  history: states('history', 'list what people decided about a batch, newest first'),
};

/** Methods of `payfile.lists`. */
export const LISTS = {
  countries: lists('countries', 'list the countries', 'Lists'),
  institutions: lists('institutions', 'list banks and mobile money of a country', 'Lists'),
  rate: lists('rate', 'show a rate, or what an amount costs', 'Lists'),
  name: lists(
    'accountName',
    'show whose account it is; INSTITUTION is an id or COUNTRY/NAME',
    'Lists',
    'name',
  ),
  transaction: lists('transaction', 'show the status of a transfer', 'Lists'),
  profile: lists('profile', 'show what the service knows of you', 'Lists'),
  template: lists('template', 'make a workbook to fill in, with lists of banks', 'Set up'),
};

/** Methods of `payfile.files`: files that are no batches yet. */
export const FILES = {
  columns: files('columns', 'show how the columns of a file are read'),
  unknownInstitutions: mappings(
    'unknownInstitutions',
    'list names of institutions that mean nothing to the service',
  ),
  writeCorrected: files('writeCorrected', 'write a workbook of the file with its corrections'),
  proposedName: files('proposedName', 'propose a name for the batch of a file'),
};

/** Methods of `payfile.mappings`. */
export const MAPPINGS = {
  list: mappings('mappings', 'what is remembered', 'Set up', 'mapping list'),
  show: mappings('showMapping', 'one mapping', 'Set up', 'mapping show'),
  save: mappings('saveMapping', 'remember columns and names of institutions', 'Set up', 'mapping save'),
  forget: mappings('forgetMapping', 'forget it', 'Set up', 'mapping forget'),
};

/** Methods of `payfile.people`. */
export const PEOPLE = {
  list: people('list', 'list everybody who may do something or has a passkey', undefined, 'people'),
  invite: people('invite', 'make a ticket: a person registers one passkey with it, once, within minutes'),
  registration: people(
    'registration',
    'show whose ticket it is, and what the browser makes the passkey with',
  ),
  register: people('register', 'register the passkey that the browser made'),
  removePasskey: people('removePasskey', 'remove a passkey; what it signed stays proven'),
  hasPasskey: people('hasPasskey', 'tell whether a passkey still signs its person in'),
  askSignIn: people('askSignIn', 'ask what the browser signs to say who signs in'),
  signIn: people('signIn', 'tell who signed, and with which passkey'),
  needsPasskey: people('needsPasskey', 'tell whether a batch is approved with a passkey only'),
  askApproval: people('askApproval', 'ask what the browser signs to approve a plan with its totals'),
};

/** Methods of `payfile.sandbox`. */
export const SANDBOX = {
  start: sandboxes('start', 'start the service on your own machine, until payfile is closed'),
  book: sandboxes('book', 'count what the sandbox executed; with a file, write it as a statement'),
  scenarios: sandboxes('scenarios', 'list how the sandbox, or one account of it, may behave'),
};

/** Methods of `payfile.machine`. */
export const MACHINE = {
  doctor: machine('doctor', 'find what is wrong with the set-up, and mend it', 'Set up'),
};

/** Methods of `payfile.fleet`. */
export const FLEET = {
  work: workers('work', 'do work of runs beside other workers', 'Several machines', 'worker'),
  status: fleets('fleet', 'show who works on what, and what waits', 'Several machines'),
};

/** Commands that the terminal does itself. */
export const TERMINAL = {
  demo: terminal('demo', 'pay a sample workbook in the sandbox', 'Set up'),
  console: terminal('console', 'open pages in the browser: pay without a terminal', 'Set up'),
  completion: terminal('completion', 'print a script for the tab key: bash, zsh or fish'),
};

/** Only the command line has it: one command for three methods. */
const COMMAND = {
  sandbox: sandboxes('sandbox', 'run the service on your own machine', 'Set up'),
};

/** Methods of `payfile.ledger`. */
export const LEDGER = {
  verify: ledger('verify', 'prove that nothing in the ledger was changed', 'Look'),
  init: ledger('init', 'create the ledger', 'Set up'),
  backup: ledger('backup', 'copy the whole ledger, also beside a run', 'Set up'),
  restore: ledger('restore', 'make a backup the ledger; sends once you accept it', 'Set up'),
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
