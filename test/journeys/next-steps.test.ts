/** What stands behind `Next:` and `Then:` can be pasted where it was shown. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fitted } from '../../src/faces/cli/terminal/table.ts';
import type { Office } from '../builders/office.ts';
import { officesFor } from '../builders/offices.ts';
import { callMain } from '../builders/process-context.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const BIN = join(ROOT, 'src/faces/cli/bin.ts');
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
    const env = {
      npm_lifecycle_event: 'payfile',
      npm_package_json: '/srv/pay/package.json',
      INIT_CWD: '/srv/pay',
    };
    const run = () =>
      execFileSync(process.execPath, [BIN, 'status', 'nobody', '--sandbox'], {
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

describe('a file that is read once more', () => {
  const ROW = 'GH;GCB Bank;1011130024501;500,00;Nobody Else';
  const READING = [
    '--delimiter',
    ';',
    '--decimal',
    'comma',
    '--source',
    'GB',
    '--map',
    'amount=What they get',
  ];
  const TYPED =
    "--map 'amount=What they get' --decimal comma --source GB --delimiter ';' --batch may --sandbox";

  /** Held for its name, then released. */
  async function released(from: (office: Office) => string, change = (_: Office) => {}) {
    const office = newOffice();
    const pays = office.at('pay files');
    mkdirSync(pays);
    const cells = ROW.replace('500,00', `${500 + Math.round(Math.random() * 400)},00`);
    writeFileSync(join(pays, 'may.csv'), `country;institution;account;What they get;name\n${cells}\n`);
    const words = ['run', 'may.csv', '--batch', 'may', '--yes', '--sandbox', ...READING];
    expect((await callMain(words, { ...office, folder: pays })).code).toBe(3);
    change(office);
    const place = { ...office, folder: from(office) };
    const { stderr } = await callMain(['release', 'may', '2', '--reason', 'asked', '--sandbox'], place);
    const [line = ''] = /^(Next|Then): .*$/m.exec(stderr) ?? [];
    return { office, pays, line, stderr, cwd: place.folder };
  }

  it.each([
    ['its own folder', (office: Office) => office.at('pay files'), () => 'may.csv'],
    ['the folder above', (office: Office) => office.folder, () => "'pay files/may.csv'"],
    ['another folder', () => ROOT, (pays: string) => `'${pays}/may.csv'`],
  ])(
    'is named with its folder and as it was read, from %s',
    async (_, from, path) => {
      const { office, pays, line, stderr, cwd } = await released(from);
      expect(line).toBe(`Next: payfile run ${path(pays)} ${TYPED}`);
      expect(stderr).not.toContain('give them again');
      const pasted = inShell(`${process.execPath} ${BIN} ${line.replace('Next: payfile ', '')}`, cwd, office);
      expect(pasted.code, pasted.stderr).toBe(10);
      expect(pasted.stdout).toContain('amounts: decimal comma, as declared');
    },
    60_000,
  );

  it('is left to be filled in when it is gone', async () => {
    const { line } = await released(
      ({ folder }) => folder,
      (office) => rmSync(office.at('pay files/may.csv')),
    );
    expect(line).toBe(`Then: payfile run FILE ${TYPED}`);
  });

  it('is named whole in a report, which is read anywhere', async () => {
    const { office, pays } = await released(({ folder }) => folder);
    await office.payfile('report', 'may', '-o', 'may.json', '--sandbox');
    const { rows } = JSON.parse(readFileSync(office.at('may.json'), 'utf8'));
    expect(rows[0].next_step).toBe(`Ask for name and fee: payfile run '${pays}/may.csv' ${TYPED}`);
  });

  it('has to be saved first when it came from standard input', async () => {
    const office = newOffice();
    const rows = 'country,institution,account,amount\nGH,GCB Bank,1011130024501,500.00\n';
    const stdin = Readable.from([Buffer.from(rows)]);
    const { stderr } = await callMain(['check', '-', '--sandbox'], office, { stdin });
    expect(stderr).toContain('Then: payfile plan FILE --sandbox\n');
  });
});
