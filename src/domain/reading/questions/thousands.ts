/** Amounts in thousands, by a title or a header: `KES '000`, `in thousands`, `en milliers`. */
import lists from '../../../data/column-words.json' with { type: 'json' };
import { spacedWords, wordList } from '../../text/header-words.ts';
import { message } from '../../text/message.ts';
import type { Asks } from '../question.ts';
import { choice, isAbout, openColumns, quoted, shown, usedFor } from './columns.ts';

const THOUSANDS = wordList(lists.thousands);
const MILLIONS = wordList(lists.millions);
/** `'000`, `(000s)`, `x 1,000`. */
const IN_SIGNS =
  /['’‘`´]\s*000s?(?!\d)|\(\s*(?:['’x×*]?\s*)?(?:1[, .]?)?000s?\s*\)|[x×*]\s*1[, .]?000(?!\d)|\b(?:in|en|em|[A-Z]{3})\s+000s?(?!\d)/i;

export const askThousands: Asks = (look, said) => {
  const used = usedFor(openColumns(look, said), 'amount');
  if (used === undefined || isAbout(said, 'scale', used.header)) return [];
  const text = [used.header, ...look.above].find(saysThousands);
  if (text === undefined) return asksMillions([used.header, ...look.above]);
  const { header } = used;
  return [
    {
      code: 'in_thousands',
      text: message('in_thousands')`Are the amounts of ${shown(used)} in thousands? ${quoted(text)} says so.`,
      headers: [header],
      choices: [
        choice('Pay a thousand times what is written', { kind: 'scale', header, factor: 1000 }),
        choice('Pay the amounts as they are written', { kind: 'scale', header, factor: 1 }),
      ],
    },
  ];

  function asksMillions(texts: readonly string[]) {
    const said = texts.find((each) => MILLIONS.isIn(spacedWords(each)));
    if (used === undefined || said === undefined) return [];
    return [
      {
        code: 'in_millions',
        text: message('in_millions')`Are the amounts of ${shown(used)} in millions? ${quoted(said)} says so.`,
        headers: [used.header],
        choices: [
          choice('Pay the amounts as they are written', { kind: 'scale', header: used.header, factor: 1 }),
          choice('They are in millions: write the whole amounts in the file'),
        ],
      },
    ];
  }
};

function saysThousands(text: string): boolean {
  return IN_SIGNS.test(text) || THOUSANDS.isIn(spacedWords(text.replace(/\d[\d,. ]*\d/g, ' ')));
}
