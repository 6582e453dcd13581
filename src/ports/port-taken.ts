/** Another program has the port that the user chose, for the console or the sandbox. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  readonly code = 'port_taken';
  constructor(port: number) {
    super(
      `Port ${port} of this machine is taken by another program. Choose another port, or none: payfile then finds a free one.`,
    );
  }
}
