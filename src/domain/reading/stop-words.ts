/**
 * Whether a cell says that its row is not to be paid: `Paid`, `ON HOLD`, `DO NOT PAY - resigned 14 Nov`.
 *
 * The words are in data/stop-words.json, in English, French and Portuguese. `Not paid yet` and `to be paid` say nothing.
 */
import lists from '../../data/stop-words.json' with { type: 'json' };
import { foldWords } from '../text/fold.ts';
import { spacedWords, wordList } from '../text/header-words.ts';
import { isMethodHeader } from './payment-method.ts';

const folded = (words: readonly string[]) => [...new Set(words.map((word) => foldWords(word).join(' ')))];

const ALONE = new Set(folded(lists.alone));
const INSIDE = folded(lists.inside);
const CASH = folded(lists.cash);
const DONE = new Set(folded(lists.alonePayment));
/** `paid on 20/11`, `paid in Oct`, `payé le 20`. */
const PAID_WHEN =
  / (?:paid|payee?|versee?|reglee?|pag[oa])(?= (?:on |in |le |en |em |the ){0,2}(?:\d|jan|feb|fev|mar|apr|avr|abr|may|mai|jun|jul|aug|aout|ago|sep|set|oct|out|nov|dec|dez))/g;
const TAKEN_OFF = folded(lists.takenOff);
/** `less 2000 advance`, `deduct 1,500`: the pay is less than its amount. */
const LESS_PAID = new RegExp(
  ` (?:${TAKEN_OFF.join('|')})(?= (?:[a-z]{2,3} )?(?:\\d{3,}|\\d{1,3} \\d{3}) )`,
  'g',
);
const spaced = (words: readonly string[]) => folded(words).map((word) => ` ${word} `);
const NOT_BEFORE = spaced(lists.notBefore);
/** “Hold released”, and “en attente de paiement”: to be paid. */
const NOT_AFTER = spaced(lists.notAfter);
const NOT_BEFORE_PAID = [...NOT_BEFORE, ...spaced(lists.notBeforePaid)];
/** “To be paid cash” says cash all the same. */
const NOT_BEFORE_CASH = [' not ', ' never ', ' non ', ' pas ', ' nao '];
const PAID_WORDS = wordList(lists.paidWords);

