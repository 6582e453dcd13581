/**
 * Calls a command of an office, and runs the commands behind `Next:` and `Then:` on a copy of the office. So the office
 * itself stays unchanged. Each kind of command runs once for each command and exit code.
 *
 * A live service has no copy. There only commands that read the ledger run. The parser reads the others.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWords } from '../../src/cli/parse/program.ts';
import { createBriskClock } from '../fakes/brisk-clock.ts';
import { type Ended, type Office, clock as officeClock } from './office.ts';
import { callMain, type Said } from './process-context.ts';

/** What was typed, where, and what was said. */
interface Typed {
  readonly words: readonly string[];
  readonly said: Ended;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const SHOWN = /^(Next|Then): (.*)$/gm;
/** A bug, usage, files, configuration: nobody who pastes a command may be told so. */
const NEVER = [1, 64, 65, 66, 78];
const NEEDS_NO_SERVICE = ['explain', 'report', 'status', 'verify'];

interface Shown {
  readonly line: string;
  /** What stands before it on its line. */
  readonly behind: string;
  readonly words: readonly string[];
}

/** What it may end with all the same. */
function whyFine(
  { behind, words }: Shown,
  { code, stderr }: Said,
  { said: before }: Typed,
): string | undefined {
  const [verb = ''] = words;
  if (code === 65 && verb === 'check') return 'it is asked what is wrong with a file';
  if (code === 65 && words.includes('FILE')) return 'the file is one that is made up here';
  if (code === 65 && before.code === 65 && behind === 'Then') return 'a person mends the file before';
  if (code === 78 && before.code === 78 && LOOKS.includes(verb)) return 'it says what is to be mended';
  if (code === 64 && before.code === 64 && /has no batch|was left as it is/.test(stderr))
    return 'the call before named a batch that is not there, or a row that nobody can decide on any more';
  return undefined;
}

const LOOKS = ['doctor', 'verify'];
const done = new Set<string>();

/** Runs the printed commands in order on one copy, so that a file is written before it is read. */
export async function typeAndFollow(office: Office, ...words: string[]): Promise<Ended> {
  const ended = await office.payfile(...words);
  await follow({ words, said: ended, folder: office.folder, env: office.env });
  return ended;
}

async function follow(typed: Typed): Promise<void> {
  const all = [...typed.said.stderr.matchAll(SHOWN)].map(([, behind = '', line = '']): Shown => {
    return { line, behind, words: wordsOf(line.replace(/^(?:.*?\bpayfile -- |.*?\bpayfile )/, '')) };
  });
  const kinds = all.map(({ words }) => [typed.words[0], typed.said.code, ...words.map(kindOf)].join(' '));
  if (kinds.every((kind) => done.has(kind))) return;
  for (const kind of kinds) done.add(kind);
  const folder = `${typed.folder}-next`;
  try {
    cpSync(typed.folder, folder, { recursive: true });
    writeFileSync(join(folder, PAYROLL), OF_AN_OFFICE);
    for (const shown of all) await tryOne(shown, folder, typed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Flags and the words in capitals make the kind of a command, not what a batch or a file is called. */
function kindOf(word: string, at: number): string {
  return at === 0 || word.startsWith('-') || /^[A-Z_]+$/.test(word) ? word : '…';
}

async function tryOne(shown: Shown, folder: string, typed: Typed): Promise<void> {
  const filled = filledIn(shown.words, typed);
  const parsed = await parseWords(filled, '');
  const isLive = !filled.includes('--sandbox');
  if (parsed.kind === 'help' || (isLive && !NEEDS_NO_SERVICE.includes(parsed.command))) return;
  const there = (text: string) => text.replaceAll(typed.folder, folder);
  const env = Object.fromEntries(Object.entries(typed.env).map(([name, value]) => [name, there(value)]));
  const { map } = parsed.flags as { readonly map?: ReadonlyMap<string, string> };
  writeFileSync(
    join(folder, STATEMENT),
    OF_A_BANK.replace(/\w+/, (date) => map?.get('date') ?? date),
  );
  const clock = createBriskClock();
  clock.advance(officeClock.aheadMs());
  const timed = { clock: clock.withPauses(9_000) };
  const deadline = ['run', 'send', 'settle'].includes(parsed.command) ? ['--deadline', '9s'] : [];
  const ended = await callMain([...filled.map(there), ...deadline], { folder, env }, timed);
  if (!NEVER.includes(ended.code) || whyFine(shown, ended, typed) !== undefined) return;
  throw new Error(
    `payfile ${typed.words.join(' ')}\nended with ${typed.said.code} and showed:\n${shown.behind}: ${shown.line}\n` +
      `payfile ${filled.join(' ')}\nended with ${ended.code}: ${ended.stderr}`,
  );
}

const STATEMENT = 'a statement.csv';
const OF_A_BANK = 'Date,Transfer ID,Amount,Account,Narration\n2026-05-01,x-1,5.00,999,charges\n';
const PAYROLL = 'a payroll.csv';
const OF_AN_OFFICE = 'Country,Institution,Account,Amount\nGH,GCB Bank,1011130024599,77.50\n';

/** As a shell takes the line apart. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"\$\(printf %b '[^']*'\)"|'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(
      /(?:\$|"\$\(printf %b )'([^']*)'(?:\)")?|'([^']*)'|\\(.)/g,
      (_, octal?: string, quoted?: string, one?: string) => quoted ?? one ?? unoctal(octal ?? ''),
    ),
  );
}

function unoctal(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const shown = bytes.replace(/\\0?([0-7]{3})/g, (_, byte: string) => String.fromCharCode(parseInt(byte, 8)));
  return Buffer.from(shown, 'latin1').toString();
}

/** With what a person would fill in. */
function filledIn(words: readonly string[], { said }: Typed): string[] {
  const values: Readonly<Record<string, string>> = {
    BATCH: /Next: .*\bstatus (\S+)/.exec(said.stderr)?.[1] ?? '1',
    DIGEST: /[Dd]igest +([0-9a-f]{16,64})/.exec(said.stdout)?.[1] ?? 'f'.repeat(64),
    FILE: words[0] === 'reconcile' ? STATEMENT : PAYROLL,
    TEXT: 'asked on the telephone',
    TRANSFER_ID: 'trf-unknown',
    ROW: '2',
    NAME: 'another',
    'CUR=AMOUNT': 'GHS=100000',
    INSTITUTION: 'GCB Bank',
  };
  return words.map((word) => values[word] ?? word);
}
