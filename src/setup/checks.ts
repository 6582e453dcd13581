/**
 * What is wrong with settings, service, clock, ledger and machine, and how to mend it. Logs in once, moves no money and
 * changes nothing. Sends a notification only if asked to.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isServerPlace } from '../domain/batches/ledger-trust.ts';
import { doubtsStep } from '../domain/next-steps/batch-steps.ts';
import { command, guideOn } from '../domain/next-steps/command.ts';
import { codeOf } from '../domain/reporting/error-codes.ts';
import { EXIT } from '../domain/reporting/exit-code.ts';
import { notifyTargetOf } from '../domain/reporting/notify-target.ts';
import { createDirectory, findSource } from '../domain/rows/directory.ts';
import { input, said } from '../domain/text/message.ts';
import { counted } from '../domain/text/printable.ts';
import type { Check } from '../ports/machine-check.ts';
import { askCountries } from '../use-cases/ask-lists.ts';
import { isServerAway } from '../use-cases/fleet/server-away.ts';
import { type Parts, sendNotice } from './compose.ts';
import type { Settings, SettingsContext } from './load-settings.ts';
import {
  bad,
  good,
  isProgramThere,
  metricsPlace,
  modeChecks,
  openConfiguration,
  ownRoster,
  placeChecks,
} from './machine-checks.ts';

const SKEW_SECONDS_MAX = 60;
const SERVER_SKEW_MS_MAX = 2_000;
const ASK_MS = 5_000;
/** One line a batch; a person who mends these finds the next ones. */
const BATCHES_MAX = 20;

export interface Examined {
  readonly parts: Parts;
  /** Who asks. */
  readonly user: string;
  /** For programs that are started. */
  readonly at: Pick<SettingsContext, 'env' | 'cwd'>;
}

/** `notice`: text of a test notification; undefined: none is sent. */
export async function examine(
  { parts, user, at }: Examined,
  { signal, notice }: { readonly signal: AbortSignal | undefined; readonly notice: string | undefined },
): Promise<readonly Check[]> {
  const { settings, outputs } = parts;
  const { environment, metricsFile, service: configured, ledgerServer, cwd } = settings;
  const ledger = await ledgerChecks(parts);
  const isAway = ledgerServer !== undefined && isServerAway(ledger[0]?.error);
  const isAsked = environment === 'sandbox' || configured !== undefined;
  const answers = isAsked ? [isAway ? NOT_ASKED : await service(parts, signal)] : [];
  const mayAsk = answers.some((each) => each.isGood && each !== NOT_ASKED);
  return [
    ...configuration(settings),
    ...ownRoster(settings, user),
    ...secondPerson(settings),
    ...answers,
    ...(isAsked ? [await sourceCountry(parts, mayAsk, signal)] : []),
    ...(configured === undefined ? [] : [await clock(configured.baseUrl, parts.clock)]),
    ...ledger,
    ...placeChecks(settings),
    // Workers use the same server, so this check would fail for the same reason.
    ...(ledger[0]?.isGood === true ? await workersAtWork(parts) : []),
    ...(metricsFile === undefined ? [] : [await metricsPlace(metricsFile, outputs, cwd)]),
    ...(await notification(settings, notice, at)),
  ];
}

/** With what a second person approves. */
function secondPerson({ policy, ledgerServer }: Settings): readonly Check[] {
  if (!policy.fourEyes) return [];
  const text =
    ledgerServer === undefined
      ? 'the ledger is a file, so a second person approves in the console with a passkey; two logins need a ledger on a server'
      : 'a second person approves with a login of their own, or in the console with a passkey';
  return [good('Four eyes', text)];
}

const NOT_ASKED = good('Service', 'not asked: all machines share its login, which is on the ledger’s server');

/** Elsewhere the command that helps is `doctor` itself. */
const HELP_OF_SERVER = ['ledger_foreign', 'ledger_unsupported', 'ledger_unwritable', 'ledger_unreachable'];

