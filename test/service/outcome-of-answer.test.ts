/**
 * Why an answer to a transfer leaves it in doubt. The tables are written by hand, row by row, from the promise:
 * nothing counts as unpaid unless the answer proves it. The class of every answer is in every-answer.test.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DoubtReason } from '../../src/domain/payouts/payout.ts';
import { outcomeOfAnswer } from '../../src/service/outcome-of-answer.ts';
import { printableWithout } from '../../src/service/service-text.ts';

const OK = '{"status":"success","data":{"id":"tr_1"},"message":"posted","code":0}';
const NO = '{"status":"failed","data":{},"message":"no such account","code":7}';
const NO_1 = '{"status":"failed","data":{},"message":"no","code":1}';
const HTML = '<html><body>Bad gateway</body></html>';

type Expected = DoubtReason | 'accepted' | 'refused';

function outcome(httpStatus: number, body: string | undefined, complete = true): string {
  const { outcome } = outcomeOfAnswer({ complete, httpStatus, body }, [{ httpStatus: 500, code: '51' }]);
  return outcome.kind === 'in_doubt' ? outcome.reason : outcome.kind;
}

describe('a transfer is accepted only when the service says so and names it', () => {
  it.each<[string, number, string, Expected]>([
    ['no id', 200, OK.replace('"id":"tr_1"', ''), 'answer_inconclusive'],
    ['an empty id', 200, OK.replace('"tr_1"', '""'), 'answer_inconclusive'],
    ['an id of spaces', 200, OK.replace('"tr_1"', '"  "'), 'answer_contradictory'],
    ['an id that is an object', 200, OK.replace('"tr_1"', '{"v":1}'), 'answer_contradictory'],
    ['data that is the id itself', 200, OK.replace('{"id":"tr_1"}', '"tr_1"'), 'answer_contradictory'],
    ['data in a list', 200, OK.replace('{"id":"tr_1"}', '[{"id":"tr_1"}]'), 'answer_contradictory'],
    ['another code', 200, OK.replace('"code":0', '"code":3'), 'answer_contradictory'],
    ['no code', 200, OK.replace(',"code":0', ''), 'answer_contradictory'],
    ['two codes', 200, OK.replace('"code":0', '"code":1,"code":0'), 'answer_unreadable'],
  ])('success with %s', (_what, httpStatus, body, expected) => {
    expect(outcome(httpStatus, body)).toBe(expected);
  });

  it.each([300, 307, 400, 401, 404, 409, 429, 500, 503])('success on HTTP %i is in doubt', (httpStatus) => {
    expect(outcome(httpStatus, OK)).toBe('answer_contradictory');
  });

  it.each([400, 401, 404, 429, 500])('an id in a failed answer on HTTP %i is in doubt', (httpStatus) => {
    expect(outcome(httpStatus, NO.replace('{}', '{"id":"tr_1"}'))).toBe('answer_contradictory');
    expect(outcome(httpStatus, NO.replace('{}', '{"transfer":{"ID":7}}'))).toBe('answer_contradictory');
  });

  it.each([200, 400, 401, 404, 429, 500])(
    'an id beside the data of a failed answer on HTTP %i is in doubt',
    (httpStatus) => {
      const within = ['"transaction":{"id":"tr_1"}', '"result":[{"made":{"transferId":7}}]'];
      for (const id of ['"id":"tr_1"', '"ID":7', '"transferId":"tr_1"', '"transaction_id":"tr_1"', ...within])
        expect(outcome(httpStatus, NO.replace('"data"', `${id},"data"`))).toBe('answer_contradictory');
      expect(outcome(400, NO.replace('"data"', '"id":"","transferId":null,"requestId":"r-1","data"'))).toBe(
        'refused',
      );
    },
  );
});

describe('a transfer is refused only by a whole, well-formed, consistent no', () => {
  it.each<[number, string, Expected]>([
    [402, NO, 'refused'],
    [400, NO.replace('7', '-7'), 'refused'],
    [400, NO.replace('{}', 'null'), 'answer_inconclusive'],
    [400, NO.replace('7', '0'), 'answer_contradictory'],
    [200, NO.replace('7', '"0"'), 'answer_contradictory'],
    [409, NO, 'answer_inconclusive'],
  ])('HTTP %i %s', (httpStatus, body, expected) => {
    expect(outcome(httpStatus, body)).toBe(expected);
  });

  it('shows the words of the service on one clean, bounded line', () => {
    const message = `no\n\u001b[31m money \u202e${'x'.repeat(600)}`;
    const body = JSON.stringify({ status: 'failed', data: {}, message, code: 7 });
    const { outcome } = outcomeOfAnswer({ complete: true, httpStatus: 400, body }, []);
    expect(outcome).toMatchObject({ kind: 'refused', code: '7' });
    if (outcome.kind !== 'refused') return;
    const shown = printableWithout([], outcome.message);
    expect(shown).toMatch(/^no �\[31m money �x+…$/);
    expect(shown).toHaveLength(500);
  });
});

describe('everything else is in doubt', () => {
  it.each<[number, string | undefined, Expected]>([
    [200, '', 'answer_unreadable'],
    [200, '"ok"', 'answer_unreadable'],
    [200, '[]', 'answer_unreadable'],
    [200, undefined, 'answer_unreadable'],
    [200, '{}', 'answer_inconclusive'],
    [429, NO.replace('7', '0'), 'answer_contradictory'],
    [429, '{"status":"success","data":{"i', 'answer_unreadable'],
    [502, HTML, 'answer_unreadable'],
    [400, '{"status":"failed","data":{},"code":7', 'answer_unreadable'],
    [200, `${'['.repeat(100_000)}`, 'answer_unreadable'],
    [200, '{"status":"success","__proto__":{"code":0},"data":{"id":"1"}}', 'answer_contradictory'],
  ])('HTTP %i %s', (httpStatus, body, expected) => {
    expect(outcome(httpStatus, body)).toBe(expected);
  });

  it.each([200, 400, 401, 429, 500])('an answer that is not whole, on HTTP %i', (httpStatus) => {
    for (const body of [OK, NO, NO_1, HTML, '']) {
      expect(outcome(httpStatus, body, false)).toBe('answer_incomplete');
    }
  });

  it('whatever the service writes, an answer that shows an id is accepted or in doubt', () => {
    const word = fc.constantFrom('success', 'failed', 'Success', 'error', '');
    const code = fc.constantFrom<unknown>(0, 1, 7, 51, '0', '1', '', null, false);
    const id = fc.constantFrom<unknown>('tr_1', 5, ' ', { a: 1 });
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        word,
        code,
        id,
        (httpStatus, status, codeValue, idValue) => {
          const body = JSON.stringify({ status, code: codeValue, data: { id: idValue } });
          expect(outcome(httpStatus, body)).toMatch(/^(accepted|answer_)/);
        },
      ),
      { numRuns: 500 },
    );
  });
});
