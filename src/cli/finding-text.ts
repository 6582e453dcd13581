/** One finding of a statement in words: which row, which lines, and why. */
import { formatMoney } from '../domain/money.ts';
import { printable } from '../domain/printable.ts';
import type { StatementEntry } from '../domain/statement-entry.ts';
import type { Finding, MatchedBy } from '../domain/statement-findings.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import { lineNumbers } from '../domain/statement-roles.ts';

const BY: Readonly<Record<MatchedBy, string>> = {
  tag: 'by its tag',
  transfer_id: 'by its transfer id',
  account: 'by account, amount and date',
  masked_account: 'by the end of the account, amount and date',
};

function placeText({ rowNumber, amount, accountShown, isCurrent, payoutId }: StatementEntry): string {
  const which = isCurrent ? '' : ` (earlier instruction ${payoutId})`;
  return `Row ${rowNumber}${which}, ${formatMoney(amount)} to ${accountShown}`;
}

export function findingText(finding: Finding): string {
  switch (finding.kind) {
    case 'incident':
      return `${placeText(finding.entry)}: ${finding.what}, found ${BY[finding.by]}.`;
    case 'duplicate': {
      const rows = finding.lines.map(({ rowNumber }) => rowNumber).join(', ');
      return `${placeText(finding.entry)}: lines ${rows}.`;
    }
    case 'theirs_only':
      return printable(
        `Line ${finding.line.rowNumber}, ${finding.line.amountText}, ${finding.tag}: ${finding.why}.`,
      );
    case 'fee_line':
      return printable(
        `${placeText(finding.entry)}: line ${finding.line.rowNumber}, ${finding.line.amountText}.`,
      );
    case 'unclear':
    case 'still_in_doubt':
      return printable(`${placeText(finding.entry)}: ${finding.why}.`);
    case 'propose_paid': {
      const id = finding.transferId === undefined ? '' : `, transfer ${finding.transferId}`;
      const found = `line ${finding.line.rowNumber}${id}, found ${BY[finding.by]}`;
      return printable(`${placeText(finding.entry)}: ${found}${weaknessText(finding.weakness)}.`);
    }
    case 'propose_not_paid': {
      // What weakens it may be what stands beside it.
      const note = finding.weakness === finding.note ? '' : noteText(finding.note);
      return printable(`${placeText(finding.entry)}: not there${note}${weaknessText(finding.weakness)}.`);
    }
    case 'differs':
      return printable(`${placeText(finding.entry)}, line ${finding.line.rowNumber}: ${finding.what}.`);
    case 'ours_only':
    case 'on_its_way':
      return printable(`${placeText(finding.entry)}${noteText(finding.note)}.`);
    case 'further_lines':
      return printable(`${placeText(finding.entry)}: ${finding.lines.map(lineText).join('; ')}.`);
    case 'matched':
      return `${placeText(finding.entry)}: ${lineNumbers([finding.line, ...finding.others])}, ${BY[finding.by]}.`;
  }
}

function weaknessText(weakness: string | undefined): string {
  return weakness === undefined ? '' : ` – not ruled by --accept: ${weakness}`;
}

function noteText(note: string | undefined): string {
  return note === undefined ? '' : `; ${note}`;
}

function lineText({ rowNumber, amountText, direction }: StatementLine): string {
  return `line ${rowNumber}, ${amountText}${direction === 'in' ? ', coming in' : ''}`;
}
