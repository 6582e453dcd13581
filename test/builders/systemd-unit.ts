/** A unit of systemd as its settings, each with its section: `Service.ExecStart`. */
import { expect } from 'vitest';

/** What systemd.service(5) and systemd.timer(5) know, as far as the units use it. */
const UNIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Wants', 'After', 'StartLimitIntervalSec'],
  Service: [
    ...['Type', 'User', 'StateDirectory', 'StateDirectoryMode', 'Environment', 'ExecStart'],
    ...['SuccessExitStatus', 'TimeoutStopSec', 'KillMode', 'EnvironmentFile', 'Restart', 'RestartSec'],
    ...['RuntimeDirectory', 'RuntimeDirectoryPreserve', 'NoNewPrivileges', 'PrivateTmp', 'ProtectHome'],
    'ProtectSystem',
  ],
  Timer: ['OnCalendar', 'Persistent'],
  Install: ['WantedBy'],
};

/** What stands several times is listed with commas between. */
export function unitOf(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n').filter((each) => !/^(#|$)/.test(each))) {
    const [, opened] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
    section = opened ?? section;
    if (opened !== undefined) continue;
    expect(UNIT_KEYS[section], line).toContain(key);
    const before = settings.get(`${section}.${key}`);
    settings.set(`${section}.${key}`, before === undefined ? value : `${before},${value}`);
  }
  return settings;
}
