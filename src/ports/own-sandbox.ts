/** The sandbox on this machine, beside a ledger: its server, what it executed, and how it may behave. */

export interface OwnSandbox {
  /** Runs until payfile is closed. Without a port, on any that is free. Errors: PortTaken. */
  start(port?: number): Promise<SandboxAddress>;
  /**
   * What it executed, also while it runs. `statement`: a path for a statement with whole accounts; `-` is standard output.
   * Replaces no file but an earlier statement. Errors: FileRefused without a book, ReportUnwritable.
   */
  book(statement?: string): Promise<SandboxBook>;
  /** The last line of a statement of this ledger; undefined: there is no book that can be read. */
  bookEnd(ledgerPath: string): Promise<string | undefined>;
  scenarios(): Promise<SandboxScenarios>;
  /** The embedded sandbox takes these people for the holders of their accounts, but of accounts that rehearse trouble. */
  knowHolders(holders: readonly NamedHolder[]): Promise<void>;
}

export interface NamedHolder {
  /** Id of the institution. */
  readonly institution: string;
  /** Whole. */
  readonly account: string;
  readonly name: string;
}

export interface SandboxAddress {
  readonly port: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  /** undefined: the book is kept in memory. */
  readonly bookPath: string | undefined;
  /** Environment variables with which another shell uses the sandbox as a live service. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface SandboxBook {
  readonly path: string;
  readonly entries: readonly ExecutedTransfer[];
  /** By status and currency, in the order of the first transfer. */
  readonly sums: readonly {
    readonly status: string;
    readonly currency: string;
    /** A decimal number. */
    readonly amount: string;
    readonly count: number;
  }[];
}

export interface ExecutedTransfer {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: string;
  readonly destination: string;
  readonly institution: string;
  /** Whole. */
  readonly account: string;
  readonly name: string;
  readonly phone: string;
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
  readonly transitions: readonly { readonly status: string; readonly at: number }[];
}

export interface SandboxScenarios {
  /** Of the whole sandbox. */
  readonly whole: readonly { readonly form: string; readonly sentence: string }[];
  readonly accounts: readonly {
    /** Of the account number. */
    readonly ending: string;
    readonly title: string;
    readonly sentence: string;
  }[];
}
