/**
 * Who may open the ledger and what lies beside it: nobody but its owner, or with `ledger.group` the whole group, all of
 * the files. A file from before the group was let in keeps its mode, so the command that changes it is printed.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from '../../config.ts';
import { pathWord } from '../../domain/shell-word.ts';
import { bookPathOf } from '../../locations.ts';
import type { Check } from './doctor.ts';

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
  return `chmod ${mode.toString(8)} ${paths.map(pathWord).join(' ')}`;
}

/** undefined where there is no such file, or nobody may look. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  } catch {
    return undefined;
  }
}
