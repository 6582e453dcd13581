/** Every named mutation: money is paid twice, paid wrong, lost, or reported wrong. */
import { ANSWER_MUTATIONS } from './named/answers.ts';
import { DECISION_MUTATIONS } from './named/decisions.ts';
import { LEDGER_MUTATIONS } from './named/ledger.ts';
import { READING_MUTATIONS } from './named/reading.ts';
import { SENDING_MUTATIONS } from './named/sending.ts';
import type { NamedMutation } from './named-mutation.ts';

export const NAMED_MUTATIONS: readonly NamedMutation[] = [
  ...SENDING_MUTATIONS,
  ...ANSWER_MUTATIONS,
  ...LEDGER_MUTATIONS,
  ...DECISION_MUTATIONS,
  ...READING_MUTATIONS,
];
