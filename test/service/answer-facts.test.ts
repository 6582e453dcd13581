/**
 * The fine print of the classifier: every edge of every condition, with the outcome on both sides of it. Each
 * line was written because a mutant of the code survived without it.
 */
import { describe, expect, it } from 'vitest';
import { factsOf, outcomeOfAnswer } from '../../src/service/outcome-of-answer.ts';

const LISTED = [
  { httpStatus: 500, code: '51' },
  { httpStatus: 503, code: '77' },
  { httpStatus: 503, code: 'abc' },
];

const answer = (httpStatus: number, body: string | undefined, complete = true) => ({
  complete,
  httpStatus,
  body,
});

function outcome(httpStatus: number, body: string | undefined): string {
  const { outcome } = outcomeOfAnswer(answer(httpStatus, body), LISTED);
  if (outcome.kind === 'in_doubt') return outcome.reason;
  return outcome.kind === 'ask_token' ? `ask, then ${outcome.thenIfGood}` : outcome.kind;
}

const no = (code: string, data = '{}', status = 'failed') =>
  `{"status":"${status}","data":${data},"message":"no","code":${code}}`;
const yes = (data: string, code = '0') => `{"status":"success","data":${data},"code":${code}}`;

describe('each edge of the table', () => {
  it.each<[string, number, string | undefined, string]>([
    ['success on the last 2xx', 299, yes('{"id":"a"}'), 'accepted'],
    ['success below 2xx', 199, yes('{"id":"a"}'), 'answer_contradictory'],
    ['success without an id, no 2xx', 400, yes('{}'), 'answer_contradictory'],
    ['success without an id, another code', 200, yes('{}', '3'), 'answer_contradictory'],
    ['success without data on 500', 500, '{"status":"success","code":0}', 'answer_contradictory'],
    ['success with an id that is null', 200, yes('{"id":null}'), 'answer_inconclusive'],
    ['success with an id of spaces alone as data', 200, yes('"  "'), 'answer_inconclusive'],
    ['success with empty text as data', 200, yes('""'), 'answer_inconclusive'],
    ['success with a number as data', 200, yes('12'), 'answer_contradictory'],
    ['another word with code 0', 400, no('0', '{}', 'maybe'), 'answer_inconclusive'],
    ['another word with code 1', 400, no('1', '{}', 'maybe'), 'answer_inconclusive'],
    ['another word with code 7', 400, no('7', '{}', 'maybe'), 'answer_inconclusive'],
    ['a refusal on the last 4xx', 499, no('7'), 'refused'],
    ['a refusal above 4xx', 500, no('7'), 'answer_inconclusive'],
    ['a refusal below 4xx', 399, no('7'), 'answer_inconclusive'],
    ['a refusal below 2xx', 199, no('7'), 'answer_inconclusive'],
    ['a refusal on the last 2xx', 299, no('7'), 'refused'],
    ['code 1 on the last 2xx', 299, no('1'), 'ask, then refused'],
    ['code 01, which is one', 400, no('"01"'), 'ask, then refused'],
    ['code 10, which is not one', 400, no('10'), 'refused'],
    ['code 21, which is not one', 400, no('21'), 'refused'],
    ['code 07, which is not zero', 400, no('"07"'), 'refused'],
    ['code 70, which is not zero', 400, no('70'), 'refused'],
    ['a code of 18 digits', 400, no('1'.repeat(18)), 'refused'],
    ['a code of 19 digits', 400, no('1'.repeat(19)), 'answer_inconclusive'],
    ['a code in a list', 400, no('["7"]'), 'answer_inconclusive'],
    ['the second of several listed answers', 503, no('77'), 'refused'],
    ['a listed code on another status', 502, no('77'), 'answer_inconclusive'],
    ['a listed code that is no integer', 503, no('"abc"'), 'answer_inconclusive'],
    ['data with a word that begins like id', 400, no('7', '{"idle":"x"}'), 'answer_inconclusive'],
    ['data with a word that ends like id', 400, no('7', '{"paid":"x"}'), 'answer_inconclusive'],
    ['data with a transfer id', 400, no('7', '{"transactionid":"x"}'), 'answer_contradictory'],
    ['data with an id deep inside', 400, no('7', '{"a":{"b":[{"_id":"x"}]}}'), 'answer_contradictory'],
    ['data with things inside that are none', 400, no('7', '{"a":{"note":"x"}}'), 'answer_inconclusive'],
    ['a number as data', 400, no('7', '12345'), 'answer_contradictory'],
    ['a number and nothing else', 200, '5', 'answer_unreadable'],
    ['a page on 429', 429, '<html>', 'turned_away'],
    ['a page with a brace on 429', 429, '<html>{"a":1', 'turned_away'],
    ['a text in quotes on 429', 429, '"ok"', 'turned_away'],
    ['a list on 429', 429, '[]', 'answer_unreadable'],
    ['bytes that are no text on 429', 429, undefined, 'answer_unreadable'],
    ['bytes that are no text on 401', 401, undefined, 'answer_unreadable'],
  ])('%s', (_what, httpStatus, body, expected) => {
    expect(outcome(httpStatus, body)).toBe(expected);
  });
});

describe('what is told of an answer', () => {
  it('is each fact, to the last', () => {
    const body = '{"status":" FAILED ","data":{},"message":"no money","code":"51"}';
    const facts = {
      complete: true,
      httpStatus: 402,
      document: 'object',
      word: 'failed',
      code: '51',
      codeIsZero: false,
      codeIsNonZero: true,
      id: undefined,
      mentionsId: false,
      dataIsEmpty: true,
      message: 'no money',
    };
    expect(factsOf(answer(402, body))).toStrictEqual(facts);
    expect(outcomeOfAnswer(answer(402, body), LISTED).facts).toStrictEqual(facts);
  });

  it('is no code and no word where there is none, and no message that is no text', () => {
    expect(factsOf(answer(200, '{"status":5,"code":"abc","message":5,"data":null}'))).toStrictEqual({
      complete: true,
      httpStatus: 200,
      document: 'object',
      word: 'other',
      code: undefined,
      codeIsZero: false,
      codeIsNonZero: false,
      id: undefined,
      mentionsId: false,
      dataIsEmpty: false,
      message: undefined,
    });
    expect(factsOf(answer(200, '{"status":"maybe"}'))).toMatchObject({ word: 'other', dataIsEmpty: true });
    expect(factsOf(answer(200, undefined))).toMatchObject({ document: 'damaged', word: 'other' });
    expect(factsOf(answer(200, '<html>'))).toMatchObject({ document: 'none', word: 'other' });
  });

  it('is the code and the words of the service, empty where it says nothing', () => {
    const told = (httpStatus: number, body: string) =>
      outcomeOfAnswer(answer(httpStatus, body), LISTED).outcome;
    expect(told(200, yes('{"id":12345678901234567890}'))).toEqual({
      kind: 'accepted',
      id: '12345678901234567890',
    });
    expect(told(400, no('7'))).toEqual({ kind: 'refused', code: '7', message: 'no' });
    expect(told(400, '{"status":"failed","code":7}')).toEqual({ kind: 'refused', code: '7', message: '' });
    expect(told(400, no('1'))).toEqual({
      kind: 'ask_token',
      thenIfGood: 'refused',
      code: '1',
      message: 'no',
    });
    expect(told(401, '')).toEqual({ kind: 'ask_token', thenIfGood: 'in_doubt', code: '', message: '' });
  });
});
