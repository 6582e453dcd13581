/** A home folder that is not there yet, in the folder of the run: what is kept in it goes with the run. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const NO_HOME = join(mkdtempSync(join(tmpdir(), 'payfile-home-')), 'none');
