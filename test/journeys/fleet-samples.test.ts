/** The samples of a fleet: what they name is there, and the worker of the unit works and ends as the unit says. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { everyCommand } from '../../src/cli/parse/command-table.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/parse/flags.ts';
import { ALL_SETTINGS } from '../../src/domain/settings.ts';
import { payrollOf, someMachines, until } from '../builders/machines.ts';
import { isMap, type Plain, plainYaml } from '../builders/plain-yaml.ts';
import { unitOf } from '../builders/systemd-unit.ts';

const FOLDER = fileURLToPath(new URL('../../samples/fleet/', import.meta.url));
const sample = (name: string) => readFileSync(`${FOLDER}${name}`, 'utf8');
const CERTIFICATE = '/etc/payfile/ledger.crt';
const OWN_VARIABLES = new Set([...ALL_SETTINGS.flatMap(({ variable }) => variable ?? [])]);

const machines = someMachines();
const COMMANDS = await everyCommand();

/** Words behind `payfile` are a command, and its own flags. */
function expectTyped([verb = '', ...words]: readonly string[]): void {
  const spec = COMMANDS.find(({ usage }) => usage.split(' ')[0] === verb);
  expect(spec, verb).toBeDefined();
  const flags = [...GLOBAL_OPTIONS, ...(spec?.options ?? [])].flatMap(
    (each) => each.flags.match(/--[a-z-]+/g) ?? [],
  );
  for (const word of words.filter((each) => each.startsWith('--'))) expect(flags).toContain(word);
}

function partOf(value: Plain, ...keys: readonly string[]): Plain {
  return keys.reduce<Plain>((from, key) => (isMap(from) ? (from[key] ?? '') : ''), value);
}

const namesIn = (value: Plain) => Object.keys(isMap(value) ? value : {});
const listIn = (value: Plain) => (Array.isArray(value) ? value.map(String) : []);

it('has a compose file whose services, secrets, volumes, commands and variables are all there', () => {
  const compose = plainYaml(sample('compose.yml'));
  const services = partOf(compose, 'services');
  expect(namesIn(services)).toEqual(['ledger', 'worker-1', 'worker-2']);
  const volumes = new Set<string>();
  const hosts = new Set<string>();
  for (const name of ['worker-1', 'worker-2']) {
    const worker = partOf(services, name);
    expect(partOf(worker, 'build')).toBe('.');
    expectTyped(listIn(partOf(worker, 'command')));
    for (const variable of namesIn(partOf(worker, 'environment'))) expect(OWN_VARIABLES).toContain(variable);
    hosts.add(String(partOf(worker, 'hostname')));
    const mounts = listIn(partOf(worker, 'volumes')).map((mount) => mount.split(':'));
    expect(mounts.map(([, inside]) => inside)).toEqual([
      '/etc/payfile/payfile.json',
      '/var/lib/payfile',
      CERTIFICATE,
    ]);
    volumes.add(mounts[1]?.[0] ?? '');
    expect(namesIn(partOf(compose, 'volumes'))).toContain(mounts[1]?.[0]);
    expect(partOf(worker, 'depends_on', 'ledger', 'condition')).toBe('service_healthy');
  }
  // Two that shared one could not tell each other's processes apart.
  expect([hosts.size, volumes.size]).toEqual([2, 2]);
  const secrets = namesIn(partOf(compose, 'secrets'));
  const used = namesIn(services).flatMap((name) => listIn(partOf(services, name, 'secrets')));
  expect(new Set(used)).toEqual(new Set(secrets));
  for (const [, name = ''] of `${sample('compose.yml')}${sample('payfile.json')}`.matchAll(
    /\/run\/secrets\/([\w-]+)/g,
  ))
    expect(secrets).toContain(name);
});

