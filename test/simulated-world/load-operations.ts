import { globSync } from 'node:fs';

/** What an operation loads when it is first called takes real time, in which a history would find that nothing moves. */
export async function loadOperations(): Promise<void> {
  const source = new URL('../../src/', import.meta.url);
  const files = globSync('{operations,use-cases,files/report}/**/*.ts', { cwd: source }).toSorted();
  await Promise.all(files.map((file) => import(new URL(file, source).href)));
}