function configuration(settings: Settings): readonly Check[] {
  const { environment, missing: unset, origins, configPath, locations, warnings } = settings;
  const found = [...origins].map(([name, origin]) => `${name} (${origin})`).join(', ') || 'only defaults';
  const mend = said`Set these variables, or write baseUrl, authUrl, id and passwordFile into ${locations.userConfig}. To try payfile without a service, add ${input('sandbox')}.`;
  const isUnset = environment === 'live' && unset.length > 0;
  return [
    good('Settings', configPath === undefined ? found : `${found}; file: ${configPath}`),
    ...openConfiguration(settings),
    ...(isUnset ? [bad('Service', `not configured; missing: ${unset.join(', ')}`, { mend })] : []),
    ...warnings.map((warning) => bad('Password file', warning)),
  ];
}

/** One login and one question; a refused password is not tried again. */
async function service({ settings, paymentService }: Parts, signal?: AbortSignal): Promise<Check> {
  const what = 'Service';
  const where = settings.service?.baseUrl ?? 'the embedded sandbox';
  try {
    const asked = await (await paymentService()).profile(signal);
    if (asked.kind !== 'unavailable') return good(what, `${where} answers; id and password are good`);
    const mend = 'Check the address and the network; then run payfile doctor again.';
    return bad(what, `${where} gives no answer: ${asked.reason}`, { mend, code: EXIT.serviceUnavailable });
  } catch (error) {
    if (codeOf(error) !== 'credentials_refused') return bad(what, '', { error });
    const mend =
      'Check PAYFILE_ID and the password; the service may lock an account after several wrong ones.';
    return bad(what, '', { mend, error });
  }
}

async function sourceCountry(
  { settings: { source }, paymentService }: Parts,
  mayAsk: boolean,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const what = 'Source country';
  const mend =
    'Set PAYFILE_SOURCE, or “source” in the configuration, to the country that the money comes from.';
  if (source === undefined)
    return bad(what, 'not set, and a run needs it, or a column “source” in the file', { mend });
  const asked = mayAsk ? await askCountries(await paymentService(), signal) : undefined;
  if (asked?.kind !== 'answered') return good(what, `${source} (not compared with the service’s list)`);
  const found = findSource(createDirectory(asked.answer), source);
  if (found.kind === 'unknown') return bad(what, found.message, { mend });
  return good(what, `${found.country.name} (${found.country.iso})`);
}

async function clock(baseUrl: string, { now }: { now(): number }): Promise<Check> {
  const what = 'Clock';
  try {
    const asked = now();
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    await answer.body?.cancel();
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return good(what, 'the service does not tell the time');
    const seconds = Math.round((theirs - asked) / 1000);
    if (Math.abs(seconds) <= SKEW_SECONDS_MAX) return good(what, 'agrees with the service’s');
    const mend = 'Set this machine’s clock by NTP.';
    return bad(what, `differs from the service’s by ${seconds} s`, { mend });
  } catch {
    return good(what, 'not compared: the service gave no answer');
  }
}

/** The ledger that is configured, rows in it whose outcome is not known, and others that were used on this machine. */
async function ledgerChecks(parts: Parts): Promise<readonly Check[]> {
  const { settings } = parts;
  const what = 'Ledger';
  // Before it is opened, because opening restricts the modes of files that others may read.
  const modes = modeChecks(settings);
  try {
    if (await isMissing(parts)) return [missing(settings), ...(await knownLedgers(parts))];
    const store = await parts.ledger({ tellsPlace: true });
    const { environment, path, baseUrl, id } = store.identity;
    const batches = counted((await store.batches()).length, 'batch', 'batches');
    // Other machines join the ledger by its id. A container with an empty home finds it by its id, too.
    const named = environment === 'live' ? `, id ${id}` : '';
    const doubts = (await store.openDoubts()).slice(0, BATCHES_MAX).map((each) => {
      const { text, command: mendBy } = doubtsStep(each);
      return bad('Doubts', text, { mendBy, code: EXIT.inDoubt });
    });
    return [
      good(what, `${path}, ${environment}, of ${baseUrl}, ${batches}${named}`),
      ...serverTime(parts.aheadMs()),
      ...modes,
      ...doubts,
      ...(await knownLedgers(parts)),
    ];
  } catch (error) {
    const isHelped = settings.ledgerServer !== undefined && HELP_OF_SERVER.includes(codeOf(error) ?? '');
    return [bad(what, '', { error, mendBy: isHelped ? guideOn('server') : undefined }), ...modes];
  }
}

