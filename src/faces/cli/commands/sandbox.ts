/**
 * `payfile sandbox`: the service on your own machine, until it is stopped. Standard output has the lines to
 * paste into another shell. --book shows what really executed, also while the sandbox is in use.
 *
 * --json: {baseUrl, authUrl, environmentVariables, book} · {book, entries} · {scenarios, accounts}.
 */
import { dirname, join } from 'node:path';
import { EXIT, type ExitCode } from '../../../domain/reporting/exit-code.ts';
import { maskOf } from '../../../domain/text/sensitive.ts';
import { readBook } from '../../../sandbox/book.ts';
import { formatBook } from '../../../sandbox/book-listing.ts';
import { GLOBAL_SCENARIOS, parseScenario, SCENARIOS } from '../../../sandbox/scenarios.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { bookPathOf } from '../../../setup/places.ts';
import type { Call } from '../call.ts';
import { settingsOf } from '../open-parts.ts';
import { nowOf } from '../surroundings.ts';
import { tableOf } from '../terminal/table.ts';

const ZONE_OFFSET_MINUTES = 60;

export async function sandbox(call: Call): Promise<ExitCode> {
  if (call.flags.listScenarios === true) return listScenarios(call);
  const settings = settingsOf({ ...call, flags: { ...call.flags, sandbox: true } });
  const bookPath = bookPathOf(settings.ledgerPath);
  if (call.flags.book === true) return showBook(bookPath, call);
  const { scenario, port } = call.flags;
  const options = scenario === undefined ? {} : { scenario: parseScenario(scenario) };
  const running = await startSandbox({ ...options, port, bookPath });
  call.onEnd(() => running.close());
  const variables = {
    PAYFILE_BASE_URL: running.baseUrl,
    PAYFILE_AUTH_URL: running.authUrl,
    PAYFILE_ID: running.credentials.id,
    PAYFILE_PASSWORD: running.credentials.password,
    // A ledger belongs to one service; this one must never stand in the place of a real one.
    PAYFILE_LEDGER: join(dirname(settings.locations.ledger), `sandbox-port-${running.port}.db`),
  };
  const { terminal, stopping } = call;
  terminal.talk(`The sandbox listens on 127.0.0.1:${running.port}; its book is ${bookPath}.`);
  terminal.talk('In another shell (payfile takes it for a live service there, as it would the real one):');
  for (const [name, value] of Object.entries(variables)) terminal.print(`export ${name}='${value}'`);
  terminal.talk('Stop it with Ctrl-C.');
  const { baseUrl, authUrl } = running;
  terminal.answer({
    schemaVersion: 1,
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

function showBook(path: string, call: Call): ExitCode {
  const book = readBook(path);
  const fullAccounts = call.flags.fullAccounts === true;
  const options = { now: nowOf(call.surroundings), zoneOffsetMinutes: ZONE_OFFSET_MINUTES, fullAccounts };
  call.terminal.print(formatBook(book, options));
  call.terminal.answer({
    schemaVersion: 1,
    command: 'sandbox',
    environment: 'sandbox',
    exitCode: EXIT.done,
    book: path,
    entries: book
      .entries()
      .map((entry) => (fullAccounts ? entry : { ...entry, account: maskOf(entry.account) })),
  });
  return EXIT.done;
}

function listScenarios(call: Call): ExitCode {
  const { terminal } = call;
  const settings = GLOBAL_SCENARIOS.map(({ form, sentence }) => [form, sentence]);
  const accounts = SCENARIOS.map(({ ending, title, sentence }) => [`…${ending}`, title, sentence]);
  terminal.print(
    [
      ...tableOf([{ title: '--scenario' }, { title: 'What the whole sandbox does' }], settings),
      '',
      ...tableOf([{ title: 'Account' }, { title: 'Scenario' }, { title: 'What happens' }], accounts),
    ].join('\n'),
  );
  terminal.answer({
    schemaVersion: 1,
    command: 'sandbox',
    environment: 'sandbox',
    exitCode: EXIT.done,
    scenarios: GLOBAL_SCENARIOS.map(({ form, sentence }) => ({ form, sentence })),
    accounts: SCENARIOS,
  });
  return EXIT.done;
}
