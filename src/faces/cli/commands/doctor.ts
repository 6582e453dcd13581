/**
 * `payfile doctor`: looks at configuration, service, clock, ledger and the machine, and says of each what is wrong
 * and how to mend it. Logs in once; moves no money; changes nothing, and tells nobody but with --try-notify. With
 * --quiet only what needs mending is shown.
 *
 * --json: {checks: [{what, isGood, text, mend}], exitCode}; 0, 5 (rows in doubt), 77 (credentials), 69 (service) or 78.
 */

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EXIT, type ExitCode, strongest } from '../../../domain/reporting/exit-code.ts';
import { command, plainPath, shellWord } from '../../../domain/steps/command.ts';
import { doubtsStep } from '../../../domain/steps/next-step.ts';
import { counted } from '../../../domain/text/printable.ts';
import { ConfigError, isOpenToOthers } from '../../../setup/config-file.ts';
import { bookPathOf } from '../../../setup/places.ts';
import type { Settings } from '../../../setup/settings.ts';
import { type Call, typed } from '../call.ts';
import { failureOf } from '../failure.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { nowOf } from '../surroundings.ts';
import { machineChecks } from './doctor-machine.ts';

export interface Check {
  readonly what: string;
  readonly isGood: boolean;
  readonly text: string;
  readonly mend?: string | undefined;
  readonly code?: ExitCode | undefined;
}

const SKEW_SECONDS_MAX = 60;
const ASK_MS = 5_000;

export async function doctor(call: Call): Promise<ExitCode> {
  const environment = call.flags.sandbox === true ? 'sandbox' : 'live';
  try {
    return show(await checksOf(await openParts(call), call), environment, call);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without settings there is nothing else to look at.
    return show(
      [versions(call), { what: 'Settings', isGood: false, text: error.message }],
      environment,
      call,
    );
  }
}

async function checksOf(opened: Opened, call: Call): Promise<readonly Check[]> {
  const { settings } = opened;
  const checks: Check[] = [versions(call), ...configuration(settings)];
  if (settings.environment === 'sandbox' || settings.service !== undefined) {
    checks.push(await service(opened, call));
    if (settings.service !== undefined) checks.push(await clock(settings.service.baseUrl, call));
  }
  checks.push(...(await ledgerChecks(opened, call)), ...(await machineChecks(call, settings)));
  return checks;
}

function show(checks: readonly Check[], environment: Settings['environment'], call: Call): ExitCode {
  const bad = checks.filter(({ isGood }) => !isGood);
  const exitCode = strongest(bad.map(({ code }) => code ?? EXIT.config));
  const { terminal } = call;
  for (const { what, isGood, text, mend } of terminal.isQuiet ? bad : checks) {
    terminal.print(`${isGood ? terminal.paint('✔', 'good') : terminal.paint('✖', 'bad')} ${what}: ${text}`);
    if (mend !== undefined) terminal.print(`    ${mend}`);
  }
  terminal.talk(
    bad.length === 0
      ? 'All is well.'
      : `${bad.length} of ${checks.length} ${bad.length === 1 ? 'needs' : 'need'} mending.`,
  );
  terminal.answer({ schemaVersion: 1, command: 'doctor', environment, exitCode, checks });
  return exitCode;
}

function versions({ surroundings }: Call): Check {
  const { node, sqlite } = surroundings.versions;
  return { what: 'Program', isGood: true, text: `Node ${node}, SQLite ${sqlite ?? 'unknown'}` };
}

function configuration(settings: Settings): Check[] {
  const { environment, missing, origins, locations, warnings } = settings;
  const found = [...origins].map(([name, origin]) => `${name} (${origin})`).join(', ');
  const text = found === '' ? 'only defaults' : found;
  const files = [locations.projectConfig, locations.userConfig].filter((path) => existsSync(path));
  return [
    {
      what: 'Settings',
      isGood: true,
      text: files.length === 0 ? text : `${text}; files: ${files.join(', ')}`,
    },
    ...openConfigurations(settings),
    ...(environment === 'live' && missing.length > 0
      ? [
          {
            what: 'Service',
            isGood: false,
            text: `not configured; missing: ${missing.join(', ')}`,
            mend: `Set these variables, or write baseUrl, authUrl, id and passwordFile into ${locations.userConfig}. To try payfile without a service, add --sandbox.`,
          },
        ]
      : []),
    ...warnings.map((warning) => ({ what: 'Password file', isGood: false, text: warning })),
  ];
}

/** A file that the user named or keeps is used as it is; whoever else may write it decides where money goes. */
function openConfigurations({ files, locations }: Settings): Check[] {
  const named = files.flatMap(({ path, what }) => (what === 'the configuration' ? [path] : []));
  const open = [...named, locations.userConfig].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && isOpenToOthers(stats);
  });
  return open.map((path) => ({
    what: 'Settings',
    isGood: false,
    text: `others can write ${path}, and with it where money goes`,
    mend: `chmod go-w ${shellWord(plainPath(path))}`,
  }));
}

/** One login and one question; a refused password is not tried again. */
async function service(opened: Opened, call: Call): Promise<Check> {
  const what = 'Service';
  const where = opened.settings.service?.baseUrl ?? 'the embedded sandbox';
  try {
    const asked = await (await opened.parts.paymentService()).profile(call.stopping.signal);
    if (asked.kind === 'unavailable') {
      const mend = 'Check the address and the network; then run payfile doctor again.';
      return {
        what,
        isGood: false,
        text: `${where} gives no answer: ${asked.reason}`,
        mend,
        code: EXIT.serviceUnavailable,
      };
    }
    return { what, isGood: true, text: `${where} answers; id and password are good` };
  } catch (error) {
    const { exitCode, message } = failureOf(error, call);
    const mend =
      exitCode === EXIT.credentials
        ? 'Check PAYFILE_ID and the password; the service may lock an account after several wrong ones.'
        : undefined;
    return { what, isGood: false, text: message, mend, code: exitCode };
  }
}

