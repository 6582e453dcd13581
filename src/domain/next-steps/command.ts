/**
 * Commands that are shown to be typed, as data: what to do, to what, with which flags. One place writes them for a
 * shell, with the flags that say which service and ledger the person works with.
 */

import { shownPlaceOf } from '../batches/ledger-trust.ts';
import { printable } from '../text/printable.ts';

/** A value that only a person has; shown in capitals: `TEXT`, or `GHS=AMOUNT` with a fixed beginning. */
export interface Blank {
  readonly fillIn:
    | 'AMOUNT'
    | 'BATCH'
    | 'DIGEST'
    | 'FILE'
    | 'HEADER'
    | 'INSTITUTION'
    | 'NAME'
    | 'ROW'
    | 'TEXT'
    | 'TRANSFER_ID';
  readonly before?: string;
}

export type Word = string | number | Blank;

/**
 * What was repeated on purpose, which plan was seen and how much (`--repeats`, `--digest`, `--max-total`) only a person may
 * say: a shown command has a blank there, even when they are known, so that no agreement can be pasted. `--yes` is kept in
 * the sandbox, where no real money moves, and left out anywhere else.
 */
export type Flag = readonly [name: string, value?: Word];

/** Those that have a value. `true`: the flag alone. */
export function flagsOf(values: Readonly<Record<string, Word | boolean | undefined>>): readonly Flag[] {
  return Object.entries(values).flatMap(([name, value]): Flag[] => {
    if (value === undefined || value === false) return [];
    return [value === true ? [name] : [name, value]];
  });
}

/** The service and the ledger of a command. */
export interface Place {
  readonly sandbox?: boolean | undefined;
  readonly ledger?: string | undefined;
  readonly config?: string | undefined;
  /** `no_match=warn`: what names that differ come to, where names are asked. */
  readonly names?: string | undefined;
  /** Nobody types an answer there: what a terminal would ask for is a flag. */
  readonly isUnattended?: boolean | undefined;
  /** What to do instead, for people who have pages and no terminal; undefined: there is no page for it. */
  readonly inWords?: ((command: Command) => string | undefined) | undefined;
}

/** A command of payfile to type next, as data. An error names one in `next` or `andThen`. */
export interface Command {
  readonly verb: string | undefined;
  readonly words: readonly Word[];
  readonly flags: readonly Flag[];
  /** Where it has to be typed, when that is not where the person works now. */
  readonly at?: Place;
  /** The ledger it is about, when that is another than the person works with now. */
  readonly ledger?: string;
}

export function command(verb: string, words: readonly Word[] = [], flags: readonly Flag[] = []): Command {
  return { verb, words, flags };
}

/** `payfile run --help`, the same in every place. */
export function helpOn(verb: string | undefined): Command {
  return { verb, words: [], flags: [['--help']], at: {} };
}

/** `payfile help server`, the same in every place. */
export function guideOn(topic: string): Command {
  return { verb: 'help', words: [topic], flags: [], at: {} };
}

/** Whether a person has to fill something in before the command can be typed. */
export function isToFillIn({ words, flags }: Command): boolean {
  return [...words, ...flags.flatMap(([, value]) => value ?? [])].some((word) => typeof word === 'object');
}

/** `payfile run may.csv --batch june --sandbox`, as a shell takes it. */
export function commandText(shown: Command, place: Place): string {
  const { verb, words, flags, at, ledger } = withAnswers(shown, place);
  const where = { ...(at ?? place), ...(ledger !== undefined && { ledger }) };
  const typed = flags.filter(([name]) => name !== '--yes' || where.sandbox === true).map(flagText);
  const named = words.map(wordText);
  const isAsking = verb === 'plan' || verb === 'run';
  const names = isAsking && place.names !== undefined ? [`--names ${shellWord(place.names)}`] : [];
  const behind = [...typed, ...names, ...placeWords(where)];
  // Behind `--` no word is taken for a flag, such as the name of a batch.
  const isLikeFlag = words.some((word) => typeof word === 'string' && /^-./.test(word));
  const all = isLikeFlag ? [...behind, '--', ...named] : [...named, ...behind];
  return ['payfile', verb, ...all].filter((text) => text !== undefined).join(' ');
}

