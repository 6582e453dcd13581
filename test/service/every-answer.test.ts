/**
 * Every class of answer to a transfer, the full product of status, word, code, data, body and framing, against a
 * second decision written by hand from the contract. It decides on what was put together, never on JSON, so it
 * shares nothing with the code under test.
 */
import { describe, expect, it } from 'vitest';
import { type AnswerOutcome, outcomeOfAnswer } from '../../src/service/outcome-of-answer.ts';

const BIG_ID = '98765432109876543210';

const STATUSES = [
  200, 201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 408, 409, 411, 421, 422, 425, 429, 431,
  500, 502, 503, 504, 520,
];
type Word = 'yes' | 'no' | 'neither';
const WORDS: readonly (readonly [json: string | undefined, says: Word])[] = [
  ['"success"', 'yes'],
  ['"Success"', 'yes'],
  ['"SUCCESS"', 'yes'],
  ['"failed"', 'no'],
  ['"FAILED"', 'no'],
  ['"pending"', 'neither'],
  ['"succes"', 'neither'],
  ['true', 'neither'],
  [undefined, 'neither'],
];
type Code = 'zero' | 'one' | 'other' | 'unusable';
const CODES: readonly (readonly [json: string | undefined, says: Code])[] = [
  ['0', 'zero'],
  ['"0"', 'zero'],
  ['1', 'one'],
  ['"1"', 'one'],
  ['7', 'other'],
  ['"51"', 'other'],
  ['""', 'unusable'],
  ['null', 'unusable'],
  ['false', 'unusable'],
  ['0.0', 'unusable'],
  ['"00"', 'unusable'],
  ['"no"', 'unusable'],
  [undefined, 'unusable'],
];
/** `empty` is what the interface shows for a failure; `unclear` is neither that nor anything like an id. */
type Data = 'empty' | 'id' | 'like an id' | 'unclear';
const DATA: readonly (readonly [json: string | undefined, says: Data])[] = [
  [undefined, 'empty'],
  ['{}', 'empty'],
  ['{"id":"x"}', 'id'],
  [`{"id":${BIG_ID}}`, 'id'],
  ['{"id":{"v":"x"}}', 'like an id'],
  ['[{"id":"x"}]', 'like an id'],
  ['"text"', 'like an id'],
  ['{"id":""}', 'unclear'],
  ['{"hint":"x"}', 'unclear'],
  ['null', 'unclear'],
  ['[]', 'unclear'],
];

interface Answer {
  readonly httpStatus: number;
  readonly word: (typeof WORDS)[number];
  readonly code: (typeof CODES)[number];
  readonly data: (typeof DATA)[number];
}

function everyAnswer(): Answer[] {
  return STATUSES.flatMap((httpStatus) =>
    WORDS.flatMap((word) => CODES.flatMap((code) => DATA.map((data) => ({ httpStatus, word, code, data })))),
  );
}

/** A prime step through all of them: every value of each part occurs, with most values of the others. */
const someAnswers = () => everyAnswer().filter((_, index) => index % 23 === 0);

function bodyOf({ word, code, data }: Answer, more = ''): string {
  const members = [
    ...(word[0] === undefined ? [] : [`"status":${word[0]}`]),
    ...(data[0] === undefined ? [] : [`"data":${data[0]}`]),
    '"message":"m"',
    ...(code[0] === undefined ? [] : [`"code":${code[0]}`]),
  ];
  return `{${members.join(',')}${more}}`;
}

type Class = 'accepted' | 'refused' | 'turned away' | 'ask: refused' | 'ask: in doubt' | 'in doubt';

function classOf(outcome: AnswerOutcome): Class {
  if (outcome.kind === 'ask_token')
    return outcome.thenIfGood === 'refused' ? 'ask: refused' : 'ask: in doubt';
  if (outcome.kind === 'turned_away') return 'turned away';
  return outcome.kind === 'in_doubt' ? 'in doubt' : outcome.kind;
}

const LISTED = [{ httpStatus: 500, code: '51' }];
const read = (httpStatus: number, body: string | undefined, complete = true, listed = LISTED) =>
  outcomeOfAnswer({ complete, httpStatus, body }, listed).outcome;
const classed = (...given: Parameters<typeof read>) => classOf(read(...given));

/** The contract, said a second time: what must all be true for each class, the rest is in doubt. */
function promised({ httpStatus, word: [, word], code: [codeJson, code], data: [, data] }: Answer): Class {
  const isTaken = [200, 201, 202, 204].includes(httpStatus);
  const isPlainNo = [400, 403, 404, 422].includes(httpStatus);
  const namesTransfer = data === 'id' || data === 'like an id';
  if (isTaken && word === 'yes' && code === 'zero' && data === 'id') return 'accepted';
  if (word === 'yes' || namesTransfer || (word === 'no' && code === 'zero')) return 'in doubt';
  if (httpStatus === 429) return 'turned away';
  if (httpStatus === 401) return 'ask: in doubt';
  if (httpStatus === 500 && codeJson === '"51"') return 'refused';
  if (!(isTaken || isPlainNo) || word !== 'no') return 'in doubt';
  if (code === 'one') return data === 'empty' ? 'ask: refused' : 'ask: in doubt';
  return code === 'other' && data === 'empty' ? 'refused' : 'in doubt';
}

