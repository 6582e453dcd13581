/**
 * What a corpus file must be read as: NAME.expected.txt, written by hand, one fact per line.
 *
 *   faults F14 F16                          the faults that the file is about
 *   open encoding windows-1252              flags to read it with: encoding, decimal, sheet, header-row, map
 *   pays 2 | GH | 0244123456 | 9.00 GHS | Ama Mensah
 *   bad 3 account account_zero_lost «10 digits»      row, field, kind, words of the message
 *   held 4 hidden_row «hidden»
 *   row-note 2 «stored as a number»         every note of every row stands here
 *   file-note «sheet “May”»                 some of the notes of the file
 *   blank 1                                 rows that were skipped because nothing stands in them
 *   refused «is encrypted»                  the file as a whole
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CORPUS = fileURLToPath(new URL('../fixtures/corpus', import.meta.url));
const SUFFIX = '.expected.txt';

export interface Fact {
  /** Without the words: `bad 3 account account_zero_lost`. */
  readonly what: string;
  /** What the message must contain. */
  readonly words: readonly string[];
}

export interface Expectation {
  readonly file: string;
  readonly faults: readonly string[];
  readonly open: ReadonlyMap<string, string>;
  readonly facts: readonly Fact[];
}

export function expectations(): readonly Expectation[] {
  return readdirSync(CORPUS)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => parsed(name.slice(0, -SUFFIX.length), readFileSync(join(CORPUS, name), 'utf8')));
}

/** Files that nobody wrote an expectation for. */
export function unexplained(): readonly string[] {
  const names = readdirSync(CORPUS);
  return names.filter((name) => !name.endsWith(SUFFIX) && !names.includes(name + SUFFIX));
}

const LINE = /^(?:faults|open|pays|bad|held|row-note|file-note|blank|refused)\b/;

function parsed(file: string, text: string): Expectation {
  const faults: string[] = [];
  const open = new Map<string, string>();
  const facts: Fact[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    if (!LINE.test(line)) throw new Error(`${file}: not an expectation: ${line}`);
    const words = [...line.matchAll(/«([^»]*)»/g)].map((match) => match[1] ?? '');
    const what = line.replace(/\s*«[^»]*»/g, '').trim();
    const [verb = '', first = '', ...rest] = what.split(' ');
    if (verb === 'faults') faults.push(first, ...rest);
    else if (verb === 'open') open.set(first, rest.join(' '));
    else facts.push({ what, words });
  }
  return { file, faults, open, facts };
}
