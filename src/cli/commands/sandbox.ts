/**
 * `payfile sandbox`: the service on your own machine, until it is stopped. Standard output has the lines to
 * paste into another shell. --book sums the executed transfers, also while the sandbox is in use. With -o FILE it
 * writes a statement for `reconcile`; with --json it lists the transfers.
 *
 * --json: {baseUrl, authUrl, environmentVariables, book} · {book, entries} · {scenarios, accounts}.
 */
import { command, type Flag } from '../../domain/next-steps/command.ts';
import { EXIT, type ExitCode } from '../../domain/reporting/exit-code.ts';
import { counted } from '../../domain/text/printable.ts';
import { maskOf } from '../../domain/text/sensitive.ts';
import { runSandbox, sandboxBook, sandboxScenarios } from '../../payfile.ts';
import { type Call, typed, UsageError } from '../call.ts';
import { contextOf, requestOf } from '../open-parts.ts';
import { nowOf } from '../process-context.ts';
import { tableOf } from '../terminal/table.ts';

export async function sandbox(call: Call): Promise<ExitCode> {
  if (call.flags.listScenarios === true) return listScenarios(call);
  if (call.flags.book === true) return showBook(call);
  if (call.flags.output !== undefined)
    throw new UsageError('-o goes with --book: the statement of what the sandbox executed.');
  const request = { ...requestOf(call), port: call.flags.port };
  const running = await runSandbox(request, contextOf(call));
  call.onEnd(() => running.close());
  const { bookPath, variables } = running;
  const { terminal, stopping } = call;
  terminal.talk(`The sandbox listens on 127.0.0.1:${running.port}; its book is ${bookPath}.`);
  terminal.talk('In another shell (payfile takes it for a live service there, as it would the real one):');
  for (const [name, value] of Object.entries(variables)) terminal.print(`export ${name}='${value}'`);
  terminal.talk('Stop it with Ctrl-C.');
  const { baseUrl, authUrl } = running;
  terminal.answer({
    command: 'sandbox',
    environment: 'sandbox',
    exitCode: EXIT.done,
    baseUrl,
    authUrl,
    environmentVariables: variables,
    book: bookPath,
  });
  await new Promise<void>((resolve) =>
    stopping.signal.aborted
      ? resolve()
      : stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return EXIT.done;
}

async function showBook(call: Call): Promise<ExitCode> {
  const fullAccounts = call.flags.fullAccounts === true;
  const statementPath = call.flags.output;
  const options = { now: nowOf(call.context), statementPath };
  const { path, entries, sums } = await sandboxBook(requestOf(call), contextOf(call), options);
  const { terminal } = call;
  const count = counted(entries.length, 'transfer');
  if (statementPath !== undefined) terminal.print(`${count}. Statement: ${statementPath}`);
  else {
    terminal.print(`${count}. Book: ${path}`);
    for (const { status, currency, amount, count } of sums)
      terminal.print(`${status}: ${currency} ${amount} in ${counted(count, 'transfer')}`);
    const book = (...flags: Flag[]) => typed(call, command('sandbox', [], [['--book'], ...flags]));
    terminal.talk(`A statement with each transfer: ${book(['-o', 'statement.csv'])}`);
    terminal.talk(`Each transfer as JSON: ${book(['--json'])}`);
  }
  terminal.answer({
    command: 'sandbox',
    environment: 'sandbox',
    exitCode: EXIT.done,
    book: path,
    entries: entries.map((entry) => (fullAccounts ? entry : { ...entry, account: maskOf(entry.account) })),
  });
  return EXIT.done;
}

async function listScenarios(call: Call): Promise<ExitCode> {
  const { terminal } = call;
  const scenarios = await sandboxScenarios();
  const settings = scenarios.whole.map(({ form, sentence }) => [form, sentence]);
  const accounts = scenarios.accounts.map(({ ending, title, sentence }) => [`…${ending}`, title, sentence]);
  terminal.print(
    [
      ...tableOf([{ title: '--scenario' }, { title: 'What the whole sandbox does' }], settings),
      '',
      ...tableOf([{ title: 'Account' }, { title: 'Scenario' }, { title: 'What happens' }], accounts),
    ].join('\n'),
  );
  terminal.answer({
    command: 'sandbox',
    environment: 'sandbox',
    exitCode: EXIT.done,
    scenarios: scenarios.whole.map(({ form, sentence }) => ({ form, sentence })),
    accounts: scenarios.accounts,
  });
  return EXIT.done;
}
