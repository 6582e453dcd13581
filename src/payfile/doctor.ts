/**
 * Looks at configuration, service, clock, ledger and the machine, and says of each what is wrong and how to mend it.
 * Logs in once; moves no money; changes nothing; sends a notification only when asked to.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isServerPlace } from '../domain/batches/ledger-trust.ts';
import { doubtsStep } from '../domain/next-steps/batch-steps.ts';
import { command, guideOn } from '../domain/next-steps/command.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { notifyTargetOf } from '../domain/reporting/notify-target.ts';
import { createDirectory, findSource } from '../domain/rows/directory.ts';
import { input, said } from '../domain/text/message.ts';
import { counted } from '../domain/text/printable.ts';
import { LedgerError } from '../ports/ledger/errors.ts';
import type { Check } from '../ports/machine-check.ts';
import { sendNotice } from '../setup/compose.ts';
import type { Settings } from '../setup/load-settings.ts';
import {
  isProgramThere,
  metricsPlace,
  modeChecks,
  openConfiguration,
  ownRoster,
  placeChecks,
} from '../setup/machine-checks.ts';
import { askCountries } from '../use-cases/ask-lists.ts';
import { isServerAway } from '../use-cases/fleet/server-away.ts';
import type { Door } from './door.ts';

const SKEW_SECONDS_MAX = 60;
const SERVER_SKEW_MS_MAX = 2_000;
const ASK_MS = 5_000;
/** One line a batch; a person who mends these finds the next ones. */
const BATCHES_MAX = 20;

/** `notice`: text of a test notification; undefined: none is sent. */
export async function examine(
  door: Door,
  { signal, notice }: { readonly signal: AbortSignal | undefined; readonly notice: string | undefined },
): Promise<readonly Check[]> {
  const { settings, parts } = door;
  const checks: Check[] = [
    ...configuration(settings),
    ...ownRoster(settings, door.user),
    ...secondPerson(settings),
  ];
  const ledger = await ledgerChecks(door);
  if (settings.environment === 'sandbox' || settings.service !== undefined) {
    const answers = isAway(ledger, settings) ? NOT_ASKED : await service(door, signal);
    checks.push(answers, await sourceCountry(door, answers.isGood && answers !== NOT_ASKED, signal));
    if (settings.service !== undefined) checks.push(await clock(settings.service.baseUrl, parts.clock));
  }
  checks.push(...ledger, ...placeChecks(settings));
  // Workers use the same server, so this check would fail for the same reason.
  if (ledger[0]?.isGood === true) checks.push(...(await workersAtWork(door)));
  const { metricsFile } = settings;
  if (metricsFile !== undefined) checks.push(await metricsPlace(metricsFile, parts.outputs, settings.cwd));
  checks.push(...(await notification(door, notice)));
  return checks;
}

/** With what a second person approves. */
function secondPerson({ policy, ledgerServer }: Settings): readonly Check[] {
  if (!policy.fourEyes) return [];
  const text =
    ledgerServer === undefined
      ? 'the ledger is a file, so a second person approves in the console with a passkey; two logins need a ledger on a server'
      : 'a second person approves with a login of their own, or in the console with a passkey';
  return [{ what: 'Four eyes', isGood: true, text }];
}

const NOT_ASKED: Check = {
  what: 'Service',
  isGood: true,
  text: 'not asked: all machines share its login, which is on the ledger’s server',
};

function isAway([ledger]: readonly Check[], settings: Settings): boolean {
  return settings.ledgerServer !== undefined && isServerAway(ledger?.error);
}

const codeOf = (error: unknown) => (error instanceof LedgerError ? error.code : undefined);

/** Where the command that helps elsewhere is `doctor` itself. */
const HELP_OF_SERVER = ['ledger_foreign', 'ledger_unsupported', 'ledger_unwritable', 'ledger_unreachable'];

function configuration(settings: Settings): readonly Check[] {
  const { environment, missing, origins, configPath, locations, warnings } = settings;
  const found = [...origins].map(([name, origin]) => `${name} (${origin})`).join(', ');
  const text = found === '' ? 'only defaults' : found;
  return [
    {
      what: 'Settings',
      isGood: true,
      text: configPath === undefined ? text : `${text}; file: ${configPath}`,
    },
    ...openConfiguration(settings),
    ...(environment === 'live' && missing.length > 0
      ? [
          {
            what: 'Service',
            isGood: false,
            text: `not configured; missing: ${missing.join(', ')}`,
            mend: said`Set these variables, or write baseUrl, authUrl, id and passwordFile into ${locations.userConfig}. To try payfile without a service, add ${input('sandbox')}.`,
          },
        ]
      : []),
    ...warnings.map((warning) => ({ what: 'Password file', isGood: false, text: warning })),
  ];
}

