/** Rows that say that they are not to be paid, or not today. */
import { isWithoutHeader } from '../../rows/no-header.ts';
import { input, message, said as saying } from '../../text/message.ts';
import { countText, printable, rowsText } from '../../text/printable.ts';
import { type Answer, wordKey } from '../answer.ts';
import type { Look, SeenColumn } from '../look.ts';
import { afterDay, saysWhenToPay } from '../pay-date.ts';
import type { Asks, Question } from '../question.ts';
import { unknownStatusWords } from '../status-words.ts';
import { ANY_TEXT, stopColumn, stopWordOf } from '../stop-words.ts';
import { choice, isAbout, listed, openColumns, quoted } from './columns.ts';

interface Stop {
  /** For the answer. */
  readonly word: string;
  /** As written, the first one. */
  readonly example: string;
  readonly rows: number;
  /** It stands in a line of its own, and the rows are those below it. */
  readonly isAbove?: boolean;
}

export const askStops: Asks = (look, said) => {
  const found = undecided(openColumns(look, said), said).flatMap((column) => {
    const stops = [...withBefore(stopsIn(column, look), column), ...headings(column, look)];
    const known = new Set(stops.map(({ word }) => wordKey(word)));
    const unknown = unknownIn(column, look).filter(({ word }) => !known.has(wordKey(word)));
    return stops.length + unknown.length === 0
      ? []
      : [{ column, stops, unknown, isAny: stops[0]?.word === ANY_TEXT }];
  });
  // The reason of a rejection says again what the status says.
  const most = Math.max(0, ...found.filter(({ isAny }) => !isAny).map(({ stops }) => rowsOf(stops)));
  return found
    .filter(({ isAny, stops }) => !isAny || rowsOf(stops) > most)
    .map(({ column, stops, unknown }) =>
      unknown.length === 0 ? questionOf(column, stops) : askUnknownWords(column, stops, unknown),
    );
};

const rowsOf = (stops: readonly Stop[]): number => stops.reduce((sum, { rows }) => sum + rows, 0);

function undecided(columns: readonly SeenColumn[], said: readonly Answer[]): readonly SeenColumn[] {
  return columns.filter(
    (column) => !isAbout(said, 'leave_out', column) && !isAbout(said, 'pay_anyway', column),
  );
}

/** Words that the last file left out stop their rows again, whatever they mean. */
function withBefore(stops: readonly Stop[], { before }: SeenColumn): readonly Stop[] {
  if (stops.some(({ word }) => word === ANY_TEXT)) return stops;
  const known = new Set(stops.map(({ word }) => wordKey(word)));
  const others = [...before].filter(([word]) => !known.has(wordKey(word)));
  return [...stops, ...others.map(([word, counted]) => ({ word, ...counted }))];
}

/** “NOT TO BE PAID” above rows. */
function headings({ at, saysAgain }: SeenColumn, { between }: Look): readonly Stop[] {
  return between.flatMap((line) => {
    const word =
      line.kind === 'heading' && line.at === at ? (stopWordOf(line.text) ?? saysAgain(line.text)) : undefined;
    if (word === undefined || line.below === 0) return [];
    return [{ word, example: line.text, rows: line.below, isAbove: true }];
  });
}

/** Columns without a field, the note, and names: “Jane Doe (STOP PAY)”. */
function stopsIn(
  { field, header, words, stops, filled, examples }: SeenColumn,
  { rows: all }: Look,
): readonly Stop[] {
  if (field === 'name') return [...stops].map(([word, counted]) => ({ word, ...counted }));
  if (field !== undefined && field !== 'note') return [];
  const column = stopColumn(header, [...(words?.keys() ?? [])]);
  if (column === undefined) return [];
  if (column.kind === 'some' && filled >= all) return [];
  if (column.kind !== 'words') return [{ word: ANY_TEXT, example: examples[0] ?? '', rows: filled }];
  if (words === undefined) return [...stops].map(([word, counted]) => ({ word, ...counted }));
  const found = new Map<string, Stop>();
  for (const [example, rows] of words) {
    if (!column.stops(example)) continue;
    // “DO NOT PAY - resigned, see mail” is too long for an answer.
    const said = stopWordOf(example) ?? wordKey(example);
    const before = found.get(said) ?? {
      word: wordKey(said) === wordKey(example) ? example : said,
      example,
      rows: 0,
    };
    found.set(said, { ...before, rows: before.rows + rows });
  }
  return [...found.values()];
}

