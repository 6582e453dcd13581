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
import { address } from '../server/route.ts';

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

interface Place {
  readonly path: string;
  readonly name: string;
}

/** The page that does what a command does; undefined: there is none. */
export function placeOf({ verb, words: [batch, row], flags }: Command): Place | undefined {
  const isBatch = typeof batch === 'string' || typeof batch === 'number';
  const hasRow = typeof row === 'string' || typeof row === 'number';
  const onRow = (end: string, name: string) =>
    isBatch && hasRow ? { path: address`/batches/${batch}/rows/${row}` + end, name } : undefined;
  const onBatch = (end: string, name: string) =>
    isBatch ? { path: address`/batches/${batch}` + end, name } : undefined;
  switch (verb) {
    case 'run':
    case 'plan':
    case 'check':
      return { path: '/new', name: 'Upload the file' };
    case 'status':
    case 'send':
    case 'settle':
    case 'pause':
    case 'resume':
      return onBatch('', `Batch ${batch}`);
    case 'approve':
      return onBatch('/plan', 'Review and approve');
    case 'held':
    case 'release':
    case 'cancel':
      return onBatch('/held', 'Held rows');
    case 'explain':
    case 'reissue':
      return onRow('', `Row ${row}`);
    case 'resolve':
      return onRow('#do', `Decide row ${row}`);
    case 'reconcile':
      return onBatch('/statement', 'Compare with a statement');
    case 'report':
      return onBatch('/reports', 'Reports');
    case 'sandbox':
      return flags.some(([name]) => name === '--book')
        ? { path: '/sandbox-statement.csv', name: 'Download the statement' }
        : undefined;
    case 'verify':
    case 'doctor':
      return flags.length === 0 ? { path: '/health', name: 'Health' } : undefined;
    default:
      return undefined;
  }
}

export function commandOnPage(command: Command): Html {
  const place = placeOf(command);
  return place === undefined
    ? html`<code>${commandText(command, {})}</code>`
    : html`<a href="${place.path}">${place.name}</a>`;
}

/** What to do on the pages, for the files that the console makes; undefined: only a terminal does it. */
export function commandInWords({ verb, words: [batch, row], flags }: Command): string | undefined {
  const [of, at] = [`batch ${batch}`, `row ${row} of batch ${batch}`];
  switch (verb) {
    case 'run':
    case 'plan':
    case 'check':
      return 'upload the file in the console (“New batch”)';
    case 'approve':
      return `review and approve ${of} in the console`;
    case 'send':
    case 'settle':
    case 'pause':
    case 'resume':
    case 'status':
      return `${DONE_ON_BATCH[verb]} ${of} in the console`;
    case 'held':
      return `look at the held rows of ${of} in the console`;
    case 'release':
      return row === undefined
        ? `release rows of ${of} in the console (“Held rows”)`
        : `release ${at} in the console`;
    case 'cancel':
      return row === undefined ? `withdraw rows of ${of} in the console` : `withdraw ${at} in the console`;
    case 'explain':
      return `look at ${at} in the console`;
    case 'reissue':
      return `pay ${at} again in the console`;
    case 'resolve':
      return `decide ${at} in the console`;
    case 'reconcile':
      return `compare ${of} with a statement in the console`;
    case 'report': {
      const isUnpaid = flags.some(([name]) => name === '--only');
      return isUnpaid
        ? `take “Rows that were not paid” from the reports of ${of} in the console`
        : `take a report of ${of} from the console (“All reports”)`;
    }
    case 'verify':
    case 'doctor':
      return 'open the page “Health” of the console';
    default:
      return undefined;
  }
}

const DONE_ON_BATCH = {
  send: 'send',
  settle: 'ask for the status of',
  pause: 'pause',
  resume: 'resume',
  status: 'look at',
} as const;