async function clock(baseUrl: string, call: Call): Promise<Check> {
  const what = 'Clock';
  try {
    const asked = nowOf(call.surroundings);
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

/**
 * What doctor says of ledgers: the one that is configured, rows in it whose outcome is not known, and the others that
 * were used on this machine.
 */

/** One line a batch; a person who mends these finds the next ones. */
const BATCHES_MAX = 20;

export async function ledgerChecks(opened: Opened, call: Call): Promise<Check[]> {
  const what = 'Ledger';
  const { ledgerPath, environment } = opened.settings;
  const isGone =
    environment === 'live' && (await opened.parts.knownLedgerPaths()).includes(resolve(ledgerPath));
  if (!existsSync(ledgerPath) && !isGone) {
    const isGood = environment === 'sandbox';
    const text = `${ledgerPath} is not there${isGood ? ' yet; the first run makes it' : ''}`;
    const mend = isGood
      ? undefined
      : `If no payments were ever made with another ledger: ${typed(call, command('init'))}`;
    return [{ what, isGood, text, mend }, ...(await knownLedgers(opened))];
  }
  // Before it is opened: opening narrows what is too open.
  const modes = modeChecks(opened.settings);
  try {
    const store = await opened.ledger({ tellsPlace: true });
    const { identity } = store;
    const batches = (await store.batches()).length;
    const text = `${identity.path}, ${identity.environment}, of ${identity.baseUrl}, ${counted(batches, 'batch', 'batches')}`;
    const doubts = (await store.openDoubts()).slice(0, BATCHES_MAX).map((each): Check => {
      const { text, command: next } = doubtsStep(each);
      const mend = next && typed(call, next);
      return { what: 'Doubts', isGood: false, text, mend, code: EXIT.inDoubt };
    });
    return [{ what, isGood: true, text }, ...modes, ...doubts, ...(await knownLedgers(opened))];
  } catch (error) {
    const { message, steps, exitCode } = failureOf(error, call);
    const { next } = steps;
    // Whoever reads this has just typed it.
    const mend = next === undefined || next.verb === 'doctor' ? undefined : typed(call, next);
    return [{ what, isGood: false, text: message, mend, code: exitCode }, ...modes];
  }
}

/** A ledger that is gone has taken its memory of payments with it. The sandbox's own cost nobody anything. */
async function knownLedgers({ parts, settings }: Opened): Promise<Check[]> {
  const known = await parts.knownLedgerPaths();
  const there = known.filter((path) => existsSync(path));
  const gone = known.filter((path) => !existsSync(path) && path !== resolve(settings.ledgerPath));
  const list = settings.locations.knownLedgers;
  const lost = gone.map((path) => ({
    what: 'Known ledgers',
    isGood: false,
    text: `${path} is gone, and with it what was paid from it`,
    mend: `Put it back; a backup (payfile restore FILE) does not know what was paid after it was made. Where it paid nothing, take it out of ${list}`,
  }));
  return [
    ...(there.length === 0 ? [] : [{ what: 'Known ledgers', isGood: true, text: there.join(', ') }]),
    ...(settings.environment === 'live' ? lost : []),
  ];
}

/**
 * Who may open the ledger and what lies beside it: nobody but its owner, or with `ledger.group` the whole group, all of
 * the files. A file from before the group was let in keeps its mode, so the command that changes it is printed.
 */

const SET_GROUP = 0o2000;
const what = 'Ledger files';

export function modeChecks({ ledgerPath, ledgerGroup, environment }: Settings): readonly Check[] {
  if (ledgerPath === ':memory:') return [];
  const wanted = ledgerGroup ? 0o660 : 0o600;
  const beside = ['', '-wal', '-shm', '.emergency', '.mark'].map((end) => `${ledgerPath}${end}`);
  const paths = environment === 'sandbox' ? [...beside, bookPathOf(ledgerPath)] : beside;
  const open = paths.filter((path) => ((modeOf(path) ?? wanted) & 0o777 & ~wanted) !== 0);
  const shut = paths.filter((path) => ((modeOf(path) ?? wanted) & wanted) !== wanted);
  const folder = dirname(resolve(ledgerPath));
  return [
    ...(open.length > 0 ? [bad(`other users can read ${open.join(', ')}`, chmod(wanted, open))] : []),
    ...(shut.length > 0 && ledgerGroup
      ? [bad(`the group cannot read and write ${shut.join(', ')}`, chmod(wanted, shut))]
      : []),
    ...(ledgerGroup && !isShared(folder)
      ? [bad(`what the group makes in ${folder} would not be the group's`, chmod(0o2770, [folder]))]
      : []),
  ];
}

function isShared(folder: string): boolean {
  const mode = modeOf(folder);
  return mode === undefined || (mode & (SET_GROUP | 0o070)) === (SET_GROUP | 0o070);
}

function bad(text: string, mend: string): Check {
  return { what, isGood: false, text, mend };
}

function chmod(mode: number, paths: readonly string[]): string {
  return `chmod ${mode.toString(8)} ${paths.map((path) => shellWord(plainPath(path))).join(' ')}`;
}

/** undefined where there is no such file, or nobody may look. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  } catch {
    return undefined;
  }
}
