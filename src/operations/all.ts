/**
 * All operations, by the group of the library that has them. Each is loaded when it is needed, so that a command starts
 * without the code of the others. The key is the name of its method.
 */
import type { AnyOperation } from './operation.ts';

/** Headings of the help, in its order. */
export const HELP_GROUPS = ['Pay', 'Look', 'Decide', 'Set up', 'Lists', 'Several machines'] as const;
export type HelpGroup = (typeof HELP_GROUPS)[number];

export interface ListedOperation<Of extends AnyOperation = AnyOperation> {
  /** Its command. A second word is the action: `ledger move`. */
  readonly name: string;
  /** Undefined: only pages and programs use it. */
  readonly group: HelpGroup | undefined;
  /** What it does, in a few words: the help and the button. */
  readonly summary: string;
  load(): Promise<Of>;
}

function listed<Of extends AnyOperation>(
  name: string,
  group: HelpGroup | undefined,
  summary: string,
  load: () => Promise<Of>,
): ListedOperation<Of> {
  return { name, group, summary, load };
}

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
const stories = () => import('./explain.ts');

/** Methods of `payfile` itself. */
export const FRONT = {
  run: listed(
    'run',
    'Pay',
    'do all steps in one go; safe to run again',
    async () => (await import('./run.ts')).run,
  ),
  check: listed(
    'check',
    'Pay',
    'read and validate a file, without names and fees',
    async () => (await import('./check.ts')).check,
  ),
  plan: listed(
    'plan',
    'Pay',
    'add names and fees; shows totals and the digest',
    async () => (await plans()).plan,
  ),
  approve: listed('approve', 'Pay', 'agree to a plan', async () => (await approvals()).approve),
  send: listed('send', 'Pay', 'send what is approved', async () => (await import('./send.ts')).send),
  settle: listed(
    'settle',
    'Pay',
    'look up transfers until all are final',
    async () => (await import('./settle.ts')).settle,
  ),
  report: listed(
    'report',
    'Look',
    'report what became of every row, or of all batches',
    async () => (await import('./report.ts')).report,
  ),
  status: listed('status', 'Look', 'show all batches, or one', async () => (await states()).status),
  explain: listed(
    'explain',
    'Look',
    'tell the whole story of one row',
    async () => (await stories()).explain,
  ),
};

/** Methods of `payfile.rows`. */
export const ROWS = {
  list: listed(
    'rows',
    undefined,
    'list rows of a batch, a page at a time',
    async () => (await import('./row-list.ts')).rowList,
  ),
  release: listed('release', 'Decide', 'let held rows go on', async () => (await rows()).release),
  cancel: listed('cancel', 'Decide', 'withdraw rows that are not sent', async () => (await rows()).cancel),
  resolve: listed(
    'resolve',
    'Decide',
    'rule on a row in doubt, or accept a difference',
    async () => (await import('./ruling.ts')).resolve,
  ),
  reissue: listed('reissue', 'Decide', 'pay again what is proven unpaid', async () => (await rows()).reissue),
  held: listed(
    'held',
    undefined,
    'list rows that wait for a person',
    async () => (await import('./held.ts')).held,
  ),
  showAccount: listed(
    'showAccount',
    undefined,
    'show the whole account number of a row; the journal keeps that you looked',
    async () => (await stories()).showAccount,
  ),
};

/** Methods of `payfile.batches`. */
export const BATCHES = {
  price: listed('price', undefined, 'ask for names and fees again', async () => (await plans()).price),
  planToAgree: listed(
    'plan to agree',
    undefined,
    'show what waits for approval',
    async () => (await approvals()).planToAgree,
  ),
  reconcile: listed(
    'reconcile',
    'Decide',
    'compare a batch with a statement of the bank',
    async () => (await import('./reconciliation.ts')).reconcile,
  ),
  pause: listed('pause', 'Decide', 'start no new transfer of a batch', async () => (await pauses()).pause),
  resume: listed('resume', 'Decide', 'lift the pause', async () => (await pauses()).resume),
  list: listed(
    'overview',
    undefined,
    'list all batches, newest first, a page at a time',
    async () => (await states()).overview,
  ),
  look: listed(
    'look',
    undefined,
    'show how a batch stands, at once for a million rows',
    async () => (await states()).look,
  ),
  history: listed(
    'history',
    undefined,
    'list what people decided about a batch, newest first',
    async () => (await states()).history,
  ),
};

/** Methods of `payfile.lists`. */
export const LISTS = {
  countries: listed('countries', 'Lists', 'list the countries', async () => (await lists()).countries),
  institutions: listed(
    'institutions',
    'Lists',
    'list banks and mobile money of a country',
    async () => (await lists()).institutions,
  ),
  rate: listed('rate', 'Lists', 'show a rate, or what an amount costs', async () => (await lists()).rate),
  name: listed(
    'name',
    'Lists',
    'show whose account it is; INSTITUTION is an id or COUNTRY/NAME',
    async () => (await lists()).accountName,
  ),
  transaction: listed(
    'transaction',
    'Lists',
    'show the status of a transfer',
    async () => (await lists()).transaction,
  ),
  profile: listed(
    'profile',
    'Lists',
    'show what the service knows of you',
    async () => (await lists()).profile,
  ),
  template: listed(
    'template',
    'Set up',
    'make a workbook to fill in, with lists of banks',
    async () => (await lists()).template,
  ),
};

