/**
 * A message as a page says it: an input is named by its label, and a command is a link to the page that does the same.
 * A command without a page is shown as it is typed.
 */
import { type Command, commandText } from '../../domain/next-steps/command.ts';
import {
  IN_A_PROGRAM,
  type InputName,
  isInputName,
  type Message,
  piecesOf,
  type Piece as Said,
  textOf,
} from '../../domain/text/message.ts';
import { type Html, html, type Piece } from '../../views/html.ts';

export function saidOnPage(text: string | Message): Html {
  return html`${piecesOf(text).map(pieceOnPage)}`;
}

/** The same without links, for an attribute or a notice. */
export const wordsOnPage = (text: string | Message): string =>
  textOf(piecesOf(text), {
    ...IN_A_PROGRAM,
    input: inputOnPage,
    command: (shown) => placeOf(shown)?.name ?? commandText(shown, {}),
  });

export function pieceOnPage(piece: Said): Piece {
  if (typeof piece !== 'object') return typeof piece === 'string' ? textOnPage(piece) : piece;
  return isInputName(piece) ? inputOnPage(piece) : commandOnPage(piece);
}

const inputOnPage = ({ input, value }: InputName) =>
  value === undefined || TO_FILL_IN.test(value) ? `“${labelOf(input)}”` : `“${labelOf(input)}: ${value}”`;

/** A word for what somebody types, such as `TEXT`, and what is quoted for a shell: on a page its field says so. */
const TO_FILL_IN = /^(?:[A-Z_]{4,}|DAY|N|".*)$/s;

/** Days in a sentence are shown as all days of a page are. */
function textOnPage(text: string): Piece {
  const parts = unbroken(text).split(/(?<=\b(?:on|of) )(\d{4}-\d{2}-\d{2})(?![-\d])/);
  return parts.map((part, at) =>
    at % 2 === 0 ? part : html`<time data-day datetime="${part}T12:00:00Z">${part}</time>`,
  );
}

/** A sum and its currency stay on one line. */
const unbroken = (text: string) => text.replaceAll(/\b([A-Z]{3}) (?=\d)|(?<=\d) ([A-Z]{3})\b/g, '$1\u00a0$2');

/** Labels of inputs whose name is no label. */
const LABELS: Readonly<Record<string, string>> = {
  reason: 'Reason',
  from: 'First day',
  to: 'Last day',
  map: 'Columns',
  set: 'The same for every row',
  payments: 'Which amounts are payments',
  output: 'File name',
  maxTotal: 'Highest total',
  maxDebit: 'Highest cost',
  canary: 'How many rows first',
  tryNotify: 'Send a test notification',
  skipInvalid: 'Leave invalid rows out',
};

/** `headerRow` is “Header row”. */
export function labelOf(input: string): string {
  const words = input.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return LABELS[input] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a page does: its address, what a link to it says, and what to do there. `BATCH` and `ROW` stand for those of the command. */
type Done = readonly [path: string, link: string, words?: string];

const UPLOAD: Done = ['/new', 'Upload the file', 'upload the file in the console (“New batch”)'];
const HEALTH: Done = ['/health', 'Health', 'open the page “Health” of the console'];
const onBatch = (words: string): Done => [
  '/batches/BATCH',
  'Batch BATCH',
  `${words} batch BATCH in the console`,
];
const onHeld = (words: string): Done => ['/batches/BATCH/held', 'Held rows', `${words} in the console`];
const onRow = (words: string): Done => ['/batches/BATCH/rows/ROW', 'Row ROW', `${words} in the console`];
const onReports = (words: string): Done => ['/batches/BATCH/reports', 'Reports', words];

/** By command, or by command and flag. */
const DONE: Readonly<Record<string, Done>> = {
  ...{ run: UPLOAD, plan: UPLOAD, check: UPLOAD, verify: HEALTH, doctor: HEALTH },
  send: onBatch('send'),
  settle: onBatch('ask for the status of'),
  pause: onBatch('pause'),
  resume: onBatch('resume'),
  status: onBatch('look at'),
  approve: ['/batches/BATCH/plan', 'Review and approve', 'review and approve batch BATCH in the console'],
  held: onHeld('look at the held rows of batch BATCH'),
  release: ['/batches/BATCH/held', 'Held rows', 'release ROWS in the console (“Held rows”)'],
  cancel: onHeld('withdraw ROWS'),
  explain: onRow('look at row ROW of batch BATCH'),
  reissue: onRow('pay row ROW of batch BATCH again'),
  resolve: ['/batches/BATCH/rows/ROW#do', 'Decide row ROW', 'decide row ROW of batch BATCH in the console'],
  reconcile: [
    '/batches/BATCH/statement',
    'Compare with a statement',
    'compare batch BATCH with a statement in the console',
  ],
  report: onReports('take a report of batch BATCH from the console (“All reports”)'),
  'report --only': onReports('take “Rows that were not paid” from the reports of batch BATCH in the console'),
  'sandbox --book': ['/sandbox-statement.csv', 'Download the statement'],
};

function doneOnPage({ verb = '', flags }: Command): Done | undefined {
  const withFlag = flags.map(([flag]) => DONE[`${verb} ${flag}`]).find((done) => done !== undefined);
  // With any flag these do more than the page.
  const isMore = (verb === 'verify' || verb === 'doctor') && flags.length > 0;
  return isMore ? undefined : (withFlag ?? DONE[verb]);
}

/** undefined: the command names no batch or row to fill in. */
function filledIn(text: string, { words }: Command, show: (word: string) => string): string | undefined {
  const [batch, row] = words.map((word) => (typeof word === 'object' ? undefined : show(String(word))));
  const parts: Readonly<Record<string, string | undefined>> = {
    ...{ BATCH: batch, ROW: row },
    ROWS: batch && `${row === undefined ? 'rows' : `row ${row}`} of batch ${batch}`,
  };
  const needed = text.match(PARTS) ?? [];
  if (needed.some((part) => parts[part] === undefined)) return undefined;
  return text.replaceAll(PARTS, (part) => parts[part] ?? '');
}

const PARTS = /\b(?:BATCH|ROWS?)\b/g;
const asItIs = (word: string) => word;

/** The page that does what a command does; undefined: there is none. */
export function placeOf(command: Command): { readonly path: string; readonly name: string } | undefined {
  const [at, link] = doneOnPage(command) ?? [];
  const path = at && filledIn(at, command, encodeURIComponent);
  return path === undefined ? undefined : { path, name: filledIn(link ?? '', command, asItIs) ?? '' };
}

export function commandOnPage(command: Command): Html {
  const place = placeOf(command);
  return place === undefined
    ? html`<code>${commandText(command, {})}</code>`
    : html`<a href="${place.path}">${place.name}</a>`;
}

/** What to do on the pages, for the files that the console makes; undefined: only a terminal does it. */
export function commandInWords(command: Command): string | undefined {
  const [, , words] = doneOnPage(command) ?? [];
  return words && filledIn(words, command, asItIs);
}
