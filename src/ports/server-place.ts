/** Where a server is that keeps the ledger and the queue of the workers. */
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
