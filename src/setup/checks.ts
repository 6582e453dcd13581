/**
 * Checks settings, service, clock, ledger and machine, and says how to fix problems. Logs in once. Moves no money and
 * changes nothing. Sends a notification only on request.
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
import { isServerAway } from '../ports/ledger/errors.ts';
import type { Check } from '../ports/machine-check.ts';
import { askCountries } from '../use-cases/ask-lists.ts';
import { type Parts, sendNotice } from './compose.ts';
import type { Settings, SettingsContext } from './load-settings.ts';
import {
  bad,
  checkMetricsPlace,
  configurationModeChecks,
  good,
  isProgramThere,
  modeChecks,
  placeChecks,
  roleFileChecks,
} from './machine-checks.ts';

const SKEW_SECONDS_MAX = 60;
const SERVER_SKEW_MS_MAX = 2_000;
const ASK_MS = 5_000;
/** Maximum batches listed, one line each. */
const BATCHES_MAX = 20;

interface CheckRequest {
  readonly parts: Parts;
  /** The user. */
  readonly user: string;
  /** Environment and folder for programs. */
  readonly programContext: Pick<SettingsContext, 'env' | 'cwd'>;
}

/** `notice`: text of a test notification; undefined sends none. */
export async function examine(
  { parts, user, programContext }: CheckRequest,
  { signal, notice }: { readonly signal: AbortSignal | undefined; readonly notice: string | undefined },
): Promise<readonly Check[]> {
  const { settings, outputs } = parts;
  const { environment, metricsFile, service: configured, ledgerServer, cwd } = settings;
  const ledger = await ledgerChecks(parts);
  const isAway = ledgerServer !== undefined && isServerAway(ledger[0]?.error);
  const isChecked = environment === 'sandbox' || configured !== undefined;
  const answers = isChecked ? [isAway ? NOT_CHECKED : await checkService(parts, signal)] : [];
  const mayAsk = answers.some((each) => each.isGood && each !== NOT_CHECKED);
  return [
    ...settingsChecks(settings),
    ...roleFileChecks(settings, user),
    ...fourEyesChecks(settings),
    ...answers,
    ...(isChecked ? [await checkSourceCountry(parts, mayAsk, signal)] : []),
    ...(configured === undefined ? [] : [await checkClock(configured.baseUrl, parts.clock)]),
    ...ledger,
    ...placeChecks(settings),
    // Without the ledger, the check of workers would fail for the same reason.
    ...(ledger[0]?.isGood === true ? await workersCheck(parts) : []),
    ...(metricsFile === undefined ? [] : [await checkMetricsPlace(metricsFile, outputs, cwd)]),
    ...(await notificationChecks(settings, notice, programContext)),
  ];
}

/** How a second person approves. */
function fourEyesChecks({ policy, ledgerServer }: Settings): readonly Check[] {
  if (!policy.fourEyes) return [];
  const text =
    ledgerServer === undefined
      ? 'the ledger is a file, so a second person approves in the console with a passkey. Two logins need a ledger on a server'
      : 'a second person approves with their own login, or in the console with a passkey';
  return [good('Four eyes', text)];
}

const NOT_CHECKED = good(
  'Service',
  'not checked, because the ledger’s server has the shared login and does not answer',
);

/** Errors that `help server` explains. For other errors, doctor shows the next step. */
const SERVER_GUIDE_ERRORS = [
  'ledger_foreign',
  'ledger_unsupported',
  'ledger_unwritable',
  'ledger_unreachable',
];

function settingsChecks(settings: Settings): readonly Check[] {
  const { environment, missing: missingVariables, origins, configPath, locations, warnings } = settings;
  const found = [...origins].map(([name, origin]) => `${name} (${origin})`).join(', ') || 'only defaults';
  const fix = said`Set these variables, or write baseUrl, authUrl, id and passwordFile into ${locations.userConfig}. To try payfile without a service, add ${input('sandbox')}.`;
  const isUnset = environment === 'live' && missingVariables.length > 0;
  return [
    good('Settings', configPath === undefined ? found : `${found}; file: ${configPath}`),
    ...configurationModeChecks(settings),
    ...(isUnset ? [bad('Service', `not configured; missing: ${missingVariables.join(', ')}`, { fix })] : []),
    ...warnings.map((warning) => bad('Password file', warning)),
  ];
}

