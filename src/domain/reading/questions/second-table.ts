/** The header of another table among the rows: the header of the first one would read its rows wrongly. */
import { message } from '../../text/message.ts';
import type { Asks } from '../question.ts';
import { choice, quoted } from './columns.ts';

export const askSecondTable: Asks = ({ between, columns }) =>
  between.flatMap((line) => {
    if (line.kind !== 'table') return [];
    const { row, text, at } = line;
    const { header = '', name = '' } = columns[at] ?? {};
    return [
      {
        code: 'second_table',
        text: message(
          'second_table',
        )`Row ${row} names columns again, from ${quoted(text)} on, and not as the header above does. The rows below it are of another table, and the first header cannot read them. What is to be done with them?`,
        headers: [header],
        choices: [
          ...(header === ''
            ? []
            : [
                choice('Leave all rows of that table out', {
                  kind: 'leave_out',
                  header: name,
                  words: [text],
                } as const),
              ]),
          choice('Put each table into a sheet or a file of its own, and read it again'),
        ],
      },
    ];
  });
