/** The sandbox of the configured ledger. Loads only on use, never in a live run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { codeOf } from '../domain/reporting/error-codes.ts';
import { bookEndOf, WHOLE_BOOK } from '../domain/statement/line.ts';
import { ReportUnwritable } from '../ports/outputs.ts';
import type { OwnSandbox, SandboxAddress } from '../ports/own-sandbox.ts';
import { PortTaken } from '../ports/port-taken.ts';
import { FileRefused } from '../ports/row-source.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import type { Settings } from './load-settings.ts';
import { bookPathOf, pathFrom } from './places.ts';

interface OwnParts {
  readonly now: () => number;
  readonly stdout: Writable;
  /** The sandbox in this process. */
  readonly embedded: () => Promise<Sandbox>;
}

export function createOwnSandbox(
  settings: Settings,
  options: SandboxOptions | undefined,
  { now, stdout, embedded }: OwnParts,
): OwnSandbox & { close(): Promise<void> } {
  const running: Sandbox[] = [];
  const bookPath = bookPathOf(settings.ledgerPath);
  return {
    async start(port) {
      const started = await startAt(port, { ...options, bookPath });
      running.push(started);
      return addressOf(started, bookPath, settings);
    },
    async book(statement) {
      const { bookStatement, bookSums } = await import('../sandbox/book-statement.ts');
      const [{ path, book }, at] = [await readBookAt(bookPath, settings), now()];
      const text = () => bookStatement(book, { now: at, closing: bookEndOf(book.seed ?? '') });
      if (statement === '-') stdout.write(text());
      else if (statement !== undefined) writeStatement(pathFrom(settings.cwd, statement), text());
      return { path, entries: book.entries(), sums: bookSums(book, at) };
    },
    async bookEnd(ledgerPath) {
      const { readBook } = await import('../sandbox/book.ts');
      try {
        const path = bookPathOf(ledgerPath);
        const seed = path && readBook(path).seed;
        return seed === undefined ? undefined : bookEndOf(seed);
      } catch {
        return undefined;
      }
    },
    async scenarios() {
      const { GLOBAL_SCENARIOS, SCENARIOS } = await import('../sandbox/scenarios.ts');
      return {
        whole: GLOBAL_SCENARIOS.map(({ form, sentence }) => ({ form, sentence })),
        accounts: SCENARIOS,
      };
    },
    knowHolders: async (holders) => (await embedded()).knowHolders(holders),
    close: async () => {
      await Promise.all(running.map((each) => each.close()));
    },
  };
}

async function startAt(port: number | undefined, options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/server.ts');
  return startSandbox({ ...options, port }).catch((error: unknown) => {
    throw codeOf(error) === 'EADDRINUSE' && port !== undefined ? new PortTaken(port) : error;
  });
}

function addressOf(
  { port, baseUrl, authUrl, credentials }: Sandbox,
  bookPath: string | undefined,
  { source, locations }: Settings,
): SandboxAddress {
  const variables = {
    PAYFILE_BASE_URL: baseUrl,
    PAYFILE_AUTH_URL: authUrl,
    PAYFILE_ID: credentials.id,
    PAYFILE_PASSWORD: credentials.password,
    PAYFILE_SOURCE: source ?? '',
    // A ledger belongs to one service. The sandbox's must never replace a live one.
    PAYFILE_LEDGER: join(dirname(locations.ledger), `sandbox-port-${port}.db`),
  };
  return { port, baseUrl, authUrl, bookPath, variables };
}

/** Reads the book. The sandbox creates it at start, so without a book it never ran with this ledger. */
async function readBookAt(path: string | undefined, { ledgerPath }: Settings) {
  if (path === undefined)
    throw new FileRefused(`The sandbox of the ledger ${ledgerPath} writes no book. Use a ledger in a file.`, {
      missing: true,
    });
  if (!existsSync(path)) {
    const text = `There is no book at ${path}, because the sandbox never ran with the ledger ${ledgerPath}.`;
    throw new FileRefused(`${text} Choose the ledger of the batch.`, { missing: true });
  }
  const { readBook } = await import('../sandbox/book.ts');
  return { path, book: readBook(path) };
}

/** Replaces only an earlier statement of the sandbox. A bank's statement may have the same name. */
function writeStatement(path: string, text: string): void {
  try {
    const flag = existsSync(path) && isStatement(readFileSync(path, 'utf8'), text) ? 'w' : 'wx';
    writeFileSync(path, text, { flag, mode: 0o600 });
  } catch (error) {
    const why = codeOf(error) === 'EEXIST' ? 'the file already exists' : String(error);
    throw new ReportUnwritable(`Cannot write the statement “${path}”: ${why}. Name another file.`, {
      cause: error,
    });
  }
}

/** True if the header is equal and the last line marks a complete book. */
function isStatement(existing: string, text: string): boolean {
  const header = text.slice(0, text.indexOf('\n') + 1);
  return existing.startsWith(header) && new RegExp(`,${WHOLE_BOOK}[^,\\r\\n]*\\r\\n$`).test(existing);
}