/** One login and one question; a refused password is not tried again. */
async function service({ settings, parts }: Door, signal: AbortSignal | undefined): Promise<Check> {
  const what = 'Service';
  const where = settings.service?.baseUrl ?? 'the embedded sandbox';
  try {
    const asked = await (await parts.paymentService()).profile(signal);
    if (asked.kind !== 'unavailable')
      return { what, isGood: true, text: `${where} answers; id and password are good` };
    const text = `${where} gives no answer: ${asked.reason}`;
    const mend = 'Check the address and the network; then run payfile doctor again.';
    return { what, isGood: false, text, mend, code: EXIT.serviceUnavailable };
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'credentials_refused';
    const mend = isRefused
      ? 'Check PAYFILE_ID and the password; the service may lock an account after several wrong ones.'
      : undefined;
    return { what, isGood: false, text: '', mend, error };
  }
}

async function sourceCountry(
  { settings, parts }: Door,
  mayAsk: boolean,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const what = 'Source country';
  const { source } = settings;
  const mend =
    'Set PAYFILE_SOURCE, or “source” in the configuration, to the country that the money comes from.';
  if (source === undefined)
    return {
      what,
      isGood: false,
      text: 'not set, and a run needs it, or a column “source” in the file',
      mend,
    };
  const asked = mayAsk ? await askCountries(await parts.paymentService(), signal) : undefined;
  if (asked?.kind !== 'answered')
    return { what, isGood: true, text: `${source} (not compared with the service’s list)` };
  const found = findSource(createDirectory(asked.answer), source);
  if (found.kind === 'unknown') return { what, isGood: false, text: found.message, mend };
  return { what, isGood: true, text: `${found.country.name} (${found.country.iso})` };
}

async function clock(baseUrl: string, { now }: { now(): number }): Promise<Check> {
  const what = 'Clock';
  try {
    const asked = now();
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    await answer.body?.cancel();
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return { what, isGood: true, text: 'the service does not tell the time' };
    const seconds = Math.round((theirs - asked) / 1000);
    const isGood = Math.abs(seconds) <= SKEW_SECONDS_MAX;
    const text = isGood ? 'agrees with the service’s' : `differs from the service’s by ${seconds} s`;
    return { what, isGood, text, mend: isGood ? undefined : 'Set this machine’s clock by NTP.' };
  } catch {
    return { what, isGood: true, text: 'not compared: the service gave no answer' };
  }
}

/** The ledger that is configured, rows in it whose outcome is not known, and others that were used on this machine. */
async function ledgerChecks(door: Door): Promise<readonly Check[]> {
  const what = 'Ledger';
  // Before it is opened, because opening restricts the modes of files that others may read.
  const modes = modeChecks(door.settings);
  try {
    if (await isMissing(door)) return [missing(door.settings), ...(await knownLedgers(door))];
    const store = await door.ledger({ tellsPlace: true });
    const { identity } = store;
    const batches = (await store.batches()).length;
    // Other machines join the ledger by its id. A container with an empty home finds it by its id, too.
    const id = identity.environment === 'live' ? `, id ${identity.id}` : '';
    const text = `${identity.path}, ${identity.environment}, of ${identity.baseUrl}, ${counted(batches, 'batch', 'batches')}${id}`;
    const doubts = (await store.openDoubts()).slice(0, BATCHES_MAX).map((each): Check => {
      const { text: told, command: next } = doubtsStep(each);
      return { what: 'Doubts', isGood: false, text: told, mendBy: next, code: EXIT.inDoubt };
    });
    const clocks = serverTime(door.parts.aheadMs());
    return [{ what, isGood: true, text }, ...clocks, ...modes, ...doubts, ...(await knownLedgers(door))];
  } catch (error) {
    const isHelped = door.settings.ledgerServer !== undefined && HELP_OF_SERVER.includes(codeOf(error) ?? '');
    const mendBy = isHelped ? guideOn('server') : undefined;
    return [{ what, isGood: false, text: '', error, mendBy }, ...modes];
  }
}

