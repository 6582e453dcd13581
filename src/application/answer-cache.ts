/**
 * Remembers answers to equal questions while a stage runs: two rows for one account ask once. Bounded: the
 * oldest answers are forgotten first.
 */
const ANSWERS_MAX = 20_000;

export interface AnswerCache<Answer> {
  ask(key: string, question: () => Promise<Answer>): Promise<Answer>;
}

export function createAnswerCache<Answer>(): AnswerCache<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return {
    ask(key, question) {
      const known = answers.get(key);
      if (known !== undefined) return known;
      const oldest = answers.keys().next();
      if (answers.size >= ANSWERS_MAX && oldest.done !== true) answers.delete(oldest.value);
      const asked = question();
      answers.set(key, asked);
      // A question that failed is asked again by the next row.
      asked.catch(() => answers.delete(key));
      return asked;
    },
  };
}