/** Logs in once and sends one request. Does not retry a refused password. */
async function checkService({ settings, paymentService }: Parts, signal?: AbortSignal): Promise<Check> {
  const what = 'Service';
  const where = settings.service?.baseUrl ?? 'the embedded sandbox';
  try {
    const asked = await (await paymentService()).profile(signal);
    if (asked.kind !== 'unavailable') return good(what, `${where} answers; id and password are correct`);
    const fix = 'Check the address and the network. Then run payfile doctor again.';
    return bad(what, `${where} gives no answer: ${asked.reason}`, { fix, code: EXIT.serviceUnavailable });
  } catch (error) {
    if (codeOf(error) !== 'credentials_refused') return bad(what, '', { error });
    const fix =
      'Check PAYFILE_ID and the password. The service may lock an account after several wrong ones.';
    return bad(what, '', { fix, error });
  }
}

async function checkSourceCountry(
  { settings: { source }, paymentService }: Parts,
  mayAsk: boolean,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const what = 'Source country';
  const fix = 'Set PAYFILE_SOURCE, or “source” in the configuration, to the source country of the money.';
  if (source === undefined)
    return bad(what, 'not set; a run needs it, unless the file has a column “source”', { fix });
  const asked = mayAsk ? await askCountries(await paymentService(), signal) : undefined;
  if (asked?.kind !== 'answered') return good(what, `${source} (not compared with the service’s list)`);
  const found = findSource(createDirectory(asked.answer), source);
  if (found.kind === 'unknown') return bad(what, found.message, { fix });
  return good(what, `${found.country.name} (${found.country.iso})`);
}

async function checkClock(baseUrl: string, { now }: { now(): number }): Promise<Check> {
  const what = 'Clock';
  try {
    const asked = now();
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) });
    await answer.body?.cancel();
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return good(what, 'the service does not send its time');
    const seconds = Math.round((theirs - asked) / 1000);
    if (Math.abs(seconds) <= SKEW_SECONDS_MAX) return good(what, 'agrees with the service’s');
    const fix = 'Set this machine’s clock by NTP.';
    return bad(what, `differs from the service’s by ${seconds} s`, { fix });
  } catch {
    return good(what, 'not compared: the service gave no answer');
  }
}

/** The configured ledger, its rows in doubt, and other ledgers used on this machine. */
async function ledgerChecks(parts: Parts): Promise<readonly Check[]> {
  const { settings } = parts;
  const what = 'Ledger';
  // Check file modes before opening the ledger, because opening restricts them.
  const modes = modeChecks(settings);
  try {
    if (await isMissing(parts)) return [missingLedgerCheck(settings), ...(await knownLedgers(parts))];
    const store = await parts.ledger({ tellsPlace: true });
    const { environment, path, baseUrl, id } = store.identity;
    const batches = counted((await store.batches()).length, 'batch', 'batches');
    // Other machines, and containers with an empty home, need the id to join the ledger.
    const named = environment === 'live' ? `, id ${id}` : '';
    const doubts = (await store.openDoubts()).slice(0, BATCHES_MAX).map((each) => {
      const { text, command: fixBy } = doubtsStep(each);
      return bad('Doubts', text, { fixBy, code: EXIT.inDoubt });
    });
    return [
      good(what, `${path}, ${environment}, of ${baseUrl}, ${batches}${named}`),
      ...serverTimeChecks(parts.aheadMs()),
      ...modes,
      ...doubts,
      ...(await knownLedgers(parts)),
    ];
  } catch (error) {
    const isInGuide =
      settings.ledgerServer !== undefined && SERVER_GUIDE_ERRORS.includes(codeOf(error) ?? '');
    return [bad(what, '', { error, fixBy: isInGuide ? guideOn('server') : undefined }), ...modes];
  }
}

