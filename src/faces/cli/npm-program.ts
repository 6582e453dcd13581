/**
 * How the command is typed in a clone, so that commands which are shown can be pasted: npm says in the environment that
 * it runs a script of ours. It finds the clone from where it was called; from elsewhere its folder has to be named.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../domain/next-steps/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** undefined where no script of ours was called. */
export function npmProgram(
  env: Readonly<Record<string, string | undefined>>,
  typedWhere: 'here' | 'anywhere' = 'here',
): string | undefined {
  const { npm_lifecycle_event: script, npm_package_json: manifest, INIT_CWD: typedIn = '' } = env;
  if ((script !== 'payfile' && script !== 'demo') || manifest !== join(ROOT, 'package.json'))
    return undefined;
  const isFound = typedWhere === 'here' && isFoundFrom(typedIn);
  return `npm run -s ${isFound ? '' : `--prefix ${shellWord(ROOT)} `}payfile --`;
}

function isFoundFrom(typedIn: string): boolean {
  let found = typedIn;
  while (!existsSync(join(found, 'package.json')) && dirname(found) !== found) found = dirname(found);
  return found === ROOT;
}