/** Each answer whose class is not the promised one. */
function wrong(answers: readonly Answer[], seen: (answer: Answer) => Class, due: (answer: Answer) => Class) {
  return answers
    .filter((answer) => seen(answer) !== due(answer))
    .map((answer) => `${answer.httpStatus} ${bodyOf(answer)}: ${seen(answer)}, not ${due(answer)}`);
}

describe('each of all answers', () => {
  it('[E2][E3][E4][E7][H1][H5][H6][H7][H8][H10][H11][H12][H13] means what the contract says', () => {
    const all = everyAnswer();
    expect(all.length).toBeGreaterThan(33_000);
    expect(wrong(all, (answer) => classed(answer.httpStatus, bodyOf(answer)), promised)).toEqual([]);
  });

  it('occurs in each class that there is', () => {
    const classes = new Set(everyAnswer().map(promised));
    expect([...classes].sort()).toEqual([
      'accepted',
      'ask: in doubt',
      'ask: refused',
      'in doubt',
      'refused',
      'turned away',
    ]);
  });

  it('[N15][N16][N17] that is not whole is in doubt, whatever it says', () => {
    const due = () => 'in doubt' as const;
    expect(wrong(someAnswers(), (answer) => classed(answer.httpStatus, bodyOf(answer), false), due)).toEqual(
      [],
    );
  });

  it('[N15][N16] that begins as JSON and breaks off is in doubt, wherever it does', () => {
    const some = everyAnswer().filter((_, index) => index % 331 === 0);
    const cut = some.flatMap((answer) => {
      const body = bodyOf(answer);
      return Array.from({ length: body.length - 1 }, (_, at) => ({ ...answer, body: body.slice(0, at + 1) }));
    });
    expect(cut.length).toBeGreaterThan(4_000);
    const other = cut.filter(({ httpStatus, body }) => classed(httpStatus, body) !== 'in doubt');
    expect(other).toEqual([]);
  });

  it('[E5] that names a member twice with two values is in doubt', () => {
    const due = () => 'in doubt' as const;
    for (const more of [',"code":9', ',"status":"other"', ',"data":{"id":"y"}']) {
      const name = more.slice(2, more.indexOf('"', 2));
      const answers = someAnswers().filter((answer) => bodyOf(answer).includes(`"${name}":`));
      expect(wrong(answers, (answer) => classed(answer.httpStatus, bodyOf(answer, more)), due)).toEqual([]);
    }
  });

  it.each([
    ['an empty body', ''],
    ['a page', '<html>No</html>'],
    ['plain text', 'upstream timed out'],
    ['text that is no UTF-8', undefined],
  ])('[H2][H11][H14] with %s is in doubt, but for 429 and 401', (_what, body) => {
    const due = (httpStatus: number): Class => {
      if (body === undefined) return 'in doubt';
      return httpStatus === 429 ? 'turned away' : httpStatus === 401 ? 'ask: in doubt' : 'in doubt';
    };
    expect(STATUSES.map((httpStatus) => classed(httpStatus, body))).toEqual(STATUSES.map(due));
  });
});

describe('the class of an answer does not change', () => {
  const same = (vary: (body: string) => string) => {
    const due = (answer: Answer) => classed(answer.httpStatus, bodyOf(answer));
    return wrong(someAnswers(), (answer) => classed(answer.httpStatus, vary(bodyOf(answer))), due);
  };

  it.each<[string, (body: string) => string]>([
    [
      '[E1] with the letter case of its word',
      (body) => body.replace(/"status":"\w+"/, (all) => casedOf(all)),
    ],
    ['[E1] with spaces around its word', (body) => body.replace(/"status":"(\w+)"/, '"status":" $1 "')],
    ['with a code as number or as text', swapCode],
    ['[E8] with a fetched stamp of any kind', (body) => body.replace(/}$/, ',"fetched":[17]}')],
    ['with members that nobody knows', (body) => body.replace(/^{/, '{"trace":{"a":[1,2]},')],
    ['[H17] with a byte order mark and spaces', (body) => `\uFEFF  ${body}\r\n`],
  ])('%s', (_what, vary) => {
    expect(same(vary)).toEqual([]);
  });

  it('[E1] but a letter that only looks alike is not the same word', () => {
    for (const word of ['succeſs', 'ＳＵＣＣＥＳＳ', 'faıled', 'FAİLED'])
      expect(classed(200, `{"status":"${word}","data":{"id":"x"},"code":0}`)).toBe('in doubt');
  });
});

it('[E4] keeps every digit of an id, and no more than an id', () => {
  const ids = [BIG_ID, '9007199254740993', '0', '1e3', '-7'];
  for (const id of ids) {
    const outcome = read(200, `{"status":"success","data":{"id":${id}},"code":0}`);
    expect(outcome).toEqual({ kind: 'accepted', id });
  }
  for (const id of ['"a b"', '"\\n"', `"${'x'.repeat(129)}"`, 'true', '[1]'])
    expect(classed(200, `{"status":"success","data":{"id":${id}},"code":0}`)).toBe('in doubt');
});

/** `"status":"sUcCeSs"`: every other letter turned. */
function casedOf(member: string): string {
  const [name = '', word = ''] = member.split(':');
  const turned = [...word].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase()));
  return `${name}:${turned.join('')}`;
}

/** An integer becomes text and a text of plain digits a number; `"00"` would be no JSON as a number. */
function swapCode(body: string): string {
  if (/"code":"(0|[1-9]\d*)"/.test(body)) return body.replace(/"code":"(\d+)"/, '"code":$1');
  return body.replace(/"code":(\d+)(?=[,}])/, '"code":"$1"');
}
