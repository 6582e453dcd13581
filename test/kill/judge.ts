/**
 * The service of the kill harness, in a process of its own: its book of what really executed is the judge. Tells
 * its address when it listens, and answers each message, a list of accounts, with the requests that it saw for
 * them. What goes wrong with a transfer is told by the last two digits of its account.
 */
import { planned } from '../fakes/fault-server/plan.ts';
import { startFaultServer } from '../fakes/fault-server/server.ts';

export interface Seen {
  readonly account: string;
  readonly executed: boolean;
  /** undefined when nothing was executed. */
  readonly id: string | undefined;
  /** The whole answer was handed to the network. */
  readonly isAnswered: boolean;
}

const plan = planned(process.argv[2] ?? '{}');
const server = await startFaultServer({ next: plan.next, tokenSeconds: plan.tokenSeconds });
process.send?.({
  PAYFILE_BASE_URL: `${server.url}/v1`,
  PAYFILE_AUTH_URL: `${server.url}/auth`,
  PAYFILE_ID: 'fault-server-user',
  PAYFILE_PASSWORD: 'fault-server-password',
  PAYFILE_SOURCE: 'GB',
});
process.on('message', (accounts: readonly string[]) => {
  const asked = new Set(accounts);
  const answered = new Set(server.book.answers.filter(({ whole }) => whole).map(({ number }) => number));
  const seen = server.book.posts
    .filter(({ account }) => asked.has(account))
    .map(
      ({ account, executed, transferId: id, number }): Seen => ({
        account,
        executed,
        id,
        isAnswered: answered.has(number),
      }),
    );
  process.send?.(seen);
});
process.on('disconnect', () => process.exit(0));