/** What a person at a terminal is asked: which plan was seen, and what is ruled on money. */
function withAnswers(shown: Command, { isUnattended }: Place): Command {
  const { verb, flags } = shown;
  const has = (name: Flag[0]) => flags.some(([each]) => each === name);
  const plus = (flag: Flag): Command => ({ ...shown, flags: [...flags, flag] });
  if (isUnattended !== true || has('--help')) return shown;
  if (verb === 'approve' && !has('--digest')) return plus(['--digest', { fillIn: 'DIGEST' }]);
  if (verb !== 'resolve' || has('--accept') || has('--difference')) return shown;
  return plus(['--accept', has('--paid') ? 'paid' : 'not-paid']);
}

function placeWords({ sandbox, ledger, config }: Place): readonly string[] {
  const flag = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name} ${shellWord(value)}`];
  return [
    ...(sandbox === true ? ['--sandbox'] : []),
    // What was typed may hold a password.
    ...flag('--ledger', ledger === undefined ? undefined : shownPlaceOf(ledger)),
    ...flag('--config', config),
  ];
}

/** As a shell takes it. */
export function flagText([name, value]: Flag): string {
  if (value === undefined) return name;
  // With `=` where the value itself would be taken for a flag.
  const isLikeFlag = typeof value === 'string' && value.startsWith('-') && value !== '-';
  return isLikeFlag ? shellWord(`${name}=${value}`) : `${name} ${wordText(value)}`;
}

function wordText(word: Word): string {
  return shellWord(typeof word === 'object' ? `${word.before ?? ''}${word.fillIn}` : String(word));
}

/** What a spreadsheet skips before a sign that begins a formula, and behind what it may split a cell. */
const SKIPPED = String.raw`[\s"\u200b-\u200d\u2060]*`;
const FORMULA_SIGN = String.raw`(?<=(?:^|[\s,;|:^~])${SKIPPED})[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]`;
const OUTSIDE_QUOTES = new RegExp(`'|${FORMULA_SIGN}`, 'g');
/** The flag that follows would begin a formula, and so may not stand right behind it. */
const ENDS_IN_SPLIT = new RegExp(`[,;|:^~]${SKIPPED}$`);
const ESCAPED = new RegExp(String.raw`${FORMULA_SIGN}|[^\p{L}\p{M}\p{N} _./=+@-]`, 'gu');

/**
 * A word that a shell takes as it stands, or the same in quotes. People copy it out of reports too, so nothing is in it
 * that a report escapes: one `'` more would end the quotes, and the shell would run what stands in a name. A sign that
 * could begin a formula has a backslash in front; a word that has what cannot be shown is made by `printf`, as every
 * shell understands it. A line break at its end would be lost so: then it is `$'a\012'`, which old shells do not know;
 * they find nothing of that name.
 */
export function shellWord(text: string): string {
  if (printable(text) !== text || ENDS_IN_SPLIT.test(text))
    return text.endsWith('\n')
      ? `$'${text.replace(ESCAPED, octal('\\'))}'`
      : `"$(printf %b '${text.replace(ESCAPED, octal('\\0'))}')"`;
  const quoted = `'${text.replace(OUTSIDE_QUOTES, "'\\$&'")}'`.replace(/^''(?=\\)|(?<=\\.)''$/g, '');
  return /^[\w.,:@%+=/-]+$/.test(text) && !quoted.includes('\\') ? text : quoted;
}

/** Each byte in three digits behind this mark: every shell reads them alike, in any locale. */
function octal(mark: string): (character: string) => string {
  return (character) =>
    [...new TextEncoder().encode(character)].map((byte) => mark + byte.toString(8).padStart(3, '0')).join('');
}

/** A path that no program reads as a flag; `-` alone is standard input. */
export function plainPath(path: string): string {
  return path.startsWith('-') && path !== '-' ? `./${path}` : path;
}

/**
 * What to do next: a sentence and the command to type; `note` stands behind the command.
 */
export interface Step {
  readonly text: string;
  readonly command?: Command;
  readonly note?: string;
  /** It cannot be typed yet, although nothing is left to be filled in. */
  readonly isLater?: boolean;
}

/** The same with its command as it is typed in this place. */
export interface ShownStep {
  readonly text: string;
  readonly command: string | undefined;
  readonly note: string | undefined;
}

export function shownSteps(steps: readonly Step[], place: Place): readonly ShownStep[] {
  return steps.map(({ text, command: each, note }) => {
    const words = each && place.inWords?.(each);
    if (words !== undefined) return { text: `${text}: ${words}`, command: undefined, note };
    return { text, command: each && textOnce(each, place), note };
  });
}

/** What a file says that is to be done by a command. `isTyped`: it goes into a shell. */
export function shownCommand(
  shown: Command,
  place: Place,
): { readonly text: string; readonly isTyped: boolean } {
  const words = place.inWords?.(shown);
  return { text: words ?? textOnce(shown, place), isTyped: words === undefined };
}

/** A million rows may have the same command. */
const texts = new WeakMap<Place, WeakMap<Command, string>>();

function textOnce(shown: Command, place: Place): string {
  const known = texts.get(place) ?? new WeakMap<Command, string>();
  if (!texts.has(place)) texts.set(place, known);
  const text = known.get(shown) ?? commandText(shown, place);
  known.set(shown, text);
  return text;
}

/** Whether it cannot be typed as it stands, or not yet. */
export function isForLater({ command: each, isLater }: Step): boolean {
  return isLater === true || (each !== undefined && isToFillIn(each));
}

/** `Look at the fee; if it is worth it: payfile release …; otherwise: payfile cancel …` */
export function shownText(steps: readonly ShownStep[]): string {
  return steps
    .map(({ text, command: shown, note }) => {
      const behind = note === undefined ? '' : ` (${note})`;
      return shown === undefined ? text : `${text}: ${shown}${behind}`;
    })
    .join('; ');
}

/** The commands to type next, on the screen and in --json. */
export interface NextSteps {
  /** Can be typed as it stands. */
  readonly next?: Command | undefined;
  /** Only after a person has done something: has words to fill in, or a file to mend first. */
  readonly andThen?: Command | undefined;
}

/** A command with words to fill in is never the next one: nobody can type it as it stands. */
export function nextSteps(next: Command | undefined, andThen?: Command): NextSteps {
  const isLater = next !== undefined && andThen === undefined && isToFillIn(next);
  return isLater ? { next: undefined, andThen: next } : { next, andThen };
}

/** As they are typed in one place. */
export interface Steps {
  /** Can be typed as it stands. */
  readonly next?: string | undefined;
  /** Only after a person has done something: has words to fill in, or a file to mend first. */
  readonly andThen?: string | undefined;
}

export function stepsIn(place: Place, steps: NextSteps): Steps {
  const here = (shown: Command | undefined) => shown && withAnswers(shown, place);
  const [typed, later] = [here(steps.next), here(steps.andThen)];
  const isLater = typed !== undefined && isToFillIn(typed);
  const [next, andThen] = isLater ? [undefined, later ?? typed] : [typed, later];
  return { next: next && commandText(next, place), andThen: andThen && commandText(andThen, place) };
}

/** The one place that says what to type. */
export function stepLines({ next, andThen }: Steps): readonly string[] {
  return [
    ...(next === undefined ? [] : [`Next: ${next}`]),
    ...(andThen === undefined ? [] : [`Then: ${andThen}`]),
  ];
}
