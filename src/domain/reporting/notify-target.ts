/**
 * Where a notification goes when a command has ended: a web address, or the user's own program.
 *
 * `https://…` (plain http only to this machine), or `exec:PROGRAM ARGUMENT…`, split at spaces, run without a shell.
 */

export type NotifyTarget =
  | {
      readonly kind: 'url';
      readonly url: string /** Without path and query, which may be secret. */;
      readonly shown: string;
    }
  | {
      readonly kind: 'program';
      readonly program: string;
      readonly args: readonly string[];
      readonly shown: string;
    };

export const NOTIFY_EXPECTED =
  'an https:// address (http:// only to this machine), or exec:PROGRAM with its arguments behind it';

/** undefined when it is neither. */
export function notifyTargetOf(text: string): NotifyTarget | undefined {
  if (text.startsWith('exec:')) {
    const [program, ...args] = text
      .slice('exec:'.length)
      .split(/\s+/)
      .filter((word) => word !== '');
    return program === undefined ? undefined : { kind: 'program', program, args, shown: program };
  }
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isGood = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isGood ? { kind: 'url', url: text, shown: url.origin } : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
