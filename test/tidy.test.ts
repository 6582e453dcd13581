/** The house rules, kept by reading the sources once: floors, doors, purity, sizes, names. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** A folder may import itself and the folders named here. Files at the top of src are floors of their own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Lists of words, names and places: JSON, no code.
  data: [],
  domain: ['data'],
  // What people see in a browser: the page that a report is, and the console.
  views: ['domain'],
  contract: [],
  ports: ['domain'],
  'use-cases': ['domain', 'ports'],
  // How the world is reached. None of them sees another.
  files: ['domain', 'ports', 'contract', 'views'],
  service: ['domain', 'ports', 'contract'],
  outside: ['domain', 'ports'],
  ledger: ['domain', 'ports'],
  queue: ['domain', 'ports'],
  sandbox: ['contract', 'data'],
  setup: ['domain', 'ports', 'use-cases', 'files', 'service', 'outside', 'ledger', 'queue', 'sandbox'],
  // What stands behind the door.
  operations: ['domain', 'ports', 'use-cases'],
  payfile: ['domain', 'ports', 'use-cases', 'operations', 'setup', 'sandbox'],
  // The door, and the list of what is public.
  '': ['domain', 'ports', 'use-cases', 'operations', 'setup', 'payfile', ''],
  cli: ['domain', 'views', 'operations', 'console', ''],
  console: ['domain', 'views', 'operations', ''],
};

/** Each package comes in through one door, so replacing it means rewriting one file. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'any-ascii': ['domain/text/fold.ts'],
  'big.js': ['domain/money/decimal.ts'],
  'libphonenumber-js': ['domain/accounts/phone-number.ts'],
  'lossless-json': ['contract/exact-json.ts'],
  'csv-parse': ['files/csv/csv-rows.ts'],
  'csv-stringify': ['files/report/csv-report.ts'],
  'pg-copy-streams': ['ledger/move.ts'],
  exceljs: ['files/report/xlsx/xlsx-workbook.ts', 'files/template/template-workbook.ts'],
  'iconv-lite': ['files/csv/encoding.ts'],
  unzipper: ['files/xlsx/zip-entries.ts'],
  jszip: ['files/report/zip-file.ts'],
  saxes: ['files/xml-events.ts'],
  got: ['service/read-client.ts'],
  'p-retry': ['service/with-retry.ts'],
  'p-limit': ['use-cases/each-due-payout.ts'],
  winston: ['outside/winston-log.ts'],
  'node:sqlite': ['ledger/sqlite.ts'],
  commander: ['cli/parse/program.ts'],
  '@clack/prompts': ['cli/terminal/questions.ts'],
  '@simplewebauthn/server': ['outside/webauthn-passkeys.ts'],
  hono: ['console/server/app.ts'],
  '@hono/node-server': ['console/server/listen.ts'],
  '@fastify/busboy': ['console/server/uploads.ts'],
  pg: ['ledger/pg-connection.ts'],
  'pg-boss': ['queue/boss-queue.ts'],
  'htmx.org': ['console/server/assets.ts'],
};
const ZOD_HOMES =
  /^(contract\/|operations\/|domain\/(policy|setting|setting-kinds|settings)\.ts$|setup\/config-file\.ts$|payfile\/(call-operation|operation-methods|check-options|check-settings|value-kinds)\.ts$|ledger\/codec[a-z-]*\.ts$|domain\/reading\/answer-shape\.ts$|files\/reading-file\.ts$)/;

const LINES_MAX = 400;
const BANNED_NAME = /^(utils?|helpers?|common|misc|shared|types|constants|manager)\.ts$/;
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.(env|argv|cwd)\b|\bset(Timeout|Interval)\(/;
const TIME_HOMES = ['outside/system-clock.ts'];

interface Import {
  readonly from: string;
  readonly isType: boolean;
  /** Loaded when it is needed: no part of a circle. */
  readonly isLazy: boolean;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

function sources(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      const imports = [
        ...text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?\sfrom\s+'([^']+)'/gm),
        ...text.matchAll(/()\bimport\(\s*'([^']+)'\s*\)/g),
        ...text.matchAll(/^()import\s+'([^']+)'/gm),
      ].map((match) => ({
        from: match[2] ?? '',
        isType: (match[1] ?? '') !== '',
        isLazy: match[0].startsWith('import('),
      }));
      return { path: path.replaceAll('\\', '/'), text, imports };
    });
}

const floorOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

const targetOf = (path: string, from: string) =>
  relative(SRC, resolve(SRC, dirname(path), from)).replaceAll('\\', '/');

function upward({ path, imports }: Source): string[] {
  return imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => targetOf(path, from))
    .filter((target) => {
      const own = floorOf(path);
      const allowed = MAY_IMPORT[own] ?? [];
      return (
        floorOf(target) !== own &&
        !allowed.some((floor) =>
          floor.includes('/') ? target.startsWith(`${floor}/`) : floorOf(target) === floor,
        )
      );
    })
    .map((target) => `${path}: may not import ${target}`);
}

