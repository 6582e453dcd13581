/** Starts the judge and asks it. Faults of transfers go by the last two digits of the account. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE } from './compiled.ts';
import type { Seen } from './judge.ts';

const JUDGE = fileURLToPath(new URL('./judge.ts', import.meta.url));

export const FAULTS = {
  lose_reset: '91',
  refuse: '92',
  cut: '93',
  error_500_executed: '94',
  late: '95',
  drop_reset: '97',
  gateway_502: '98',
} as const;

export interface Service {
  readonly env: Readonly<Record<string, string>>;
  /** The requests seen for these accounts, in order. */
  seen(accounts: readonly string[]): Promise<readonly Seen[]>;
  close(): void;
}

export async function startService({ latencyMs = 2 } = {}): Promise<Service> {
  const byAccountEnding = Object.fromEntries(Object.entries(FAULTS).map(([word, ending]) => [ending, word]));
  const plan = JSON.stringify({ byAccountEnding, latencyMs, lateMs: 40 });
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = fork(JUDGE, [plan], { execPath: NODE, execArgv: [], stdio: [...stdio] });
  const [env] = (await once(child, 'message')) as [Record<string, string>];
  let asking: Promise<unknown> = Promise.resolve();
  return {
    env,
    seen(accounts) {
      // One question at a time: answers carry no number.
      const answer = asking.then(async () => {
        const answered = once(child, 'message');
        child.send(accounts);
        const [seen] = (await answered) as [readonly Seen[]];
        return seen;
      });
      asking = answer.catch(() => undefined);
      return answer;
    },
    close: () => child.disconnect(),
  };
}
