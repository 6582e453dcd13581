/**
 * `payfile doctor`: looks at configuration, service, clock, ledger and the machine, and says of each what is wrong
 * and how to mend it. Logs in once; moves no money; changes nothing, and tells nobody but with --try-notify. With
 * --quiet only what needs mending is shown.
 *
 * --json: {checks: [{what, isGood, text, mend}], exitCode}; 0, 5 (rows in doubt), 77 (credentials), 69 (service) or 78.
 */

import { existsSync, statSync } from 'node:fs';
import type { Settings } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { isOpenToOthers } from '../../config-file.ts';
import { pathWord } from '../../domain/shell-word.ts';
import type { Call } from '../call.ts';
import { EXIT, type ExitCode, strongest } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import { type Opened, openParts } from '../open-parts.ts';
import { ledgerChecks } from './doctor-ledgers.ts';
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
    return show([versions(), { what: 'Settings', isGood: false, text: error.message }], environment, call);
  }
}

async function checksOf(opened: Opened, call: Call): Promise<readonly Check[]> {
  const { settings } = opened;
  const checks: Check[] = [versions(), ...configuration(settings)];
  if (settings.environment === 'sandbox' || settings.service !== undefined) {
    checks.push(await service(opened, call));
    if (settings.service !== undefined) checks.push(await clock(settings.service.baseUrl));
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

function versions(): Check {
  const { node, sqlite } = process.versions;
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
    mend: `chmod go-w ${pathWord(path)}`,
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

async function clock(baseUrl: string): Promise<Check> {
  const what = 'Clock';
  try {
    const asked = Date.now();
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
