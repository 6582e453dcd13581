/** A process that works with a ledger (ledger-child.ts), and what it prints for each thing that was promised to it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./ledger-child.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

export function startProcess(...args: readonly string[]) {
  const child = spawn(pinned, [CHILD, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  const reader = createInterface({ input: child.stdout });
  const waiting: (() => void)[] = [];
  reader.on('line', (line) => {
    lines.push(line);
    for (const wake of waiting.splice(0)) wake();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const seen = async (count: number) => {
    let isOver = false;
    void ended.then(() => {
      isOver = true;
      for (const wake of waiting.splice(0)) wake();
    });
    while (lines.length < count && !isOver) await new Promise<void>((resolve) => waiting.push(resolve));
    if (lines.length < count) throw new Error(`the child ended early: ${stderr}`);
  };
  return { child, lines, ended, seen, stderr: () => stderr };
}
