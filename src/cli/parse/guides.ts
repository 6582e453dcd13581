/** The guides of src/guide. `payfile help TOPIC` prints them. The build copies them beside this code. */
import { readFileSync } from 'node:fs';
import { settingList } from './setting-flags.ts';

/** A placeholder in the guide for the generated list of settings. */
const SETTINGS_HERE = '<!-- payfile help settings lists all settings here. -->\n';

export const GUIDES: Readonly<Record<string, string>> = {
  files: 'the files that payfile reads',
  approving: 'names, the plan, limits and a second person',
  console: 'pay a workbook in the browser',
  people: 'roles, passkeys, and a second person at the same machine',
  doubt: 'rows with an unknown outcome',
  statements: 'compare a batch with a statement of the bank or the service',
  reports: 'the result of every row',
  api: 'the library: methods, inputs, results and errors',
  monitoring: 'cron, metrics and messages',
  schedules: 'pay by cron, a systemd timer or a Kubernetes CronJob',
  server: 'a ledger that several machines share',
  fleet: 'workers on several machines that pay together',
  privacy: 'what is kept of persons, where and why, and how to erase it',
  'exit-codes': 'what each exit code means and what to do',
  settings: 'settings, the ledger and backups',
};

/** The requested guide or the list of guides; undefined if the words request neither. */
export function guideText(words: readonly string[]): string | undefined {
  const [help, topic, ...more] = words.filter((word) => !word.startsWith('-'));
  if (help === 'help' && topic === 'guides' && more.length === 0) return guideList();
  if (help !== 'help' || topic === undefined || more.length > 0 || !Object.hasOwn(GUIDES, topic))
    return undefined;
  const text = readFileSync(new URL(`../../guide/${topic}.md`, import.meta.url), 'utf8');
  return text.replace(SETTINGS_HERE, settingList());
}

function guideList(): string {
  const lines = Object.entries(GUIDES).map(([topic, text]) => `  ${topic.padEnd(12)} ${text}`);
  return `Guides (payfile help TOPIC):\n${lines.join('\n')}\n`;
}