/** Methods of `payfile.files`: files that are no batches yet. */
export const FILES = {
  columns: listed(
    'columns',
    undefined,
    'show how the columns of a file are read',
    async () => (await files()).columns,
  ),
  unknownInstitutions: listed(
    'mapping unknown',
    undefined,
    'list names of institutions that mean nothing to the service',
    async () => (await mappings()).unknownInstitutions,
  ),
  writeCorrected: listed(
    'corrected',
    undefined,
    'write a workbook of the file with its corrections',
    async () => (await files()).writeCorrected,
  ),
  proposedName: listed(
    'proposed name',
    undefined,
    'propose a name for the batch of a file',
    async () => (await files()).proposedName,
  ),
};

/** Methods of `payfile.mappings`. */
export const MAPPINGS = {
  list: listed('mapping list', 'Set up', 'what is remembered', async () => (await mappings()).mappings),
  show: listed('mapping show', 'Set up', 'one mapping', async () => (await mappings()).showMapping),
  save: listed(
    'mapping save',
    'Set up',
    'remember columns and names of institutions',
    async () => (await mappings()).saveMapping,
  ),
  forget: listed('mapping forget', 'Set up', 'forget it', async () => (await mappings()).forgetMapping),
};

/** Methods of `payfile.people`. */
export const PEOPLE = {
  list: listed(
    'people',
    undefined,
    'list everybody who may do something or has a passkey',
    async () => (await people()).list,
  ),
  invite: listed(
    'invite',
    undefined,
    'make a ticket: a person registers one passkey with it, once, within minutes',
    async () => (await people()).invite,
  ),
  registration: listed(
    'registration',
    undefined,
    'show whose ticket it is, and what the browser makes the passkey with',
    async () => (await people()).registration,
  ),
  register: listed(
    'register',
    undefined,
    'register the passkey that the browser made',
    async () => (await people()).register,
  ),
  removePasskey: listed(
    'removePasskey',
    undefined,
    'remove a passkey; what it signed stays proven',
    async () => (await people()).removePasskey,
  ),
  hasPasskey: listed(
    'hasPasskey',
    undefined,
    'tell whether a passkey still signs its person in',
    async () => (await people()).hasPasskey,
  ),
  askSignIn: listed(
    'askSignIn',
    undefined,
    'ask what the browser signs to say who signs in',
    async () => (await people()).askSignIn,
  ),
  signIn: listed(
    'signIn',
    undefined,
    'tell who signed, and with which passkey',
    async () => (await people()).signIn,
  ),
  needsPasskey: listed(
    'needsPasskey',
    undefined,
    'tell whether a batch is approved with a passkey only',
    async () => (await people()).needsPasskey,
  ),
  askApproval: listed(
    'askApproval',
    undefined,
    'ask what the browser signs to approve a plan with its totals',
    async () => (await people()).askApproval,
  ),
};

/** Methods of `payfile.sandbox`. */
export const SANDBOX = {
  start: listed(
    'start',
    undefined,
    'start the service on your own machine, until payfile is closed',
    async () => (await sandboxes()).start,
  ),
  book: listed(
    'book',
    undefined,
    'count what the sandbox executed; with a file, write it as a statement',
    async () => (await sandboxes()).book,
  ),
  scenarios: listed(
    'scenarios',
    undefined,
    'list how the sandbox, or one account of it, may behave',
    async () => (await sandboxes()).scenarios,
  ),
};

/** Methods of `payfile.machine`. */
export const MACHINE = {
  doctor: listed(
    'doctor',
    'Set up',
    'find what is wrong with the set-up, and mend it',
    async () => (await import('./doctor.ts')).doctor,
  ),
};

/** Only the command line has it: one command for three methods. */
const COMMAND = {
  sandbox: listed(
    'sandbox',
    'Set up',
    'run the service on your own machine',
    async () => (await sandboxes()).sandbox,
  ),
};

/** Methods of `payfile.ledger`. */
export const LEDGER = {
  verify: listed(
    'verify',
    'Look',
    'prove that nothing in the ledger was changed',
    async () => (await ledger()).verify,
  ),
  init: listed('init', 'Set up', 'create the ledger', async () => (await ledger()).init),
  backup: listed(
    'backup',
    'Set up',
    'copy the whole ledger, also beside a run',
    async () => (await ledger()).backup,
  ),
  restore: listed(
    'restore',
    'Set up',
    'make a backup the ledger; sends once you accept it',
    async () => (await ledger()).restore,
  ),
  move: listed('ledger move', 'Set up', 'move the ledger to a server', async () => (await ledger()).move),
};

export const OPERATIONS: readonly ListedOperation[] = [
  ...[FRONT, ROWS, BATCHES, FILES, MAPPINGS, LISTS, PEOPLE, SANDBOX, MACHINE, LEDGER, COMMAND],
].flatMap((group) => Object.values<ListedOperation>(group));
