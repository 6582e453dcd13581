/**
 * In words, how an instruction differs from another: for a row that was paid and then changed in the file.
 */
import type { Instruction } from './instruction.ts';
import { formatMoney } from './money.ts';
import { maskOf } from './sensitive.ts';

/** `amount GHS 1,200.00 → GHS 1,250.00`; empty when nothing that identifies the payment differs. */
export function differencesOf(before: Instruction, after: Instruction): readonly string[] {
  const differences: string[] = [];
  const note = (what: string, one: string | undefined, other: string | undefined) => {
    if (one !== other) differences.push(`${what} ${one ?? '(none)'} → ${other ?? '(none)'}`);
  };
  note('amount', formatMoney(before.amount), formatMoney(after.amount));
  note('country', before.destinationName, after.destinationName);
  note('institution', before.institutionName, after.institutionName);
  const [account, newAccount] = [before.account.reveal(), after.account.reveal()];
  if (account !== newAccount) {
    const [one, other] = [maskOf(account), maskOf(newAccount)];
    differences.push(one === other ? `account ${one} → another ending alike` : `account ${one} → ${other}`);
  }
  note('name', before.name, after.name);
  note('phone', before.phone, after.phone);
  note('reference', before.reference, after.reference);
  note('note', before.note, after.note);
  note('source', before.sourceId, after.sourceId);
  return differences;
}
