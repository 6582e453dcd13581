/**
 * A report line whose account number stands in none of its words: people use it as a reference, and the service
 * repeats it in its answers. Ids, amounts and the commands to type stay as they are.
 */
import type { ReportLine } from '../../../../domain/reporting/report-line.ts';
import { maskOf } from '../../../../domain/text/sensitive.ts';

/** Anything shorter stands in too many words by chance. */
const SHORTEST = 5;

export function withoutAccount(line: ReportLine): ReportLine {
  const account = line.account.reveal();
  if (account.length < SHORTEST) return line;
  const mask = maskOf(account);
  const hidden = (text: string) => text.replaceAll(account, mask);
  const { texts } = line;
  return {
    ...line,
    reference: hidden(line.reference),
    name: hidden(line.name),
    institution: hidden(line.institution),
    country: hidden(line.country),
    texts: {
      ...texts,
      reason: hidden(texts.reason),
      service_status: hidden(texts.service_status),
      account_name: hidden(texts.account_name),
    },
  };
}
