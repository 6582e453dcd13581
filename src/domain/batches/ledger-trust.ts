/**
 * The place of a ledger as a person writes it and may see it, and how a machine joins a ledger on a server. `ledger/trust.ts`
 * decides whether a ledger may be worked with without a question.
 */

/** Whether the ledger is on a server, and not in a file. */
export function isServerPlace(path: string): boolean {
  return /^postgres(ql)?:\/\//.test(path);
}

const NO_SECRETS = new Set(['schema', 'sslrootcert']);

/**
 * The place of a ledger as it may be shown: of a server's address without what could be a password, wherever it stands.
 * undefined where the address is too odd to tell.
 */
export function shownPlaceOf(written: string): string | undefined {
  if (!isServerPlace(written)) return written;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  for (const name of [...url.searchParams.keys()]) if (!NO_SECRETS.has(name)) url.searchParams.delete(name);
  const hadPassword = url.password !== '';
  url.password = '';
  // With a `/` in it a password ends the host, and its rest stands in the path.
  if (url.username === '' || /@|%40/.test(url.pathname + url.search + url.hash)) return undefined;
  url.hash = '';
  return hadPassword || url.href.length < written.length ? url.href : written;
}

/** Why a ledger is unknown to a user who remembers nothing of it. */
export const NEVER_SEEN = 'this user has not worked with it before';

/** The file that this user works with is in its place. Another one is a backup, or a second copy. */
const ANOTHER_FILE = 'it is another file than the one that this user worked with';

export const anotherFile = (knownPath: string): string => `${ANOTHER_FILE} at ${knownPath}`;
export const isAnotherFile = (why: string): boolean => why.startsWith(ANOTHER_FILE);

/** Machines share a server: a new one joins without a person. undefined: a person has to accept the ledger. */
export function wayToJoin(path: string, why: string): string | undefined {
  if (!isServerPlace(path) || why !== NEVER_SEEN) return undefined;
  return (
    'A machine joins it by its id: payfile doctor on a machine that works with it shows the id. Write the id into ' +
    '~/.config/payfile/config.json of this machine, or into the configuration file that you name: "ledger": {"id": "ID"}, with ' +
    '"path" beside it where the address stands there. Only if the server was restored or copied must a person accept ' +
    'it instead (payfile help verify): that pauses every batch, for all machines.'
  );
}
