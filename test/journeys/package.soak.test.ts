/** npm packs the package and installs it in an empty folder. The demo runs there. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'payfile-package-'));
const place = join(folder, 'empty');
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CONFIG_HOME: join(folder, 'config'),
};

const quiet = { encoding: 'utf8', stdio: 'pipe' } as const;
beforeAll(() => {
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['pack', '--pack-destination', folder], { ...quiet, cwd: root, env });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const words = ['install', '--no-audit', '--no-fund', join(folder, tarball)];
  execFileSync('npm', words, { ...quiet, cwd: place, env });
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('pays the sample payroll in the sandbox from an installed package', () => {
  const demo = spawnSync(join(place, 'node_modules/.bin/payfile'), ['demo'], {
    cwd: place,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(demo.stdout).toContain('24 payments: 24 settled');
  expect(demo.stdout).toContain('Control totals are balanced');
  expect(demo.status, demo.stderr).toBe(0);
  expect(existsSync(join(place, 'payfile-demo/report.xlsx'))).toBe(true);
}, 90_000);

it('prints the guides that came with it', () => {
  const guide = execFileSync(join(place, 'node_modules/.bin/payfile'), ['help', 'doubt'], {
    env,
    encoding: 'utf8',
  });
  expect(guide).toMatch(/^# Doubt: a row whose outcome is not known\n/);
});

it('is a library under its own name, with types', () => {
  const script =
    "import { createPayfile, STATUSES } from 'payfile'; console.log(typeof createPayfile, STATUSES.length);";
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  expect(output).toBe('function 12\n');
});

it('has types that compile in a strict project without skipLibCheck and without the types of Node', () => {
  writeFileSync(
    join(place, 'pay.ts'),
    `import { createPayfile, type Payfile } from 'payfile';
    const payfile: Payfile = createPayfile({ sandbox: true, ledger: ':memory:', actor: 'ada', source: 'GB' });
    const { outcome } = await payfile.run({ file: 'may.csv', batch: 'may', skipInvalid: true });
    // @ts-expect-error no outcome is called so
    export const isPaid = outcome === 'paid';
    const { done, exitCode } = await payfile.rows.release({ batch: 'may', all: true, reason: 'seen' });
    export const text: string = done.join() + String(exitCode);
    // @ts-expect-error a batch has a name
    await payfile.rows.release({});\n`,
  );
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'esnext',
  ];
  const types = ['--typeRoots', join(place, 'none')];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...types, 'pay.ts'], {
    cwd: place,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 60_000);

it('says in its types what an input means', () => {
  const types = readFileSync(join(place, 'node_modules/payfile/dist/types/operations/run.d.ts'), 'utf8');
  expect(types).toMatch(/\/\*\* leave out rows that cannot be paid as written \*\/\n +skipInvalid: /);
});

it('gives a program what its sources export and nothing else', async () => {
  const built = await import(join(place, 'node_modules/payfile/dist/index.js'));
  expect(Object.keys(built).sort()).toEqual(Object.keys(await import('../../src/index.ts')).sort());
});

it('has few files', () => {
  const files = readdirSync(join(place, 'node_modules/payfile/dist'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => !path.startsWith('types')).length).toBeLessThan(150);
});

it('says in one line what an older Node lacks, and ends with 78', () => {
  // The check reads process.versions, so an older Node is a Node that says so.
  const preload = "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });";
  writeFileSync(join(folder, 'older.cjs'), preload);
  const bin = join(place, 'node_modules/payfile/dist/cli/bin.js');
  const old = spawnSync(process.execPath, ['--require', join(folder, 'older.cjs'), bin, 'status'], {
    encoding: 'utf8',
    env,
  });
  expect(old.status).toBe(78);
  expect(old.stdout).toBe('');
  expect(old.stderr.trim().split('\n')).toHaveLength(1);
  expect(old.stderr).toContain('24.15');
});