async function isMissing({ parts, settings }: Door): Promise<boolean> {
  const { environment, ledgerPath, ledgerServer, ledgerId } = settings;
  const isNamed = ledgerServer === undefined && ledgerId !== undefined;
  const known = isNamed || (await parts.knownLedgers()).some(({ path }) => path === resolve(ledgerPath));
  const isGone = environment === 'live' && known;
  return !isGone && !(await parts.hasLedger());
}

function missing({ environment, ledgerPath }: Settings): Check {
  const what = 'Ledger';
  if (environment === 'sandbox')
    return { what, isGood: true, text: `${ledgerPath} is not there yet; the first run makes it` };
  const mend = 'If no payments were ever made with another ledger';
  return { what, isGood: false, text: `${ledgerPath} is not there`, mend, mendBy: command('init') };
}

/** payfile goes by the server's time; whoever compares it with logs and letters goes by this machine's. */
function serverTime(aheadMs: number | undefined): readonly Check[] {
  if (aheadMs === undefined) return [];
  const what = 'Clock';
  const isGood = Math.abs(aheadMs) <= SERVER_SKEW_MS_MAX;
  const by = `${Math.abs(Math.round(aheadMs / 100) / 10)} s ${aheadMs > 0 ? 'behind' : 'ahead of'}`;
  if (isGood) return [{ what, isGood, text: 'agrees with that of the ledger’s server' }];
  const text = `is ${by} that of the ledger’s server, which counts`;
  return [{ what, isGood, text, mend: 'Set the clocks of this machine and of the server by NTP.' }];
}

/** A ledger that is gone knew payments that no other ledger knows. Sandbox ledgers do not matter. */
async function knownLedgers({ parts, settings }: Door): Promise<readonly Check[]> {
  const known = await parts.knownLedgers();
  // Whether a server still has its ledger is known only to whoever asks it.
  const isThere = (path: string) => isServerPlace(path) || existsSync(path);
  const there = known.map(({ path }) => path).filter(isThere);
  const gone = known.filter(({ path }) => !isThere(path) && path !== resolve(settings.ledgerPath));
  const lost = gone.map(({ path, file }) => ({
    what: 'Known ledgers',
    isGood: false,
    text: `${path} is gone, and with it what was paid from it`,
    mend: `Put it back; a backup does not know what was paid after it was made. Where it paid nothing, remove ${file}`,
  }));
  return [
    ...(there.length === 0 ? [] : [{ what: 'Known ledgers', isGood: true, text: there.join(', ') }]),
    ...(settings.environment === 'live' ? lost : []),
  ];
}

/** What they could not do is shown by `payfile fleet`; nobody has to run one. */
async function workersAtWork({ settings, parts }: Door): Promise<readonly Check[]> {
  const what = 'Workers';
  if (settings.ledgerServer === undefined) return [];
  try {
    const { workers = [] } = (await (await parts.fleet())?.seen()) ?? {};
    const count = workers.length === 0 ? 'none' : String(workers.length);
    return [{ what, isGood: true, text: `${count} at work` }];
  } catch (error) {
    return [{ what, isGood: false, text: '', error }];
  }
}

async function notification(door: Door, notice: string | undefined): Promise<readonly Check[]> {
  const what = 'Notification';
  const { to, on } = door.settings.notify;
  const target = to === undefined ? undefined : notifyTargetOf(to);
  if (target === undefined) return [];
  const { shown } = target;
  if (target.kind === 'program' && !isProgramThere(target.program, door.at)) {
    const mend = 'Write its whole path behind exec:, and make it executable (chmod +x).';
    return [{ what, isGood: false, text: `${target.program} is not a program that can be run`, mend }];
  }
  const when = on === 'always' ? 'after every call' : 'when something is wrong';
  if (notice === undefined)
    return [{ what, isGood: true, text: said`${shown}, ${when} (not tried: add ${input('tryNotify')})` }];
  const problem = await sendNotice(target, notice, door.at);
  if (problem === undefined) return [{ what, isGood: true, text: `${shown}, ${when}; a test was taken` }];
  const mend = said`Mend the address or the program, then run payfile doctor ${input('tryNotify')} again.`;
  return [{ what, isGood: false, text: `${shown}: ${problem}`, mend }];
}
