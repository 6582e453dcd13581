/**
 * Puts the command and all that it needs into a few files, so that it starts in half the time.
 *
 * Usage:   node build-command.ts FOLDER
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const folder = process.argv[2] ?? '';

await build({
  input: `${SOURCES}cli/bin.ts`,
  platform: 'node',
  output: { dir: folder, format: 'esm' },
  plugins: [
    {
      name: 'files beside the sources',
      // What a source finds beside itself stays where it is.
      transform: (code, id) =>
        id.startsWith(SOURCES) && code.includes('import.meta.url')
          ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          : null,
    },
  ],
  logLevel: 'silent',
});
// Without it, Node reads each file twice to find out what it is.
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