/** In spaced words. In alphabetical order a search is many times as fast. */
const anyOf = (phrases: readonly string[]) => new RegExp(` (?:${[...phrases].sort().join('|')})(?= )`, 'g');
const CASH_INSIDE = anyOf(CASH);
const STOP_INSIDE = anyOf(INSIDE);
const LONGEST = 400;
/** A stop at the beginning of a text: `PAID - 20/11`, `Hold: documents missing`. */
const MOST_LEADING_WORDS = 3;
const BEGINNING = /^[^\p{L}\p{N}]*([\p{L}\p{N} '’]{1,30}?)\s*(?:[-–—:;,.!(/*\n]|\d|$)/u;

// Most cells have nothing of the kind, and there may be millions: each phrase has a word that other texts seldom have.
const EVERYWHERE = new Set(folded(lists.everywhere));
const TELLING = [...ALONE, ...INSIDE, ...CASH].map((phrase) => {
  const words = phrase.split(' ');
  const seldom = words.filter((word) => !EVERYWHERE.has(word));
  return (seldom.length > 0 ? seldom : words).sort((one, other) => other.length - one.length)[0] ?? phrase;
});
const MAY_STOP = new RegExp(
  `\\b(?:${[...new Set([...TELLING, ...folded(lists.paidWords), ...TAKEN_OFF])].sort().join('|')})\\b`,
  'i',
);
const ASCII = /^[\x20-\x7e]*$/;

/** What it says, folded: `on hold`. undefined: nothing. */
export function stopWordOf(cell: string): string | undefined {
  if (cell.length > LONGEST || (ASCII.test(cell) && !MAY_STOP.test(cell))) return undefined;
  const words = foldWords(cell).join(' ');
  if (ALONE.has(words)) return words;
  const text = ` ${words} `;
  return (
    phraseIn(text, CASH_INSIDE, () => NOT_BEFORE_CASH) ??
    phraseIn(text, STOP_INSIDE, (phrase) =>
      PAID_WORDS.isIn(` ${phrase} `) ? NOT_BEFORE_PAID : NOT_BEFORE,
    ) ??
    phraseIn(text, PAID_WHEN, () => NOT_BEFORE_PAID) ??
    phraseIn(text, LESS_PAID, () => NOT_BEFORE) ??
    leadingWord(cell)
  );
}

/** The first phrase that no word before it takes back. */
function phraseIn(
  text: string,
  phrases: RegExp,
  notBefore: (phrase: string) => readonly string[],
): string | undefined {
  phrases.lastIndex = 0;
  for (let found = phrases.exec(text); found !== null; found = phrases.exec(text)) {
    const phrase = found[0].trim();
    const before = text.slice(0, found.index + 1);
    const after = text.slice(found.index + found[0].length);
    if (NOT_AFTER.some((word) => after.startsWith(word))) continue;
    if (!notBefore(phrase).some((word) => before.endsWith(word))) return phrase;
  }
  return undefined;
}

function leadingWord(cell: string): string | undefined {
  const [, first = ''] = BEGINNING.exec(cell) ?? [];
  const words = foldWords(first);
  const phrase = words.join(' ');
  return words.length <= MOST_LEADING_WORDS && ALONE.has(phrase) ? phrase : undefined;
}

/** In an answer: any text in the column. */
export const ANY_TEXT = '*';

const OTHER_TOPICS = wordList(lists.otherTopics);
const FILLERS = new Set(folded(lists.fillers));
const STOPS_IF_YES = new Set(folded(lists.stopsIfYes));
const STOPS_IF_NO = new Set(folded(lists.stopsIfNo));
const REASON = wordList(lists.reason);
const REASON_OF = wordList(lists.reasonOf);
const PAID_ON = wordList(lists.paidOn);
const STATUS = wordList(lists.status);
const PAYMENT_STATUS = wordList(lists.paymentStatus);
const YES = new Set(folded(lists.yes));
const NO = new Set(folded(lists.no));
const GO = new Set(folded(lists.go));
const DOUBTFUL = new Set(folded(lists.doubtful));
const CASH_ALONE = new Set(folded(lists.cashAlone));
const ONLY_SOME = wordList(lists.onlySome);
const REVERSED = new Set(folded(lists.reversed));
const DEBIT = new Set(folded(lists.debit));
const CREDIT = new Set(folded(lists.credit));
const OTHER_METHODS = new Set(folded(lists.otherMethods));

/** What a column says by its header and the few words in it. */
export type StopColumn =
  /** Each text is looked at by itself. */
  | { readonly kind: 'words'; readonly stops: (word: string) => boolean }
  /** Whatever stands in it is against paying: the reason of a rejection, the day on which it was paid. */
  | { readonly kind: 'any' }
  /** The same where it is empty in other rows: an exit date, the number of a transaction that was made. */
  | { readonly kind: 'some' };

/** undefined: the column is about something else. `words`: its texts, where there are few. */
export function stopColumn(header: string, words: readonly string[]): StopColumn | undefined {
  const spaced = spacedWords(header);
  if (PAID_ON.isAll(spaced) || (REASON.isIn(spaced) && REASON_OF.isIn(spaced))) return { kind: 'any' };
  if (ONLY_SOME.isAll(spaced)) return { kind: 'some' };
  const all = words.map(fold);
  const yesOrNo = stopsOfFlag(spaced, all);
  if (yesOrNo !== undefined)
    return { kind: 'words', stops: (word) => yesOrNo.has(fold(word)) || isStop(word) };
  if (OTHER_TOPICS.isIn(spaced)) return undefined;
  const isMethod = isMethodHeader(header) || (all.length > 1 && all.some((word) => OTHER_METHODS.has(word)));
  const isApproval = all.some((word) => GO.has(word));
  const isPayment = STATUS.isAll(spaced) || PAYMENT_STATUS.isIn(spaced);
  const isBothWays = all.some((word) => CREDIT.has(word));
  const stopped = [
    ...[isMethod ? CASH_ALONE : NONE, isApproval ? DOUBTFUL : NONE, isPayment ? DONE : NONE],
    ...[isBothWays ? DEBIT : NONE, all.length > 1 ? REVERSED : NONE],
  ];
  return { kind: 'words', stops: (word) => isStop(word) || stopped.some((list) => list.has(fold(word))) };
}

const NONE: ReadonlySet<string> = new Set();

/** Of a column such as “Approved” or “On hold”, with yes and no in it: the words against paying. */
function stopsOfFlag(spaced: string, words: readonly string[]): ReadonlySet<string> | undefined {
  if (!words.every((word) => YES.has(word) || NO.has(word) || isStop(word))) return undefined;
  const plain = spaced.trim();
  const bare = plain
    .split(' ')
    .filter((word) => !FILLERS.has(word))
    .join(' ');
  if (STOPS_IF_YES.has(plain) || STOPS_IF_YES.has(bare)) return YES;
  return STOPS_IF_NO.has(plain) || STOPS_IF_NO.has(bare) ? NO : undefined;
}

/** A tick is a word too. */
const fold = (word: string): string => (/^\s*[✓✔☑]\s*$/u.test(word) ? 'yes' : foldWords(word).join(' '));
const isStop = (word: string): boolean => stopWordOf(word) !== undefined;
