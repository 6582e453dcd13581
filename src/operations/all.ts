/**
 * All operations, by the group of the library that has them. Each is loaded when it is needed, so that a command starts
 * without the code of the others. The key is the name of its method.
 */
import type { AnyOperation, Declared } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends Declared = AnyOperation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words: the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

/** `of`: the name of the operation in its file. */
function listed<Of extends string, File extends Readonly<Record<Of, Declared>>>(
  name: string,
  group: HelpGroup | undefined,
  summary: string,
  file: () => Promise<File>,
  of: Of,
): ListedOperation<File[Of]> {
  return { name, group, summary, load: async () => (await file())[of] };
}

/** Only pages and programs use it. */
const unlisted = <Of extends string, File extends Readonly<Record<Of, AnyOperation>>>(
  name: string,
  summary: string,
  file: () => Promise<File>,
  of: Of,
) => listed(name, undefined, summary, file, of);

const ledger = () => import('./ledger.ts');
const lists = () => import('./lists.ts');
const approvals = () => import('./approve.ts');
const files = () => import('./file.ts');
const mappings = () => import('./mapping.ts');
const plans = () => import('./plan.ts');
const pauses = () => import('./pause.ts');
const rows = () => import('./rows.ts');
const people = () => import('./people.ts');
const sandboxes = () => import('./sandbox.ts');
const states = () => import('./status.ts');
const terminal = () => import('./terminal.ts');
const stories = () => import('./explain.ts');

/** Methods of `payfile` itself. */
export const FRONT = {
  run: listed('run', 'Pay', 'do all steps in one go; safe to run again', () => import('./run.ts'), 'run'),
  check: listed(
    'check',
    'Pay',
    'read and validate a file, without names and fees',
    () => import('./check.ts'),
    'check',
  ),
  plan: listed('plan', 'Pay', 'add names and fees; shows totals and the digest', plans, 'plan'),
  approve: listed('approve', 'Pay', 'agree to a plan', approvals, 'approve'),
  send: listed('send', 'Pay', 'send what is approved', () => import('./send.ts'), 'send'),
  settle: listed(
    'settle',
    'Pay',
    'look up transfers until all are final',
    () => import('./settle.ts'),
    'settle',
  ),
  report: listed(
    'report',
    'Look',
    'report what became of every row, or of all batches',
    () => import('./report.ts'),
    'report',
  ),
  status: listed('status', 'Look', 'show all batches, or one', states, 'status'),
  explain: listed('explain', 'Look', 'tell the whole story of one row', stories, 'explain'),
};

/** Methods of `payfile.rows`. */
export const ROWS = {
  list: unlisted('rows', 'list rows of a batch, a page at a time', () => import('./row-list.ts'), 'rowList'),
  release: listed('release', 'Decide', 'let held rows go on', rows, 'release'),
  cancel: listed('cancel', 'Decide', 'withdraw rows that are not sent', rows, 'cancel'),
  resolve: listed(
    'resolve',
    'Decide',
    'rule on a row in doubt, or accept a difference',
    () => import('./ruling.ts'),
    'resolve',
  ),
  reissue: listed('reissue', 'Decide', 'pay again what is proven unpaid', rows, 'reissue'),
  held: unlisted('held', 'list rows that wait for a person', () => import('./held.ts'), 'held'),
  showAccount: unlisted(
    'showAccount',
    'show the whole account number of a row; the journal keeps that you looked',
    stories,
    'showAccount',
  ),
};

/** Methods of `payfile.batches`. */
export const BATCHES = {
  price: unlisted('price', 'ask for names and fees again', plans, 'price'),
  planToAgree: unlisted('plan to agree', 'show what waits for approval', approvals, 'planToAgree'),
  reconcile: listed(
    'reconcile',
    'Decide',
    'compare a batch with a statement of the bank',
    () => import('./reconciliation.ts'),
    'reconcile',
  ),
  pause: listed('pause', 'Decide', 'start no new transfer of a batch', pauses, 'pause'),
  resume: listed('resume', 'Decide', 'lift the pause', pauses, 'resume'),
  list: unlisted('overview', 'list all batches, newest first, a page at a time', states, 'overview'),
  look: unlisted('look', 'show how a batch stands, at once for a million rows', states, 'look'),
  history: unlisted('history', 'list what people decided about a batch, newest first', states, 'history'),
};

/** Methods of `payfile.lists`. */
export const LISTS = {
  countries: listed('countries', 'Lists', 'list the countries', lists, 'countries'),
  institutions: listed(
    'institutions',
    'Lists',
    'list banks and mobile money of a country',
    lists,
    'institutions',
  ),
  rate: listed('rate', 'Lists', 'show a rate, or what an amount costs', lists, 'rate'),
  name: listed(
    'name',
    'Lists',
    'show whose account it is; INSTITUTION is an id or COUNTRY/NAME',
    lists,
    'accountName',
  ),
  transaction: listed('transaction', 'Lists', 'show the status of a transfer', lists, 'transaction'),
  profile: listed('profile', 'Lists', 'show what the service knows of you', lists, 'profile'),
  template: listed(
    'template',
    'Set up',
    'make a workbook to fill in, with lists of banks',
    lists,
    'template',
  ),
};

