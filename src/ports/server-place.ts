/**
 * Where a server is that keeps the ledger and the queue of the workers, and its database without the rules of the ledger.
 */
import { LedgerError } from './ledger/errors.ts';

export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** undefined: without; only on this machine. `root`: the certificate to trust, instead of the system's. */
  readonly tls?: { readonly root: string | undefined } | undefined;
  /** Where the ledger's tables are. */
  readonly schema: string;
}

/** The server, or the way to it, failed. `cause` is the error of the connection or of the server. */
export class ServerFailure extends LedgerError {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const text =
      `The server of the ledger gave no answer (${message}). Workers go on with what they were asked for. When the server ` +
      'answers again, run the same command again.';
    super('ledger_unreachable', text, { cause });
  }

  /** What the connection or the server said. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause);
  }
}

/** The server's database without the rules of the ledger. Errors: ServerFailure. */
export interface ServerDatabase extends ServerQuestions {
  /** Only what `work` asks by its argument is part of the transaction. */
  inTransaction<Result>(work: (inside: ServerQuestions) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface ServerQuestions {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}