function throughWrongDoor({ path, imports }: Source): string[] {
  return imports
    .filter(
      ({ from, isType }) =>
        !from.startsWith('.') &&
        (from === 'node:sqlite' || !from.startsWith('node:')) &&
        !(from === 'node:sqlite' && isType),
    )
    .flatMap(({ from }) => {
      const name = from.startsWith('@')
        ? from.split('/').slice(0, 2).join('/')
        : (from.split('/')[0] ?? from);
      const whole = from === 'node:sqlite' ? from : name;
      if (whole === 'zod') return ZOD_HOMES.test(path) ? [] : [`${path}: zod stays at the edges`];
      const doors = DOORS[whole];
      if (doors === undefined) return [`${path}: ${whole} has no door`];
      return doors.includes(path) ? [] : [`${path}: imports ${whole}, whose door is ${doors.join(' or ')}`];
    });
}

function others({ path, text }: Source): string[] {
  const found: string[] = [];
  const lines = text.split('\n').length;
  if (lines > LINES_MAX + 1) found.push(`${path}: ${lines} lines, ${LINES_MAX} at the most`);
  if (BANNED_NAME.test(path.split('/').at(-1) ?? '')) found.push(`${path}: has a name that says nothing`);
  if (!/^(#![^\n]*\n)?\/\*\*/.test(text)) found.push(`${path}: has no header`);
  if (/^export default/m.test(text)) found.push(`${path}: has a default export`);
  if (/^(domain|ports|use-cases)\//.test(path) && IMPURE.test(text)) found.push(`${path}: is not pure`);
  if (
    !TIME_HOMES.includes(path) &&
    /^(files|service)\//.test(path) &&
    /\bDate\.now\(|\bnew Date\(\)/.test(text)
  ) {
    found.push(`${path}: reads the system clock past the clock port`);
  }
  if (/\bpaymentService\.send\(/.test(text) && path !== 'use-cases/send/send-payout.ts')
    found.push(`${path}: sends money`);
  if (/\b(TODO|FIXME|XXX)\b/.test(text)) found.push(`${path}: has a note to self`);
  return found;
}

it('keeps the floors: nothing imports upward, use cases and rooms of the world never meet', () => {
  expect(sources().flatMap(upward)).toEqual([]);
});

/** A host stands before the door; only the file that starts a process looks at it. */
function pastTheDoor({ path, text, imports }: Source): string[] {
  if (!/^(cli|console)\//.test(path)) return [];
  const behind = imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => targetOf(path, from))
    .filter((target) => !/^(cli|console|domain|views|operations)\/|^payfile\.ts$/.test(target))
    .map((target) => `${path}: may not import ${target}`);
  const isOfProcess = /\bprocess\.\w|from 'node:(os|process)'/.test(text) && !path.endsWith('/bin.ts');
  return [...behind, ...(isOfProcess ? [`${path}: looks at its process`] : [])];
}

it('lets a host do what it does through the door, with words of the domain', () => {
  expect(sources().flatMap(pastTheDoor)).toEqual([]);
});

it('has no circles of imports', () => {
  expect(circlesIn(sources())).toEqual([]);
});

/** Each circle as its files in alphabetical order: all that reach each other (Tarjan's algorithm). */
function circlesIn(all: readonly Source[]): string[] {
  const targets = new Map(
    all.map(({ path, imports }) => [
      path,
      imports
        .filter(({ from, isLazy }) => from.startsWith('.') && !isLazy)
        .map(({ from }) => targetOf(path, from)),
    ]),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    lowest.set(path, own);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      const reached = order.has(target)
        ? open.includes(target)
          ? (order.get(target) ?? own)
          : own
        : visit(target);
      lowest.set(path, Math.min(lowest.get(path) ?? own, reached));
    }
    if (lowest.get(path) === own) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle.toSorted().join(' '));
    }
    return lowest.get(path) ?? own;
  };
  for (const path of targets.keys()) if (!order.has(path)) visit(path);
  return circles.toSorted();
}

it('lets each package in through its one door', () => {
  expect(sources().flatMap(throughWrongDoor)).toEqual([]);
});

it('keeps files small, named, headed and pure, and sends money in one place', () => {
  expect(sources().flatMap(others)).toEqual([]);
});

/** The sandbox is a program of its own. */
const FLAGS_LEFT = /^sandbox\/|^use-cases\/send\/send-rows\.ts$/;

/** A host shows an input its own way, so a sentence below the hosts names the input. A command to type has its flags as words. */
function flagsInSentences({ path, text }: Source): string[] {
  if (/^(cli|console|views)\//.test(path) || FLAGS_LEFT.test(path)) return [];
  const lines = text.split('\n').filter((line) => !/^\s*(\/?\*|\/\/)/.test(line));
  return lines.filter((line) => /[^'"`[]--[a-z]/.test(line)).map((line) => `${path}: ${line.trim()}`);
}

it('names no flag in a sentence below the hosts', () => {
  expect(sources().flatMap(flagsInSentences)).toEqual([]);
});

it('keeps functions to sixty lines', () => {
  const long = sources().flatMap(({ path, text }) => longFunctions(path, text));
  expect(long).toEqual([]);
});

/** Counts lines between a function's head and the brace that closes it at the same indentation. */
function longFunctions(path: string, text: string): string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  lines.forEach((line, start) => {
    const head = /^(\s*)(?:export\s+)?(?:async\s+)?function\*?\s+(\w+)/.exec(line);
    if (head === null || head === undefined) return;
    const end = lines.findIndex((other, index) => index > start && other === `${head[1]}}`);
    if (end - start + 1 > 60) found.push(`${path}: ${head[2]} has ${end - start + 1} lines`);
  });
  return found;
}