it('has a server that forgets nothing, and no password in sight', () => {
  const text = sample('compose.yml');
  const ledger = partOf(plainYaml(text), 'services', 'ledger');
  expect(partOf(ledger, 'image')).toMatch(/^postgres:\d+$/);
  const settings = listIn(partOf(ledger, 'command')).filter((word) => word.includes('='));
  for (const promise of ['fsync', 'full_page_writes', 'synchronous_commit', 'ssl'])
    expect(settings).toContain(`${promise}=on`);
  const own = namesIn(partOf(ledger, 'environment'));
  expect(own).toContain('POSTGRES_PASSWORD_FILE');
  const { ledger: place } = JSON.parse(sample('payfile.json')) as { ledger: { path: string } };
  const { hostname, username, pathname, searchParams } = new URL(place.path);
  expect(searchParams.get('sslrootcert')).toBe(CERTIFICATE);
  expect(hostname).toBe('ledger');
  expect(username).toBe(partOf(ledger, 'environment', 'POSTGRES_USER'));
  expect(pathname).toBe(`/${String(partOf(ledger, 'environment', 'POSTGRES_DB'))}`);
  for (const name of globSync('*', { cwd: FOLDER })) {
    expect(sample(name), name).not.toMatch(/PASSWORD(:|=)(?!\/run)|password"?: "(?!\/)/);
    expect(sample(name), name).not.toMatch(/image: \S+\/|FROM \S+\//);
  }
});

it('has a place for the id of the ledger, and says beside the unit that it comes first', () => {
  const { ledger } = JSON.parse(sample('payfile.json')) as { ledger: { id?: unknown } };
  expect(ledger.id).toBeNull();
  for (const name of ['payfile-worker@.service', 'worker.env', 'compose.yml']) {
    expect(sample(name), name).toMatch(/payfile\.json/);
    expect(sample(name), name).toMatch(/ init /);
    expect(sample(name), name).toMatch(/\bid\b/);
  }
});

it('has comments with commands that there are', () => {
  const lines = globSync('*', { cwd: FOLDER }).flatMap((name) => sample(name).split('\n'));
  const typed = lines.flatMap((line) => {
    const [, compose] = /docker compose run --rm worker-1 (.*)$/.exec(line) ?? [];
    const [, inside] = /docker compose exec worker-1 payfile (.*)$/.exec(line) ?? [];
    return compose ?? inside ?? [];
  });
  expect(typed).toHaveLength(2);
  for (const line of typed) expectTyped(line.split(' '));
});

it('has an image whose worker finds its folders', () => {
  const image = sample('Dockerfile');
  expect(image).toContain('npm install --global payfile ');
  const { name, engines } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { name: string; engines: { node: string } };
  expect(name).toBe('payfile');
  expect(engines.node).toContain(`>=${/FROM node:(\d+)-slim/.exec(image)?.[1]}.`);
  expect(image).toContain('ENTRYPOINT ["payfile"]');
  for (const variable of ['XDG_STATE_HOME', 'XDG_CONFIG_HOME'])
    expect(image).toContain(`${variable}=/var/lib/payfile`);
});

it('has a unit whose worker takes work, is seen, and ends by SIGTERM with nothing in flight', async () => {
  const unit = unitOf(sample('payfile-worker@.service'));
  expect(unit.get('Service.Restart')).toBe('always');
  expect(unit.get('Service.SuccessExitStatus')).toBe('143');
  expect(unit.get('Service.EnvironmentFile')).toBe('/etc/payfile/worker.env');
  const variables = sample('worker.env')
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line))
    .map((line) => line.split('=') as [string, string]);
  for (const [name] of variables) if (name !== 'HOME') expect(OWN_VARIABLES).toContain(name);
  const [program, ...words] = (unit.get('Service.ExecStart') ?? '').replaceAll('%i', '1').split(' ');
  expect(program).toBe('/usr/local/bin/payfile');
  expectTyped(words);

  const { office, service, worker } = await machines(30);
  const { PAYFILE_BASE_URL: baseUrl, PAYFILE_AUTH_URL: authUrl, PAYFILE_ID: id } = service.env;
  const configured = JSON.parse(sample('payfile.json')) as { ledger: object };
  office.file('payfile.json', JSON.stringify({ ...configured, baseUrl, authUrl, id }));
  const [verb, ...flags] = words.map((word) =>
    word.replace(/^(\/etc|\/run)\/payfile\//, `${office.folder}/`),
  );
  expect(verb).toBe('worker');
  const running = await worker(...flags);
  const seen = async () => (await office.payfile('fleet', '--json')).json()['workers'] as { pid: number }[];
  await until(async () => (await seen()).some(({ pid }) => pid === running.child.pid));

  office.file('may.csv', payrollOf(60));
  const paying = office.start(['run', 'may.csv', '--batch', 'may', '--max-total', 'GHS=100000']);
  await until(() => service.sandbox.book.size > 5);
  const metrics = () => readFileSync(office.at('worker-1.prom'), 'utf8');
  expect(metrics()).toMatch(/^payfile_worker_at_work\{file="worker-1"\} 1$/m);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(143);
  const sent = service.sandbox.book.size;
  expect(sent).toBeLessThan(60);
  const { json } = await office.payfile('status', 'may', '--json');
  expect(json().counts).toMatchObject({ sending: 0, in_doubt: 0 });
  expect(await seen()).toEqual([]);
  const end = metrics();
  expect(end).toMatch(/^payfile_worker_at_work\{file="worker-1"\} 0$/m);
  expect(end).toMatch(/^payfile_worker_lanes\{file="worker-1",lanes="in_use"\} 0$/m);
  expect(end).toMatch(/^payfile_worker_lanes\{file="worker-1",lanes="all"\} 4$/m);
  expect(end).toMatch(/^payfile_worker_jobs_given_back_total\{file="worker-1",queue="send-head"\} 1$/m);
  expect(end).toMatch(
    new RegExp(`^payfile_worker_transfers_total\\{file="worker-1",outcome="accepted"\\} ${sent}$`, 'm'),
  );
  paying.child.kill('SIGKILL');
  await paying.ended;
}, 90_000);
