/** A port that somebody named, for the console or the sandbox, and that another program has. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  readonly code = 'port_taken';
  constructor(port: number) {
    super(
      `Port ${port} of this machine is taken by another program. Choose another with --port, or leave it out.`,
    );
  }
}
