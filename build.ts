/**
 * Makes `dist`: the command and the library in a few files that share their code, and the types of the library. Code that
 * is loaded when it is used has files of its own. Packages stay outside, but for two.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { z } from 'zod';
import manifest from './package.json' with { type: 'json' };
import { fieldsOf } from './src/operations/operation.ts';

const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
const DIST = fileURLToPath(new URL('./dist/', import.meta.url));
const PARTS = `${DIST}parts`;
/** Where it is written: elsewhere for a measurement. */
const OUT = process.argv[2] ?? DIST;
/** Many small files that nearly every command reads: they start in half the time as a part of ours. */
const INSIDE = ['zod', 'libphonenumber-js'];
const external = Object.keys(manifest.dependencies)
  .filter((name) => !INSIDE.includes(name))
  .map((name) => new RegExp(`^${name}($|/)`));

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Each part has all that its files load at once and no earlier part has. So a part needs earlier ones only, and its code
 * runs in the order of the sources. Other code is parted by what loads it.
 */
const ROOTS = new Map([
  ['start', ['cli/main.ts']],
  ['words', ['cli/parse/program.ts', 'cli/terminal/terminal.ts', 'cli/terminal/stopping.ts']],
  ['library', ['payfile.ts', 'index.ts']],
  ['operations', globSync('operations/*.ts', { cwd: SOURCES })],
  ['command', ['cli/failure.ts', 'cli/run-operation.ts', 'cli/monitoring/after-work.ts']],
  ['sandbox', globSync('sandbox/*.ts', { cwd: SOURCES })],
  ['views', ['files/escape-text.ts', ...globSync('views/**/*.ts', { cwd: SOURCES })]],
  ['console', ['console/console.ts']],
]);
/** Loaded by themselves: the command, the library, and threads beside either. */
const LOADED = ['cli/bin', 'index', 'ledger/chain-thread', 'files/xlsx/sheet-thread'];
const ENTRIES = [...LOADED, 'cli/small-heap'].map((path) => `${SOURCES}${path}.ts`);

const closures = new Map<string, ReadonlySet<string>>();

function partOf(id: string, graph: Graph): string | null {
  // A helper that the bundler adds, which parts without it would look for in each other.
  if (id.includes('@oxc-project')) return 'start';
  if (!id.startsWith(SOURCES) || ENTRIES.includes(id)) return null;
  for (const [name, roots] of ROOTS) {
    if (!closures.has(name)) closures.set(name, closureOf(roots, graph));
    if (closures.get(name)?.has(id)) return name;
  }
  return null;
}

function closureOf(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id) || !id.startsWith(SOURCES)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  for (const root of roots) add(SOURCES + root);
  return found;
}

/** Files that a source finds beside itself are found from its part. */
const filesBeside: Plugin = {
  name: 'files beside the sources',
  transform: (code, id) =>
    id.startsWith(SOURCES)
      ? code.replace(/(?<=new URL\(\s*['`])(?:\.\.?\/)+/g, (up) => {
          const folder = resolve(dirname(id), up);
          const built = `${folder}/`.startsWith(SOURCES) ? DIST + relative(SOURCES, folder) : folder;
          return `${relative(PARTS, built)}/`;
        })
      : null,
};

rmSync(OUT, { recursive: true, force: true });
await build({
  input: Object.fromEntries(LOADED.map((path) => [path, `${SOURCES}${path}.ts`])),
  platform: 'node',
  external,
  plugins: [filesBeside],
  // Only so that code may move between the parts: nothing loads what else an entry has.
  preserveEntrySignatures: 'allow-extension',
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: OUT,
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: partOf, debugName: 'parts' }] },
  },
});
writeTypes(join(OUT, 'types'));
await describeInputs(join(OUT, 'types/operations'));
for (const folder of ['guide', 'console/script'])
  cpSync(SOURCES + folder, join(OUT, folder), { recursive: true });

/** Those that a program which imports the library sees, and no others. */
function writeTypes(folder: string): void {
  const tsc = fileURLToPath(new URL('./node_modules/typescript/bin/tsc', import.meta.url));
  const config = fileURLToPath(new URL('./tsconfig.json', import.meta.url));
  execFileSync(process.execPath, [
    tsc,
    '-p',
    config,
    '--emitDeclarationOnly',
    '--stripInternal',
    '--outDir',
    folder,
  ]);
  const seen = new Set<string>();
  const see = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, from = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]*)\.[jt]s['"]/g))
      see(join(dirname(path), `${from}.d.ts`));
  };
  see('index.d.ts');
  for (const path of globSync('**/*.d.ts', { cwd: folder })) if (!seen.has(path)) rmSync(join(folder, path));
}

/** An editor shows what an input means. The compiler writes no comments for the inputs that it infers. */
async function describeInputs(folder: string): Promise<void> {
  for (const path of globSync('*.d.ts', { cwd: folder })) {
    const operations: object = await import(`${SOURCES}operations/${path.replace('.d.ts', '.ts')}`);
    const described = Object.values(operations).filter((each) => each?.input instanceof z.ZodObject);
    const help = new Map(
      described.flatMap((each) => fieldsOf(each)).map((field) => [field.name, field.help]),
    );
    const text = readFileSync(join(folder, path), 'utf8');
    const withHelp = text.replace(/^ {4}(\w+): z\./gm, (line, name: string) =>
      help.get(name) === undefined ? line : `    /** ${help.get(name)} */\n${line}`,
    );
    writeFileSync(join(folder, path), withHelp);
  }
}
