/**
 * The net below the allow-list: whatever looks like an account number or a token in free text is masked
 * before it is written.
 */
const DIGIT_RUN = /\d[\d -]{5,}\d/g;
const LONG_WORD = /[A-Za-z0-9_-]{32,}/g;

/** `no route to 0244123456` → `no route to ••••3456`; dates and times stay. */
export function redacted(text: string): string {
  const withoutWords = text.replace(LONG_WORD, (word) => `••••${word.slice(-4)}`);
  return withoutWords.replace(DIGIT_RUN, (run) => (isDate(run) ? run : `••••${run.slice(-4)}`));
}

function isDate(run: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(run.trim());
}
