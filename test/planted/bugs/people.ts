/** Bugs in who may do what, and in what a passkey is worth. */
import type { PlantedBug } from '../planted-bug.ts';

const SIGN = 'src/use-cases/people/sign-approval.ts';
const REGISTER = 'src/use-cases/people/register-passkey.ts';
const PASSKEYS = 'test/payfile/passkeys.test.ts';
const SIGNED = 'test/payfile/signed-approvals.test.ts';
const SIGNING = 'test/use-cases/sign-approval.test.ts';
const RULE = 'test/journeys/approval-passkey.test.ts';
const FOUR_EYES = 'test/payfile/four-eyes.test.ts';
const SERVER = 'src/faces/console/server';
const REQUESTS = 'test/faces/console/requests.test.ts';
const SESSIONS = 'test/faces/console/sessions.test.ts';

export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    id: 'assertion-unchecked',
    bug: 'Whatever a browser sends counts as a signature: an approval is anybody’s who knows the question.',
    file: SIGN,
    find: '  if (why !== undefined) return refused(why);',
    replace: "  if (why === '') return refused(why);",
    caughtBy: [{ test: PASSKEYS, title: 'is worth nothing for another person, batch or key' }],
  },
  {
    id: 'assertion-once-only',
    bug: 'Verify does not check signatures again: a ledger that was written anew passes.',
    file: SIGN,
    find: '  return (await passkeys()).whyWrong(proof, {',
    replace:
      '  if (challenge !== undefined) return undefined;\n  return (await passkeys()).whyWrong(proof, {',
    caughtBy: [{ test: SIGNED, title: 'finds a changed letter in what was signed' }],
  },
  {
    id: 'nonce-reused',
    bug: 'A question may be answered again: a refused answer leaves it open.',
    file: 'src/use-cases/people/signed-questions.ts',
    find: '      approvals.delete(nonce);\n',
    replace: '',
    caughtBy: [{ test: PASSKEYS, title: 'takes each question once, also where the answer was refused' }],
  },
  {
    id: 'plan-unsigned',
    bug: 'The plan is not compared with what was signed: rows are approved that nobody saw.',
    file: SIGN,
    find: '    const now = { ...said, digest: plan.digest, figures: figuresOf(plan) };',
    replace: '    const now = { ...said, batchId };',
    caughtBy: [{ test: SIGNING, title: 'is for exactly the plan that was asked about' }],
  },
  {
    id: 'own-ticket',
    bug: 'With four eyes an administrator makes a ticket for himself.',
    file: REGISTER,
    find: 'policy.fourEyes && person.id === by',
    replace: "policy.fourEyes && by === ''",
    caughtBy: [{ test: PASSKEYS, title: 'is made by nobody for himself with four eyes' }],
  },
  {
    id: 'let-in-by-maker',
    bug: 'With four eyes whoever brought the file makes a ticket for his checker, and approves with it.',
    file: 'src/use-cases/approve/four-eyes.ts',
    find: "if (made !== undefined) return { kind: 'let_in_by_maker', ...made, by };",
    replace: "if (made?.maker === by) return { kind: 'let_in_by_maker', ...made, by };",
    caughtBy: [
      { test: PASSKEYS, title: 'let nobody approve who came in with a passkey of a ticket of the maker' },
    ],
  },
  {
    id: 'corrector-approves',
    bug: 'With four eyes it is not asked who corrected cells: he agrees to the accounts that he wrote.',
    file: 'src/use-cases/approve/four-eyes.ts',
    find: "const corrected = await ledger.notes(id, 'cell_corrected');",
    replace: "const corrected = (await ledger.notes(id, 'cell_corrected')).slice(0, 0);",
    caughtBy: [{ test: FOUR_EYES, title: 'keep whoever corrected a cell' }],
  },
  {
    id: 'mapper-approves',
    bug: 'With four eyes it is not asked who saved the mapping: he agrees to the banks that he chose.',
    file: 'src/use-cases/intake/import-file.ts',
    find: 'const { mapping } = file;',
    replace: 'const mapping = undefined;',
    caughtBy: [{ test: FOUR_EYES, title: 'keep everybody who saved a part of the mapping' }],
  },
  {
    id: 'let-maker-in',
    bug: 'With four eyes whoever made the ticket of a maker brings by that name, and agrees by his own.',
    file: 'src/use-cases/approve/four-eyes.ts',
    find: 'if (passkey === undefined || !lettersIn(passkey, known).includes(by)) continue;',
    replace: 'if (passkey === undefined || maker !== by) continue;',
    caughtBy: [{ test: FOUR_EYES, title: 'keep whoever let the maker in from approving' }],
  },
  {
    id: 'signer-let-in-by-maker',
    bug: 'With four eyes it is not asked who made the ticket of the passkey that signs.',
    file: 'src/use-cases/approve/approve-batch.ts',
    find: 'whyNotApprove(batch, by, ports, proven?.proof.credentialId)',
    replace: 'whyNotApprove(batch, by, ports)',
    caughtBy: [{ test: PASSKEYS, title: 'let nobody sign with such a passkey' }],
  },
  {
    id: 'ticket-of-another',
    bug: 'Whoever has entered registers a passkey with the ticket of another person, and is his own checker.',
    file: REGISTER,
    find: 'entered !== undefined && entered !== found.person',
    replace: "entered === ''",
    caughtBy: [{ test: PASSKEYS, title: 'is opened by no other person who has entered' }],
  },
  {
    id: 'ticket-twice',
    bug: 'A ticket registers a second passkey.',
    file: 'src/adapters/ledger/batches/people-entries.ts',
    find: 'if (chain.has(LEDGER_CHAIN, KINDS) || ',
    replace: 'if (',
    also: [
      {
        file: 'src/use-cases/people/passkeys-known.ts',
        find: 'tickets.set(ticketHash, { ...ticket, isUsed: true });',
        replace: '',
      },
    ],
    caughtBy: [{ test: PASSKEYS, title: 'registers one passkey of the person whom it names, once' }],
  },
  {
    id: 'passkey-rule-forgotten',
    bug: 'A batch that was planned under the rule of passkeys is approved without one when the setting is gone.',
    file: 'src/use-cases/approve/lasting-rules.ts',
    find: 'return isInPolicy(rule, policy) || (await ledger.notes(id, rule)).length > 0;',
    replace: 'return isInPolicy(rule, policy) || (ledger === undefined && id === undefined);',
    caughtBy: [{ test: RULE, title: 'keeps the rule for a batch that was planned with it' }],
  },
  {
    id: 'role-unasked',
    bug: 'The door lets everybody do everything, whatever the configuration says.',
    file: 'src/payfile/permissions.ts',
    find: 'if (roster.size === 0) return methods;',
    replace: 'if (roster.size >= 0) return methods;',
    caughtBy: [{ test: PASSKEYS, title: 'is what the configuration says' }],
  },
  {
    id: 'path-of-another',
    bug: 'A session opens under any path: a program that knows one cookie comes in anywhere.',
    file: `${SERVER}/sessions.ts`,
    find: 'function keyOf({ secret, own }: SessionKey): string {',
    replace: "function keyOf({ secret }: SessionKey, own = ''): string {",
    caughtBy: [{ test: SESSIONS, title: 'is found by its cookie and its path together' }],
  },
  {
    id: 'get-of-any-host',
    bug: 'Pages are shown under every name: one that a stranger’s DNS points here reads them.',
    file: `${SERVER}/guards.ts`,
    find: "if (header('host') !== ownHost(port)) return 'other_host';",
    replace: "if (method !== 'GET' && header('host') !== ownHost(port)) return 'other_host';",
    caughtBy: [{ test: REQUESTS, title: 'answers at localhost and its own port only' }],
  },
  {
    id: 'get-without-session',
    bug: 'Whoever has not come in may look at pages.',
    file: `${SERVER}/app.ts`,
    find: "if (by === undefined) return 'not_entered';",
    replace: "if (by === undefined) return may === 'look' ? undefined : 'not_entered';",
    caughtBy: [{ test: REQUESTS, title: 'lets nobody in without a session' }],
  },
  {
    id: 'get-from-elsewhere',
    bug: 'A page of another origin may ask for pages with the browser of whoever is in.',
    file: `${SERVER}/guards.ts`,
    find: "return isElsewhere && !(DOORS.test(path) && isLinkFollowed(header)) ? 'other_origin' : undefined;",
    replace: "return isElsewhere && !isLinkFollowed(header) ? 'other_origin' : undefined;",
    caughtBy: [{ test: SESSIONS, title: 'answers no GET that another page makes' }],
  },
  {
    id: 'reload-is-use',
    bug: 'A page that reloads itself keeps its session open for hours.',
    file: `${SERVER}/app.ts`,
    find: 'return !isTold && c.req.query(RELOADED) === undefined;',
    replace: 'return !isTold;',
    caughtBy: [{ test: SESSIONS, title: 'ends after 15 minutes without a press' }],
  },
];
