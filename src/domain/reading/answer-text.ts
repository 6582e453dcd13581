/** What a person said of a file, in words, with who and when. */

import { counted, cutText, printable } from '../text/printable.ts';
import { maskedWords } from '../text/sensitive.ts';
import { formatTimestamp, type Timestamp } from '../timestamp.ts';
import type { Answer, Said } from './answer.ts';

/** `amount: column “Net Pay” (ada, 25 Nov)` */
export function saidText(answer: Said): string {
  return `${answerText(answer)} (${printable(answer.by)}, ${dayText(answer.at)})`;
}

/** `25 Nov`, UTC. */
export function dayText(at: Timestamp): string {
  const [, month = '', day = ''] = formatTimestamp(at).slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Remembered: country “Ghana” in every row (ada, 25 Nov); amount: column “Net Pay” (ada, 25 Nov); what 5 words mean` */
export function rememberedText(kept: readonly Said[]): string {
  const words = kept.filter(({ kind }) => kind === 'value');
  const others = kept.filter(({ kind }) => kind !== 'value');
  const ofAll = others.filter(({ kind }) => kind === 'set');
  const shownFirst = [...ofAll, ...others.filter(({ kind }) => kind !== 'set')];
  const left = shownFirst.length - MOST_REMEMBERED;
  const parts = [
    ...shownFirst.slice(0, MOST_REMEMBERED).map(saidText),
    ...(left > 0 ? [counted(left, 'more answer')] : []),
    ...(words.length > 0
      ? [`what ${counted(words.length, 'word')} ${words.length === 1 ? 'means' : 'mean'}`]
      : []),
  ];
  return `Remembered for files with these columns: ${parts.join('; ')}`;
}

const MOST_REMEMBERED = 6;

export function answerText(answer: Answer): string {
  switch (answer.kind) {
    case 'map':
      return `${answer.field}: ${columns(answer.headers, ' and ')}`;
    case 'first_filled':
      return `${answer.field}: ${columns(answer.headers, ', else ')}`;
    case 'set':
      return `${answer.field}: “${shown(answer.text)}” in every row`;
    case 'value': {
      const where = answer.country === undefined ? '' : ` (${printable(answer.country)})`;
      return `${answer.field}: “${shown(answer.written)}”${where} means ${shown(answer.means)}`;
    }
    case 'leave_out':
      return `rows left out: “${shown(answer.header)}” is ${answer.words.map((word) => `“${shown(word)}”`).join(' or ')}`;
    case 'leave_out_row':
      return `row ${answer.row} is left out`;
    case 'pay_anyway':
      return `rows are paid whatever “${shown(answer.header)}” says`;
    case 'ignore':
      return `column “${shown(answer.header)}” is not used`;
    case 'fill_down':
      return `an empty ${answer.fields.join(' or ')} means the text above it`;
    case 'skip_zero':
      return 'rows with an amount of zero are left out';
    case 'latin_digits':
      return 'digits of other scripts are read as 0 to 9';
    case 'scale':
      return answer.factor === 1
        ? `amounts in “${shown(answer.header)}” are as written`
        : `amounts in “${shown(answer.header)}” are in thousands`;
    case 'names_without_numbers':
      return 'numbers in names are not part of the names';
    case 'decimal':
      return `the decimal mark is a ${answer.mark}`;
    case 'encoding':
      return `the text is in ${shown(answer.name)}`;
  }
}

const LONGEST = 60;

const shown = (text: string) => cutText(printable(maskedWords(text)), LONGEST);

function columns(headers: readonly string[], between: string): string {
  return `${headers.length === 1 ? 'column' : 'columns'} ${headers.map((header) => `“${shown(header)}”`).join(between)}`;
}
