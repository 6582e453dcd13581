/** The sandbox on this machine: its server, its executed transfers, and its scenarios. */
import { z } from 'zod';
import { command } from '../domain/next-steps/command.ts';
import { counted } from '../domain/text/printable.ts';
import { RequestRefused } from '../domain/text/request-refused.ts';
import { maskOf } from '../domain/text/sensitive.ts';
import type { SandboxAddress, SandboxBook, SandboxScenarios } from '../ports/own-sandbox.ts';
import { aside, type Block, line, table } from './block.ts';
import type { Context } from './context.ts';
import { choice, output, port } from './fields.ts';
import { outputWithBook, sandboxOnly } from './messages.ts';
import { operation } from './operation.ts';

const environment = 'sandbox' as const;

const input = z.strictObject({
  port: port('port on 127.0.0.1'),
  book: choice('show count and sums of executed transfers; with -o, write them as a statement'),
  output: output(),
  listScenarios: choice('list scenarios and scenario accounts'),
  fullAccounts: choice('show full account numbers'),
});
type Asked = z.output<typeof input>;

export const start = operation({
  name: 'start',
  needs: [],
  input: input.pick({ port: true }),
  run: ({ port }, context) => requireSandbox(context).start(port),
  view: startView,
  json: startJson,
});

function startView({ port, bookPath, variables }: SandboxAddress): readonly Block[] {
  return [
    aside(`The sandbox listens on 127.0.0.1:${port}. Its book is ${bookPath ?? 'kept in memory'}.`),
    aside('Set these variables in another shell. payfile then uses the sandbox as a live service:'),
    ...Object.entries(variables).map(([name, value]) => line(`export ${name}='${value}'`)),
    aside('Stop it with Ctrl-C.'),
  ];
}

function startJson({ baseUrl, authUrl, variables, bookPath }: SandboxAddress) {
  return { environment, baseUrl, authUrl, environmentVariables: variables, book: bookPath ?? null };
}

export interface BookShown extends SandboxBook {
  readonly statement: string | undefined;
  readonly hasFullAccounts: boolean;
}

export const book = operation({
  name: 'book',
  needs: ['look'],
  input: input.pick({ output: true, fullAccounts: true }),
  async run({ output: statement, fullAccounts: hasFullAccounts }, context): Promise<BookShown> {
    return { ...(await requireSandbox(context).book(statement)), statement, hasFullAccounts };
  },
  view: bookView,
  json: bookJson,
});

function bookView({ path, entries, sums, statement }: BookShown): readonly Block[] {
  const count = counted(entries.length, 'transfer');
  if (statement !== undefined) return [line(`${count}. Statement: ${statement}`)];
  const shown = (...flags: Parameters<typeof command>[2] & object) =>
    command('sandbox', [], [['--book'], ...flags]);
  return [
    line(`${count}. Book: ${path}`),
    ...sums.map((sum) =>
      line(`${sum.status}: ${sum.currency} ${sum.amount} in ${counted(sum.count, 'transfer')}`),
    ),
    aside('A statement with each transfer: ', shown(['-o', 'statement.csv'])),
    aside('Each transfer as JSON: ', shown(['--json'])),
  ];
}

function bookJson({ path, entries, hasFullAccounts }: BookShown) {
  const shown = entries.map((entry) =>
    hasFullAccounts ? entry : { ...entry, account: maskOf(entry.account) },
  );
  return { environment, book: path, entries: shown };
}

export const scenarios = operation({
  name: 'scenarios',
  needs: [],
  input: z.strictObject({}),
  run: (_, { ownSandbox: own }) => own.scenarios(),
  view: scenariosView,
  json: scenariosJson,
});

function scenariosView({ whole, accounts }: SandboxScenarios): readonly Block[] {
  return [
    table(
      ['Scenario', 'What the whole sandbox does'],
      whole.map(({ form, sentence }) => [form, sentence]),
    ),
    line(),
    accountsTable(accounts),
  ];
}

/** Accounts that rehearse trouble. */
export const accountsTable = (accounts: SandboxScenarios['accounts']): Block =>
  table(
    ['Account', 'Scenario', 'What happens'],
    accounts.map(({ ending, title, sentence }) => [`…${ending}`, title, sentence]),
  );

function scenariosJson({ whole, accounts }: SandboxScenarios) {
  return { environment, scenarios: whole, accounts };
}

type SandboxResult =
  | ({ readonly kind: 'started' } & SandboxAddress)
  | ({ readonly kind: 'book' } & BookShown)
  | ({ readonly kind: 'scenarios' } & SandboxScenarios);

/** `start`, `book` and `scenarios` as one command. */
export const sandbox = operation({
  name: 'sandbox',
  needs: [],
  input,
  async run(asked: Asked, context): Promise<SandboxResult> {
    if (asked.listScenarios) return { kind: 'scenarios', ...(await scenarios.run({}, context)) };
    if (asked.book) return { kind: 'book', ...(await book.run(asked, context)) };
    if (asked.output !== undefined) throw new RequestRefused(outputWithBook);
    return { kind: 'started', ...(await start.run(asked, context)) };
  },
  view(done) {
    if (done.kind === 'started') return startView(done);
    return done.kind === 'book' ? bookView(done) : scenariosView(done);
  },
  json(done): object {
    if (done.kind === 'started') return startJson(done);
    return done.kind === 'book' ? bookJson(done) : scenariosJson(done);
  },
  keepsRunning: ({ kind }) => kind === 'started',
});

/** Refuses a live service: only the sandbox has a book. */
function requireSandbox({ environment: of, ownSandbox: own }: Context) {
  if (of !== 'sandbox') throw new RequestRefused(sandboxOnly);
  return own;
}
