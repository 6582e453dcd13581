/** A work that serves others, in a process of its own: it prints where it is, and ends when its input does. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export async function withWork<Found>(
  name: string,
  given: readonly (string | number)[],
  use: (printed: string, pid: number) => Found | Promise<Found>,
): Promise<Found> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'works', `${name}.ts`), ...given.map(String)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString('utf8').trim()));
    child.once('exit', () => reject(new Error(`${name} ended`)));
  });
  try {
    return await use(printed, child.pid ?? 0);
  } finally {
    child.stdin.end();
    await new Promise((resolve) => child.once('exit', resolve));
  }
}
