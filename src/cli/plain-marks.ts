/**
 * Marks for a terminal that cannot show ours. Text of files and people stays as it is: only signs that we write
 * ourselves are put into ASCII.
 *
 * Why:     LC_ALL, LC_CTYPE and LANG are read as every program reads them, the first that is set. None set says
 *          nothing: cron and containers leave them out although what they write is read as UTF-8, and scripts look
 *          for our marks there. TERM=dumb speaks of terminals only.
 */
const PLAIN: Readonly<Record<string, string>> = {
  '✔': '[ok]',
  '✖': '[x]',
  '→': '->',
  '↩': '<-',
  '…': '...',
  '–': '-',
  '—': '-',
  '−': '-',
  '·': '|',
  '•': '*',
  '“': '"',
  '”': '"',
  '’': "'",
};
const OURS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

type Env = Readonly<Record<string, string | undefined>>;

/** Whether a locale says that it can show ASCII only (or another code than ours). */
export function wantsPlainMarks(env: Env, isTerminal: boolean): boolean {
  if (isTerminal && env['TERM'] === 'dumb') return true;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => (each ?? '') !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

export function inPlainMarks(text: string): string {
  return text.replace(OURS, (mark) => PLAIN[mark] ?? mark);
}
