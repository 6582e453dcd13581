/** Bugs in what an answer of the service is taken to mean. */
import type { PlantedBug } from '../planted-bug.ts';

const TABLE = 'src/adapters/payment-service/outcome-of-answer.ts';
const FACTS = 'src/adapters/payment-service/answer-facts.ts';
const PACE = 'src/adapters/payment-service/with-rate-limit.ts';
const EXACT = 'src/contract/exact-json.ts';
const ENVELOPE = 'src/contract/envelope.ts';
const WIRE = 'test/adapters/payment-service/transfer-wire.test.ts';
const OUTCOME = 'test/adapters/payment-service/outcome-of-answer.test.ts';
const EVERY = 'test/adapters/payment-service/every-answer.test.ts';
const EXACT_TEST = 'test/contract/exact-json.test.ts';
const ENVELOPE_TEST = 'test/contract/envelope.test.ts';

const FIRST_ROW = "  { when: (facts) => !facts.complete, means: () => doubt('answer_incomplete') },";

/** A row put on top of the table: this status proves that nothing was executed. */
const turnedAwayOn = (status: number) => ({
  file: TABLE,
  find: FIRST_ROW,
  replace: `  { when: (facts) => facts.httpStatus === ${status}, means: () => ({ kind: 'turned_away', why: 'rate_limited' }) },\n${FIRST_ROW}`,
});

