/**
 * Where child processes of tests keep what Node made of our sources, so that not each of some hundred commands
 * strips and compiles them anew.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'payfile-compile-cache') } as const;
