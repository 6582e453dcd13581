/**
 * The sandbox for a person who looks at it or lets it run. Loaded only when it is used: a live run has no business
 * with it.
 */
import { dirname, join } from 'node:path';
import { bookPathOf } from '../setup/places.ts';
import { type FaceContext, type OpenRequest, settingsFor } from './open.ts';

export interface RunningSandbox {
  readonly port: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly bookPath: string;
  /** Make another shell take it for a live service. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function runSandbox(
  request: OpenRequest & { readonly port?: number | undefined },
  context: FaceContext,
): Promise<RunningSandbox> {
  const { ledgerPath, locations } = settingsFor({ ...request, sandbox: true }, context);
  const bookPath = bookPathOf(ledgerPath);
  const { parseScenario } = await import('../sandbox/scenarios.ts');
  const { startSandbox } = await import('../sandbox/server.ts');
  const { scenario, port } = request;
  const options = scenario === undefined ? {} : { scenario: parseScenario(scenario) };
  const running = await startSandbox({ ...options, port, bookPath });
  const { baseUrl, authUrl, credentials } = running;
  const variables = {
    PAYFILE_BASE_URL: baseUrl,
    PAYFILE_AUTH_URL: authUrl,
    PAYFILE_ID: credentials.id,
    PAYFILE_PASSWORD: credentials.password,
    // A ledger belongs to one service; this one must never stand in the place of a real one.
    PAYFILE_LEDGER: join(dirname(locations.ledger), `sandbox-port-${running.port}.db`),
  };
  return { port: running.port, baseUrl, authUrl, bookPath, variables, close: () => running.close() };
}

/** What really executed, also while the sandbox is in use. `listing` is for people. */
export async function sandboxBook(
  request: OpenRequest,
  context: FaceContext,
  options: { readonly now: number; readonly zoneOffsetMinutes: number; readonly fullAccounts: boolean },
) {
  const path = bookPathOf(settingsFor({ ...request, sandbox: true }, context).ledgerPath);
  const { readBook } = await import('../sandbox/book.ts');
  const { formatBook } = await import('../sandbox/book-listing.ts');
  const book = readBook(path);
  return { path, entries: book.entries(), listing: formatBook(book, options) };
}

interface SandboxScenarios {
  readonly whole: readonly { readonly form: string; readonly sentence: string }[];
  readonly accounts: readonly {
    /** Of the account number. */
    readonly ending: string;
    readonly title: string;
    readonly sentence: string;
  }[];
}

/** How the whole sandbox, or one account of it, may behave. */
export async function sandboxScenarios(): Promise<SandboxScenarios> {
  const { GLOBAL_SCENARIOS, SCENARIOS } = await import('../sandbox/scenarios.ts');
  return { whole: GLOBAL_SCENARIOS, accounts: SCENARIOS };
}