async function isMissing({ settings, hasLedger, knownLedgers: known }: Parts): Promise<boolean> {
  const { environment, ledgerPath, ledgerServer, ledgerId } = settings;
  const isNamed = ledgerServer === undefined && ledgerId !== undefined;
  const isKnown = isNamed || (await known()).some(({ path }) => path === resolve(ledgerPath));
  return !(environment === 'live' && isKnown) && !(await hasLedger());
}

function missingLedgerCheck({ environment, ledgerPath }: Settings): Check {
  if (environment === 'sandbox')
    return good('Ledger', `${ledgerPath} does not exist yet; the first run creates it`);
  const fix = 'If you never paid with another ledger';
  return bad('Ledger', `${ledgerPath} does not exist`, { fix, fixBy: command('init') });
}

/** payfile uses the server's time. People compare it with logs and messages in the time of this machine. */
function serverTimeChecks(aheadMs: number | undefined): readonly Check[] {
  if (aheadMs === undefined) return [];
  if (Math.abs(aheadMs) <= SERVER_SKEW_MS_MAX) return [good('Clock', 'agrees with the ledger’s server')];
  const by = `${Math.abs(Math.round(aheadMs / 100) / 10)} s ${aheadMs > 0 ? 'behind' : 'ahead of'}`;
  const fix = 'Set the clocks of this machine and of the server by NTP.';
  return [bad('Clock', `is ${by} the ledger’s server, whose time payfile uses`, { fix })];
}

/** Warns about missing ledgers, because only they know their payments. Ignores sandbox ledgers. */
async function knownLedgers({ settings, knownLedgers: all }: Parts): Promise<readonly Check[]> {
  const what = 'Known ledgers';
  const known = await all();
  // Only the server knows whether its ledger still exists.
  const isThere = ({ path }: { readonly path: string }) => isServerPlace(path) || existsSync(path);
  const existing = known.filter(isThere).map(({ path }) => path);
  const missingLedgers = known.filter((each) => !isThere(each) && each.path !== resolve(settings.ledgerPath));
  const lost = missingLedgers.map(({ path, file }) => {
    const fix = `Restore it. A backup does not know later payments. If that ledger paid nothing, remove ${file}`;
    return bad(what, `${path} is missing, and only it knows its payments`, { fix });
  });
  return [
    ...(existing.length === 0 ? [] : [good(what, existing.join(', '))]),
    ...(settings.environment === 'live' ? lost : []),
  ];
}

/** Counts running workers. None is fine. `payfile fleet` shows waiting jobs. */
async function workersCheck({ settings, fleet }: Parts): Promise<readonly Check[]> {
  const what = 'Workers';
  if (settings.ledgerServer === undefined) return [];
  try {
    const { workers = [] } = (await (await fleet())?.seen()) ?? {};
    return [good(what, `${workers.length || 'none'} running`)];
  } catch (error) {
    return [bad(what, '', { error })];
  }
}

async function notificationChecks(
  { notify: { to, on } }: Settings,
  notice: string | undefined,
  programContext: CheckRequest['programContext'],
): Promise<readonly Check[]> {
  const what = 'Notification';
  const target = to === undefined ? undefined : notifyTargetOf(to);
  if (target === undefined) return [];
  if (target.kind === 'program' && !isProgramThere(target.program, programContext)) {
    const fix = 'Write its full path after exec:, and make it executable (chmod +x).';
    return [bad(what, `${target.program} is not an executable program`, { fix })];
  }
  const destination = `${target.shown}, ${on === 'always' ? 'after every call' : 'when something is wrong'}`;
  if (notice === undefined) return [good(what, said`${destination} (not tested: add ${input('tryNotify')})`)];
  const problem = await sendNotice(target, notice, programContext);
  if (problem === undefined) return [good(what, `${destination}; the test was accepted`)];
  const fix = said`Correct the address or the program. Then run payfile doctor ${input('tryNotify')} again.`;
  return [bad(what, `${target.shown}: ${problem}`, { fix })];
}
