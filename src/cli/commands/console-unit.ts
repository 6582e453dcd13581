/**
 * The file that keeps the console running or opens it by a click: a systemd user unit, a LaunchAgent of macOS, or a desktop
 * entry where there is neither.
 */
import { escapeMarkup } from '../../domain/text/escape-markup.ts';

export interface Machine {
  readonly platform: string;
  /** The machine was started by systemd. */
  readonly hasSystemd: boolean;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ConsoleUnit {
  readonly path: string;
  readonly content: string;
  /** What the user types to start it; undefined: it is opened by a click. */
  readonly start: string | undefined;
  readonly remove: string;
}

/** Only a file with this mark is replaced. */
export const UNIT_MARK = 'Written by payfile console --install';

/** `words`: the program with its words, each a whole path. undefined: no such file is known for this system. */
export function consoleUnit(words: readonly string[], machine: Machine): ConsoleUnit | undefined {
  const { platform, hasSystemd, home, env } = machine;
  if (platform === 'darwin') return launchAgent(words, home);
  if (platform !== 'linux') return undefined;
  return hasSystemd
    ? systemdUnit([...words, '--no-open'], env['XDG_CONFIG_HOME'] || `${home}/.config`)
    : desktopEntry(words, `${home}/.local/share`);
}

const SERVICE = 'payfile-console.service';

function systemdUnit(words: readonly string[], folder: string): ConsoleUnit {
  const path = `${folder}/systemd/user/${SERVICE}`;
  return {
    path,
    content: `# ${UNIT_MARK}
[Unit]
Description=Console of payfile

[Service]
ExecStart=${words.map((word) => `"${word.replaceAll(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`).join(' ')}
Restart=on-failure
# payfile waits for payments in flight before it stops.
TimeoutStopSec=15min

[Install]
WantedBy=default.target
`,
    start: `systemctl --user daemon-reload && systemctl --user enable --now ${SERVICE}`,
    remove: `systemctl --user disable --now ${SERVICE}; rm '${path}'`,
  };
}

function launchAgent(words: readonly string[], home: string): ConsoleUnit {
  const path = `${home}/Library/LaunchAgents/payfile.console.plist`;
  const list = [...words, '--no-open'].map((word) => `<string>${escapeMarkup(word)}</string>`).join('');
  return {
    path,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${UNIT_MARK} -->
<plist version="1.0"><dict>
<key>Label</key><string>payfile.console</string>
<key>ProgramArguments</key><array>${list}</array>
<key>RunAtLoad</key><true/>
<key>ExitTimeOut</key><integer>900</integer>
</dict></plist>
`,
    start: `launchctl load '${path}'`,
    remove: `launchctl unload '${path}'; rm '${path}'`,
  };
}

/** Opens a window with the console, and the browser. */
function desktopEntry(words: readonly string[], folder: string): ConsoleUnit {
  const path = `${folder}/applications/payfile-console.desktop`;
  const quoted = words.map((word) => `"${word.replaceAll(/["`$\\]/g, '\\\\$&').replaceAll('%', '%%')}"`);
  return {
    path,
    content: `# ${UNIT_MARK}
[Desktop Entry]
Type=Application
Name=payfile
Comment=Pay a workbook in the browser
Exec=${quoted.join(' ')}
Terminal=true
`,
    start: undefined,
    remove: `rm '${path}'`,
  };
}
