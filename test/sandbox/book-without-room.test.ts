/** A sandbox whose disk is full says so and what to do; nobody takes it for a bug. */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBookFile } from '../../src/sandbox/book-file.ts';

it('names the folder in which to make room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payfile-book-'));
  const handle = await open(join(folder, 'other'), 'w');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const write = vi.spyOn(Object.getPrototypeOf(handle), 'write').mockRejectedValue(full);
  try {
    await expect(openBookFile(join(folder, 'book.jsonl'), 'seed')).rejects.toMatchObject({
      code: 'book_unwritable',
      message: expect.stringContaining(`the disk is full. Make room where ${folder} is, then run`),
    });
  } finally {
    write.mockRestore();
    await handle.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
