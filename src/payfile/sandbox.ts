/**
 * Runs the sandbox and shows what it executed. Loaded only when it is used, never by a live run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bookEndOf, WHOLE_BOOK } from '../domain/statement/line.ts';
import { ReportUnwritable } from '../ports/outputs.ts';
import { FileRefused } from '../ports/row-source.ts';
import { bookPathOf, pathFrom } from '../setup/places.ts';
import { type FaceContext, type OpenRequest, settingsFor } from './open.ts';
import { PortTaken } from './port-taken.ts';

/** The payroll of 24 people that comes with payfile, to be paid in a sandbox. */
export const SAMPLE_PAYROLL = fileURLToPath(new URL('../../samples/payroll.xlsx', import.meta.url));

export interface RunningSandbox {
  readonly port: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly bookPath: string;
  /** Environment variables with which another shell uses the sandbox like a live service. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Errors: PortTaken. */
export async function runSandbox(
  request: OpenRequest & { readonly port?: number | undefined },
  context: FaceContext,
): Promise<RunningSandbox> {
  const { ledgerPath, locations, source } = settingsFor({ ...request, sandbox: true }, context);
  const bookPath = bookPathOf(ledgerPath);
  const { parseScenario } = await import('../sandbox/scenarios.ts');
  const { startSandbox } = await import('../sandbox/server.ts');
  const { scenario, port } = request;
  const options = scenario === undefined ? {} : { scenario: parseScenario(scenario) };
  const running = await startSandbox({ ...options, port, bookPath }).catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken && port !== undefined ? new PortTaken(port) : error;
  });
  const { baseUrl, authUrl, credentials } = running;
  const variables = {
    PAYFILE_BASE_URL: baseUrl,
    PAYFILE_AUTH_URL: authUrl,
    PAYFILE_ID: credentials.id,
    PAYFILE_PASSWORD: credentials.password,
    PAYFILE_SOURCE: source ?? '',
    // A ledger belongs to one service; the sandbox's must never replace a live one.
    PAYFILE_LEDGER: join(dirname(locations.ledger), `sandbox-port-${running.port}.db`),
  };
  return { port: running.port, baseUrl, authUrl, bookPath, variables, close: () => running.close() };
}

/**
 * The executed transfers, also while the sandbox is in use. With `statementPath` it also writes them there as a
 * statement for `reconcile`. Errors: FileRefused if there is no book, ReportUnwritable.
 */
export async function sandboxBook(
  request: OpenRequest,
  context: FaceContext,
  { now, statementPath }: { readonly now: number; readonly statementPath?: string | undefined },
) {
  const { ledgerPath } = settingsFor({ ...request, sandbox: true }, context);
  const path = bookPathOf(ledgerPath);
  // The sandbox makes it when it starts: without one it was never used with this ledger.
  if (!existsSync(path)) {
    const text = `There is no book at ${path}: the sandbox was never used with the ledger ${ledgerPath}.`;
    throw new FileRefused(`${text} Name the ledger of the batch with --ledger.`, { missing: true });
  }
  const { readBook } = await import('../sandbox/book.ts');
  const { bookStatement, bookSums } = await import('../sandbox/book-statement.ts');
  const book = readBook(path);
  if (statementPath !== undefined)
    writeStatement(
      pathFrom(context.cwd, statementPath),
      bookStatement(book, { now, closing: bookEndOf(book.seed ?? '') }),
    );
  return { path, entries: book.entries(), sums: bookSums(book, now) };
}

/** The same as a statement for `reconcile`, of the sandbox that goes with a ledger. Errors: ReportUnwritable. */
export async function writeSandboxStatement(ledgerPath: string, path: string, now: number): Promise<void> {
  const { readBook } = await import('../sandbox/book.ts');
  const { bookStatement } = await import('../sandbox/book-statement.ts');
  const book = readBook(bookPathOf(ledgerPath));
  writeStatement(path, bookStatement(book, { now, closing: bookEndOf(book.seed ?? '') }));
}

/** The last line of what `sandboxBook` writes; undefined where no book can be read, which then proves nothing. */
export async function ownBookEnd(ledgerPath: string): Promise<string | undefined> {
  const { readBook } = await import('../sandbox/book.ts');
  try {
    const { seed } = readBook(bookPathOf(ledgerPath));
    return seed === undefined ? undefined : bookEndOf(seed);
  } catch {
    return undefined;
  }
}

/** Over no file but an earlier statement of the sandbox: one of a bank may have the same name. */
function writeStatement(path: string, text: string): void {
  try {
    const flag = existsSync(path) && isStatement(readFileSync(path, 'utf8'), text) ? 'w' : 'wx';
    writeFileSync(path, text, { flag, mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = isThere ? 'a file is there already' : String(error);
    throw new ReportUnwritable(`Cannot write the statement “${path}”: ${why}. Name another file.`, {
      cause: error,
    });
  }
}

/** Its first line is the same, and its last one says that a book is whole. */
function isStatement(there: string, text: string): boolean {
  const header = text.slice(0, text.indexOf('\n') + 1);
  return there.startsWith(header) && new RegExp(`,${WHOLE_BOOK}[^,\\r\\n]*\\r\\n$`).test(there);
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
