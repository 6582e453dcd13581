/**
 * A plan in JSON: the fault of each transfer. A transfer takes the next of `turns` while there are any. Otherwise it
 * takes the longest matching account ending, or the default. The words are FAULT_WORDS of fault.ts.
 */
import { FAULT_WORDS, type Fault, type FaultWord, faultOf } from './fault.ts';
import type { Order } from './server.ts';

export interface Plan {
  readonly next: (order: Order) => Fault;
  readonly tokenSeconds: number;
}

interface PlanJson {
  readonly default?: string;
  readonly byAccountEnding?: Readonly<Record<string, string>>;
  readonly turns?: readonly string[];
  readonly latencyMs?: number;
  readonly lateMs?: number;
  readonly tokenSeconds?: number;
}

/** Throws for a word that is none. */
export function planned(json: string): Plan {
  const plan = JSON.parse(json) as PlanJson;
  const times = { latencyMs: plan.latencyMs ?? 0, lateMs: plan.lateMs ?? 500 };
  const byDefault = wordOf(plan.default ?? 'accept');
  const turns = (plan.turns ?? []).map(wordOf);
  const endings = Object.entries(plan.byAccountEnding ?? {})
    .map(([ending, word]) => [ending, wordOf(word)] as const)
    .sort(([one], [other]) => other.length - one.length);
  return {
    tokenSeconds: plan.tokenSeconds ?? 3_600,
    next: ({ account }) => {
      const found = endings.find(([ending]) => account.endsWith(ending));
      return faultOf(turns.shift() ?? found?.[1] ?? byDefault, times);
    },
  };
}

function wordOf(text: string): FaultWord {
  const word = FAULT_WORDS.find((known) => known === text);
  if (word === undefined) throw new TypeError(`“${text}” is no fault; one of ${FAULT_WORDS.join(', ')}`);
  return word;
}