/** Methods of `payfile.files`: files that are no batches yet. */
export const FILES = {
  columns: unlisted('columns', 'show how the columns of a file are read', files, 'columns'),
  unknownInstitutions: unlisted(
    'mapping unknown',
    'list names of institutions that mean nothing to the service',
    mappings,
    'unknownInstitutions',
  ),
  writeCorrected: unlisted(
    'corrected',
    'write a workbook of the file with its corrections',
    files,
    'writeCorrected',
  ),
  proposedName: unlisted('proposed name', 'propose a name for the batch of a file', files, 'proposedName'),
};

/** Methods of `payfile.mappings`. */
export const MAPPINGS = {
  list: listed('mapping list', 'Set up', 'what is remembered', mappings, 'mappings'),
  show: listed('mapping show', 'Set up', 'one mapping', mappings, 'showMapping'),
  save: listed(
    'mapping save',
    'Set up',
    'remember columns and names of institutions',
    mappings,
    'saveMapping',
  ),
  forget: listed('mapping forget', 'Set up', 'forget it', mappings, 'forgetMapping'),
};

/** Methods of `payfile.people`. */
export const PEOPLE = {
  list: unlisted('people', 'list everybody who may do something or has a passkey', people, 'list'),
  invite: unlisted(
    'invite',
    'make a ticket: a person registers one passkey with it, once, within minutes',
    people,
    'invite',
  ),
  registration: unlisted(
    'registration',
    'show whose ticket it is, and what the browser makes the passkey with',
    people,
    'registration',
  ),
  register: unlisted('register', 'register the passkey that the browser made', people, 'register'),
  removePasskey: unlisted(
    'removePasskey',
    'remove a passkey; what it signed stays proven',
    people,
    'removePasskey',
  ),
  hasPasskey: unlisted(
    'hasPasskey',
    'tell whether a passkey still signs its person in',
    people,
    'hasPasskey',
  ),
  askSignIn: unlisted('askSignIn', 'ask what the browser signs to say who signs in', people, 'askSignIn'),
  signIn: unlisted('signIn', 'tell who signed, and with which passkey', people, 'signIn'),
  needsPasskey: unlisted(
    'needsPasskey',
    'tell whether a batch is approved with a passkey only',
    people,
    'needsPasskey',
  ),
  askApproval: unlisted(
    'askApproval',
    'ask what the browser signs to approve a plan with its totals',
    people,
    'askApproval',
  ),
};

/** Methods of `payfile.sandbox`. */
export const SANDBOX = {
  start: unlisted(
    'start',
    'start the service on your own machine, until payfile is closed',
    sandboxes,
    'start',
  ),
  book: unlisted(
    'book',
    'count what the sandbox executed; with a file, write it as a statement',
    sandboxes,
    'book',
  ),
  scenarios: unlisted(
    'scenarios',
    'list how the sandbox, or one account of it, may behave',
    sandboxes,
    'scenarios',
  ),
};

/** Methods of `payfile.machine`. */
export const MACHINE = {
  doctor: listed(
    'doctor',
    'Set up',
    'find what is wrong with the set-up, and mend it',
    () => import('./doctor.ts'),
    'doctor',
  ),
};

/** Methods of `payfile.fleet`. */
export const FLEET = {
  work: listed(
    'worker',
    'Several machines',
    'do work of runs beside other workers',
    () => import('./worker.ts'),
    'work',
  ),
  status: listed(
    'fleet',
    'Several machines',
    'show who works on what, and what waits',
    () => import('./fleet.ts'),
    'fleet',
  ),
};

/** Commands that the terminal does itself. */
export const TERMINAL = {
  demo: listed('demo', 'Set up', 'pay a sample workbook in the sandbox', terminal, 'demo'),
  console: listed(
    'console',
    'Set up',
    'open pages in the browser: pay without a terminal',
    terminal,
    'console',
  ),
  completion: listed(
    'completion',
    undefined,
    'print a script for the tab key: bash, zsh or fish',
    terminal,
    'completion',
  ),
};

/** Only the command line has it: one command for three methods. */
const COMMAND = {
  sandbox: listed('sandbox', 'Set up', 'run the service on your own machine', sandboxes, 'sandbox'),
};

/** Methods of `payfile.ledger`. */
export const LEDGER = {
  verify: listed('verify', 'Look', 'prove that nothing in the ledger was changed', ledger, 'verify'),
  init: listed('init', 'Set up', 'create the ledger', ledger, 'init'),
  backup: listed('backup', 'Set up', 'copy the whole ledger, also beside a run', ledger, 'backup'),
  restore: listed(
    'restore',
    'Set up',
    'make a backup the ledger; sends once you accept it',
    ledger,
    'restore',
  ),
  move: listed('ledger move', 'Set up', 'move the ledger to a server', ledger, 'move'),
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