async function isMissing({ settings, hasLedger, knownLedgers: known }: Parts): Promise<boolean> {
  const { environment, ledgerPath, ledgerServer, ledgerId } = settings;
  const isNamed = ledgerServer === undefined && ledgerId !== undefined;
  const isKnown = isNamed || (await known()).some(({ path }) => path === resolve(ledgerPath));
  return !(environment === 'live' && isKnown) && !(await hasLedger());
}

function missing({ environment, ledgerPath }: Settings): Check {
  if (environment === 'sandbox')
    return good('Ledger', `${ledgerPath} is not there yet; the first run makes it`);
  const mend = 'If no payments were ever made with another ledger';
  return bad('Ledger', `${ledgerPath} is not there`, { mend, mendBy: command('init') });
}

/** payfile goes by the server's time. People compare it with logs and messages by the time of this machine. */
function serverTime(aheadMs: number | undefined): readonly Check[] {
  if (aheadMs === undefined) return [];
  if (Math.abs(aheadMs) <= SERVER_SKEW_MS_MAX)
    return [good('Clock', 'agrees with that of the ledger’s server')];
  const by = `${Math.abs(Math.round(aheadMs / 100) / 10)} s ${aheadMs > 0 ? 'behind' : 'ahead of'}`;
  const mend = 'Set the clocks of this machine and of the server by NTP.';
  return [bad('Clock', `is ${by} that of the ledger’s server, which counts`, { mend })];
}

/** A ledger that is gone knew payments that no other ledger knows. Sandbox ledgers do not matter. */
async function knownLedgers({ settings, knownLedgers: all }: Parts): Promise<readonly Check[]> {
  const what = 'Known ledgers';
  const known = await all();
  // Only the server itself can tell whether it still has its ledger.
  const isThere = ({ path }: { readonly path: string }) => isServerPlace(path) || existsSync(path);
  const there = known.filter(isThere).map(({ path }) => path);
  const gone = known.filter((each) => !isThere(each) && each.path !== resolve(settings.ledgerPath));
  const lost = gone.map(({ path, file }) => {
    const mend = `Put it back; a backup does not know what was paid after it was made. Where it paid nothing, remove ${file}`;
    return bad(what, `${path} is gone, and with it what was paid from it`, { mend });
  });
  return [
    ...(there.length === 0 ? [] : [good(what, there.join(', '))]),
    ...(settings.environment === 'live' ? lost : []),
  ];
}

/** `payfile fleet` shows what they could not do. Nobody has to run one. */
async function workersAtWork({ settings, fleet }: Parts): Promise<readonly Check[]> {
  const what = 'Workers';
  if (settings.ledgerServer === undefined) return [];
  try {
    const { workers = [] } = (await (await fleet())?.seen()) ?? {};
    return [good(what, `${workers.length || 'none'} at work`)];
  } catch (error) {
    return [bad(what, '', { error })];
  }
}

async function notification(
  { notify: { to, on } }: Settings,
  notice: string | undefined,
  at: Examined['at'],
): Promise<readonly Check[]> {
  const what = 'Notification';
  const target = to === undefined ? undefined : notifyTargetOf(to);
  if (target === undefined) return [];
  if (target.kind === 'program' && !isProgramThere(target.program, at)) {
    const mend = 'Write its whole path behind exec:, and make it executable (chmod +x).';
    return [bad(what, `${target.program} is not a program that can be run`, { mend })];
  }
  const whither = `${target.shown}, ${on === 'always' ? 'after every call' : 'when something is wrong'}`;
  if (notice === undefined) return [good(what, said`${whither} (not tried: add ${input('tryNotify')})`)];
  const problem = await sendNotice(target, notice, at);
  if (problem === undefined) return [good(what, `${whither}; a test was taken`)];
  const mend = said`Mend the address or the program, then run payfile doctor ${input('tryNotify')} again.`;
  return [bad(what, `${target.shown}: ${problem}`, { mend })];
}
