/** What stands behind `Next:` and `Then:` can be pasted where it was shown. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fitted } from '../../src/faces/cli/terminal/table.ts';
import type { Office } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const newOffice = officesFor({ PAYFILE_SOURCE: 'GB' });

/** What was said, typed in a shell in a folder. */
function inShell(line: string, cwd: string, { env, folder }: Office) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    // npm keeps its logs and its cache in the home folder.
    env: { ...env, HOME: folder, npm_config_update_notifier: 'false' },
    encoding: 'utf8',
  });
  const [, next = ''] = /^Next: (.*)$/m.exec(stderr) ?? [];
  return { code: status, stdout, stderr, next };
}

describe('in a clone, called by npm', () => {
  it.each([
    ['its folder', ROOT, 'npm run -s payfile -- '],
    ['a folder in it', join(ROOT, 'samples'), 'npm run -s payfile -- '],
  ])(
    'is typed with npm in front (%s)',
    (_, cwd, program) => {
      const office = newOffice();
      const refused = inShell('npm run -s payfile -- status nobody --sandbox', cwd, office);
      expect(refused.stderr).toContain(`Next: ${program}status --sandbox\n`);
      expect(inShell(refused.next, cwd, office).code).toBe(0);
    },
    60_000,
  );

  it('names the clone where npm would not find it', () => {
    const office = newOffice();
    const elsewhere = office.at('my folder');
    mkdirSync(elsewhere);
    const refused = inShell(
      `npm run -s --prefix '${ROOT}' payfile -- status nobody --sandbox`,
      elsewhere,
      office,
    );
    expect(refused.stderr).toContain(`Next: npm run -s --prefix ${ROOT} payfile -- status --sandbox\n`);
    expect(inShell(refused.next, elsewhere, office).code).toBe(0);
  }, 60_000);

  it('is left as it is for another program’s script', () => {
    const office = newOffice();
    const bin = join(ROOT, 'src/faces/cli/bin.ts');
    const env = {
      npm_lifecycle_event: 'payfile',
      npm_package_json: '/srv/pay/package.json',
      INIT_CWD: '/srv/pay',
    };
    const run = () =>
      execFileSync(process.execPath, [bin, 'status', 'nobody', '--sandbox'], {
        cwd: office.folder,
        env: { ...office.env, ...env, INIT_CWD: office.folder },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(run).toThrow('Next: payfile status --sandbox');
  });

  it('is broken nowhere but behind its own words', () => {
    const typed = `npm run -s --prefix '/srv/my clone' payfile -- release ${'a'.repeat(40)} 5 --reason TEXT`;
    expect(fitted(`Look at the fee; if it is worth it: ${typed}; else: ${typed}`, 60)).toBe(
      `Look at the fee; if it is worth it:\n  ${typed}\n  else:\n  ${typed}`,
    );
  });
});