export const ANSWER_BUGS: readonly PlantedBug[] = [
  {
    id: 'retry-on-502',
    mustCatch: 'retry_on_502',
    bug: 'A 502 is taken for proof that the service did not get the request.',
    ...turnedAwayOn(502),
    caughtBy: [{ test: WIRE, title: '502' }],
  },
  {
    id: 'retry-on-500',
    bug: 'A 500 is taken for proof that nothing was executed.',
    ...turnedAwayOn(500),
    caughtBy: [{ test: WIRE, title: '500' }],
  },
  {
    id: 'retry-on-408',
    bug: 'A 408 is taken for proof that nothing was executed.',
    ...turnedAwayOn(408),
    caughtBy: [{ test: WIRE, title: '408' }],
  },
  {
    id: 'retry-on-425',
    bug: 'A 425 is taken for proof that nothing was executed.',
    ...turnedAwayOn(425),
    caughtBy: [{ test: WIRE, title: '[H8] 425' }],
  },
  {
    id: 'retry-on-204',
    bug: 'A 204 is taken for proof that nothing was executed.',
    ...turnedAwayOn(204),
    caughtBy: [{ test: WIRE, title: '[H14] 204' }],
  },
  {
    id: 'mark-not-tolerated',
    bug: 'A byte order mark makes a good answer unreadable.',
    file: EXACT,
    find: "const document = text.startsWith('\\uFEFF') ? text.slice(1) : text;",
    replace: 'const document = text;',
    caughtBy: [{ test: WIRE, title: '[H17] success with a byte order mark' }],
  },
  {
    id: 'fetched-demanded',
    bug: 'An answer counts only with a fetched stamp of the usual shape.',
    file: FACTS,
    find: "    document: isObject(document) ? 'object' : document,",
    replace:
      "    document: !isObject(document) ? document : Array.isArray(document.fetched) ? 'damaged' : 'object',",
    caughtBy: [{ test: EVERY, title: '[E8]' }],
  },
  {
    id: 'inconclusive-is-refused',
    bug: 'A failed envelope on 408, 409, 421, 425 or 431 is taken for a refusal.',
    file: TABLE,
    find: 'const INCONCLUSIVE_4XX = [408, 409, 411, 421, 425, 431];',
    replace: 'const INCONCLUSIVE_4XX: number[] = [];',
    caughtBy: [
      { test: WIRE, title: '408' },
      { test: WIRE, title: '409' },
    ],
  },
  {
    id: 'incomplete-is-read',
    bug: 'What came of an answer that was cut off is read as if it were whole.',
    file: TABLE,
    find: `${FIRST_ROW}\n`,
    replace: '',
    caughtBy: [{ test: OUTCOME, title: 'an answer that is not whole' }],
  },
  {
    id: 'damaged-is-a-page',
    bug: 'JSON that breaks off is taken for the page of a proxy.',
    file: FACTS,
    find: "return /^[\\s\\uFEFF]*[{[]/.test(body) ? 'damaged' : 'none';",
    replace: "return 'none';",
    caughtBy: [{ test: OUTCOME, title: 'everything else is in doubt' }],
  },
  {
    id: 'accepted-on-any-status',
    bug: 'A success envelope counts on whatever status it comes.',
    file: TABLE,
    find: "when: (facts) => is2xx(facts) && facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,",
    replace: "when: (facts) => facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,",
    caughtBy: [{ test: OUTCOME, title: 'is in doubt' }],
  },
  {
    id: 'accepted-without-id',
    bug: 'Success without an id is a success.',
    file: TABLE,
    find: 'facts.codeIsZero && facts.id !== undefined,',
    replace: 'facts.codeIsZero,',
    caughtBy: [{ test: OUTCOME, title: 'a transfer is accepted only when the service says so and names it' }],
  },
  {
    id: 'code-of-success-ignored',
    bug: 'The word success is enough, whatever the code says.',
    file: TABLE,
    find: "facts.word === 'success' && facts.codeIsZero && facts.id !== undefined,",
    replace: "facts.word === 'success' && facts.id !== undefined,",
    caughtBy: [
      { test: OUTCOME, title: 'a transfer is accepted only when the service says so and names it' },
      { test: EVERY, title: '[E3]' },
    ],
  },
  {
    id: 'empty-code-is-zero',
    mustCatch: 'empty_code_is_zero',
    bug: 'A code is compared as a number, so an empty one is zero.',
    file: ENVELOPE,
    find: "  return code === '0';",
    replace: '  return Number(code) === 0;',
    caughtBy: [
      { test: ENVELOPE_TEST, title: 'the code' },
      { test: OUTCOME, title: 'a transfer is accepted only when the service says so and names it' },
    ],
  },
  {
    id: 'words-in-the-locale',
    bug: 'The status word is compared letter by letter as it came.',
    file: ENVELOPE,
    find: "  return foldAscii(status) === 'success';",
    replace: "  return status.trim() === 'success';",
    caughtBy: [{ test: ENVELOPE_TEST, title: 'means the same in any mix of letter case' }],
  },
  {
    id: 'id-precision',
    mustCatch: 'id_precision',
    bug: 'A number of the service goes through a double, so a long id is another id.',
    file: EXACT,
    find: 'return new NumberText(value.toString());',
    replace: 'return new NumberText(String(Number(value.toString())));',
    caughtBy: [
      { test: EXACT_TEST, title: 'keeps every digit of every number' },
      { test: OUTCOME, title: 'keeps an id digit by digit' },
    ],
  },
  {
    id: 'last-key-wins',
    bug: 'Of two contradicting keys the last one counts.',
    file: EXACT,
    find: 'return withNumberTexts(parse(document, undefined, undefined));',
    replace: 'return withNumberTexts(parse(JSON.stringify(JSON.parse(document)), undefined, undefined));',
    caughtBy: [{ test: EXACT_TEST, title: 'a JSON document' }],
  },
  {
    id: 'prototype-polluted',
    bug: 'A key named __proto__ reaches the prototype of our objects.',
    file: EXACT,
    find: 'Object.create(null);',
    replace: '{};',
    caughtBy: [{ test: EXACT_TEST, title: 'has no power over our objects' }],
  },
  {
    id: 'nesting-without-limit',
    bug: 'A document nested a hundred thousand deep is read.',
    file: EXACT,
    find: '  if (depthOf(document) > DEPTH_MAX) throw',
    replace: '  if (depthOf(document) < 0) throw',
    caughtBy: [{ test: EXACT_TEST, title: 'a JSON document' }],
  },
  {
    id: 'id-beside-data-overlooked',
    bug: 'A failed answer that names a transfer beside its data counts as refused.',
    file: FACTS,
    find: 'mentionsId(data) || namesId(envelope)',
    replace: 'mentionsId(data)',
    caughtBy: [{ test: OUTCOME, title: 'an id beside the data of a failed answer' }],
  },
  {
    id: 'mentioned-id-overlooked',
    bug: 'An id in a failed answer is overlooked, and the row called refused.',
    file: FACTS,
    find: '    mentionsId: mentionsId(data) || namesId(envelope),',
    replace: '    mentionsId: false,',
    caughtBy: [{ test: OUTCOME, title: 'an id in a failed answer' }],
  },
  {
    id: 'odd-id-taken',
    bug: 'An id of any length and any characters is taken.',
    file: ENVELOPE,
    find: '/^[!-~]{1,128}$/.test(text)',
    replace: 'text !== undefined',
    caughtBy: [{ test: ENVELOPE_TEST, title: 'an id is kept digit by digit, and must be visible' }],
  },
  {
    id: 'data-null-is-empty',
    bug: 'Whatever data holds, a failed answer is a refusal.',
    file: TABLE,
    find: "isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero && facts.dataIsEmpty,",
    replace: "isConclusive(facts) && facts.word === 'failed' && facts.codeIsNonZero,",
    caughtBy: [{ test: OUTCOME, title: 'a transfer is refused only by a whole, well-formed, consistent no' }],
  },
  {
    id: 'failed-with-zero-is-refused',
    bug: 'The word failed is enough, whatever the code says.',
    file: TABLE,
    find: "    when: (facts) => facts.word === 'failed' && facts.codeIsZero,",
    replace: "    when: (facts) => facts.word === 'failed' && facts.codeIsZero && facts.httpStatus < 0,",
    also: [
      {
        file: TABLE,
        find: "facts.word === 'failed' && facts.codeIsNonZero && facts.dataIsEmpty,",
        replace: "facts.word === 'failed' && facts.dataIsEmpty,",
      },
    ],
    caughtBy: [{ test: OUTCOME, title: 'a transfer is refused only by a whole, well-formed, consistent no' }],
  },
  {
    id: 'page-is-a-refusal',
    bug: 'The page of a firewall on a 4xx is taken for a refusal of the service.',
    file: TABLE,
    find: "{ when: (facts) => facts.document === 'none', means: () => doubt('answer_unreadable') },",
    replace: "{ when: (facts) => facts.document === 'none' && isConclusive(facts), means: refused },",
    caughtBy: [{ test: WIRE, title: '403 of a firewall' }],
  },
  {
    id: 'refusal-is-a-doubt',
    bug: 'A plain refusal costs a person’s work: it is called a doubt.',
    file: TABLE,
    find: 'facts.codeIsNonZero && facts.dataIsEmpty,\n    means: refused,',
    replace: "facts.codeIsNonZero && facts.dataIsEmpty,\n    means: () => doubt('answer_inconclusive'),",
    caughtBy: [
      { test: WIRE, title: 'a refusal' },
      { test: OUTCOME, title: 'a transfer is refused only by a whole, well-formed, consistent no' },
    ],
  },
  {
    id: 'rate-limit-is-a-doubt',
    bug: 'A 429 puts the row in doubt.',
    file: TABLE,
    find: "  { when: (facts) => facts.httpStatus === 429, means: () => ({ kind: 'turned_away', why: 'rate_limited' }) },\n",
    replace: '',
    caughtBy: [{ test: OUTCOME, title: 'a 429 turns the transfer away' }],
  },
  {
    id: 'retry-after-without-cap',
    bug: 'A batch waits as long as any Retry-After says.',
    file: PACE,
    find: 'const delay = Math.min(asked, PAUSE_MS_MAX);',
    replace: 'const delay = asked;',
    also: [
      {
        file: 'src/adapters/payment-service/http-date.ts',
        find: 'RETRY_AFTER_MS_MAX = 24 * 3_600_000',
        replace: 'RETRY_AFTER_MS_MAX = 5_000_000 * 60_000',
      },
    ],
    caughtBy: [{ test: WIRE, title: 'too long' }],
  },
];
