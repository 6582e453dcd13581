/** What a person says of a file, for tests that open one. */
import type { Answer, Said } from '../../src/domain/reading/answer.ts';
import { NOTHING_SAID, type ReadingAsked } from '../../src/domain/reading/reading.ts';
import type { Field } from '../../src/domain/rows/row.ts';
import { timestampOf } from '../../src/domain/timestamp.ts';

export function said(...answers: readonly Answer[]): ReadingAsked {
  const by = { by: 'ada', at: timestampOf(Date.UTC(2026, 4, 25)) };
  return { ...NOTHING_SAID, answers: answers.map((answer): Said => ({ ...answer, ...by })) };
}

export function saidMaps(maps: Iterable<readonly [Field, string]>): ReadingAsked {
  return said(...[...maps].map(([field, header]): Answer => ({ kind: 'map', field, headers: [header] })));
}