function unknownIn(column: SeenColumn, { rows, currencies }: Look): readonly Stop[] {
  if (column.field !== undefined) return [];
  // Totals and titles stand there too. Once a row can be paid, it is known which lines these are.
  if (isWithoutHeader(column.header) && currencies.size === 0) return [];
  const isStop = stopColumn(column.header, [...(column.words?.keys() ?? [])]);
  return unknownStatusWords(column, rows).flatMap(([example, of]) =>
    isStop?.kind === 'words' && !isStop.stops(example) ? [{ word: example, example, rows: of }] : [],
  );
}

const MOST_SHOWN = 8;

function shownStops(stops: readonly Stop[]): string {
  const shown = stops
    .slice(0, MOST_SHOWN)
    .map(
      ({ example, rows, isAbove }) =>
        `${quoted(example)} ${isAbove === true ? 'above' : 'in'} ${rowsText(rows)}`,
    );
  return listed(shown) + (stops.length > shown.length ? ' …' : '');
}

/** Words that payfile does not know beside those that it knows. The most frequent one may be the usual one. */
function askUnknownWords(
  { header, name }: SeenColumn,
  stops: readonly Stop[],
  unknown: readonly Stop[],
): Question {
  const rare = unknown.length > 1 ? unknown.slice(1) : unknown;
  const sets = [stops, [...stops, ...rare], ...rare.map((each) => [...stops, each])];
  const words = sets.map((set) => [...new Set(set.map(({ word }) => word))].sort());
  const differing = [...new Map(words.map((set) => [set.join('\n'), set])).values()];
  const they = unknown.map(({ example }) => quoted(example));
  return {
    code: 'status_unknown',
    text: message(
      'status_unknown',
    )`The column ${quoted(header)} says ${shownStops([...stops, ...unknown])}. payfile does not know what ${listed(they)} ${they.length === 1 ? 'means' : 'mean'}. Which rows are not to be paid?`,
    furtherBy: saying`Name the words of those rows with ${input('leaveOut', `"${printable(name)}=WORD,WORD"`)}.`,
    headers: [header],
    isGuess: true,
    choices: [
      ...differing
        .filter((set) => set.length > 0)
        .map((set) =>
          choice(`Leave out the rows with ${listed(set.map(quoted))}`, {
            kind: 'leave_out',
            header: name,
            words: set,
          }),
        ),
      choice('Pay all these rows', { kind: 'pay_anyway', header: name }),
      choice(`Pay all rows, also next time: ${quoted(header)} is not about payments`, {
        kind: 'ignore',
        header: name,
      }),
    ],
  };
}

function questionOf({ header, name }: SeenColumn, stops: readonly Stop[]): Question {
  const all = rowsOf(stops);
  const [these, they, is] =
    all === 1 ? ['this row', 'it', 'Is'] : [`these ${countText(all)} rows`, 'them', 'Are'];
  return {
    code: 'rows_not_to_pay',
    text: message(
      'rows_not_to_pay',
    )`The column ${quoted(header)} says ${shownStops(stops)}. ${is} ${these} to be paid?`,
    headers: [header],
    choices: [
      choice(`Leave ${these} out`, {
        kind: 'leave_out',
        header: name,
        words: [...new Set(stops.map(({ word }) => word))],
      }),
      choice(`Pay ${they} all the same`, { kind: 'pay_anyway', header: name }),
    ],
  };
}

export const askLaterDates: Asks = (look, said) =>
  undecided(openColumns(look, said), said).flatMap(({ header, name, later }) => {
    if (later === undefined || !saysWhenToPay(header)) return [];
    const [these, is] =
      later.rows === 1 ? ['this row', 'Is'] : [`these ${countText(later.rows)} rows`, 'Are'];
    return [
      {
        code: 'dates_to_come',
        text: message(
          'dates_to_come',
        )`The column ${quoted(header)} has a date after today in ${rowsText(later.rows)}, such as ${quoted(later.example)}. A payment is sent at once. ${is} ${these} to be paid now?`,
        headers: [header],
        choices: [
          choice(`Leave ${these} out now`, {
            kind: 'leave_out',
            header: name,
            words: [afterDay(look.today, later.order)],
          }),
          choice('Pay at once, whatever the dates are', { kind: 'pay_anyway', header: name }),
        ],
      },
    ];
  });
