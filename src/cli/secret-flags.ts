/**
 * Refuses secrets on the command line, where every user of the machine and the shell's history can read them.
 */
import { UsageError } from './usage-error.ts';

const SECRET = /^--?(password|passwd|passphrase|pass|pwd|token|secret|api-?key|key|credentials?)(=|$)/i;

/** Throws before anything else is looked at; the value itself is never repeated. */
export function refuseSecretFlags(words: readonly string[]): void {
  const end = words.indexOf('--');
  const flag = (end < 0 ? words : words.slice(0, end)).find((word) => SECRET.test(word));
  if (flag === undefined) return;
  throw new UsageError(
    `${flag.split('=')[0]}: a secret is never a flag, because others can read it there. ` +
      'Put it into the environment (PAYFILE_PASSWORD) or into a file that only you can read (PAYFILE_PASSWORD_FILE).',
    'payfile doctor',
  );
}
